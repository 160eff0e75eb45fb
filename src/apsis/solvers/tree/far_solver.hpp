// SPDX-License-Identifier: MIT
// Inside the far-field solvers: `tree` and `fmm` are one class; they differ in what cells act on.
#pragma once

#include <apsis/core/parallel.hpp>
#include <apsis/solvers/tree/evaluation.hpp>
#include <apsis/solvers/tree/far_field_solver.hpp>
#include <apsis/solvers/tree/far_settings.hpp>
#include <apsis/solvers/tree/pieces.hpp>
#include <apsis/solvers/tree/sampling.hpp>

#include <limits>
#include <string>
#include <vector>

namespace apsis::far {

template <class Real>
class FarSolver final : public FarFieldSolver<Real>,
                        public CurveSolver<Real>,
                        public SharedSolver<Real> {
 public:
  using View = BodiesView<Host<Real>>;
  using FieldView = Field<Host<Real>>;

  FarSolver(std::string name, bool bodies_only, const FarFieldSettings& options, double softening,
            int threads)
      : name_(std::move(name)), calibrated_(options.opening_angle.has_value()) {
    settings_.choice = choice_for(options, bodies_only, name_);
    settings_.accuracy = options.accuracy;
    settings_.softening = softening;
    settings_.threads = thread_count(threads);
    settings_.bodies_only = bodies_only;
  }

  void add_field(const View& sources, const View& targets, const FieldView& field) override {
    evaluation_.add_field(sources, &targets, field, settings_);
  }
  void add_self_field(const View& bodies, const FieldView& field) override {
    if (!calibrated_ && bodies.count > 0) calibrate(bodies);
    evaluation_.add_field<Real>(bodies, nullptr, field, settings_);
  }

  std::span<const std::uint32_t> add_curve_part(const View& bodies, const CurvePart& part,
                                                const FieldView& field) override {
    if (bodies.count == 0) return {};
    if (!calibrated_) calibrate(bodies);
    EvaluationSettings settings = settings_;
    settings.part = part;
    evaluation_.add_field<Real>(bodies, nullptr, field, settings);
    return evaluation_.order();
  }
  double seconds_of_part() const override { return evaluation_.times().force; }

  void add_shared_field(const View& block, const FieldView& field, const Wants& wants,
                        WorkHistory& history, Partners& partners) override {
    partners.together([&] {
      const Shared shared = shared_by_all(block, partners, settings_.threads);
      if (shared.bodies == 0) return;
      if (!calibrated_) calibrate(block, shared, partners, history.found);
      auto places = hashed_places(block, settings_.threads);
      if (partners.any(places != history.places)) history.used = history.found;
      history.places = std::move(places);
      history.found = history.used;
      add_shared(block, shared, field, wants, history.found, settings_, partners);
    });
  }
  SharedCounts shared_counts() const override { return evaluation_.shared_counts(); }

  FarFieldChoice choice() const override { return settings_.choice; }
  void use(const FarFieldChoice& choice) override {
    settings_.choice = choice;
    calibrated_ = true;
  }
  double calibrate(const View& bodies) override;
  FarFieldTimes times() const override { return evaluation_.times(); }

  std::string name() const override { return name_; }
  std::string variant() const override { return "host"; }
  SolverChoice chosen() const override { return settings_.choice; }

 private:
  void add_shared(const View& block, const Shared& shared, const FieldView& field,
                  const Wants& wants, std::vector<float>& work, const EvaluationSettings& settings,
                  Partners& partners) {
    const View piece = pieces_.collect(block, work, shared.frame, partners, settings.threads);
    evaluation_.find_shared_field<Real>(piece, wants.potential, shared, settings, partners,
                                        results_);
    pieces_.bring_home(results_, field, work, partners);
  }
  double calibrate(const View& block, const Shared& shared, Partners& partners,
                   std::vector<float>& work);
  template <class ErrorOf>
  double choose(std::size_t bodies, ErrorOf&& error_of);

  std::string name_;
  bool calibrated_;
  EvaluationSettings settings_;
  Evaluation evaluation_;
  Pieces<Real> pieces_;
  std::vector<FieldResult<Real>> results_;
};

// From the bodies alone: the same bodies give the same choice on any number of threads.
template <class Real>
double FarSolver<Real>::calibrate(const View& bodies) {
  const FieldSample<Real> sample(SampleOf::choice, bodies, settings_.softening, settings_.threads);
  const FieldSample<Real> others(SampleOf::confirmation, bodies, settings_.softening,
                                 settings_.threads);
  std::vector<Real> x(bodies.count), y(bodies.count), z(bodies.count);
  return choose(bodies.count, [&](const EvaluationSettings& trial) {
    for (auto* column : {&x, &y, &z}) std::fill(column->begin(), column->end(), Real(0));
    evaluation_.add_field<Real>(bodies, nullptr, {x.data(), y.data(), z.data()}, trial);
    return unless_confirmed(sample.error(x.data(), y.data(), z.data()),
                            others.error(x.data(), y.data(), z.data()), settings_.accuracy);
  });
}

// The same at all partners; `work` becomes that of the last trial.
template <class Real>
double FarSolver<Real>::calibrate(const View& block, const Shared& shared, Partners& partners,
                                  std::vector<float>& work) {
  const FieldSample<Real> sample(SampleOf::choice, block, shared, settings_.softening,
                                 settings_.threads, partners);
  const FieldSample<Real> others(SampleOf::confirmation, block, shared, settings_.softening,
                                 settings_.threads, partners);
  std::vector<Real> x(block.count), y(block.count), z(block.count);
  return choose(shared.bodies, [&](const EvaluationSettings& trial) {
    for (auto* column : {&x, &y, &z}) std::fill(column->begin(), column->end(), Real(0));
    add_shared(block, shared, {x.data(), y.data(), z.data()}, {}, work, trial, partners);
    return unless_confirmed(sample.error(x.data(), y.data(), z.data(), partners),
                            others.error(x.data(), y.data(), z.data(), partners),
                            settings_.accuracy);
  });
}

// Finds the choice whose error serves; error_of() evaluates all bodies with its settings.
template <class Real>
template <class ErrorOf>
double FarSolver<Real>::choose(std::size_t bodies, ErrorOf&& error_of) {
  calibrated_ = true;
  const auto error_with = [&](const FarFieldChoice& choice) {
    EvaluationSettings trial = settings_;
    trial.choice = choice;
    return error_of(trial);
  };
  constexpr int most_trials = 8;
  FarFieldChoice now = settings_.choice, kept = now;
  double error = error_with(now), kept_error = error;
  double last_error = std::numeric_limits<double>::infinity();
  for (int trial = 1; trial < most_trials; ++trial) {
    FarFieldChoice next = adjusted(now, error, settings_.accuracy);
    if (next == now) break;
    // what stricter cells do not mend is rounding
    if (!serves(error, settings_.accuracy) && error > 0.8 * last_error && !now.careful_sums) {
      next = now, next.careful_sums = true;
    }
    last_error = error;
    const double next_error = error_with(next);
    const bool served = serves(kept_error, settings_.accuracy);
    if (served && !serves(next_error, settings_.accuracy)) break;  // loosened too far
    now = next, error = next_error;
    if (served || error < kept_error) kept = now, kept_error = error;
    if (!served && serves(error, settings_.accuracy)) break;
  }
  // of fewer bodies, "99 %" are all, also one at which all forces cancel
  constexpr std::size_t fewest = 100;
  if (!(kept_error <= settings_.accuracy) && bodies >= fewest) {
    throw beyond_reach(name_, kept_error, settings_.accuracy);
  }
  settings_.choice = kept;
  return kept_error;
}

}  // namespace apsis::far
