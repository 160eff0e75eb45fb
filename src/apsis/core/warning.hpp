// SPDX-License-Identifier: MIT
// What a user must know about a result that is there all the same. One table of codes serves runs,
// readers of files, summaries and the documentation.
#pragma once

#include <apsis/core/choices.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace apsis {

// What a warning is about, which is what --strict goes by: numbers end a run with exit code 76,
// input is refused with 65 before the first step, the others are told.
enum class WarningClass { numbers, input, device, files };
template <>
struct Choice<WarningClass> {
  static constexpr const char* what = "class of warnings";
  static constexpr std::pair<WarningClass, std::string_view> values[] = {
      {WarningClass::numbers, "numbers"},
      {WarningClass::input, "input"},
      {WarningClass::device, "device"},
      {WarningClass::files, "files"}};
};

enum class WarningCode {
  energy_error,
  force_error,
  input_rounding,
  bodies_outside_box,
  units_assumed,
  comoving,
  ids_dropped,
  several_snapshots,
  coincident_bodies,
  overlapping_bodies,
  no_step,
  other_bits,
  checkpoint_damaged,
  no_picture
};

struct WarningInfo {
  WarningCode code;
  std::string_view name;  // for people and files
  WarningClass kind;
  std::string_view meaning;
};
std::span<const WarningInfo> warning_table();
const WarningInfo& info_of(WarningCode code);
// Null for a name that is not in the table.
const WarningInfo* find_warning(std::string_view name);

struct Warning {
  WarningCode code;
  std::string text;  // what, where, and the key or file to change

  WarningClass kind() const { return info_of(code).kind; }
  std::string_view name() const { return info_of(code).name; }
  friend bool operator==(const Warning&, const Warning&) = default;
};

}  // namespace apsis
