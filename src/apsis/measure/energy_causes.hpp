// SPDX-License-Identifier: MIT
// Why a run may have lost its energy, in one sentence made from its own figures, with the keys to
// change and values for them.
#pragma once

#include <apsis/measure/close_pair.hpp>

#include <cstddef>
#include <optional>
#include <string>

namespace apsis {

// Beyond this share a run is not what its law would give.
inline constexpr double energy_error_warned = 1e-2;
inline bool warns_of(double energy_error) { return energy_error > energy_error_warned; }

struct EnergyLoss {
  double error = 0;  // may be infinite, where the energy was 0 at the start
  std::uint64_t step = 0;
  double time = 0;
  double time_step = 0;
  double softening = 0;
  std::string integrator;
  int order = 2;                  // of the integrator
  std::optional<ClosePair> pair;  // the most demanding one that was seen
  double size = 0;                // of the system: rms distance from its centre
  double force_error = 0;         // 99 % within
  std::string precision;
};

// "energy error 0.69 at step 40 (t = 4), above 0.01: ...; set time.step = 2e-4 or ...".
std::string sentence(const EnergyLoss& loss);

// Rms distance from the centre of mass.
double rms_size(const Bodies& bodies);

}  // namespace apsis
