// SPDX-License-Identifier: MIT
// The columns that a table of bodies may have.
#pragma once

#include <apsis/io/snapshot.hpp>
#include <apsis/io/text_table.hpp>

#include <cstddef>
#include <string_view>
#include <vector>

namespace apsis {

enum class CsvColumn { id, mass, x, y, z, vx, vy, vz, charge, potential, ax, ay, az };

std::string_view column_name(CsvColumn column);

// From a header row; bad_data names unknown, doubled or missing columns.
std::vector<CsvColumn> columns_named(const std::vector<TextField>& fields, const TextPlace& place);
// Without a header: 7 columns are m x y z vx vy vz, 3 are x y z.
std::vector<CsvColumn> columns_counted(std::size_t count, const TextPlace& place);

// The columns that a snapshot fills, without id.
std::vector<CsvColumn> columns_of(const Snapshot& snapshot);

std::vector<double>& column_values(Snapshot& snapshot, CsvColumn column);
const std::vector<double>& column_values(const Snapshot& snapshot, CsvColumn column);

}  // namespace apsis
