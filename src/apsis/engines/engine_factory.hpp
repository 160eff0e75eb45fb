// SPDX-License-Identifier: MIT
// From what the user chose to an engine that runs.
#pragma once

#include <apsis/core/force_law.hpp>
#include <apsis/engines/engine.hpp>

#include <memory>
#include <string>
#include <vector>

namespace apsis {

struct EngineSettings {
  ForceLaw law;
  std::string solver = "auto";  // auto, direct, reference
  std::string device = "auto";  // auto, cpu
  std::string variant;          // of the solver; empty: the default one
  Precision precision = Precision::f64;
  int threads = 0;  // 0: all
};

// Throws bad_data for unknown solvers and variants, unavailable for devices that are not there.
std::unique_ptr<Engine> make_engine(const EngineSettings& settings);

std::vector<std::string> solver_names();

}  // namespace apsis
