// SPDX-License-Identifier: MIT
// Inside integrators/: schemes that are rows of kicks and drifts over one loop.
#pragma once

#include <apsis/integrators/integrator.hpp>

#include <string>
#include <utility>
#include <vector>

namespace apsis {

struct Stage {
  Operation::Kind kind;    // accelerate, kick or drift
  double coefficient = 0;  // times dt
};
using Stages = std::vector<Stage>;

namespace stages {

// Free where the accelerations are still those of the positions.
inline constexpr Stage accelerate{Operation::Kind::accelerate};
constexpr Stage kick(double coefficient) { return {Operation::Kind::kick, coefficient}; }
constexpr Stage drift(double coefficient) { return {Operation::Kind::drift, coefficient}; }

}  // namespace stages

// Of a step that follows another: accelerations are computed where a drift lies between them and
// the last ones.
inline int evaluations_of(const Stages& stages) {
  int evaluations = 0;
  bool moved = false;
  for (int step = 0; step < 2; ++step) {
    evaluations = 0;
    for (const Stage& stage : stages) {
      if (stage.kind == Operation::Kind::drift) moved = true;
      if (stage.kind != Operation::Kind::accelerate || !moved) continue;
      ++evaluations;
      moved = false;
    }
  }
  return evaluations;
}

inline Integrator splitting(std::string name, int order, std::string summary, Stages stages) {
  const int evaluations = evaluations_of(stages);
  const auto add_step = [stages = std::move(stages)](double time, double dt,
                                                     std::vector<Operation>& operations) {
    double drifted = 0;  // steps that the positions are ahead
    for (const Stage& stage : stages) {
      if (stage.kind == Operation::Kind::accelerate) {
        operations.push_back(Operation::accelerate(time + drifted * dt));
      } else if (stage.kind == Operation::Kind::kick) {
        operations.push_back(Operation::kick(stage.coefficient * dt));
      } else {
        operations.push_back(Operation::drift(stage.coefficient * dt));
        drifted += stage.coefficient;
      }
    }
  };
  return {.name = std::move(name),
          .summary = std::move(summary),
          .order = order,
          .force_evaluations = evaluations,
          .add_step = add_step};
}

}  // namespace apsis
