// SPDX-License-Identifier: MIT
// External fields with all their keys given, for tests that take every field of the table.
#pragma once

#include <apsis/core/external_fields.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace apsis::test {

// Different values for all keys of the field of that name; of all fields for "".
inline ExternalFields external_field(std::string_view name) {
  ExternalFields fields;
  double value = 0.6;
  for_each_external(fields, [&](auto& field) {
    for_each_field(field, [&](const FieldInfo&, auto& key) {
      value += 0.13;
      if (name.empty() || field.info.name == name) key = value;
    });
  });
  return fields;
}

inline std::vector<std::string> external_names() {
  std::vector<std::string> names;
  for (const ExternalInfo& info : external_table()) names.emplace_back(info.name);
  return names;
}

}  // namespace apsis::test
