// SPDX-License-Identifier: MIT
#include <apsis/core/columns.hpp>
#include <apsis/core/names.hpp>
#include <apsis/io/csv_columns.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string>

namespace apsis {
namespace {

constexpr std::array<CsvColumn, 18> table{{{"id", "id"},
                                           {"m", "mass", "mass"},
                                           {"x", "x"},
                                           {"y", "y"},
                                           {"z", "z"},
                                           {"vx", "vx"},
                                           {"vy", "vy"},
                                           {"vz", "vz"},
                                           {"q", "charge", "charge"},
                                           {"type", "type"},
                                           {"radius", "radius"},
                                           {"sx", "sx"},
                                           {"sy", "sy"},
                                           {"sz", "sz"},
                                           {"potential", "potential"},
                                           {"ax", "ax"},
                                           {"ay", "ay"},
                                           {"az", "az"}}};

const CsvColumn* find(std::string_view name) {
  const auto* found = std::ranges::find(table, name, &CsvColumn::name);
  if (found == table.end() && !name.empty()) {
    found = std::ranges::find(table, name, &CsvColumn::alias);
  }
  return found != table.end() ? found : nullptr;
}

CsvColumns columns_called(std::initializer_list<std::string_view> names) {
  CsvColumns columns;
  for (const std::string_view name : names) columns.push_back(find(name));
  return columns;
}

[[noreturn]] void unknown_column(const TextField& field, const TextPlace& place) {
  std::vector<std::string> names;
  for (const CsvColumn& column : table) names.emplace_back(column.name);
  fail_at({place.file, place.line, field.column},
          fmt::format("unknown column '{}'{}", field.text, did_you_mean(field.text, names)),
          "columns are " + list_of(names));
}

bool has(const CsvColumns& columns, std::string_view quantity) {
  return std::ranges::count(columns, quantity, &CsvColumn::quantity) > 0;
}

bool every_body_has(std::string_view quantity) {
  bool found = false;
  for_each_component(Bodies{}, [&](const auto& column, const char* name, auto /*values*/) {
    found = found || (quantity == name && !column.optional);
  });
  return found;
}

template <class Values, class SomeSnapshot>
Values values_in(SomeSnapshot& snapshot, std::string_view quantity) {
  Values found;
  const auto look = [&](const char* name, auto values) {
    if (quantity == name) found = values;
  };
  for_each_component(snapshot.bodies, [&](const auto& /*column*/, const char* name, auto values) {
    look(name, values);
  });
  look("potential", std::span(snapshot.potential));
  look("ax", snapshot.accelerations.x());
  look("ay", snapshot.accelerations.y());
  look("az", snapshot.accelerations.z());
  return found;
}

}  // namespace

std::span<const CsvColumn> csv_columns() { return table; }

CsvColumns columns_named(const std::vector<TextField>& fields, const TextPlace& place) {
  CsvColumns columns;
  for (const auto& field : fields) {
    const CsvColumn* found = find(field.text);
    if (found == nullptr) unknown_column(field, place);
    if (std::ranges::count(columns, found) > 0) {
      fail_at({place.file, place.line, field.column},
              fmt::format("column '{}' appears twice", field.text), "remove one of them");
    }
    columns.push_back(found);
  }
  for (const char* needed : position_column.components) {
    if (!has(columns, needed)) {
      fail_at(place, fmt::format("column '{}' is missing", needed),
              "a table of bodies needs at least x, y and z");
    }
  }
  for (const auto& [what, x, y, z] :
       {std::array{"accelerations", "ax", "ay", "az"}, std::array{"spins", "sx", "sy", "sz"}}) {
    const int given = has(columns, x) + has(columns, y) + has(columns, z);
    if (given == 0 || given == 3) continue;
    fail_at(place, fmt::format("{} without all of {}, {} and {}", what, x, y, z),
            "give all three or none");
  }
  return columns;
}

CsvColumns columns_counted(std::size_t count, const TextPlace& place) {
  if (count == 3) return columns_called({"x", "y", "z"});
  if (count == 7) return columns_called({"m", "x", "y", "z", "vx", "vy", "vz"});
  fail_at(place, fmt::format("{} columns without a header row", count),
          "add one such as id,m,x,y,z,vx,vy,vz; only 7 columns (m x y z vx vy vz) or 3 (x y z) go "
          "without");
}

CsvColumns columns_of(const Snapshot& snapshot) {
  CsvColumns columns;
  for (const CsvColumn& column : table) {
    const bool filled =
        std::visit([](auto values) { return !values.empty(); }, column_values(snapshot, column));
    if (filled || every_body_has(column.quantity)) columns.push_back(&column);
  }
  return columns;
}

void make_room(Snapshot& snapshot, const CsvColumns& columns, std::size_t n) {
  snapshot.bodies.resize(n);
  for_each_column(snapshot.bodies, [&](const auto& column, auto& values) {
    if (has(columns, column.components[0])) resize_column(values, n, column.absent);
  });
  if (has(columns, "potential")) snapshot.potential.resize(n);
  if (has(columns, "ax")) snapshot.accelerations.resize(n);
}

CsvValues column_values(Snapshot& snapshot, const CsvColumn& column) {
  return values_in<CsvValues>(snapshot, column.quantity);
}

ConstCsvValues column_values(const Snapshot& snapshot, const CsvColumn& column) {
  return values_in<ConstCsvValues>(snapshot, column.quantity);
}

}  // namespace apsis
