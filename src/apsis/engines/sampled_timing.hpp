// SPDX-License-Identifier: MIT
// How long a force evaluation of many bodies takes, from a few of them: what `auto` compares.
#pragma once

#include <apsis/core/bodies.hpp>
#include <apsis/engines/engine.hpp>

#include <cstddef>

namespace apsis {

// The fastest of a few evaluations, after one that builds kernels and wakes threads.
double evaluation_seconds(Engine& engine);
// The same in a twentieth of a second, or one evaluation where that takes longer, of an engine that
// has done some already.
double short_evaluation_seconds(Engine& engine);

// Loads as many bodies, evenly spaced over all, as show the engine's speed: for sums over all
// pairs few enough to take about a tenth of a second, otherwise many. Gives those bodies.
Bodies load_sample(Engine& engine, bool all_pairs, const Bodies& bodies);

// From `seconds` of a sample to all bodies: sums over all pairs grow with the square.
double seconds_for_all(double seconds, const Resolution& sample, std::size_t bodies);

// rms|a - b| / rms|b|; not finite where one of them is not.
double disagreement(const Accelerations& a, const Accelerations& b);

}  // namespace apsis
