// SPDX-License-Identifier: MIT
// Inside run/: one run from its first step to its last, whether it starts or goes on. What it does
// with its frames is in run_observers.hpp; here it is decided when it computes, and how it ended.
#pragma once

#include <apsis/run/observed_run.hpp>

#include <cstdint>
#include <vector>

namespace apsis {

// Owns nothing that outlives it but the files.
class Runner {
 public:
  // Opens the logs of the run's observers, cut back to where they were for one that goes on.
  Runner(PreparedRun prepared, RunFolder folder, const RunRecord& record,
         const RunListener& listener);
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;
  ~Runner() = default;

  const RunSpec& spec() const { return run_.spec(); }
  RunResult run();

 private:
  using Clock = ObservedRun::Clock;

  LoopControl look(const Frame& frame);
  LoopControl decide(const Frame& frame);
  std::uint64_t burst_after(const Frame& frame);
  void hear_ranks();
  bool stop_wanted();
  void measure_end(const SimulationEnd& end, Summary& summary);
  void judge(const SimulationEnd& end, RunResult& result);
  RunResult finish(const SimulationEnd& end);

  ObservedRun run_;
  std::vector<Observer> observers_;
  Clock::time_point looked_ = run_.start;  // when the last look ended
  Clock::time_point asked_ = run_.start;   // when the folder was last asked for a wish to stop
  std::uint64_t looked_at_;                // step of the last look
  std::uint64_t looks_ = 0;                // that found new steps
};

}  // namespace apsis
