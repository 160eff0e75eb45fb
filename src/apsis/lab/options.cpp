// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/lab/options.hpp>

#include <fmt/format.h>

#include <charconv>

namespace apsis::lab {
namespace {

constexpr std::int64_t longest_side = 1 << 20;

// "17x31x5" into its numbers; wrong_usage unless there are `count` of them, each from 1 on.
std::vector<std::int64_t> sides_from(const std::string& text, std::size_t count,
                                     const char* pattern) {
  const auto refuse = [&](const std::string& why) {
    return Error(ExitCode::wrong_usage, fmt::format("'{}' is no shape: {}", text, why),
                 fmt::format("give {} with whole numbers from 1 to {}", pattern, longest_side));
  };
  std::vector<std::int64_t> sides;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    std::int64_t side = 0;
    const auto [next, error] = std::from_chars(at, end, side);
    if (error != std::errc{}) throw refuse("it is not numbers with an x between them");
    if (side < 1 || side > longest_side) throw refuse(fmt::format("a side of {}", side));
    sides.push_back(side);
    if (next == end) break;
    if (*next != 'x') throw refuse("it is not numbers with an x between them");
    at = next + 1;
  }
  if (sides.size() != count) throw refuse(fmt::format("{} numbers", sides.size()));
  return sides;
}

}  // namespace

MatrixShape shape_from(const std::string& text) {
  const auto sides = sides_from(text, 3, "ROWSxINNERxCOLUMNS");
  return {sides[0], sides[1], sides[2]};
}

MatrixShape shape_of_product(const std::string& left, const std::string& right) {
  const auto a = sides_from(left, 2, "ROWSxCOLUMNS"), b = sides_from(right, 2, "ROWSxCOLUMNS");
  if (a[1] != b[0]) {
    throw Error(ExitCode::wrong_usage,
                fmt::format("a {} matrix times a {} one does not fit: {} columns meet {} rows",
                            left, right, a[1], b[0]),
                fmt::format("the right matrix needs {} rows, for example {}x{}", a[1], a[1], b[1]));
  }
  return {a[0], a[1], b[1]};
}

std::string to_string(const MatrixShape& shape) {
  return fmt::format("{}x{}x{}", shape.rows, shape.inner, shape.columns);
}

}  // namespace apsis::lab
