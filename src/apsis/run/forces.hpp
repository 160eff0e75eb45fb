// SPDX-License-Identifier: MIT
// What the bodies of a file do to each other, once, as any solver has it.
#pragma once

#include <apsis/core/warning.hpp>
#include <apsis/engines/resolution.hpp>
#include <apsis/io/snapshot.hpp>
#include <apsis/measure/force_error.hpp>
#include <apsis/sim/run_spec.hpp>

#include <string>
#include <vector>

namespace apsis {

struct ForcesOfFile {
  Snapshot snapshot;  // the file's bodies as they are, with accelerations and potentials
  Resolution engine;
  ForceError error;  // of a sample, against the reference at the places as the file has them
  double seconds = 0;
  std::vector<std::string> notices;
  std::vector<Warning> warnings;
};

// Of spec.initial.file, under the law of the file but for what the spec says. Steps and output of
// the spec mean nothing here.
ForcesOfFile forces_of_file(const RunSpec& spec);

}  // namespace apsis
