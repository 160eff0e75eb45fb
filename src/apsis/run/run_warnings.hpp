// SPDX-License-Identifier: MIT
// Inside run/: what a run warns of on its way, each once.
#pragma once

#include <apsis/run/observed_run.hpp>

#include <cstdint>

namespace apsis {

// With the likely causes of an error that was found at that step, in these bodies.
void warn_of_energy(ObservedRun& run, double error, std::uint64_t step, const Bodies& bodies);
// Where the forces are not as good as promised.
void warn_of_forces(ObservedRun& run, const ForceError& error, std::uint64_t step);
// Also where they leave the box later.
void warn_of_bodies_outside(ObservedRun& run, const Frame& frame);

}  // namespace apsis
