// SPDX-License-Identifier: MIT
// All keys of a run spec, in the order in which they are written and documented: the fields of its
// settings. Reading, writing, comparing and describing a spec are visitors.
#pragma once

#include <apsis/sim/run_spec.hpp>

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

namespace apsis {

struct SpecKey {
  std::string path;  // "time.step", "external.plummer.mass"; keys outside a section have no dot
  FieldInfo field;
};

// Calls visit(key, value) for each.
template <SameBut<RunSpec> Spec, class Visit>
void for_each_key(Spec& spec, const Visit& visit) {
  auto& [title, seed, initial, units, force, softening_squared, external, contacts, space, time,
         device, output, kernels_of_file, resolved] = spec;
  const auto in_section = [&visit](std::string section) {
    return [&visit, section = std::move(section)](const FieldInfo& field, auto& value) {
      visit(SpecKey{fmt::format("{}.{}", section, field.name), field}, value);
    };
  };
  visit(SpecKey{"title", {"title", "", "shown in the summary and stored in every snapshot"}},
        title);
  visit(SpecKey{"seed", FieldInfo{"seed", "42", "of the random numbers"}.not_negative()}, seed);
  for_each_field(initial, in_section("initial"));
  for_each_field(units, in_section("units"));
  for_each_field(force, in_section("force"));
  in_section("force")(
      FieldInfo{"softening_squared", "softening^2", "the square of the softening, instead of it"}
          .not_negative(),
      softening_squared);
  for_each_external(external, [&](auto& field) {
    for_each_field(field, in_section(fmt::format("external.{}", field.info.name)));
  });
  for_each_field(contacts, in_section("contacts"));
  for_each_field(space, in_section("space"));
  for_each_field(time, in_section("time"));
  for_each_field(device, in_section("device"));
  for_each_field(output, in_section("output"));
}

// "time" of "time.step", "external.plummer" of "external.plummer.mass", "" of "seed".
std::string section_of(const std::string& path);
// In the order in which they are written.
std::vector<std::string> spec_sections();
std::vector<std::string> spec_key_paths();
// The allowed values of a key that takes one of some words; empty: any.
std::vector<std::string> words_for(const std::string& path);

}  // namespace apsis
