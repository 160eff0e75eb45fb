// SPDX-License-Identifier: MIT
// The columns that a table of bodies may have.
#pragma once

#include <apsis/io/snapshot.hpp>
#include <apsis/io/text_table.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

namespace apsis {

struct CsvColumn {
  std::string_view name;      // in a header row
  std::string_view quantity;  // a component of core/columns.hpp, or potential, ax, ay, az
  std::string_view alias{};   // what other programs' tables say
};

// Rows of one table, in the order in which columns are written.
using CsvColumns = std::vector<const CsvColumn*>;
std::span<const CsvColumn> csv_columns();

// From a header row; bad_data names unknown, doubled or missing columns.
CsvColumns columns_named(const std::vector<TextField>& fields, const TextPlace& place,
                         bool places_may_miss = false);
// Names of columns of bodies that are not among them, though every body has them.
std::vector<std::string> columns_missing(const CsvColumns& columns);
// Without a header: 7 columns are m x y z vx vy vz, 3 are x y z.
CsvColumns columns_counted(std::size_t count, const TextPlace& place);

// Of tables of forces alone (ReadLimits::forces_alone): nameless ones, of which 3 columns are ax ay
// az, and 7 of rows with brackets x y z m ax ay az; and those of a header that says x y z instead.
CsvColumns force_columns_counted(std::size_t count, bool brackets, const TextPlace& place);
CsvColumns as_forces(const CsvColumns& named);

// The columns that a snapshot fills.
CsvColumns columns_of(const Snapshot& snapshot);

// n bodies, with all that these columns fill.
void make_room(Snapshot& snapshot, const CsvColumns& columns, std::size_t n);

using CsvValues =
    std::variant<std::span<double>, std::span<std::uint64_t>, std::span<std::uint8_t>>;
using ConstCsvValues = std::variant<std::span<const double>, std::span<const std::uint64_t>,
                                    std::span<const std::uint8_t>>;
// Empty where the snapshot has none.
CsvValues column_values(Snapshot& snapshot, const CsvColumn& column);
ConstCsvValues column_values(const Snapshot& snapshot, const CsvColumn& column);

}  // namespace apsis
