// SPDX-License-Identifier: MIT
// What a run looks at and writes on the way: energies, snapshots, force errors.
#include <apsis/core/error.hpp>
#include <apsis/io/energy_log.hpp>
#include <apsis/io/snapshot.hpp>
#include <apsis/measure/energy_causes.hpp>
#include <apsis/measure/force_error.hpp>
#include <apsis/run/runner.hpp>
#include <apsis/version.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace apsis {

std::vector<Observer> Runner::observers() {
  const Cadence energies(*spec().output.energy_every, plan_.step, plan_.last_step);
  const Cadence snapshots(*spec().output.snapshot_every, plan_.step, plan_.last_step);
  return {{energies, [this](const Frame& frame) { log_energies(frame); }, true},
          {snapshots, [this](const Frame& frame) { write_snapshot_of(frame); }}};
}

void Runner::log_energies(const Frame& frame) {
  const Energies& now = frame.energies();
  if (frame.step() == 0) record_.start_energies = now;
  const double error = energy_error(now, record_.start_energies);
  if (frame.step() > 0 || plan_.last_step == 0) record_.energy_error = error;
  record_.energy_error_max = std::max(record_.energy_error_max, error);
  const EnergyRow row{frame.step(), frame.time(), now, error};
  energy_log_.append(row);
  if (listener_.energies) listener_.energies(row);
  energy_log_.flush();
  const auto& limit = spec().time.energy_limit;
  if (!all_finite(now)) {
    message_ = fmt::format("the energies are not finite at step {}", frame.step());
    ended_by_ = EndedBy::not_finite;
    return;
  }
  if (warns_of(error) && !warnings_.has(WarningCode::energy_error)) {
    warn_of_energy(error, frame.step(), frame.bodies());
  }
  if (limit && error > *limit) {
    message_ = fmt::format("energy error {:.3g} at step {} exceeds time.energy_limit = {}", error,
                           frame.step(), *limit);
    ended_by_ = EndedBy::energy_limit;
  }
}

// Approximations depend on where the bodies are: they are looked at again with every snapshot, and
// the worst goes into the summary.
ForceError Runner::force_error_of(const Frame& frame) {
  ForceError& worst = *record_.force_error;
  const EngineDescription description = engine().describe();
  if (description.exact_sums) return worst;
  ForceError now = worst;
  if (frame.step() > 0) {
    now = sample_force_error(engine(), frame.bodies(), law_of(spec()), description.threads);
    if (now.p99 > worst.p99) worst = now;
  }
  warn_of_forces(now, frame.step());
  return now;
}

void Runner::write_snapshot_of(const Frame& frame) {
  warn_of_bodies_outside(frame);
  const auto& resolved = spec().resolved;
  Snapshot snapshot{.bodies = frame.bodies(),
                    .time = frame.time(),
                    .units = units_of(spec()),
                    .law = law_of(spec()),
                    .provenance = {{"version", std::string(version)},
                                   {"commit", std::string(commit)},
                                   {"device", resolved.at("device")},
                                   {"driver", resolved.at("driver")},
                                   {"solver", resolved.at("solver")},
                                   {"variant", resolved.at("variant")},
                                   {"precision", resolved.at("precision")},
                                   {"seed", std::to_string(spec().seed)},
                                   {"step", std::to_string(frame.step())},
                                   {"spec", to_toml(spec())}}};
  const ForceError error = force_error_of(frame);
  for (const auto& [name, value] : {std::pair{"force_error_median", error.median},
                                    {"force_error_p99", error.p99},
                                    {"force_error_max", error.max}}) {
    snapshot.provenance.emplace_back(name, fmt::format("{:.3e}", value));
  }
  write_snapshot(folder_.snapshot_file(record_.next_snapshot), snapshot);
  ++record_.next_snapshot;
}

}  // namespace apsis
