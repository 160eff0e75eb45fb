// SPDX-License-Identifier: MIT
// Inside run/: one run from its first step to its last, whether it starts or goes on.
#pragma once

#include <apsis/measure/close_pair.hpp>
#include <apsis/run/prepare.hpp>
#include <apsis/run/run.hpp>
#include <apsis/run/run_folder.hpp>
#include <apsis/run/warnings.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace apsis {

// What grows while a run goes on, apart from the state itself; all of it is in the checkpoint.
struct RunRecord {
  Energies start_energies;
  double energy_error_max = 0;
  std::optional<double> energy_error;  // of the last row after the start
  std::uint64_t next_snapshot = 0;
  std::uint64_t first_step = 0;
  bool resumed = false;
  double seconds_before = 0;
  std::optional<ForceError> force_error;
  bool bit_identical = true;
  std::vector<Warning> warnings;         // of earlier parts
  std::optional<std::string> left_open;  // keys that got their defaults; 0.1 did not say which
};

// One run from its first to its last look; owns nothing that outlives it but the files.
class Runner {
 public:
  Runner(PreparedRun prepared, RunFolder folder, EnergyLog log, const RunRecord& record,
         const RunListener& listener);

  RunResult run();

 private:
  using Clock = std::chrono::steady_clock;

  const RunSpec& spec() const { return prepared_.spec; }
  Engine& engine() { return *prepared_.engine; }
  void notice(const std::string& text) const {
    if (listener_.notice) listener_.notice(text);
  }

  std::vector<Observer> observers();
  void log_energies(const Frame& frame);
  void write_snapshot_of(const Frame& frame);
  ForceError force_error_of(const Frame& frame);
  void warn_of_energy(double error, std::uint64_t step, const Bodies& bodies);
  void warn_of_forces(const ForceError& error, std::uint64_t step);
  std::string remedy_for_forces(bool promised);
  void warn_of_bodies_outside(const Frame& frame);
  std::optional<ClosePair> most_demanding_pair(const Bodies& now) const;
  void write_checkpoint_of(const Frame& frame);
  LoopControl look(const Frame& frame);
  // Nothing where the end is wanted.
  std::optional<std::uint64_t> watched(const Frame& frame, std::uint64_t burst);
  std::uint64_t burst_after(const Frame& frame);
  bool checkpoint_due(const Frame& frame) const;
  void grant_checkpoint(const Frame& frame);
  void hear_ranks();
  bool stop_wanted();
  void report(const Frame& frame, bool always);
  double interactions(std::uint64_t steps) const;
  void measure_end(const SimulationEnd& end, Summary& summary);
  void judge(const SimulationEnd& end, RunResult& result);
  RunResult finish(const SimulationEnd& end);

  PreparedRun prepared_;
  RunFolder folder_;
  EnergyLog energy_log_;
  RunRecord record_;
  const RunListener& listener_;
  SimulationPlan plan_;

  Clock::time_point start_ = Clock::now();
  Clock::time_point last_checkpoint_ = start_, last_report_{}, last_stop_look_ = start_;
  Clock::time_point look_ended_ = start_;
  std::uint64_t looked_at_ = 0;                   // step of the last look
  std::optional<std::uint64_t> checkpoint_step_;  // of the newest checkpoint
  std::string message_;
  WarningLog warnings_;
  EndedBy ended_by_ = EndedBy::until;
  std::string signal_;  // that asked for the end
};

}  // namespace apsis
