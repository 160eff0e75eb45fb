// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/io/state_parts.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace apsis {
namespace {

constexpr const char* other_checkpoint = "resume from the other checkpoint or start the run again";

// The one array that belongs to all bodies together.
bool is_shared(const StateArray& array) { return array.name == "scale"; }

std::size_t bytes_per_body(const StateArray& array, std::size_t bodies) {
  if (bodies == 0 || array.bytes.size() % bodies != 0) {
    throw bad_data(fmt::format("state array '{}' of {} bytes does not belong to {} bodies",
                               array.name, array.bytes.size(), bodies),
                   other_checkpoint);
  }
  return array.bytes.size() / bodies;
}

}  // namespace

std::vector<std::size_t> even_parts(std::size_t n, std::size_t parts) {
  std::vector<std::size_t> counts(parts, n / parts);
  for (std::size_t p = 0; p < n % parts; ++p) ++counts[p];
  return counts;
}

EngineState part_of_state(const EngineState& state, std::size_t first, std::size_t count) {
  EngineState part{state.layout, count, {}};
  for (const StateArray& array : state.arrays) {
    if (is_shared(array) || array.bytes.empty()) {
      part.arrays.push_back(array);
      continue;
    }
    const std::size_t each = bytes_per_body(array, state.bodies);
    const auto begin = array.bytes.begin() + static_cast<std::ptrdiff_t>(first * each);
    part.arrays.push_back({array.name, {begin, begin + static_cast<std::ptrdiff_t>(count * each)}});
  }
  return part;
}

EngineState joined_state(std::span<const EngineState> parts) {
  if (parts.empty()) return {};
  // one without bodies has no optional columns
  const auto has_bodies = [](const EngineState& part) { return part.bodies > 0; };
  const auto found = std::ranges::find_if(parts, has_bodies);
  const EngineState& first = found != parts.end() ? *found : parts.front();
  EngineState whole{first.layout, 0, {}};
  for (const StateArray& array : first.arrays) whole.arrays.push_back({array.name, {}});
  for (const EngineState& part : parts) {
    if (part.layout == whole.layout && part.bodies == 0 && first.bodies > 0) continue;
    if (part.layout != whole.layout || part.arrays.size() != whole.arrays.size()) {
      throw bad_data("the parts of a state are of different kinds", other_checkpoint);
    }
    whole.bodies += part.bodies;
    for (std::size_t a = 0; a < part.arrays.size(); ++a) {
      StateArray& to = whole.arrays[a];
      const StateArray& from = part.arrays[a];
      if (from.name != to.name) {
        throw bad_data("the parts of a state have different arrays", other_checkpoint);
      }
      if (is_shared(from)) {
        to.bytes = from.bytes;
      } else {
        to.bytes.insert(to.bytes.end(), from.bytes.begin(), from.bytes.end());
      }
    }
  }
  return whole;
}

}  // namespace apsis
