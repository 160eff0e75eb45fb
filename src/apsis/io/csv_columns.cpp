// SPDX-License-Identifier: MIT
#include <apsis/core/columns.hpp>
#include <apsis/core/counted.hpp>
#include <apsis/core/names.hpp>
#include <apsis/io/csv_columns.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <iterator>
#include <string>

namespace apsis {
namespace {

// Columns of bodies are called as in core/columns.hpp, but for masses and charges.
const std::vector<CsvColumn>& table() {
  static const std::vector<CsvColumn> all = [] {
    std::vector<CsvColumn> made{{"id", "id"}, {"m", "mass", "mass"}};
    for_each_component(Bodies{}, [&](const auto& /*column*/, const char* name, auto /*values*/) {
      const std::string_view quantity = name;
      if (std::ranges::count(made, quantity, &CsvColumn::quantity) > 0) return;
      made.push_back(quantity == "charge" ? CsvColumn{"q", quantity, quantity}
                                          : CsvColumn{quantity, quantity});
    });
    for (const std::string_view field : {"potential", "ax", "ay", "az"}) {
      made.push_back({field, field});
    }
    return made;
  }();
  return all;
}

const CsvColumn* find(std::string_view name) {
  auto found = std::ranges::find(table(), name, &CsvColumn::name);
  if (found == table().end() && !name.empty()) {
    found = std::ranges::find(table(), name, &CsvColumn::alias);
  }
  return found != table().end() ? &*found : nullptr;
}

CsvColumns columns_called(std::initializer_list<std::string_view> names) {
  CsvColumns columns;
  for (const std::string_view name : names) columns.push_back(find(name));
  return columns;
}

[[noreturn]] void unknown_column(const TextField& field, const TextPlace& place) {
  std::vector<std::string> names;
  for (const CsvColumn& column : table()) names.emplace_back(column.name);
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

std::span<const CsvColumn> csv_columns() { return table(); }

CsvColumns columns_named(const std::vector<TextField>& fields, const TextPlace& place,
                         bool places_may_miss) {
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
    if (!places_may_miss && !has(columns, needed)) {
      fail_at(place, fmt::format("column '{}' is missing", needed),
              "a table of bodies needs at least x, y and z");
    }
  }
  const auto require_whole = [&](std::string_view what, const auto& components) {
    const auto given = std::ranges::count_if(
        components, [&](const char* component) { return has(columns, component); });
    if (given == 0 || given == std::ssize(components)) return;
    const auto last = std::prev(std::end(components));
    fail_at(place,
            fmt::format("{} without all of {} and {}", what,
                        fmt::join(std::begin(components), last, ", "), *last),
            "give all of them or none");
  };
  require_whole("position", position_column.components);
  require_whole("acceleration", std::array{"ax", "ay", "az"});
  for_each_column(Bodies{}, [&](const auto& column, const auto& /*values*/) {
    if (column.optional) require_whole(column.name, column.components);
  });
  return columns;
}

std::vector<std::string> columns_missing(const CsvColumns& columns) {
  std::vector<std::string> missing;
  for_each_column(Bodies{}, [&](const auto& column, const auto& /*values*/) {
    if (!column.optional && !has(columns, column.components[0])) missing.emplace_back(column.name);
  });
  return missing;
}

CsvColumns columns_counted(std::size_t count, const TextPlace& place) {
  if (count == 3) return columns_called({"x", "y", "z"});
  if (count == 7) return columns_called({"m", "x", "y", "z", "vx", "vy", "vz"});
  fail_at(place, counted(count, "column") + " without a header row",
          "add one such as id,m,x,y,z,vx,vy,vz; only 7 columns (m x y z vx vy vz) or 3 (x y z) go "
          "without");
}

CsvColumns force_columns_counted(std::size_t count, bool brackets, const TextPlace& place) {
  if (count == 3 && !brackets) return columns_called({"ax", "ay", "az"});
  if (count == 7 && brackets) return columns_called({"x", "y", "z", "m", "ax", "ay", "az"});
  fail_at(place, fmt::format("{} of forces without a header row", counted(count, "column")),
          "add one such as id,ax,ay,az; only 3 columns (ax ay az) and rows (x,y,z,m) (ax,ay,az) go "
          "without");
}

CsvColumns as_forces(const CsvColumns& named) {
  const auto is_id_or_place = [](const CsvColumn* column) {
    return column->quantity == "id" ||
           std::ranges::count(position_column.components, column->quantity) > 0;
  };
  const auto ids = std::ranges::count(named, "id", &CsvColumn::quantity);
  if (std::ssize(named) != 3 + ids || !std::ranges::all_of(named, is_id_or_place)) return named;
  CsvColumns forces;
  for (const CsvColumn* column : named) {
    forces.push_back(column->quantity == "id" ? column : find(fmt::format("a{}", column->name)));
  }
  return forces;
}

CsvColumns columns_of(const Snapshot& snapshot) {
  CsvColumns columns;
  for (const CsvColumn& column : table()) {
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
