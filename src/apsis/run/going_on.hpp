// SPDX-License-Identifier: MIT
// Inside run/: what a folder has to go on from, and going on from it.
#pragma once

#include <apsis/io/checkpoint.hpp>
#include <apsis/run/run.hpp>
#include <apsis/run/run_folder.hpp>
#include <apsis/run/run_past.hpp>

#include <string>
#include <vector>

namespace apsis {

// The newest checkpoint and the spec that holds for what follows.
struct ResumePoint {
  Checkpoint checkpoint;
  RunPast past;
  RunSpec spec;  // the checkpoint's, with what was edited in spec.toml since
  std::vector<std::string> notices;
  std::vector<std::string> damaged;  // newer checkpoints that were passed over
};

// bad_data where the checkpoint is not complete or of another run than the folder's spec.toml, or
// where that was edited in a key that cannot change any more. Touches nothing.
ResumePoint resume_point(const RunFolder& folder);

RunResult resume_from(RunFolder folder, ResumePoint point, const RunListener& listener,
                      mpi::Communicator* ranks);

// In a folder whose run never came to its first checkpoint.
RunResult start_again(RunFolder folder, const RunSpec& spec, const RunListener& listener,
                      mpi::Communicator* ranks);

}  // namespace apsis
