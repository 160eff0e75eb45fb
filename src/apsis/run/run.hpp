// SPDX-License-Identifier: MIT
// A run on disk, from its spec to its folder, and on again after a stop, a kill or a power cut.
#pragma once

#include <apsis/mpi/communicator.hpp>
#include <apsis/run/summary.hpp>
#include <apsis/sim/run_spec.hpp>
#include <apsis/sim/simulation.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace apsis {

struct Progress {
  std::uint64_t step = 0, last_step = 0;
  double time = 0;
  double steps_per_second = 0, interactions_per_second = 0;
  std::optional<double> energy_error;  // of the last row; nothing before the first behind the start
  double seconds_left = 0;
};

struct ObservedRun;  // observed_run.hpp

// How a run and whoever started it speak to each other. All may be empty, and nothing here changes
// a result.
struct RunListener {
  // What it is told in words and figures.
  std::function<void(const RunSpec& spec, const Resolution& engine)> started;
  std::function<void(const Progress&)> progress;  // at most ten times a second, and at the end
  std::function<void(const std::string&)> notice;
  std::function<void(const std::string&)> detail;  // for who wants to know more: what was written
  std::function<void(const Warning&)> warning;     // once each, when it happens
  // Whether warnings about the input are refused with bad_data before anything is written, and
  // those about numbers end with 76 behind all files.
  bool strict = false;
  // Asked between bursts, which long steps make short: who wants it ("SIGTERM"); empty: nobody.
  std::function<std::string()> stop_requested;
  std::function<std::string()> checkpoint_requested;  // once for each wish
  std::function<void(int signal)> heard;              // a signal came to another rank
  // Who else observes its frames, after the run's own observers; asked once, after `started`.
  std::function<std::vector<Observer>(const ObservedRun&)> observers;
  // Asked between bursts as well: the steps until the next look; 0 holds the run.
  std::function<std::uint64_t(const Frame&)> pace;
};

struct RunResult {
  std::filesystem::path folder;
  Summary summary;
  std::string message;        // why it ended early; empty when it finished
  bool was_finished = false;  // before: nothing was computed or written
  std::uint64_t bursts = 0;   // in which its steps were done, this time
};

// Starts afresh. A folder that holds a run is refused unless `force`, which replaces it. With
// `ranks` this is rank 0 and the others follow it; everything is decided and written here, but the
// parts of checkpoints.
RunResult start_run(const RunSpec& spec, bool force, const RunListener& listener,
                    mpi::Communicator* ranks = nullptr);

// Goes on from the newest valid checkpoint. `changes` are --set assignments; only keys that
// cannot change what was already computed are allowed (time.until, output.*minutes, ...), and
// device.kernel_dir, which a run that has one must be given again (trusted_kernels.hpp).
RunResult resume_run(const std::filesystem::path& folder, const std::vector<std::string>& changes,
                     const RunListener& listener, mpi::Communicator* ranks = nullptr);

// Whichever of the two the folder calls for: starts where it holds no run, goes on where it holds
// this one, and only says so where that is finished. bad_data names the keys in which a run there
// differs from `spec`, other than those that may (see run-specs.md).
RunResult continue_run(const RunSpec& spec, const RunListener& listener,
                       mpi::Communicator* ranks = nullptr);

}  // namespace apsis
