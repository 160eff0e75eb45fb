// SPDX-License-Identifier: MIT
// Inside io/: what the columns of an XYZ file are: Properties=species:S:1:pos:R:3:velo:R:3 of
// extended XYZ, with the names that OVITO and ASE know.
#pragma once

#include <apsis/io/csv_columns.hpp>
#include <apsis/io/snapshot.hpp>
#include <apsis/io/text_table.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apsis {

struct XyzProperty {
  std::string name;
  char kind = 'R';        // S text, R real, I whole, L logical
  std::size_t width = 1;  // in fields of a row
  CsvColumns columns{};   // which they fill; none where they are passed over
};
using XyzProperties = std::vector<XyzProperty>;

// From what stands after "Properties="; bad_data for one that makes no sense, or without places.
XyzProperties properties_named(std::string_view text, const TextPlace& place);
// Of rows without: species x y z, or these and vx vy vz, or x y z alone.
XyzProperties properties_counted(std::size_t fields, const TextPlace& place);
// What a snapshot fills.
XyzProperties properties_of(const Snapshot& snapshot);

std::string text_of(const XyzProperties& properties);
std::size_t fields_in(const XyzProperties& properties);

// Nothing for a name that is none of a type: an element's, for instance.
std::optional<std::uint8_t> type_of_species(std::string_view species);
// "star"; "X" for bodies without types.
std::string species_of(const Bodies& bodies, std::size_t i);

}  // namespace apsis
