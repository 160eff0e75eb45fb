// SPDX-License-Identifier: MIT
// Initial models by name: each with its options, its number of bodies and what a run of it needs
// (units, softening, step, end, precision). The same seed gives the same bits for any thread count.
#pragma once

#include <apsis/core/bodies.hpp>
#include <apsis/sim/run_spec.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace apsis {

// A number within [minimum, maximum], or one of `choices`, whose first word is the default.
struct ModelOption {
  std::string name;
  double default_value = 0;
  double minimum = 0;
  double maximum = 0;
  std::string description;
  std::vector<std::string> choices;
};

struct ModelInfo {
  std::string name;
  std::string summary;
  std::uint64_t default_bodies = 0;
  bool fixed_count = false;  // the number of bodies is part of the model
  std::vector<ModelOption> options;
  RunDefaults defaults;      // with default options; some options change step and end
  bool equilibrium = false;  // a run brings it there under its own softening (equilibrium.hpp)
  std::vector<std::string> body_names{};  // of the first bodies, where they have names
};

struct ModelRequest {
  std::string model;
  std::optional<std::uint64_t> bodies;
  std::uint64_t seed = 42;
  ModelOptions options;
  std::optional<std::string> units;
  std::optional<double> constant;  // G or k, whichever the model's law needs
};

struct InitialState {
  Bodies bodies;
  RunDefaults defaults;
  double time = 0;
};

const std::vector<ModelInfo>& models();
const ModelInfo& model_info(const std::string& name);  // bad_data as make_model

// bad_data for an unknown model or option (with the nearest name), a value out of range (with the
// place it was written at) and counts that the model cannot have. Other units or another constant
// than the model's own: solar-system is converted; the rest has no scale, so lengths and masses
// stay and velocities grow with the root of the constant, which keeps every equilibrium.
InitialState make_model(const ModelRequest& request);

}  // namespace apsis
