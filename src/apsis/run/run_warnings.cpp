// SPDX-License-Identifier: MIT
// What a run warns of on its way. Causes are looked for only when there is something to explain.
#include <apsis/core/error.hpp>
#include <apsis/core/typed_command.hpp>
#include <apsis/io/snapshot.hpp>
#include <apsis/measure/close_pair.hpp>
#include <apsis/measure/energy_causes.hpp>
#include <apsis/measure/force_class.hpp>
#include <apsis/run/run_warnings.hpp>
#include <apsis/solvers/bins/bins_grid.hpp>
#include <apsis/solvers/registry.hpp>

#include <fmt/format.h>

#include <limits>

namespace apsis {
namespace {

// When energies are looked at, those that met are apart again, perhaps thrown out for good: the
// newest snapshot shows them before.
std::optional<ClosePair> most_demanding_pair(const ObservedRun& run, const Bodies& now) {
  const PairLaw law = law_of(run.spec());
  std::optional<ClosePair> pair = closest_pair(now, law);
  // speeds that a lost energy made say nothing of the step that would have kept it
  if (pair) pair->crossing_time = std::numeric_limits<double>::infinity();
  if (run.record.next_snapshot == 0) return pair;
  try {
    const Bodies before =
        read_snapshot(run.folder.snapshot_file(run.record.next_snapshot - 1)).bodies;
    const auto earlier = closest_pair(before, law);
    if (earlier && (!pair || earlier->time() < pair->time())) pair = earlier;
  } catch (const Error&) {
    // somebody took it away: the present state must do
  }
  return pair;
}

std::string remedy_for_forces(const ObservedRun& run, bool promised) {
  const std::string& kernels = run.spec().device.kernel_dir;
  if (!kernels.empty()) return "check the kernels in device.kernel_dir = " + kernels;
  if (promised) return "try a smaller force.accuracy, or force.solver = direct";
  const Resolution description = run.engine().describe();
  if (!description.sums_all_pairs()) return "try force.solver = fmm";
  if (description.precision == Precision::f32) return "try device.precision = mixed or f64";
  if (description.precision == Precision::mixed) return "try device.precision = f64";
  return fmt::format("`{}` tests every kernel of a device", typed_command("doctor"));
}

}  // namespace

void warn_of_energy(ObservedRun& run, double error, std::uint64_t step, const Bodies& bodies) {
  const Resolution description = run.engine().describe();
  run.warnings.add(
      {WarningCode::energy_error,
       sentence({.error = error,
                 .step = step,
                 .time = run.plan.time_of(step),
                 .time_step = run.plan.step,
                 .softening = *run.spec().force.softening,
                 .integrator = run.spec().time.integrator,
                 .order = run.prepared.integrator.order,
                 .pair = most_demanding_pair(run, bodies),
                 .size = rms_size(bodies),
                 .force_error = run.record.force_error ? run.record.force_error->p99 : 0,
                 .precision = std::string(name_of(description.precision))})});
}

void warn_of_forces(ObservedRun& run, const ForceError& error, std::uint64_t step) {
  if (run.warnings.has(WarningCode::force_error)) return;
  const Resolution description = run.engine().describe();
  const bool promised = solver_named(description.solver).takes_accuracy &&
                        !run.spec().force.far_field.opening_angle.has_value();
  const std::string complaint = complaint_about_forces(
      run.engine(), law_of(run.spec()), error,
      promised ? std::optional(run.spec().force.far_field.accuracy) : std::nullopt);
  if (complaint.empty()) return;
  run.warnings.add({WarningCode::force_error, fmt::format("at step {} {}; {}", step, complaint,
                                                          remedy_for_forces(run, promised))});
}

void warn_of_bodies_outside(ObservedRun& run, const Frame& frame) {
  if (!run.spec().force.bins.box || run.warnings.has(WarningCode::bodies_outside_box)) return;
  const std::size_t outside = bodies_outside(frame.bodies(), *run.spec().force.bins.box);
  if (outside > 0) run.warnings.add({WarningCode::bodies_outside_box, outside_notice(outside)});
}

}  // namespace apsis
