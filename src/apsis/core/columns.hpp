// SPDX-License-Identifier: MIT
// The table of what bodies have. Whoever handles bodies without caring what a number means (order,
// ranks, checkpoints, hashes, samples, files) goes through it, so that a new column is one member
// of Bodies and one row here (docs/adr/0019).
#pragma once

#include <apsis/core/bodies.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace apsis {

// Engines advance state and keep constants as they came.
enum class ColumnRole { state, constant };

// Powers of the units in a quantity; none of them for plain numbers.
struct Dimension {
  int length = 0, mass = 0, velocity = 0;
};

// What values a column may have, for messages.
struct LeastValue {
  double value = -std::numeric_limits<double>::infinity();
  std::string_view remedy;
};

template <class Values>
struct Column {
  using Value = typename Values::value_type;
  static constexpr std::size_t width = std::is_same_v<Values, Vectors> ? 3 : 1;

  std::string_view name;
  ColumnRole role;
  Values Bodies::*values;
  std::array<const char*, width> components;  // in messages, checkpoints and tables
  Dimension dimension{};
  bool optional = false;  // may be empty: then all bodies have `absent`
  Value absent{};
  LeastValue least{};
};

inline constexpr Column<Vectors> position_column{
    "position", ColumnRole::state, &Bodies::positions, {"x", "y", "z"}, {.length = 1}};
inline constexpr Column<Vectors> velocity_column{
    "velocity", ColumnRole::state, &Bodies::velocities, {"vx", "vy", "vz"}, {.velocity = 1}};

inline constexpr std::tuple body_columns{
    position_column,
    velocity_column,
    Column<std::vector<double>>{"mass",
                                ColumnRole::constant,
                                &Bodies::mass,
                                {"mass"},
                                {.mass = 1},
                                false,
                                0,
                                {0, "masses are >= 0; signs belong to charges"}},
    Column<std::vector<double>>{
        "charge", ColumnRole::constant, &Bodies::charge, {"charge"}, {}, true},
    Column<std::vector<std::uint64_t>>{"id", ColumnRole::constant, &Bodies::id, {"id"}},
    Column<std::vector<std::uint8_t>>{
        "type", ColumnRole::constant, &Bodies::type, {"type"}, {}, true, usual_type},
    Column<std::vector<double>>{"radius",
                                ColumnRole::constant,
                                &Bodies::radius,
                                {"radius"},
                                {.length = 1},
                                true,
                                0,
                                {0, "give a radius >= 0; 0 is a point"}},
    Column<Vectors>{"spin",
                    ColumnRole::constant,
                    &Bodies::spin,
                    {"sx", "sy", "sz"},
                    {.length = 1, .mass = 1, .velocity = 1},
                    true}};

// visit(column, values): `values` is Vectors or a std::vector, const where the bodies are.
template <class SomeBodies, class Visitor>
void for_each_column(SomeBodies&& bodies, Visitor&& visit) {
  std::apply([&](const auto&... column) { (visit(column, bodies.*column.values), ...); },
             body_columns);
}

// Of two sets of bodies side by side: visit(column, values of a, values of b).
template <class BodiesA, class BodiesB, class Visitor>
void for_each_column(BodiesA&& a, BodiesB&& b, Visitor&& visit) {
  std::apply(
      [&](const auto&... column) { (visit(column, a.*column.values, b.*column.values), ...); },
      body_columns);
}

// A column as spans of plain numbers.
template <class Value>
std::array<std::span<Value>, 1> components_of(std::vector<Value>& values) {
  return {std::span<Value>(values)};
}
template <class Value>
std::array<std::span<const Value>, 1> components_of(const std::vector<Value>& values) {
  return {std::span<const Value>(values)};
}
inline std::array<std::span<double>, 3> components_of(Vectors& values) {
  return {values.x(), values.y(), values.z()};
}
inline std::array<std::span<const double>, 3> components_of(const Vectors& values) {
  return {values.x(), values.y(), values.z()};
}

// visit(column, name, values): one by one what columns consist of, x, y, z, vx, ...; `values` is a
// std::span.
template <class SomeBodies, class Visitor>
void for_each_component(SomeBodies&& bodies, Visitor&& visit) {
  for_each_column(bodies, [&](const auto& column, auto& values) {
    const auto parts = components_of(values);
    for (std::size_t k = 0; k < parts.size(); ++k) visit(column, column.components[k], parts[k]);
  });
}

template <class Values>
void resize_column(Values& values, std::size_t n, typename Values::value_type value) {
  if constexpr (std::is_same_v<Values, Vectors>) {
    values.resize(n);
  } else {
    values.resize(n, value);
  }
}

// The bodies of those numbers, in that order.
template <class Numbers>
Bodies picked(const Bodies& bodies, const Numbers& numbers) {
  Bodies out;
  for_each_column(bodies, out, [&](const auto& /*column*/, const auto& from, auto& to) {
    if (from.empty()) return;
    to = std::decay_t<decltype(to)>(numbers.size());
    const auto sources = components_of(from);
    const auto targets = components_of(to);
    for (std::size_t c = 0; c < sources.size(); ++c) {
      for (std::size_t k = 0; k < numbers.size(); ++k) targets[c][k] = sources[c][numbers[k]];
    }
  });
  return out;
}

// `count` values from `first` on.
template <class Values>
Values part_of(const Values& values, std::size_t first, std::size_t count) {
  Values out(count);
  const auto sources = components_of(values);
  const auto targets = components_of(out);
  for (std::size_t c = 0; c < sources.size(); ++c) {
    std::ranges::copy(sources[c].subspan(first, count), targets[c].begin());
  }
  return out;
}
Bodies part_of(const Bodies& bodies, std::size_t first, std::size_t count);

// The constant columns; those of state stay as they are.
void copy_constants(const Bodies& from, Bodies& to);

}  // namespace apsis
