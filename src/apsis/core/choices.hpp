// SPDX-License-Identifier: MIT
// Choices that a user makes by name: one table per enum serves parsing, printing and help.
#pragma once

#include <apsis/core/error.hpp>
#include <apsis/core/names.hpp>

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apsis {

// Specialised per enum: `what` (the word for messages) and `values` (pairs of enum and name).
template <class Enum>
struct Choice;

template <class Enum>
std::vector<std::string> choice_names() {
  std::vector<std::string> names;
  names.reserve(std::size(Choice<Enum>::values));
  for (const auto& [value, name] : Choice<Enum>::values) names.emplace_back(name);
  return names;
}

template <class Enum>
std::string_view name_of(Enum value) {
  for (const auto& [candidate, name] : Choice<Enum>::values) {
    if (candidate == value) return name;
  }
  return "?";
}

template <class Enum>
Enum choice_from(std::string_view word) {
  for (const auto& [value, name] : Choice<Enum>::values) {
    if (name == word) return value;
  }
  const auto names = choice_names<Enum>();
  throw bad_data(
      fmt::format("unknown {} '{}'{}", Choice<Enum>::what, word, did_you_mean(word, names)),
      "choose " + list_of(names));
}

enum class Law { gravity, coulomb };
template <>
struct Choice<Law> {
  static constexpr const char* what = "law";
  static constexpr std::pair<Law, std::string_view> values[] = {{Law::gravity, "gravity"},
                                                                {Law::coulomb, "coulomb"}};
};

// f32: pairs, sums and state in float; mixed: state in double, pairs in float, sums in float
// within a block and double across; f64: all double.
enum class Precision { f32, mixed, f64 };
template <>
struct Choice<Precision> {
  static constexpr const char* what = "precision";
  static constexpr std::pair<Precision, std::string_view> values[] = {
      {Precision::f32, "f32"}, {Precision::mixed, "mixed"}, {Precision::f64, "f64"}};
};

}  // namespace apsis
