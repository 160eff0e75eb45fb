// SPDX-License-Identifier: MIT
// What the launcher (mpirun, srun) says about this process, and what several of it do.
#pragma once

#include "commands.hpp"
#include <apsis/mpi/communicator.hpp>

#include <functional>

namespace apsis::cli {

struct Launch {
  int rank = 0, size = 1;
  bool by_launcher = false;
  const char *rank_name = "", *size_name = "";  // of the variables that say so
};
// From the environment that Open MPI, MPICH and Slurm leave; MPI itself is not touched.
Launch launch();

// For commands that one process does: wrong_usage where there are several.
void require_one_process(const std::string& command);

// MPI from here on. unavailable where it does not know of all that the launcher says there are:
// each would do the whole run alone, and write over the others'.
void join_ranks(Outcome& outcome);

// What a rank that is not 0 does: as rank 0 says, until that is done.
void follow_rank_0(Outcome& outcome, const std::function<void(mpi::Communicator&)>& follow);

}  // namespace apsis::cli
