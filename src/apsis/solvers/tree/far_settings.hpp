// SPDX-License-Identifier: MIT
// Inside the far-field solvers: from a wished accuracy to a choice of settings.
#pragma once

#include <apsis/core/error.hpp>
#include <apsis/solvers/tree/far_field_solver.hpp>

#include <string>

namespace apsis::far {

// The smallest 99 % force error that float expansions are trusted with.
inline constexpr double best_accuracy = 1e-5;

// The table's choice. Bad_data for wishes out of reach; `solver` is for messages.
FarFieldChoice choice_for(const FarFieldSettings& options, bool bodies_only,
                          const std::string& solver);

// Whether a sample's 99 % error leaves room for what the sample did not see: of a thousand bodies
// it is good to about 25 %.
bool serves(double error, double accuracy);

// The error of a choice on the bodies it was made on, or, where it serves there and others do not
// confirm that the wish is met, what they say.
double unless_confirmed(double error, double of_others, double accuracy);

// The wish cannot be met on these bodies; names what can.
Error beyond_reach(const std::string& solver, double error, double accuracy);

// The next choice to try after a sample's 99 % error, closer to the wish; the same if there is none
// worth trying.
FarFieldChoice adjusted(const FarFieldChoice& choice, double error, double accuracy);

}  // namespace apsis::far
