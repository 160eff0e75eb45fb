// SPDX-License-Identifier: MIT
// Snapshots, and how far the forces of each can be trusted.
#include <apsis/io/snapshot.hpp>
#include <apsis/measure/force_error.hpp>
#include <apsis/run/run_observers.hpp>
#include <apsis/run/run_warnings.hpp>
#include <apsis/version.hpp>

#include <fmt/format.h>

namespace apsis {
namespace {

// Approximations depend on where the bodies are: they are looked at again with every snapshot, and
// the worst goes into the summary.
ForceError force_error_of(ObservedRun& run, const Frame& frame) {
  ForceError& worst = *run.record.force_error;
  const Resolution description = run.engine().describe();
  if (description.sums_all_pairs()) return worst;
  ForceError now = worst;
  if (frame.step() > 0) {
    now = sample_force_error(run.engine(), frame.bodies(), law_of(run.spec()), description.threads);
    if (now.p99 > worst.p99) worst = now;
  }
  warn_of_forces(run, now, frame.step());
  return now;
}

void write_snapshot_of(ObservedRun& run, const Frame& frame) {
  warn_of_bodies_outside(run, frame);
  const RunSpec& spec = run.spec();
  const auto& resolved = spec.resolved;
  Snapshot snapshot{.bodies = frame.bodies(),
                    .time = frame.time(),
                    .units = units_of(spec),
                    .law = law_of(spec),
                    .provenance = {{"version", std::string(version)},
                                   {"commit", std::string(commit)},
                                   {"device", resolved.at("device")},
                                   {"driver", resolved.at("driver")},
                                   {"solver", resolved.at("solver")},
                                   {"variant", resolved.at("variant")},
                                   {"precision", resolved.at("precision")},
                                   {"seed", std::to_string(spec.seed)},
                                   {"step", std::to_string(frame.step())},
                                   {"spec", to_toml(spec)}}};
  const ForceError error = force_error_of(run, frame);
  for (const auto& [name, value] : {std::pair{"force_error_median", error.median},
                                    {"force_error_p99", error.p99},
                                    {"force_error_max", error.max}}) {
    snapshot.provenance.emplace_back(name, fmt::format("{:.3e}", value));
  }
  const auto file = run.folder.snapshot_file(run.record.next_snapshot);
  write_snapshot(file, snapshot);
  run.detail(fmt::format("step {}: {} written", frame.step(), file.filename().string()));
  ++run.record.next_snapshot;
}

}  // namespace

RunObserver snapshot_observer() {
  return {.files = {}, .make = [](ObservedRun& run) -> Observer {
            const Cadence cadence(*run.spec().output.snapshot_every, run.plan.step,
                                  run.plan.last_step);
            return {.name = "snapshots", .when = cadence, .observe = [&run](const Frame& frame) {
                      write_snapshot_of(run, frame);
                    }};
          }};
}

}  // namespace apsis
