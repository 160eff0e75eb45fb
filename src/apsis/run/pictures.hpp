// SPDX-License-Identifier: MIT
// final.png, strip.png and energy.png of a run, made from its own files.
#pragma once

#include <apsis/run/run_folder.hpp>
#include <apsis/sim/run_spec.hpp>

#include <string>
#include <vector>

namespace apsis {

// Gives one sentence for each picture that could not be made, and why; a run never fails by them.
std::vector<std::string> write_pictures(const RunFolder& folder, const RunSpec& spec);

}  // namespace apsis
