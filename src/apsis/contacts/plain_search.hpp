// SPDX-License-Identifier: MIT
// Inside contacts/: searches without a tree. All pairs for few bodies and to compare with; a grid
// as textbooks have it, whose cells are as wide as the largest and fastest body asks for.
#pragma once

#include <apsis/contacts/paths.hpp>

#include <cmath>
#include <optional>
#include <span>

namespace apsis {

// Both give nothing where there are more than `most`.
template <class Real>
std::optional<FoundPairs> candidates_of_all(const Paths<Real>& paths, std::size_t most,
                                            int threads);
template <class Real>
std::optional<FoundPairs> candidates_by_grid(const Paths<Real>& paths, std::size_t most,
                                             int threads);

template <class Real>
BodyPairs all_near(const Paths<Real>& paths, std::span<const Stray> strayed, int threads);

}  // namespace apsis
