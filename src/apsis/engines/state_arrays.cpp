// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/engines/state_arrays.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

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

// What an array holds of each body. Derivatives may have left the range of floats, which the next
// look at the state says; ranks have arrays of their own.
enum class KindOfArray { constant, state, other };

KindOfArray kind_of(const std::string& name) {
  for (const char* constant : {"scale", "mass", "charge"}) {
    if (name == constant) return KindOfArray::constant;
  }
  for (const char* column : {"x", "y", "z", "vx", "vy", "vz"}) {
    if (name == column) return KindOfArray::state;
  }
  return KindOfArray::other;
}

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

}  // namespace

void require_sound(const EngineState& state, Precision precision) {
  require_precision(state, precision);
  const auto mass = std::ranges::find(state.arrays, "mass", &StateArray::name);
  if (mass == state.arrays.end() || !holds(*mass, state.bodies, sizeof(double))) {
    throw bad_data(fmt::format("checkpoint: array 'mass' is not that of {} bodies", state.bodies),
                   other_checkpoint);
  }
  const std::size_t state_size = precision == Precision::f32 ? sizeof(float) : sizeof(double);
  for (const StateArray& array : state.arrays) {
    const KindOfArray kind = kind_of(array.name);
    const std::size_t count = array.name == "scale" ? 3 : state.bodies;
    const std::size_t size = kind == KindOfArray::state ? state_size : sizeof(double);
    const bool fits = kind == KindOfArray::other
                          ? state.bodies == 0 || array.bytes.size() % state.bodies == 0
                          : holds(array, count, size);
    if (!array.bytes.empty() && !fits) {
      throw bad_data(fmt::format("checkpoint: array '{}' has {} bytes, which are not those of {} "
                                 "bodies",
                                 array.name, array.bytes.size(), state.bodies),
                     other_checkpoint);
    }
    const bool numbers = kind == KindOfArray::constant || kind == KindOfArray::state;
    if (!numbers ||
        (size == sizeof(double) ? all_finite<double>(array) : all_finite<float>(array))) {
      continue;
    }
    throw bad_data(
        fmt::format("checkpoint: array '{}' has a number that is not finite", array.name),
        other_checkpoint);
  }
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

std::vector<double> internal_couplings(const BodyConstants& constants, const ForceLaw& law,
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

void add_constants(EngineState& state, const Scale& scale, const BodyConstants& constants) {
  state.arrays.push_back(array_of<double>("scale", {scale.length, scale.strength, scale.time}));
  state.arrays.push_back(array_of("mass", constants.mass));
  state.arrays.push_back(array_of("charge", constants.charge));
  state.arrays.push_back(array_of("id", constants.id));
}

void take_constants(const EngineState& state, Law law, Scale& scale, BodyConstants& constants) {
  const std::size_t n = state.bodies;
  std::vector<double> units;
  take_array(state, "scale", 3, units);
  scale = {units[0], units[1], units[2]};
  const bool charged = law == Law::coulomb || has_array(state, "charge");
  take_array(state, "mass", n, constants.mass);
  take_array(state, "charge", charged ? n : 0, constants.charge);
  take_array(state, "id", n, constants.id);
}

}  // namespace apsis
