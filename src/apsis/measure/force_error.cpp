// SPDX-License-Identifier: MIT
#include <apsis/core/percentile.hpp>
#include <apsis/measure/force_error.hpp>
#include <apsis/solvers/reference.hpp>
#include <apsis/solvers/registry.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace apsis {
namespace {

double root_mean_square(const std::vector<double>& values) {
  if (values.empty()) return 0;
  double sum = 0;
  for (const double value : values) sum += value * value;
  return std::sqrt(sum / static_cast<double>(values.size()));
}

double ratio(double error, double scale) {
  if (!std::isfinite(error)) return std::numeric_limits<double>::infinity();
  if (error == 0) return 0;
  return scale > 0 ? error / scale : std::numeric_limits<double>::infinity();
}

// What an error is relative to. A force that cancels to rounding, such as that of the body in the
// middle of a figure-eight, has no digits of its own to be compared with.
double scale_of(double size, double typical, Law law) {
  if (law == Law::coulomb) return std::max(size, typical);
  return size > 1e-12 * typical ? size : typical;
}

}  // namespace

std::vector<std::size_t> sample_by_id(const Bodies& bodies, std::size_t limit) {
  std::vector<std::size_t> order(bodies.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t i, std::size_t j) { return bodies.id[i] < bodies.id[j]; });
  const std::size_t count = std::min(limit, order.size());
  std::vector<std::size_t> sample(count);
  // a third of the way from one to the next: not where calibrations of tree and fmm look
  for (std::size_t k = 0; k < count; ++k) {
    sample[k] = order[(3 * k + 1) * order.size() / (3 * count)];
  }
  return sample;
}

ForceError force_error(const Accelerations& got, const Accelerations& reference, Law law) {
  const std::size_t n = reference.size();
  std::vector<double> size(n), difference(n), relative(n);
  for (std::size_t i = 0; i < n; ++i) {
    size[i] = norm(reference.at(i));
    difference[i] = norm(got.at(i) - reference.at(i));
  }
  const double typical = root_mean_square(size);
  for (std::size_t i = 0; i < n; ++i) {
    relative[i] = ratio(difference[i], scale_of(size[i], typical, law));
  }
  std::sort(relative.begin(), relative.end());
  return {.median = percentile(relative, 0.5),
          .rms = root_mean_square(relative),
          .p90 = percentile(relative, 0.9),
          .p99 = percentile(relative, 0.99),
          .p999 = percentile(relative, 0.999),
          .max = relative.empty() ? 0 : relative.back(),
          .rms_normalized = ratio(root_mean_square(difference), typical),
          .samples = n};
}

ForceError sample_force_error(Engine& engine, const PairLaw& law, int threads) {
  Bodies held;
  engine.store(held);
  return sample_force_error(engine, held, law, threads);
}

ForceError sample_force_error(Engine& engine, const Bodies& exact, const PairLaw& law,
                              int threads) {
  if (!solver_named(engine.describe().solver).acts) return {};  // there are no forces
  const auto sample = sample_by_id(exact);
  const Accelerations all = engine.pair_accelerations();
  Accelerations got(sample.size());
  for (std::size_t k = 0; k < sample.size(); ++k) got.set(k, all.at(sample[k]));
  return force_error(got, reference_accelerations(exact, law, sample, threads), law.law);
}

}  // namespace apsis
