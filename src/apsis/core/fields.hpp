// SPDX-License-Identifier: MIT
// Settings are plain structs that list their fields once, in for_each_field(settings, visit):
// reading and writing TOML, documentation and messages between ranks are visitors. Each list begins
// by taking the struct apart (`auto& [a, b] = settings`), which does not compile once a member is
// added, so that none is forgotten.
#pragma once

#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>

namespace apsis {

// What there is to say about a field, wherever its value lives.
struct FieldInfo {
  // The default of a field that must be given where its struct is used at all.
  static constexpr std::string_view needed = "needed";

  std::string_view name;          // "step"
  std::string_view default_text;  // in words where it is no fixed value
  std::string_view meaning;
  double minimum = -std::numeric_limits<double>::infinity();
  double maximum = std::numeric_limits<double>::infinity();
  bool above_minimum = false;  // strictly

  constexpr FieldInfo positive() const {
    FieldInfo info = *this;
    info.minimum = 0, info.above_minimum = true;
    return info;
  }
  constexpr FieldInfo not_negative() const {
    FieldInfo info = *this;
    info.minimum = 0;
    return info;
  }
  constexpr FieldInfo at_most(double limit) const {
    FieldInfo info = *this;
    info.maximum = limit;
    return info;
  }
};

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

// visit(field, value) of every optional field that has a value.
template <class Settings, class Visit>
void for_each_given(const Settings& settings, const Visit& visit) {
  for_each_field(settings, [&]<class T>(const FieldInfo& field, const T& value) {
    if constexpr (IsOptional<T>::value) {
      if (value) visit(field, *value);
    }
  });
}

template <class Settings>
bool any_given(const Settings& settings) {
  bool any = false;
  for_each_given(settings, [&](const FieldInfo& /*field*/, const auto& /*value*/) { any = true; });
  return any;
}

// T or const T.
template <class Given, class T>
concept SameBut = std::is_same_v<std::remove_const_t<Given>, T>;

}  // namespace apsis
