// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/solvers/direct/direct_opencl_parts.hpp>
#include <apsis/solvers/fmm/fmm_opencl.hpp>
#include <apsis/solvers/fmm/fmm_opencl_check.hpp>
#include <apsis/solvers/fmm/fmm_opencl_passes.hpp>
#include <apsis/solvers/fmm/fmm_opencl_tree.hpp>
#include <apsis/solvers/timed_parts.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace apsis {
namespace fmm_opencl {
namespace {

using DirectSettings = direct_opencl::Settings;

constexpr int calibration_rounds = 8, usual_rounds = 4;  // the others where no error was good

PassSettings pass_settings(const DirectSettings& pairs, const FmmOpenclSettings& asked) {
  device::Context& context = pairs.context();
  return {.context = &context,
          .precision = asked.precision,
          .softening = pairs.asked().softening,
          .signed_strengths = asked.signed_strengths,
          .bodies_only = asked.bodies_only,
          .warps = asked.warps.value_or(context.device().has_warps),
          .choice = fmm_opencl_choice(asked)};
}

class FmmOpencl final : public Solver<Device> {
 public:
  FmmOpencl(device::Context& context, const FmmOpenclSettings& asked)
      : pairs_(context, {.softening = asked.softening, .precision = asked.precision}),
        settings_(pass_settings(pairs_, asked)),
        tree_(context, {.precision = settings_.precision,
                        .leaf = settings_.choice.leaf,
                        .softening = settings_.softening}),
        multipoles_(settings_),
        lists_(settings_),
        passes_(settings_),
        wish_(asked.far_field.accuracy),
        expected_bodies_(asked.bodies),
        calibrate_(asked.calibrate && !asked.tolerance && !asked.far_field.opening_angle &&
                   !asked.chosen) {}

  // Sources and targets in one tree; targets are bodies without strength there, or some of the
  // sources.
  void add_field(const Bodies& sources, const Bodies& targets, const FieldOf& field) override {
    if (sources.count == 0 || targets.count == 0) return;
    if (sources.place != targets.place) {
      add({sources, targets}, field);
      return;
    }
    calibrate_at_first(sources);
    const auto first = static_cast<int>(targets.first);
    build({sources, {}});
    sum({sources, {}}, {first, first + static_cast<int>(targets.count)}, field);
  }
  void add_self_field(const Bodies& bodies, const FieldOf& field) override {
    if (bodies.count == 0) return;
    calibrate_at_first(bodies);
    add({bodies, {}}, field);
  }
  std::optional<EvaluationParts> add_timed(const Bodies& bodies, const FieldOf& field) override {
    if (bodies.count == 0) return EvaluationParts{};
    return timed_parts(
        *settings_.context,
        [&] {
          build({bodies, {}});
        },
        [&] {
          sum({bodies, {}}, all_of({bodies, {}}), field);
        });
  }
  std::string name() const override { return solver_name(settings_.bodies_only); }
  std::string variant() const override { return settings_.warps ? "warps" : "portable"; }
  SolverChoice chosen() const override { return settings_.choice; }

 private:
  void calibrate_at_first(const Bodies& bodies) {
    // a look at a part of the bodies, as for a warm start, says nothing about all of them
    if (calibrate_ && bodies.count == expected_bodies_) calibrate(bodies);
  }

  // Decided by the bodies alone: eight evaluations at most, and the best tolerance seen is kept.
  void calibrate(const Bodies& bodies) {
    calibrate_ = false;
    SampledCheck check(settings_, bodies);
    double good = 0, tolerance = settings_.choice.tolerance;
    double tightest = tolerance;
    std::optional<SampledError> best;
    for (int round = 0; round < calibration_rounds; ++round) {
      settings_.choice.tolerance = tolerance;
      PartialSums sums;
      sums.padded = bodies.padded;
      add({bodies, {}}, {.field = &sums, .wanted = {}});
      const SampledError error = check.error(sums, wish_);
      if (!best || error.p99 < best->p99) best = error, tightest = tolerance;
      if (check.serves(error.p99, wish_)) good = std::max(good, tolerance);
      const auto next = check.next_tolerance(tolerance, error.p99, wish_);
      if (!next || (good > 0 && round >= usual_rounds)) break;
      tolerance = *next;
    }
    if (good == 0 && !check.serves(best->beyond_rounding, wish_)) refuse(check.promise(best->p99));
    settings_.choice.tolerance = good > 0 ? good : tightest;
  }

  [[noreturn]] void refuse(double reached) const {
    throw bad_data(
        fmt::format("{} of order {} in {} reaches a 99 % force error of {:.2g} on these "
                    "bodies, not {:g}",
                    name(), settings_.choice.order, name_of(settings_.precision), reached, wish_),
        fmt::format("set accuracy = {:.1g}, or use solver direct", 1.5 * reached));
  }

  void add(const TreeInput& input, const FieldOf& field) {
    build(input);
    sum(input, all_of(input), field);
  }

  static TargetRange all_of(const TreeInput& input) { return {0, input.count()}; }

  void build(const TreeInput& input) {
    tree_.build(input);
    multipoles_.find(tree_);
  }

  void sum(const TreeInput& input, TargetRange targets, const FieldOf& field) {
    if (field.wants().jerk) {
      throw bad_data(name() + " gives no jerk", "use solver direct with this integrator");
    }
    lists_.find(tree_, multipoles_, targets);
    PartialSums& out = *field.field;
    pairs_.reserve(out, 1);
    const bool self = input.targets.count == 0;
    passes_.add(tree_, multipoles_, lists_, field.wants().potential,
                self ? 0 : static_cast<int>(input.sources.count), out.sums,
                out.used * static_cast<int>(out.padded));
    ++out.used;
  }

  DirectSettings pairs_;  // near pairs are those of direct summation
  PassSettings settings_;
  Tree tree_;
  Multipoles multipoles_;
  Lists lists_;
  FieldPasses passes_;
  double wish_;
  std::size_t expected_bodies_;
  bool calibrate_;
};

}  // namespace
}  // namespace fmm_opencl

std::unique_ptr<Solver<Device>> make_fmm_opencl(device::Context& context,
                                                const FmmOpenclSettings& settings) {
  return std::make_unique<fmm_opencl::FmmOpencl>(context, settings);
}

}  // namespace apsis
