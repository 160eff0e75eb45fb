// SPDX-License-Identifier: MIT
// Which programs this process built for which devices, and how long that took: for people who
// wonder what a start waits for.
#pragma once

#include <string>
#include <vector>

namespace apsis::device {

struct ProgramBuild {
  std::string file;    // of the kernels
  std::string device;  // its name
  double seconds = 0;
  bool kept = false;  // on the disk by us: nothing was compiled
};

// All so far, in their order; empty in builds without OpenCL.
std::vector<ProgramBuild> program_builds();

}  // namespace apsis::device
