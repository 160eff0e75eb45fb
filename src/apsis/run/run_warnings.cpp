// SPDX-License-Identifier: MIT
// What a run warns of on its way. Causes are looked for only when there is something to explain.
#include <apsis/core/error.hpp>
#include <apsis/io/snapshot.hpp>
#include <apsis/measure/energy_causes.hpp>
#include <apsis/measure/force_class.hpp>
#include <apsis/run/runner.hpp>
#include <apsis/solvers/bins/bins_grid.hpp>
#include <apsis/solvers/registry.hpp>

#include <fmt/format.h>

#include <limits>

namespace apsis {

// When energies are looked at, those that met are apart again, perhaps thrown out for good: the
// newest snapshot shows them before.
std::optional<ClosePair> Runner::most_demanding_pair(const Bodies& now) const {
  const ForceLaw law = law_of(spec());
  std::optional<ClosePair> pair = closest_pair(now, law);
  // speeds that a lost energy made say nothing of the step that would have kept it
  if (pair) pair->crossing_time = std::numeric_limits<double>::infinity();
  if (record_.next_snapshot == 0) return pair;
  try {
    const Bodies before = read_snapshot(folder_.snapshot_file(record_.next_snapshot - 1)).bodies;
    const auto earlier = closest_pair(before, law);
    if (earlier && (!pair || earlier->time() < pair->time())) pair = earlier;
  } catch (const Error&) {
    // somebody took it away: the present state must do
  }
  return pair;
}

void Runner::warn_of_energy(double error, std::uint64_t step, const Bodies& bodies) {
  const EngineDescription description = engine().describe();
  warnings_.add({WarningCode::energy_error,
                 sentence({.error = error,
                           .step = step,
                           .time = plan_.time_of(step),
                           .time_step = plan_.step,
                           .softening = *spec().force.softening,
                           .integrator = spec().time.integrator,
                           .order = prepared_.integrator.order,
                           .pair = most_demanding_pair(bodies),
                           .size = rms_size(bodies),
                           .force_error = record_.force_error ? record_.force_error->p99 : 0,
                           .precision = std::string(name_of(description.precision))})});
}

std::string Runner::remedy_for_forces(bool promised) {
  const std::string& kernels = spec().device.kernel_dir;
  if (!kernels.empty()) return "check the kernels in device.kernel_dir = " + kernels;
  if (promised) return "try a smaller force.accuracy, or force.solver = direct";
  const EngineDescription description = engine().describe();
  if (!description.exact_sums) return "try force.solver = fmm";
  if (description.precision == Precision::f32) return "try device.precision = mixed or f64";
  if (description.precision == Precision::mixed) return "try device.precision = f64";
  return "`apsis doctor` tests every kernel of a device";
}

void Runner::warn_of_forces(const ForceError& error, std::uint64_t step) {
  if (warnings_.has(WarningCode::force_error)) return;
  const EngineDescription description = engine().describe();
  const bool promised = solver_named(description.solver).takes_accuracy &&
                        !spec().force.far_field.opening_angle.has_value();
  const std::string complaint = complaint_about_forces(
      engine(), law_of(spec()), error,
      promised ? std::optional(spec().force.far_field.accuracy) : std::nullopt);
  if (complaint.empty()) return;
  warnings_.add({WarningCode::force_error,
                 fmt::format("at step {} {}; {}", step, complaint, remedy_for_forces(promised))});
}

// Also where they leave the box later.
void Runner::warn_of_bodies_outside(const Frame& frame) {
  if (!spec().force.bins.box || warnings_.has(WarningCode::bodies_outside_box)) return;
  const std::size_t outside = bodies_outside(frame.bodies(), *spec().force.bins.box);
  if (outside > 0) warnings_.add({WarningCode::bodies_outside_box, outside_notice(outside)});
}

}  // namespace apsis
