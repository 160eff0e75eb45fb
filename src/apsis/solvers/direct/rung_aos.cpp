// SPDX-License-Identifier: MIT
// The first rungs: bodies as an array of structures, pairs one by one.
#include <apsis/solvers/direct/rung.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace apsis::direct {
namespace {

constexpr std::size_t chunk = 256;  // pairs in one running sum of the pairs' type

template <class State, class Pair, bool reduced, class Falloff>
class AosRung final : public Rung<State> {
 public:
  AosRung(bool threaded, Falloff radial) : threaded_(threaded), radial_(radial) {}

  void prepare(const Task<State>& task, int /*threads*/) override {
    const auto& s = task.sources;
    sources_.resize(s.count);
    for (std::size_t j = 0; j < s.count; ++j) sources_[j] = {s.x[j], s.y[j], s.z[j], s.strength[j]};
  }

  void add(const Task<State>& task, std::size_t begin, std::size_t end) const override {
    for (std::size_t i = begin; i < end; ++i) add_one(task, i);
  }

  bool threaded() const override { return threaded_; }

 private:
  struct Body {
    State x, y, z, strength;
  };
  struct Sum {
    Pair x = 0, y = 0, z = 0, potential = 0;
  };

  void add_one(const Task<State>& task, std::size_t i) const {
    const auto& t = task.targets;
    const Pair eps2 = static_cast<Pair>(task.softening * task.softening);
    double x = 0, y = 0, z = 0, potential = 0;
    for (std::size_t start = 0; start < sources_.size(); start += chunk) {
      Sum sum;
      const std::size_t stop = std::min(sources_.size(), start + chunk);
      for (std::size_t j = start; j < stop; ++j) {
        const Body& b = sources_[j];
        const Pair dx = Pair(b.x - t.x[i]), dy = Pair(b.y - t.y[i]), dz = Pair(b.z - t.z[i]);
        const bool counted = task.field.potential != nullptr && !(task.same && task.first + i == j);
        add_pair(dx, dy, dz, eps2, Pair(b.strength), counted, sum);
      }
      x += sum.x, y += sum.y, z += sum.z, potential += sum.potential;
    }
    add_to_field(task.field, i, x, y, z, potential);
  }

  void add_pair(Pair dx, Pair dy, Pair dz, Pair eps2, Pair strength, bool with_potential,
                Sum& sum) const {
    const Pair r2 = dx * dx + dy * dy + dz * dz + eps2;
    if (r2 == 0) return;  // without softening a pair in one place gives nothing
    const Pair distance = std::sqrt(r2);
    const Pair of_force = strength * radial_.force(distance);
    const Pair of_potential = strength * radial_.potential(distance);
    Pair weight;
    if constexpr (reduced) {
      const Pair inverse = Pair(1) / distance;
      weight = of_force * (inverse * inverse * inverse);
      if (with_potential) sum.potential += of_potential * inverse;
    } else {
      weight = static_cast<Pair>(of_force / std::pow(static_cast<double>(r2), 1.5));
      if (with_potential) {
        sum.potential += static_cast<Pair>(of_potential / std::pow(static_cast<double>(r2), 0.5));
      }
    }
    sum.x += weight * dx, sum.y += weight * dy, sum.z += weight * dz;
  }

  bool threaded_;
  Falloff radial_;
  std::vector<Body> sources_;
};

template <class State, class Pair>
std::unique_ptr<Rung<State>> made(const RadialLaw& law, bool threaded, bool reduced) {
  return with_radial(law, [&]<class Falloff>(Falloff radial) -> std::unique_ptr<Rung<State>> {
    if (reduced) return std::make_unique<AosRung<State, Pair, true, Falloff>>(threaded, radial);
    return std::make_unique<AosRung<State, Pair, false, Falloff>>(threaded, radial);
  });
}

}  // namespace

template <>
std::unique_ptr<Rung<float>> make_aos_rung(Precision /*f32*/, const RadialLaw& radial,
                                           bool threaded, bool reduced) {
  return made<float, float>(radial, threaded, reduced);
}
template <>
std::unique_ptr<Rung<double>> make_aos_rung(Precision precision, const RadialLaw& radial,
                                            bool threaded, bool reduced) {
  if (precision == Precision::f64) return made<double, double>(radial, threaded, reduced);
  return made<double, float>(radial, threaded, reduced);
}

}  // namespace apsis::direct
