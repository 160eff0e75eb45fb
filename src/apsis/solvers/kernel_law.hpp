// SPDX-License-Identifier: MIT
// Who computes what an edited law of pairs says (kernels/pair.cl, pair_sum.cl, radial_*.cl) and who
// does not: a force that the user's folder of kernels does not reach must not be taken for one that
// it does.
#pragma once

#include <apsis/device/kernel_folder.hpp>
#include <apsis/solvers/registry.hpp>

#include <string>
#include <vector>

namespace apsis {

// The first edited file that holds the law; empty: the law is the built-in one.
std::string edited_law(const KernelFolder& folder);

// Whether the variant of `direct` reads all that is edited of the law, or is edited itself.
bool follows(const KernelFolder& folder, const std::string& variant);
std::vector<std::string> variants_that_follow(const KernelFolder& folder);
// bad_data with the variants that do.
void require_follows(const KernelFolder& folder, const std::string& variant);
// bad_data for solvers that know far bodies by expansions of the built-in law, for jerks, and
// for files of another law than the chosen one.
void require_follows(const KernelFolder& folder, const SolverInfo& solver, Radial radial,
                     bool needs_jerk);
void require_jerk_follows(const KernelFolder& folder);

}  // namespace apsis
