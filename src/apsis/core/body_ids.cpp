// SPDX-License-Identifier: MIT
#include <apsis/core/body_ids.hpp>
#include <apsis/core/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <vector>

namespace apsis {

void require_unique_ids(std::span<const std::uint64_t> ids, const std::string& origin,
                        const std::string& remedy) {
  // nearly always they ascend, which one pass shows; only otherwise they are sorted
  if (std::adjacent_find(ids.begin(), ids.end(), std::greater_equal<>{}) == ids.end()) return;
  std::vector<std::uint64_t> sorted(ids.begin(), ids.end());
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice == sorted.end()) return;
  const auto first = std::find(ids.begin(), ids.end(), *twice);
  const auto second = std::find(first + 1, ids.end(), *twice);
  throw bad_data(fmt::format("{}: bodies {} and {} have the same id {}", origin,
                             first - ids.begin() + 1, second - ids.begin() + 1, *twice),
                 remedy);
}

}  // namespace apsis
