// SPDX-License-Identifier: MIT
// The search behind device = "auto" and solver = "auto": candidates are timed on a sample of the
// bodies, and what was found out about solvers is remembered.
#pragma once

#include <apsis/engines/engine_factory.hpp>

#include <string>
#include <vector>

namespace apsis {

// Solvers whose choice is left to a measurement; one where something else decides, and why.
struct SolversInQuestion {
  std::vector<std::string> names;
  std::string why_one;  // "the integrator needs jerks"; empty where it needs no word
};

// The fastest engine for these bodies, loaded with them, wherever it is. `device_wanted`: only an
// OpenCL device will do.
LoadedEngine fastest_engine(const EngineSettings& settings, const Bodies& bodies,
                            const SolversInQuestion& question, bool device_wanted);

// The same at the place that settings.device.name says.
LoadedEngine fastest_engine_there(const EngineSettings& settings, const Bodies& bodies,
                                  const SolversInQuestion& question);

}  // namespace apsis
