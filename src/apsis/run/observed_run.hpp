// SPDX-License-Identifier: MIT
// A run from its first step to its last, as its observers see it: what they need, what they leave
// to each other, and what they leave to checkpoints and the summary.
#pragma once

#include <apsis/run/event_totals.hpp>
#include <apsis/run/prepare.hpp>
#include <apsis/run/run.hpp>
#include <apsis/run/run_folder.hpp>
#include <apsis/run/run_logs.hpp>
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
  EventTotals events;
  bool had_events = false;  // in its past, whatever its spec says now
  std::uint64_t next_snapshot = 0;
  std::uint64_t first_step = 0;
  bool resumed = false;
  std::vector<LogOffset> logs;  // where they ended when it was resumed
  double seconds_before = 0;
  std::optional<ForceError> force_error;
  bool bit_identical = true;
  std::vector<Warning> warnings;         // of earlier parts
  std::optional<Extent> extent;          // of its bodies at the start; 0.1 did not keep it
  std::optional<std::string> left_open;  // keys that got their defaults; 0.1 did not say which
};

// Why a run ends where it does, as far as that is known.
struct RunEnding {
  EndedBy by = EndedBy::until;
  std::string message;
  std::string signal;  // that asked for it

  bool went_bad() const { return by == EndedBy::not_finite || by == EndedBy::energy_limit; }
};

// In the order in which they are made: a plan that cannot be is refused before a log is touched.
struct ObservedRun {
  using Clock = std::chrono::steady_clock;

  ObservedRun(PreparedRun made, RunFolder where, const RunRecord& past, const RunListener& hearing);

  const RunSpec& spec() const { return prepared.spec; }
  // Whether something beside forces may change its bodies.
  bool has_events() const { return record.had_events || may_have_events(prepared.spec); }
  Engine& engine() const { return *prepared.engine; }
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start).count(); }
  // Pairs of so many steps; 0 where the solver does not sum them one by one.
  double interactions(std::uint64_t steps) const;
  void notice(const std::string& text) const {
    if (listener.notice) listener.notice(text);
  }
  void detail(const std::string& text) const {
    if (listener.detail) listener.detail(text);
  }

  PreparedRun prepared;
  SimulationPlan plan;
  RunFolder folder;
  RunRecord record;
  RunLogs logs;
  const RunListener& listener;
  WarningLog warnings;
  RunEnding ending;
  std::optional<std::uint64_t> checkpoint_step;  // of the newest checkpoint
  Clock::time_point start = Clock::now();        // of the first step
};

// 0 where no time has passed yet.
inline double per_second(double count, double seconds) { return seconds > 0 ? count / seconds : 0; }

}  // namespace apsis
