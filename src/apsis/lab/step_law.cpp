// SPDX-License-Identifier: MIT
#include <apsis/core/parallel.hpp>
#include <apsis/lab/step_law.hpp>

#include <algorithm>
#include <cmath>

namespace apsis::lab {
namespace {

constexpr double unit = 0x1p-24;  // rounding of a float
constexpr std::size_t most_targets = 1024, fewest_targets = 64, last_targets = 64;
constexpr std::size_t most_pairs = 1
                                   << 27;  // of a law, so that judging takes seconds and no minute

Vec3 place(const StepBodies& bodies, std::size_t i) {
  const float* p = bodies.places.data() + 4 * i;
  return {p[0], p[1], p[2]};
}
Vec3 velocity(const StepBodies& bodies, std::size_t i) {
  const float* v = bodies.velocities.data() + 4 * i;
  return {v[0], v[1], v[2]};
}

Pull pull_on(const StepBodies& bodies, const StepLaw& law, std::size_t i) {
  const Vec3 here = place(bodies, i);
  std::size_t first = 0, end = std::min(law.end, bodies.size());
  if (law.own_group > 0) {
    first = i / law.own_group * law.own_group;
    end = std::min(first + law.own_group, bodies.size());
  }
  Pull pull;
  for (std::size_t j = first; j < end; ++j) {
    if (j == i) continue;
    const Vec3 d = place(bodies, j) - here;
    const double distance = std::sqrt(dot(d, d) + law.under_root) + law.beside_root;
    if (distance == 0) continue;
    const double mass = law.with_masses ? bodies.places[4 * j + 3] : law.mass;
    const double power =
        law.power == 3 ? distance * distance * distance : std::pow(distance, law.power);
    const double factor = law.constant * mass / power;
    pull.acceleration = pull.acceleration + factor * d;
    pull.sizes += std::abs(factor) * norm(d);
  }
  if (law.with_own_mass) {
    const double own = bodies.places[4 * i + 3];
    pull.acceleration = own * pull.acceleration;
    pull.sizes *= own;
  }
  return pull;
}

Vec3 acceleration_of(const StepTrace& trace, double step, std::size_t i) {
  return (1 / step) * (velocity(trace.after, i) - velocity(trace.before, i));
}

// A running float sum of n terms is off by about √n units of the sum of sizes, seldom by four times
// that; the terms themselves by a few tens of units at most, with the fast roots of devices. The
// velocity rounds once more.
double allowed(const StepTrace& trace, double step, const Pull& pull, std::size_t i) {
  const auto n = static_cast<double>(trace.before.size());
  const double speeds = norm(velocity(trace.before, i)) + norm(velocity(trace.after, i));
  return unit * ((64 + 4 * std::sqrt(n)) * pull.sizes + 4 * speeds / step);
}

}  // namespace

std::vector<Pull> pulls(const StepBodies& bodies, const StepLaw& law,
                        std::span<const std::size_t> targets) {
  std::vector<Pull> all(targets.size());
  parallel_for(targets.size(), thread_count(0),
               [&](std::size_t k) { all[k] = pull_on(bodies, law, targets[k]); });
  return all;
}

std::vector<std::size_t> targets_among(std::size_t bodies) {
  std::vector<std::size_t> targets;
  const std::size_t most =
      std::clamp(most_pairs / std::max<std::size_t>(bodies, 1), fewest_targets, most_targets);
  const std::size_t stride = bodies <= most ? 1 : bodies / (most / 2);
  for (std::size_t i = 0; i < bodies; i += stride) targets.push_back(i);
  for (std::size_t i = bodies - std::min(bodies, last_targets); i < bodies; ++i) {
    targets.push_back(i);
  }
  std::sort(targets.begin(), targets.end());
  targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
  return targets;
}

LawFit fit_of(const StepTrace& trace, double step, std::span<const Pull> pulls,
              std::span<const std::size_t> targets) {
  LawFit fit;
  double along = 0, squares = 0;
  for (std::size_t k = 0; k < targets.size(); ++k) {
    along += dot(acceleration_of(trace, step, targets[k]), pulls[k].acceleration);
    squares += dot(pulls[k].acceleration, pulls[k].acceleration);
  }
  fit.scale = squares > 0 ? along / squares : 1;
  fit.fits = fit.fits_scaled = true;
  double off_squares = 0, worst = -1;
  for (std::size_t k = 0; k < targets.size(); ++k) {
    const std::size_t i = targets[k];
    const Vec3 found = acceleration_of(trace, step, i), wanted = pulls[k].acceleration;
    const double off = norm(found - wanted), bound = allowed(trace, step, pulls[k], i);
    const double off_scaled = norm(found - fit.scale * wanted);
    off_squares += off * off;
    if (norm(wanted) > 0) fit.error = std::max(fit.error, off / norm(wanted));
    if (!(off <= bound) && fit.fits) fit.fits = false, fit.first_off = i;
    if (!(off_scaled <= std::max(1.0, std::abs(fit.scale)) * bound)) fit.fits_scaled = false;
    if (off > worst) worst = off, fit.worst = i;
  }
  fit.distance = squares > 0 ? std::sqrt(off_squares / squares) : 0;
  return fit;
}

double fitted_softening(const StepTrace& trace, double step, const StepLaw& law) {
  std::vector<std::size_t> targets = targets_among(trace.before.size());
  targets.resize(std::min<std::size_t>(targets.size(), 64));
  const auto distance = [&](double exponent) {
    StepLaw tried = law;
    tried.under_root = std::exp(exponent);
    return fit_of(trace, step, pulls(trace.before, tried, targets), targets).distance;
  };
  // a coarse search first: the distance has more than one valley
  double best = std::log(1e-14);
  for (double exponent = best; exponent < std::log(100.0); exponent += 1) {
    if (distance(exponent) < distance(best)) best = exponent;
  }
  double low = best - 1, high = best + 1;
  constexpr double golden = 0.3819660112501051;
  for (int i = 0; i < 60; ++i) {
    const double a = low + golden * (high - low), b = high - golden * (high - low);
    if (distance(a) < distance(b)) {
      high = b;
    } else {
      low = a;
    }
  }
  return std::exp((low + high) / 2);
}

}  // namespace apsis::lab
