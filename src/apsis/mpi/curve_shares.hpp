// SPDX-License-Identifier: MIT
// Inside mpi/: where the curve through all bodies is cut, so that every rank takes as long.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace apsis::mpi {

// `cuts` are the ends of the ranks' pieces of [0, n), `seconds` what each took. Cuts that would
// have made them equal if the cost were even within a piece; half of the way there, because clocks
// are noisy. Pieces without bodies or time are taken to cost as much a body as all do.
std::vector<std::size_t> balanced_cuts(std::size_t n, const std::vector<std::size_t>& cuts,
                                       std::span<const double> seconds);

}  // namespace apsis::mpi
