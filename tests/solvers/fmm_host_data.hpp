// SPDX-License-Identifier: MIT
// Bodies that nobody tuned the far field for, and the 99 % force error of a solver on a thousand of
// them, by the measure of docs/accuracy.md. Shared by tests and benchmarks.
#pragma once

#include <apsis/core/parallel.hpp>
#include <apsis/core/random.hpp>
#include <apsis/initial/model.hpp>
#include <apsis/solvers/direct/direct_host.hpp>
#include <apsis/solvers/fmm/fmm_host.hpp>

#include <solvers/far_field_support.hpp>

#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace apsis::test {

struct FarData {
  std::string name;
  double softening = 0;  // beside 0
  bool charged = false;
  std::function<Bodies(std::size_t n, std::uint64_t seed)> make;
  friend void PrintTo(const FarData& data, std::ostream* out) { *out << data.name; }
};

// Leapfrog under the multipoles themselves, at an accuracy that keeps shapes, not orbits.
inline Bodies evolved(Bodies bodies, double softening, double time, int steps) {
  const auto solver = make_fmm<double>({.accuracy = 1e-2}, softening, thread_count(0));
  const double step = time / steps;
  FarColumns<double> now;
  const auto kick = [&](double dt) {
    now = FarColumns<double>(bodies, false);
    solver->add_self_field(now.view(), now.field());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      bodies.vx()[i] += dt * now.fx[i], bodies.vy()[i] += dt * now.fy[i];
      bodies.vz()[i] += dt * now.fz[i];
    }
  };
  kick(step / 2);
  for (int s = 0; s < steps; ++s) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      bodies.x()[i] += step * bodies.vx()[i], bodies.y()[i] += step * bodies.vy()[i];
      bodies.z()[i] += step * bodies.vz()[i];
    }
    kick(s + 1 < steps ? step : step / 2);
  }
  return bodies;
}

inline Bodies two_clusters(std::size_t n, std::uint64_t seed) {
  Bodies bodies = make_model({.model = "plummer", .bodies = n, .seed = seed}).bodies;
  for (std::size_t i = 0; i < n; ++i) bodies.x()[i] += i % 2 == 0 ? 5e3 : -5e3;
  return bodies;
}

// Charges of any size and sign in a cube, each with its opposite somewhere.
inline Bodies random_charges(std::size_t n, std::uint64_t seed) {
  Bodies bodies(n, true);
  for (std::size_t i = 0; i < n; ++i) {
    BodyRandom random(seed, i), pair(seed + 1, i / 2);
    const double x = random.uniform(-1, 1), y = random.uniform(-1, 1);
    bodies.set_position(i, {x, y, random.uniform(-1, 1)});
    bodies.mass[i] = 1;
    bodies.charge[i] = (i % 2 == 0 ? 1 : -1) * pair.uniform(0.1, 2);
  }
  if (n % 2 == 1) bodies.charge[n - 1] = 0;
  return bodies;
}

inline std::vector<FarData> far_data() {
  const auto model = [](const std::string& name) {
    return [name](std::size_t n, std::uint64_t seed) {
      return make_model({.model = name, .bodies = n, .seed = seed}).bodies;
    };
  };
  const auto merger = [model](std::size_t n, std::uint64_t seed) {
    return evolved(model("galaxy-merger")(n, seed), 0.08, 5, 100);
  };
  return {
      {"plummer", 0.01, false, model("plummer")},  {"hernquist", 0.03, false, model("hernquist")},
      {"king", 0.02, false, model("king")},        {"disk", 0.08, false, model("disk")},
      {"merger at 5", 0.08, false, merger},        {"uniform", 0.01, false, model("uniform")},
      {"two clusters", 0.01, false, two_clusters}, {"lattice", 0.05, true, model("lattice")},
      {"charges", 0.01, true, random_charges}};
}

// All of up to 10,000 bodies, or as many of more: then neither those that a choice was made on nor
// those that confirmed it. With their fields in double.
template <class Real>
class FarReference {
  // All of them, or so many that 99 % rests on a hundred: of a thousand it rests on ten, and the
  // rms of charges on a close pair or two.
  static constexpr std::size_t most_looked_at = 10'000;

 public:
  FarReference(const FarColumns<Real>& bodies, double softening, bool charged) {
    const std::size_t n = bodies.x.size(), count = std::min(n, most_looked_at);
    const FarColumns<double> all = bodies.in_double();
    FarColumns<double> some;
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t i = count == n ? k : (3 * k + 1) * n / (3 * count);
      number_.push_back(i);
      some.x.push_back(all.x[i]), some.y.push_back(all.y[i]), some.z.push_back(all.z[i]);
      some.strength.push_back(all.strength[i]);
    }
    some.clear();
    make_direct_host<double>(
        {.force = {.softening = softening}, .device = {.precision = Precision::f64}})
        ->add_field(all.view(), some.view(), some.field());
    x_ = some.fx, y_ = some.fy, z_ = some.fz;
    double square = 0;
    for (std::size_t k = 0; k < count; ++k) {
      square += x_[k] * x_[k] + y_[k] * y_[k] + z_[k] * z_[k];
    }
    const double rms = std::sqrt(square / static_cast<double>(std::max<std::size_t>(count, 1)));
    least_ = charged ? rms : 1e-12 * rms;
  }
  // Sorted.
  std::vector<double> errors(const FarColumns<Real>& got) const {
    std::vector<double> errors(number_.size());
    for (std::size_t k = 0; k < errors.size(); ++k) {
      const std::size_t i = number_[k];
      errors[k] =
          std::hypot(static_cast<double>(got.fx[i]) - x_[k], static_cast<double>(got.fy[i]) - y_[k],
                     static_cast<double>(got.fz[i]) - z_[k]) /
          std::max(std::hypot(x_[k], y_[k], z_[k]), least_);
    }
    std::sort(errors.begin(), errors.end());
    return errors;
  }
  static double p99(const std::vector<double>& sorted) {
    return sorted.empty() ? 0 : sorted[(sorted.size() * 99 + 99) / 100 - 1];
  }

 private:
  std::vector<std::size_t> number_;
  std::vector<double> x_, y_, z_;
  double least_ = 0;
};

}  // namespace apsis::test
