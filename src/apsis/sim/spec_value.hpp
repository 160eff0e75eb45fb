// SPDX-License-Identifier: MIT
// Inside sim/: one value of a run spec as TOML has it, and what becomes of it. What does not fit is
// bad_data that names place, key, value and what would.
#pragma once

#include <apsis/core/error.hpp>
#include <apsis/core/field_range.hpp>
#include <apsis/sim/run_spec.hpp>
#include <apsis/sim/spec_keys.hpp>

#include <toml++/toml.h>

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace apsis {

// Where a value was written, for messages.
struct Written {
  const toml::node& node;
  std::string place;  // "merger.toml:7:8"
  std::string path;   // "time.step"

  std::string value() const;
  Error error(const std::string& what, const std::string& remedy) const;
};

std::string place_of(const toml::node& node, const std::string& origin);

double number(const Written& written, const FieldInfo& field);
std::int64_t whole_number(const Written& written, const FieldInfo& field);
std::string word(const Written& written, const std::vector<std::string>& words);
Box box(const Written& written);
AnalysisNames analysis_names(const Written& written);

template <class T>
void assign(T& target, const Written& written, const FieldInfo& field) {
  if constexpr (IsOptional<T>::value) {
    typename T::value_type value{};
    assign(value, written, field);
    target = value;
  } else if constexpr (std::is_same_v<T, std::string>) {
    target = word(written, words_for(written.path));
  } else if constexpr (std::is_same_v<T, double>) {
    target = number(written, field);
  } else if constexpr (std::is_same_v<T, bool>) {
    if (!written.node.is_boolean()) throw written.error("is not true or false", "give one of them");
    target = written.node.as_boolean()->get();
  } else if constexpr (std::is_same_v<T, Box>) {
    target = box(written);
  } else if constexpr (std::is_same_v<T, AnalysisNames>) {
    target = analysis_names(written);
  } else if constexpr (std::is_enum_v<T>) {
    target = choice_from<T>(word(written, choice_names<T>()));
  } else {
    target = static_cast<T>(whole_number(written, field));
  }
}

}  // namespace apsis
