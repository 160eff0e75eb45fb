// SPDX-License-Identifier: MIT
// The table of integrators. Splitting schemes are rows of drift and kick coefficients over one
// loop; Runge-Kutta works on slots, Hermite by predicting and correcting.
#include <apsis/core/error.hpp>
#include <apsis/core/names.hpp>
#include <apsis/integrators/integrator.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace apsis {
namespace {

// accelerate is free where the accelerations are still those of the positions.
enum class Verb { accelerate, kick, drift };
struct Stage {
  Verb verb;
  double coefficient = 0;  // times dt
};
using Stages = std::vector<Stage>;

class Splitting final : public Integrator {
 public:
  Splitting(std::string name, int order, Stages stages)
      : name_(std::move(name)), order_(order), stages_(std::move(stages)) {}

  void step(Engine& engine, double dt) override {
    for (const Stage& stage : stages_) {
      switch (stage.verb) {
        case Verb::accelerate:
          engine.accelerate();
          break;
        case Verb::kick:
          engine.kick(stage.coefficient * dt);
          break;
        case Verb::drift:
          engine.drift(stage.coefficient * dt);
          break;
      }
    }
  }
  int order() const override { return order_; }
  std::string name() const override { return name_; }
  int force_evaluations() const override {
    return static_cast<int>(std::count_if(stages_.begin(), stages_.end(), [](const Stage& stage) {
      return stage.verb == Verb::drift;
    }));
  }

 private:
  std::string name_;
  int order_;
  Stages stages_;
};

// Kick-drift-kick leapfrogs of the given fractions of the step, in a row (Yoshida 1990).
Stages composed_leapfrogs(const std::vector<double>& fractions) {
  Stages stages;
  for (const double w : fractions) {
    stages.insert(stages.end(), {{Verb::accelerate},
                                 {Verb::kick, w / 2},
                                 {Verb::drift, w},
                                 {Verb::accelerate},
                                 {Verb::kick, w / 2}});
  }
  return stages;
}

Stages yoshida4_stages() {
  const double w1 = 1 / (2 - std::cbrt(2.0));
  return composed_leapfrogs({w1, 1 - 2 * w1, w1});
}

// Yoshida 1990, solution A of order 6.
Stages yoshida6_stages() {
  constexpr double w1 = -1.17767998417887, w2 = 0.235573213359357, w3 = 0.784513610477560;
  constexpr double w0 = 1 - 2 * (w1 + w2 + w3);
  return composed_leapfrogs({w3, w2, w1, w0, w1, w2, w3});
}

class RungeKutta4 final : public Integrator {
 public:
  void step(Engine& engine, double dt) override {
    engine.accelerate();
    engine.save(0);
    advance(engine, 0, dt / 2);
    advance(engine, 1, dt / 2);
    advance(engine, 2, dt);
    const std::array<Engine::SlotTerm, 4> slopes{
        {{0, dt / 6}, {1, dt / 3}, {2, dt / 3}, {3, dt / 6}}};
    engine.combine(0, slopes);
  }
  int order() const override { return 4; }
  std::string name() const override { return "rk4"; }
  int force_evaluations() const override { return 4; }

 private:
  // From the start by the slope in `slot`; the slope found there goes into the next slot.
  static void advance(Engine& engine, int slot, double dt) {
    const std::array<Engine::SlotTerm, 1> slope{{{slot, dt}}};
    engine.combine(0, slope);
    engine.accelerate();
    engine.save(slot + 1);
  }
};

class Hermite4 final : public Integrator {
 public:
  void step(Engine& engine, double dt) override {
    constexpr Wants with_jerk{.jerk = true};
    engine.accelerate(with_jerk);
    engine.predict(dt);
    for (int pass = 0; pass < 2; ++pass) {
      engine.accelerate(with_jerk);
      engine.correct(dt);
    }
    engine.accept();
  }
  int order() const override { return 4; }
  std::string name() const override { return "hermite4"; }
  bool needs_jerk() const override { return true; }
  int force_evaluations() const override { return 2; }
};

struct Row {
  std::string name;
  std::string summary;
  std::function<std::unique_ptr<Integrator>(const std::string&)> make;
};

Row splitting(const char* name, int order, const char* summary, const Stages& stages) {
  return {name, summary,
          [=](const std::string& n) { return std::make_unique<Splitting>(n, order, stages); }};
}

const std::vector<Row>& table() {
  static const std::vector<Row> rows{
      splitting("euler", 1, "forward Euler: x += v dt, v += a dt, both from the old state",
                {{Verb::accelerate}, {Verb::drift, 1}, {Verb::kick, 1}}),
      splitting("symplectic-euler", 1, "semi-implicit Euler: v += a dt, then x += v dt",
                {{Verb::accelerate}, {Verb::kick, 1}, {Verb::drift, 1}}),
      // two half kicks with the same accelerations: x += v dt + a dt²/2, v += a dt
      splitting("taylor2", 1, "x += v dt + a dt²/2, v += a dt",
                {{Verb::accelerate}, {Verb::kick, 0.5}, {Verb::drift, 1}, {Verb::kick, 0.5}}),
      splitting("leapfrog", 2, "kick-drift-kick: symplectic and reversible; the default",
                composed_leapfrogs({1})),
      splitting("yoshida4", 4, "three leapfrogs composed: symplectic", yoshida4_stages()),
      splitting("yoshida6", 6, "seven leapfrogs composed: symplectic", yoshida6_stages()),
      {"rk4", "classical Runge-Kutta: not symplectic",
       [](const std::string&) { return std::make_unique<RungeKutta4>(); }},
      {"hermite4", "Hermite with jerk, two corrector passes: close encounters",
       [](const std::string&) { return std::make_unique<Hermite4>(); }},
  };
  return rows;
}

const Row& row_named(std::string_view name) {
  const auto found = std::find_if(table().begin(), table().end(),
                                  [&](const Row& row) { return row.name == name; });
  if (found != table().end()) return *found;
  const auto names = integrator_names();
  throw bad_data(fmt::format("unknown integrator '{}'{}", name, did_you_mean(name, names)),
                 "choose " + list_of(names));
}

}  // namespace

std::unique_ptr<Integrator> make_integrator(std::string_view name) {
  const Row& row = row_named(name);
  return row.make(row.name);
}

std::vector<std::string> integrator_names() {
  std::vector<std::string> names;
  for (const Row& row : table()) names.push_back(row.name);
  return names;
}

std::string integrator_summary(std::string_view name) { return row_named(name).summary; }

}  // namespace apsis
