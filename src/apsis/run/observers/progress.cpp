// SPDX-License-Identifier: MIT
// How a run gets on, for whoever started it.
#include <apsis/run/run_observers.hpp>

namespace apsis {
namespace {

Progress progress_of(const ObservedRun& run, const Frame& frame) {
  const double seconds = run.seconds();
  const std::uint64_t done = frame.step() - run.record.first_step;
  const std::uint64_t left = run.plan.last_step - frame.step();
  const double rate = per_second(static_cast<double>(done), seconds);
  return {.step = frame.step(),
          .last_step = run.plan.last_step,
          .time = frame.time(),
          .steps_per_second = rate,
          .interactions_per_second = per_second(run.interactions(done), seconds),
          .energy_error = run.record.energy_error,
          .seconds_left = rate > 0 ? static_cast<double>(left) / rate : 0};
}

}  // namespace

RunObserver progress_observer() {
  using Clock = ObservedRun::Clock;
  return {.files = {}, .make = [](ObservedRun& run) -> Observer {
            return {.name = "progress",
                    .when = EveryLook{},
                    .observe = [&run, told = Clock::time_point{}](const Frame& frame) mutable {
                      constexpr std::chrono::milliseconds pause(100);
                      const bool last = frame.step() == run.plan.last_step;
                      if (!run.listener.progress || (!last && Clock::now() - told < pause)) return;
                      told = Clock::now();
                      run.listener.progress(progress_of(run, frame));
                    }};
          }};
}

}  // namespace apsis
