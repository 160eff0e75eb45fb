// SPDX-License-Identifier: MIT
// Inside run/: what every run does with its frames, one row each.
#pragma once

#include <apsis/run/observed_run.hpp>

#include <string>
#include <vector>

namespace apsis {

struct RunObserver {
  std::vector<std::string> files;  // that it writes under fixed names, and --force replaces
  Observer (*make)(ObservedRun&);  // opens its logs, where it has some
};

// In the order in which they see a frame.
const std::vector<RunObserver>& run_observers();

// Writes the checkpoint of a frame, unless it is there already.
void keep_state(ObservedRun& run, const Frame& frame);

}  // namespace apsis
