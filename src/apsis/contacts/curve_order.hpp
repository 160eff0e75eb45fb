// SPDX-License-Identifier: MIT
// Inside contacts/: bodies in the order of a Morton curve, also where most of them are in a small
// part of the whole.
#pragma once

#include <apsis/contacts/paths.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace apsis {

// The box of the places where paths end.
struct EndBox {
  std::array<double, 3> low, high;
};
template <class Real>
EndBox box_of_ends(const Paths<Real>& paths, int threads);

// Numbers of the bodies along the curve; the same for any number of threads.
template <class Real>
std::vector<std::uint32_t> order_along_curve(const Paths<Real>& paths, const EndBox& box,
                                             int threads);

}  // namespace apsis
