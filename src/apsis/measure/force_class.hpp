// SPDX-License-Identifier: MIT
// Whether the sampled forces of a run are of the class that its solver and precision belong to.
// `check` and `bench` hold solvers to their tight bounds (verdict.hpp) on bodies made for it; here
// the bodies are anybody's, and what is beyond is wrong, not unlucky.
#pragma once

#include <apsis/core/bodies.hpp>
#include <apsis/core/pair_law.hpp>
#include <apsis/engines/engine.hpp>
#include <apsis/measure/force_error.hpp>

#include <optional>
#include <string>

namespace apsis {

// What 99 % of the sampled errors must be below.
//   as promised: the accuracy asked for.
//   direct sums: 20 times the largest error of docs/accuracy.md. A float pair is off by at most
//     about 5 units in the last place (3e-7), and a body whose pulls cancel to 1/30 of their sum
//     multiplies that by 30: 1e-5, of which this is ten times.
//   no promise (bins, a bare opening angle): 1, a force of another size or direction.
double most_force_error(const Resolution& engine, std::optional<double> promised);

// One sentence without its subject's place, "1 % of the force errors are above ..."; empty when
// all is well.
std::string complaint_about_forces(Engine& engine, const PairLaw& law, const ForceError& sampled,
                                   std::optional<double> promised);

// How much the forces of `exact` change when its bodies are where the engine holds them (`held`):
// the price of rounding the input alone. All-zero where nothing was rounded.
ForceError rounding_error(const Bodies& exact, const Bodies& held, const PairLaw& law,
                          int threads = 0);

}  // namespace apsis
