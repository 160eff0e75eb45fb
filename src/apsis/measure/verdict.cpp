// SPDX-License-Identifier: MIT
#include <apsis/measure/verdict.hpp>
#include <apsis/solvers/reference.hpp>
#include <apsis/solvers/registry.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace apsis {
namespace {

constexpr double cancelled_below = 1.0 / 30, cancelled_scale = 1.0 / 5;

// Σ_j |a_ij|: what the acceleration would be if no two pulls cancelled.
double sum_of_pulls(const Bodies& bodies, const PairLaw& law, std::size_t i) {
  const std::vector<double>& strength = strengths(bodies, law.law);
  const double softening_squared = law.softening * law.softening;
  double sum = 0;
  for (std::size_t j = 0; j < bodies.size(); ++j) {
    const Vec3 r = bodies.position(j) - bodies.position(i);
    const double squared = dot(r, r);
    if (squared == 0) continue;
    const double softened = squared + softening_squared, distance = std::sqrt(softened);
    const double factor = with_radial(law.radial, [&](auto part) { return part.force(distance); });
    sum += std::abs(strength[j]) * std::sqrt(squared) / (softened * distance) * std::abs(factor);
  }
  return sum * std::abs(coupling(bodies, law, i));
}

}  // namespace

std::vector<double> fair_errors(Engine& engine, const Bodies& held, const PairLaw& law) {
  const auto sample = sample_by_id(held);
  const Accelerations got = engine.pair_accelerations();
  const Accelerations reference = reference_accelerations(held, law, sample);
  double rms = 0;
  for (std::size_t k = 0; k < sample.size(); ++k) rms += dot(reference.at(k), reference.at(k));
  rms = std::sqrt(rms / static_cast<double>(sample.size()));
  std::vector<double> errors(sample.size());
  for (std::size_t k = 0; k < sample.size(); ++k) {
    const double size = norm(reference.at(k));
    const double pulls = sum_of_pulls(held, law, sample[k]);
    double scale = law.law == Law::coulomb ? std::max(size, rms) : size;
    if (size < cancelled_below * pulls) scale = std::max(scale, cancelled_scale * pulls);
    const double difference = norm(got.at(sample[k]) - reference.at(k));
    if (difference > 0) errors[k] = difference / scale;
  }
  std::sort(errors.begin(), errors.end());
  return errors;
}

namespace {

std::string complaint_about_direct(Engine& engine, const BenchInput& input,
                                   const BenchResult& result) {
  const Precision precision = result.engine.precision;
  const ErrorBounds bounds = error_bounds(precision);
  // f32 cannot be blamed for the rounding of its inputs; the others hold them in double
  const ForceError& error = precision == Precision::f32 ? result.error : result.error_double;
  if (error.samples == 0 || (error.median <= bounds.median && error.max <= bounds.max)) return {};
  Bodies held = input.bodies;
  if (precision == Precision::f32) engine.store(held);
  const std::vector<double> fair = fair_errors(engine, held, input.law);
  if (fair.back() > bounds.max) {
    return fmt::format("largest force error {:.2e} exceeds {:.0e}", fair.back(), bounds.max);
  }
  const double median = fair[(fair.size() - 1) / 2];
  if (median <= bounds.median) return {};
  return fmt::format("median force error {:.2e} exceeds {:.0e}", median, bounds.median);
}

}  // namespace

ErrorBounds error_bounds(Precision precision) {
  switch (precision) {
    case Precision::f32:
      return {.max = 5e-6, .median = 1e-6};
    case Precision::mixed:
      return {.max = 2e-6, .median = 2e-6};
    case Precision::f64:
      break;
  }
  return {.max = 1e-13, .median = 1e-13};
}

std::string complaint_about(Engine& engine, const BenchInput& input, const BenchResult& result,
                            std::optional<double> accuracy) {
  const Accelerations all = engine.pair_accelerations();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!std::isfinite(dot(all.at(i), all.at(i)))) {
      return fmt::format("the acceleration of body {} is not finite", i);
    }
  }
  if (result.engine.sums_all_pairs()) return complaint_about_direct(engine, input, result);
  const bool promised = solver_named(result.engine.solver).takes_accuracy;
  if (!promised || !accuracy || result.error.p99 <= *accuracy) return {};
  return fmt::format("1 % of the force errors are above {:.2e}, wanted was {:g}", result.error.p99,
                     *accuracy);
}

}  // namespace apsis
