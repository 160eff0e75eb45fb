// SPDX-License-Identifier: MIT
#include <apsis/core/columns.hpp>
#include <apsis/core/error.hpp>
#include <apsis/engines/state_arrays.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <string_view>
#include <type_traits>

namespace apsis {

std::string state_layout(const char* engine, Precision precision) {
  return fmt::format("{} {}", engine, name_of(precision));
}

namespace {

constexpr const char* other_checkpoint = "resume from the other checkpoint or start the run again";

void require_precision(const EngineState& state, Precision precision) {
  for (const char* engine : {"host", "opencl"}) {
    if (state.layout == state_layout(engine, precision)) return;
  }
  throw bad_data(fmt::format("checkpoint: state of kind '{}' does not fit an engine of precision "
                             "{}",
                             state.layout, name_of(precision)),
                 "resume with the precision of the first run");
}

// What is known of an array: those of bodies' columns, and the scale. Derivatives may have left the
// range of floats, which the next look at the state says; ranks have arrays of their own.
struct KnownArray {
  std::size_t size = sizeof(double);  // of a value
  bool real = true;                   // its values are numbers that must be finite
  bool types = false;
};

std::optional<KnownArray> known_array(const std::string& name, Precision precision) {
  if (name == "scale") return KnownArray{};
  std::optional<KnownArray> found;
  for_each_component(Bodies{}, [&](const auto& column, const char* component, auto values) {
    if (name != component) return;
    using Value = typename decltype(values)::value_type;
    const bool narrow = column.role == ColumnRole::state && precision == Precision::f32;
    found = {narrow ? sizeof(float) : sizeof(Value), std::is_floating_point_v<Value>,
             column.name == "type"};
  });
  return found;
}

// Also where no body has one: 0.1 wrote it so. Optional columns of later versions are left out
// then.
constexpr std::string_view always_there = "charge";

// Compared by division, since a claim of 2^61 bodies makes products small again.
bool holds(const StateArray& array, std::size_t count, std::size_t size) {
  return array.bytes.size() % size == 0 && array.bytes.size() / size == count;
}

template <class Number>
bool all_finite(const StateArray& array) {
  for (std::size_t at = 0; at < array.bytes.size(); at += sizeof(Number)) {
    Number number;
    std::memcpy(&number, array.bytes.data() + at, sizeof number);
    if (!std::isfinite(number)) return false;
  }
  return true;
}

bool all_types(const StateArray& array) {
  return std::ranges::all_of(array.bytes,
                             [](std::byte type) { return std::size_t(type) < type_count; });
}

void require_sound(const StateArray& array, std::size_t bodies, Precision precision) {
  const auto known = known_array(array.name, precision);
  const std::size_t count = array.name == "scale" ? 3 : bodies;
  const bool fits =
      known ? holds(array, count, known->size) : bodies == 0 || array.bytes.size() % bodies == 0;
  if (!array.bytes.empty() && !fits) {
    throw bad_data(fmt::format("checkpoint: array '{}' has {} bytes, which are not those of {} "
                               "bodies",
                               array.name, array.bytes.size(), bodies),
                   other_checkpoint);
  }
  if (!known) return;
  if (known->types && !all_types(array)) {
    throw bad_data(fmt::format("checkpoint: array '{}' has a type that there is not", array.name),
                   other_checkpoint);
  }
  if (!known->real ||
      (known->size == sizeof(double) ? all_finite<double>(array) : all_finite<float>(array))) {
    return;
  }
  throw bad_data(fmt::format("checkpoint: array '{}' has a number that is not finite", array.name),
                 other_checkpoint);
}

}  // namespace

void require_sound(const EngineState& state, Precision precision) {
  require_precision(state, precision);
  const auto mass = std::ranges::find(state.arrays, "mass", &StateArray::name);
  if (mass == state.arrays.end() || !holds(*mass, state.bodies, sizeof(double))) {
    throw bad_data(fmt::format("checkpoint: array 'mass' is not that of {} bodies", state.bodies),
                   other_checkpoint);
  }
  for (const StateArray& array : state.arrays) require_sound(array, state.bodies, precision);
}

bool has_array(const EngineState& state, const char* name) {
  return std::any_of(state.arrays.begin(), state.arrays.end(), [&](const StateArray& array) {
    return array.name == name && (!array.bytes.empty() || state.bodies == 0);
  });
}

const StateArray& array_named(const EngineState& state, const char* name, std::size_t bytes) {
  const auto found = std::find_if(state.arrays.begin(), state.arrays.end(),
                                  [&](const StateArray& array) { return array.name == name; });
  if (found == state.arrays.end() || found->bytes.size() != bytes) {
    throw bad_data(fmt::format("checkpoint: array '{}' is missing or not of {} bytes", name, bytes),
                   other_checkpoint);
  }
  return *found;
}

std::vector<double> internal_couplings(const Bodies& constants, const PairLaw& law,
                                       const Scale& scale) {
  const double constant = scale.internal_constant(law.constant);
  if (law.law == Law::gravity) return {constant};
  std::vector<double> couplings(constants.charge.size());
  for (std::size_t i = 0; i < couplings.size(); ++i) {
    const double charge = constants.charge[i];
    couplings[i] = charge == 0 ? 0.0 : -constant * (charge / constants.mass[i]);
  }
  return couplings;
}

void add_constants(EngineState& state, const Scale& scale, const Bodies& constants) {
  state.arrays.push_back(
      array_of("scale", std::vector<double>{scale.length, scale.strength, scale.time}));
  for_each_component(constants, [&](const auto& column, const char* name, auto values) {
    if (column.role != ColumnRole::constant) return;
    if (column.optional && values.empty() && name != always_there) return;
    state.arrays.push_back(array_of(name, values));
  });
}

void take_constants(const EngineState& state, Law law, Scale& scale, Bodies& constants) {
  std::vector<double> units;
  take_array(state, "scale", 3, units);
  scale = {units[0], units[1], units[2]};
  for_each_column(constants, [&](const auto& column, auto& values) {
    if (column.role != ColumnRole::constant) return;
    const bool needed = !column.optional || (column.name == "charge" && law == Law::coulomb);
    const bool there = needed || has_array(state, column.components[0]);
    values.clear();
    if (!there && column.name != always_there) return;
    const std::size_t n = there ? state.bodies : 0;
    for (const char* name : column.components) array_named(state, name, n * sizeof column.absent);
    resize_column(values, n, column.absent);  // now that so many are there
    const auto parts = components_of(values);
    for (std::size_t k = 0; k < parts.size(); ++k) {
      take_array(state, column.components[k], parts[k]);
    }
  });
}

}  // namespace apsis
