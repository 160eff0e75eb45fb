// SPDX-License-Identifier: MIT
// A run whose steps are taken by a kernel of the user's own, for the live view.
#pragma once

#include <apsis/lab/options.hpp>
#include <apsis/run/prepare.hpp>

#include <string>

namespace apsis::lab {

// Puts the kernel's engine in the place of the run's, after a trial, and the verdict into the run's
// title and notices. `options`: the file, the group, the time limit of the trial. bad_data for a
// kernel that no run can be made with, and for runs with more than gravity between points.
void take_own_kernel(PreparedRun& run, const LabOptions& options);

}  // namespace apsis::lab
