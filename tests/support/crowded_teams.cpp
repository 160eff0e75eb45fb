// SPDX-License-Identifier: MIT
// In every test program: as many threads as a test asks for, also where there are fewer cores, and
// OMP_NUM_THREADS as the command line has it.
#include <apsis/core/thread_team.hpp>

#include <cstdlib>

namespace {

[[maybe_unused]] const bool as_asked_for = [] {
  apsis::allow_crowded_teams(true);
  if (const char* threads = std::getenv("OMP_NUM_THREADS")) {
    apsis::set_default_threads(std::atoi(threads));
  }
  return true;
}();

}  // namespace
