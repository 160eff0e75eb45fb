// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/core/names.hpp>
#include <apsis/io/csv_columns.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <string>
#include <utility>

namespace apsis {
namespace {

using Named = std::pair<CsvColumn, std::string_view>;

constexpr Named table[] = {{CsvColumn::id, "id"},    {CsvColumn::mass, "m"},
                           {CsvColumn::x, "x"},      {CsvColumn::y, "y"},
                           {CsvColumn::z, "z"},      {CsvColumn::vx, "vx"},
                           {CsvColumn::vy, "vy"},    {CsvColumn::vz, "vz"},
                           {CsvColumn::charge, "q"}, {CsvColumn::potential, "potential"},
                           {CsvColumn::ax, "ax"},    {CsvColumn::ay, "ay"},
                           {CsvColumn::az, "az"}};

// What other programs' tables say.
constexpr Named aliases[] = {{CsvColumn::mass, "mass"}, {CsvColumn::charge, "charge"}};

const Named* find(std::string_view name) {
  const auto same = [&](const Named& entry) { return entry.second == name; };
  if (const auto* found = std::ranges::find_if(table, same); found != std::end(table)) return found;
  const auto* found = std::ranges::find_if(aliases, same);
  return found != std::end(aliases) ? found : nullptr;
}

[[noreturn]] void unknown_column(const TextField& field, const TextPlace& place) {
  std::vector<std::string> names;
  for (const auto& [column, name] : table) names.emplace_back(name);
  fail_at({place.file, place.line, field.column},
          fmt::format("unknown column '{}'{}", field.text, did_you_mean(field.text, names)),
          "columns are " + list_of(names));
}

}  // namespace

std::string_view column_name(CsvColumn column) {
  return std::ranges::find(table, column, &Named::first)->second;
}

std::vector<CsvColumn> columns_named(const std::vector<TextField>& fields, const TextPlace& place) {
  std::vector<CsvColumn> columns;
  for (const auto& field : fields) {
    const Named* found = find(field.text);
    if (found == nullptr) unknown_column(field, place);
    if (std::ranges::count(columns, found->first) > 0) {
      fail_at({place.file, place.line, field.column},
              fmt::format("column '{}' appears twice", field.text), "remove one of them");
    }
    columns.push_back(found->first);
  }
  for (const CsvColumn needed : {CsvColumn::x, CsvColumn::y, CsvColumn::z}) {
    if (std::ranges::count(columns, needed) == 0) {
      fail_at(place, fmt::format("column '{}' is missing", column_name(needed)),
              "a table of bodies needs at least x, y and z");
    }
  }
  const auto accelerations =
      std::ranges::count_if(columns, [](CsvColumn column) { return column >= CsvColumn::ax; });
  if (accelerations != 0 && accelerations != 3) {
    fail_at(place, "accelerations without all of ax, ay and az", "give all three or none");
  }
  return columns;
}

std::vector<CsvColumn> columns_counted(std::size_t count, const TextPlace& place) {
  using enum CsvColumn;
  if (count == 3) return {x, y, z};
  if (count == 7) return {mass, x, y, z, vx, vy, vz};
  fail_at(place, fmt::format("{} columns without a header row", count),
          "add one such as id,m,x,y,z,vx,vy,vz; only 7 columns (m x y z vx vy vz) or 3 (x y z) go "
          "without");
}

std::vector<CsvColumn> columns_of(const Snapshot& snapshot) {
  using enum CsvColumn;
  std::vector<CsvColumn> columns{mass, x, y, z, vx, vy, vz};
  if (snapshot.bodies.charged()) columns.push_back(charge);
  if (!snapshot.potential.empty()) columns.push_back(potential);
  if (!snapshot.acceleration_x.empty()) columns.insert(columns.end(), {ax, ay, az});
  return columns;
}

const std::vector<double>& column_values(const Snapshot& s, CsvColumn column) {
  switch (column) {
    case CsvColumn::mass:
      return s.bodies.mass;
    case CsvColumn::x:
      return s.bodies.x;
    case CsvColumn::y:
      return s.bodies.y;
    case CsvColumn::z:
      return s.bodies.z;
    case CsvColumn::vx:
      return s.bodies.vx;
    case CsvColumn::vy:
      return s.bodies.vy;
    case CsvColumn::vz:
      return s.bodies.vz;
    case CsvColumn::charge:
      return s.bodies.charge;
    case CsvColumn::potential:
      return s.potential;
    case CsvColumn::ax:
      return s.acceleration_x;
    case CsvColumn::ay:
      return s.acceleration_y;
    case CsvColumn::az:
      return s.acceleration_z;
    case CsvColumn::id:
      break;
  }
  assert(false && "ids are no numbers with decimals");
  return s.bodies.x;
}

std::vector<double>& column_values(Snapshot& snapshot, CsvColumn column) {
  return const_cast<std::vector<double>&>(column_values(std::as_const(snapshot), column));
}

}  // namespace apsis
