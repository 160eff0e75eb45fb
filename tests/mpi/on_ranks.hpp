// SPDX-License-Identifier: MIT
// What the tests on several ranks share: rank 0 runs them, the others follow.
#pragma once

#include <apsis/integrators/integrator.hpp>
#include <apsis/mpi/rank_engine.hpp>

#include <algorithm>
#include <memory>
#include <string>

namespace apsis::test {

mpi::Communicator& all_ranks();

inline EngineSettings settings_of(Precision precision, double softening, Law law = Law::gravity) {
  return {.force = forces({law, 1.0, softening}, "direct"),
          .device = {.name = "cpu", .precision = precision, .threads = 1}};
}

inline std::unique_ptr<Engine> alone(const EngineSettings& settings, const Bodies& bodies) {
  auto engine = make_engine(settings);
  engine->load(bodies);
  return engine;
}

inline std::unique_ptr<mpi::RankEngine> spread(const EngineSettings& settings,
                                               const Bodies& bodies) {
  auto engine = std::make_unique<mpi::RankEngine>(all_ranks(), mpi::settings_on_ranks(settings));
  engine->load(bodies);
  return engine;
}

inline void take_steps(Engine& engine, const std::string& integrator, int steps) {
  const auto operations = integrator_named(integrator).step(0, 0.001);
  for (int i = 0; i < steps; ++i) engine.apply(operations);
}

// Of the largest force.
inline double worst_difference(const Accelerations& got, const Accelerations& expected) {
  double worst = 0, size = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    worst = std::max(worst, norm(got.at(i) - expected.at(i)));
    size = std::max(size, norm(expected.at(i)));
  }
  return size > 0 ? worst / size : worst;
}

}  // namespace apsis::test
