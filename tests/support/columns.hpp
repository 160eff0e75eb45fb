// SPDX-License-Identifier: MIT
// Bodies that have something in every column of the table, so that a test of whoever handles bodies
// fails where a column is forgotten.
#pragma once

#include <apsis/core/columns.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

namespace apsis::test {

inline std::vector<std::size_t> numbers_below(std::size_t n) {
  std::vector<std::size_t> numbers(n);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

// Different in every component and, but for types, for every body. A quarter is exact in float.
inline Bodies bodies_with_everything(std::size_t n) {
  Bodies bodies;
  std::size_t component = 0;
  for_each_column(bodies, [&](const auto& column, auto& values) {
    resize_column(values, n, column.absent);
    for (const auto part : components_of(values)) {
      ++component;
      for (std::size_t i = 0; i < n; ++i) {
        const std::size_t mark = 10 * component + 1000 * i;
        if constexpr (sizeof part[i] == 1) {
          part[i] = static_cast<std::uint8_t>((i * 7 + 4) % 6);
        } else if constexpr (std::is_integral_v<typename decltype(part)::value_type>) {
          part[i] = mark;
        } else {
          part[i] = 0.25 * static_cast<double>(mark);
        }
      }
    }
  });
  return bodies;
}

using Marks = std::map<std::string, std::vector<double>>;
inline Marks marks_of(const Bodies& bodies) {
  Marks marks;
  for_each_component(bodies, [&](const auto& /*column*/, const char* name, auto values) {
    marks[name].assign(values.begin(), values.end());
  });
  return marks;
}

}  // namespace apsis::test
