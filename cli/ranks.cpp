// SPDX-License-Identifier: MIT
#include "ranks.hpp"

#include <apsis/core/error.hpp>

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <thread>

namespace apsis::cli {
namespace {

std::optional<int> number_in_environment(const char* name) {
  const char* text = std::getenv(name);
  if (text == nullptr) return std::nullopt;
  int value = 0;
  const auto [end, error] = std::from_chars(text, text + std::strlen(text), value);
  if (error != std::errc{} || *end != '\0') return std::nullopt;
  return value;
}

}  // namespace

Launch launch() {
  struct Names {
    const char *rank, *size;
  };
  // Slurm's own numbers alone would also be those of a batch script
  constexpr Names launchers[] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                 {"PMI_RANK", "PMI_SIZE"},
                                 {"PMIX_RANK", "SLURM_STEP_NUM_TASKS"}};
  for (const auto& [rank, size] : launchers) {
    const auto r = number_in_environment(rank), n = number_in_environment(size);
    if (r && n && *r >= 0 && *n > *r) return {*r, *n, true, rank, size};
  }
  return {};
}

void require_one_process(const std::string& command) {
  const Launch launched = launch();
  if (launched.size == 1) return;
  throw Error(ExitCode::wrong_usage,
              fmt::format("'apsis {}' was started {} times at once", command, launched.size),
              "leave mpirun out; only 'apsis run' and 'apsis bench scaling' are for several ranks");
}

void join_ranks(Outcome& outcome) {
  outcome.ranks = std::make_unique<mpi::Communicator>();
  const Launch launched = launch();
  const int known = outcome.ranks->size();
  if (known == launched.size) return;
  outcome.ranks.reset();
  outcome.speaks = true;
  throw Error(
      ExitCode::unavailable,
      fmt::format("{} = {} and {} = {} in the environment say {} ranks, but MPI ({}) knows {}",
                  launched.rank_name, launched.rank, launched.size_name, launched.size,
                  launched.size, mpi::library_version(), known),
      fmt::format("start it with the mpirun of that MPI; for one process, unset {} and {}",
                  launched.rank_name, launched.size_name));
}

void follow_rank_0(Outcome& outcome, const std::function<void(mpi::Communicator&)>& follow) {
  mpi::Communicator& ranks = *outcome.ranks;
  try {
    follow(ranks);
  } catch (const Error& error) {
    const bool lost = ranks.broken();
    outcome.speaks = !lost || ranks.speaks();
    // the end of all must not come before the word of the one that speaks
    if (!outcome.speaks) std::this_thread::sleep_for(std::chrono::milliseconds(500));
    ranks.end_all_with(static_cast<int>(error.code()));
    const std::string who = lost ? std::string{} : fmt::format("rank {}: ", ranks.rank());
    throw Error(error.code(), who + error.what(), error.remedy());
  } catch (...) {
    outcome.speaks = true;
    ranks.end_all_with(static_cast<int>(ExitCode::internal_error));
    throw;
  }
}

}  // namespace apsis::cli
