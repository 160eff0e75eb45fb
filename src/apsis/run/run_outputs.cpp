// SPDX-License-Identifier: MIT
// What a run looks at and writes on the way: energies, snapshots, force errors.
#include <apsis/core/error.hpp>
#include <apsis/io/energy_log.hpp>
#include <apsis/io/snapshot.hpp>
#include <apsis/measure/force_error.hpp>
#include <apsis/run/runner.hpp>
#include <apsis/solvers/bins/bins_grid.hpp>
#include <apsis/solvers/registry.hpp>
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
  record_.energy_error = energy_error(now, record_.start_energies);
  record_.energy_error_max = std::max(record_.energy_error_max, record_.energy_error);
  const EnergyRow row{frame.step(), frame.time(), now, record_.energy_error};
  energy_log_.append(row);
  if (listener_.energies) listener_.energies(row);
  energy_log_.flush();
  const auto& limit = spec().time.energy_limit;
  if (!all_finite(now)) {
    message_ = fmt::format("the energies are not finite at step {}", frame.step());
    energy_limit_passed_ = true;
  } else if (limit && record_.energy_error > *limit) {
    message_ = fmt::format("energy error {:.3g} at step {} exceeds time.energy_limit = {}",
                           record_.energy_error, frame.step(), *limit);
    energy_limit_passed_ = true;
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
  const bool promised =
      solver_named(description.solver).takes_accuracy && !spec().force.opening_angle.has_value();
  if (promised && now.p99 > spec().force.accuracy && !inaccuracy_told_) {
    inaccuracy_told_ = true;
    notice(
        fmt::format("1 % of the force errors at step {} are above {:.1e}, wanted was "
                    "force.accuracy = {}",
                    frame.step(), now.p99, spec().force.accuracy));
  }
  return now;
}

// Once, also where they leave the box later; at the start the engine's notices tell it.
void Runner::tell_of_bodies_outside(const Frame& frame) {
  if (!spec().force.box || outside_told_) return;
  const std::size_t outside = bodies_outside(frame.bodies(), *spec().force.box);
  outside_told_ = outside > 0;
  if (outside > 0 && frame.step() > 0) notice(outside_notice(outside));
}

void Runner::write_snapshot_of(const Frame& frame) {
  tell_of_bodies_outside(frame);
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
