// SPDX-License-Identifier: MIT
#include <apsis/core/energies.hpp>
#include <apsis/engines/engine_factory.hpp>
#include <apsis/initial/model.hpp>
#include <apsis/integrators/integrator.hpp>
#include <apsis/lab/relaxation.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

namespace apsis::lab {
namespace {

constexpr double pi = std::numbers::pi;

// (erf(x) - x erf'(x)) / (2 x²), which falls to 2x/(3√π) at 0.
double chandrasekhar(double x) {
  if (x < 1e-3) return 2 * x / (3 * std::sqrt(pi));
  return (std::erf(x) - 2 * x * std::exp(-x * x) / std::sqrt(pi)) / (2 * x * x);
}

EngineSettings settings_of(const WalkSettings& walk) {
  EngineSettings settings;
  settings.force = forces({Law::gravity, 1, walk.softening}, walk.encounters ? "direct" : "none");
  settings.device.name = "cpu";
  settings.device.precision = Precision::f64;
  settings.device.threads = walk.threads;
  if (!walk.encounters) {
    auto& sphere = std::get<external::Plummer>(settings.external.table);
    sphere.mass = 1, sphere.radius = PlummerTheory::scale_length();
  }
  return settings;
}

std::vector<double> energies_of(Engine& engine, double time) {
  Bodies bodies;
  engine.store(bodies);
  std::vector<double> energies = engine.potentials(time);
  for (std::size_t i = 0; i < energies.size(); ++i) {
    const Vec3 v = bodies.velocity(i);
    energies[i] += dot(v, v) / 2;
  }
  return energies;
}

double mean_square_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum / static_cast<double>(a.size());
}

}  // namespace

double coulomb_logarithm(double largest, double softening, double close) {
  const double least_squared = softening * softening + close * close;
  if (!(least_squared > 0) || !(largest > 0)) return 0;
  const double ratio = largest * largest / least_squared;
  return (std::log1p(ratio) - ratio / (1 + ratio)) / 2;
}

double PlummerTheory::scale_length() { return 3 * pi / 16; }

double PlummerTheory::half_mass_radius() {
  return scale_length() / std::sqrt(std::pow(0.5, -2.0 / 3) - 1);
}

double PlummerTheory::close_encounter(double bodies) {
  // 2 G m / v², with v² = 1 of a pair: twice the mean square of a body in virial equilibrium, 1/2
  return 2 / bodies;
}

double PlummerTheory::growth(const Bodies& bodies) {
  const double a = scale_length();
  double sum = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Vec3 p = bodies.position(i), v = bodies.velocity(i);
    const double root = std::sqrt(dot(p, p) + a * a);
    const double density = 3 / (4 * pi) * a * a / std::pow(root, 5);
    const double dispersion = std::sqrt(1 / (6 * root));
    const double x = norm(v) / (std::sqrt(2.0) * dispersion);
    // v² times the diffusion of the velocity along itself, of field bodies of mass 1/N
    sum += 8 * std::sqrt(2.0) * pi * density * dispersion * x * chandrasekhar(x);
  }
  const auto number = static_cast<double>(bodies.size());
  return sum / number / number;
}

namespace {

class Walk {
 public:
  explicit Walk(const WalkSettings& settings)
      : engine_(make_engine(settings_of(settings))), step_(settings.step) {
    engine_->load(
        make_model({.model = "plummer", .bodies = settings.bodies, .seed = settings.seed}).bodies);
  }

  Engine& engine() { return *engine_; }
  double time() const { return static_cast<double>(done_) * step_; }
  // In whole steps.
  void go_to(double time) {
    for (; (static_cast<double>(done_) + 0.5) * step_ < time; ++done_) {
      operations_.clear();
      leapfrog_.add_step(this->time(), step_, operations_);
      engine_->apply(operations_);
    }
  }

 private:
  std::unique_ptr<Engine> engine_;
  const Integrator& leapfrog_ = integrator_named("leapfrog");
  double step_;
  std::uint64_t done_ = 0;
  std::vector<Operation> operations_;
};

}  // namespace

EnergyWalk walk_of(const WalkSettings& settings) {
  Walk walk(settings);
  walk.go_to(settings.settling);
  const double begin = walk.time();
  const Energies start = walk.engine().energies(begin);
  const std::vector<double> before = energies_of(walk.engine(), begin);
  Bodies bodies;
  walk.engine().store(bodies);
  EnergyWalk result{.growth_of_theory = PlummerTheory::growth(bodies)};
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const double square = dot(bodies.velocity(i), bodies.velocity(i));
    result.scale += square * square / 3 / static_cast<double>(bodies.size());
  }
  for (int look = 1; look <= settings.looks; ++look) {
    walk.go_to(begin + settings.time * look / settings.looks);
    result.times.push_back(walk.time() - begin);
    result.mean_squares.push_back(
        mean_square_difference(energies_of(walk.engine(), walk.time()), before));
  }
  result.energy_error = energy_error(walk.engine().energies(walk.time()), start);
  return result;
}

double slope_of(const std::vector<double>& times, const std::vector<double>& values, double from) {
  double n = 0, t_sum = 0, v_sum = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (times[i] >= from) n += 1, t_sum += times[i], v_sum += values[i];
  }
  double above = 0, below = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (!(times[i] >= from)) continue;
    above += (times[i] - t_sum / n) * (values[i] - v_sum / n);
    below += (times[i] - t_sum / n) * (times[i] - t_sum / n);
  }
  return above / below;  // NaN where there are fewer than two
}

MeanWithError mean_of(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  MeanWithError result;
  for (const double value : values) result.mean += value / n;
  double squares = 0;
  for (const double value : values) squares += (value - result.mean) * (value - result.mean);
  if (n > 1) result.error = std::sqrt(squares / (n - 1) / n);
  return result;
}

}  // namespace apsis::lab
