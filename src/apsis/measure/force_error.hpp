// SPDX-License-Identifier: MIT
// How wrong forces are: |a - a_ref|/|a_ref| for gravity, |a - a_ref|/max(|a_ref|, rms|a_ref|) for
// charges, whose forces cancel, and |a - a_ref|/rms|a_ref| where gravity cancels below 1e-12 of
// the rms; a_ref by double direct summation with the same softening, over at most 1000 bodies
// evenly spaced by id (docs/accuracy.md).
#pragma once

#include <apsis/core/bodies.hpp>
#include <apsis/core/pair_law.hpp>
#include <apsis/engines/engine.hpp>

#include <cstddef>
#include <optional>
#include <vector>

namespace apsis {

struct ForceError {
  double median = 0, rms = 0, p90 = 0, p99 = 0, p999 = 0, max = 0;
  double rms_normalized = 0;  // rms|a - a_ref| / rms|a_ref|
  std::size_t samples = 0;
};

// Indices of at most `limit` bodies, evenly spaced in the order of their ids.
std::vector<std::size_t> sample_by_id(const Bodies& bodies, std::size_t limit = 1000);

// Accelerations of the sampled bodies against the reference's; infinite where one is not finite.
ForceError force_error(const Accelerations& got, const Accelerations& reference, Law law);

// The error of the forces between bodies at the positions as the engine holds them (rounded to its
// precision). Changes nothing of the engine's state.
ForceError sample_force_error(Engine& engine, const PairLaw& law, int threads = 0);

// The error against the reference at other positions, for example the unrounded ones.
ForceError sample_force_error(Engine& engine, const Bodies& exact, const PairLaw& law,
                              int threads = 0);

}  // namespace apsis
