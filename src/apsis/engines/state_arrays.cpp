// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/engines/state_arrays.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace apsis {

std::string state_layout(const char* engine, Precision precision) {
  return fmt::format("{} {}", engine, name_of(precision));
}

void require_precision(const EngineState& state, Precision precision) {
  for (const char* engine : {"host", "opencl"}) {
    if (state.layout == state_layout(engine, precision)) return;
  }
  throw bad_data(fmt::format("checkpoint: state of kind '{}' does not fit an engine of precision "
                             "{}",
                             state.layout, name_of(precision)),
                 "resume with the precision of the first run");
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
                   "resume from the other checkpoint or start the run again");
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
