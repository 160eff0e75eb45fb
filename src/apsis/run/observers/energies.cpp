// SPDX-License-Identifier: MIT
// energy.csv, the errors that the summary tells of, and numbers that end a run.
#include <apsis/io/energy_log.hpp>
#include <apsis/measure/energy_causes.hpp>
#include <apsis/run/run_observers.hpp>
#include <apsis/run/run_warnings.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace apsis {
namespace {

void judge_energies(ObservedRun& run, const Frame& frame, double error) {
  if (!all_finite(frame.energies())) {
    run.ending.message = fmt::format("the energies are not finite at step {}", frame.step());
    run.ending.by = EndedBy::not_finite;
    return;
  }
  if (warns_of(error) && !run.warnings.has(WarningCode::energy_error)) {
    warn_of_energy(run, error, frame.step(), frame.bodies());
  }
  const auto& limit = run.spec().time.energy_limit;
  if (limit && error > *limit) {
    run.ending.message =
        fmt::format("energy error {:.3g} at step {} exceeds time.energy_limit = {}", error,
                    frame.step(), *limit);
    run.ending.by = EndedBy::energy_limit;
  }
}

void log_energies(ObservedRun& run, EnergyLog& log, const Frame& frame) {
  const Energies& now = frame.energies();
  RunRecord& record = run.record;
  if (frame.step() == 0) record.start_energies = now;
  const double error = energy_error(now, record.start_energies, record.events.energy_lost);
  if (frame.step() > 0 || run.plan.last_step == 0) record.energy_error = error;
  record.energy_error_max = std::max(record.energy_error_max, error);
  log.append({frame.step(), frame.time(), now, error, record.events.energy_lost});
  log.flush();
  judge_energies(run, frame, error);
}

}  // namespace

RunObserver energy_observer() {
  return {.files = {"energy.csv"}, .make = [](ObservedRun& run) -> Observer {
            auto log = run.logs.open<EnergyLog>(
                run.folder, "energy.csv",
                run.has_events() ? EnergyColumns::with_losses : EnergyColumns::usual);
            return {.name = "energies",
                    .when = energy_cadence(run.spec(), run.plan),
                    .observe = [&run, log](const Frame& frame) { log_energies(run, *log, frame); },
                    .asks_energies = true};
          }};
}

}  // namespace apsis
