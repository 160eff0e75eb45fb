// SPDX-License-Identifier: MIT
#include <apsis/engines/engine_factory.hpp>
#include <apsis/measure/potentials.hpp>
#include <apsis/solvers/registry.hpp>

#include <cstddef>
#include <memory>

namespace apsis {

std::vector<double> pair_potentials_of(const Bodies& bodies, const PairLaw& law, int threads) {
  constexpr std::size_t few = 16384;
  const bool direct = bodies.size() <= few || !sums(solver_named("fmm"), law.radial.radial);
  const auto engine =
      build(plan_on_cpu({.force = forces(law, direct ? "direct" : "fmm"),
                         .device = {.name = "cpu",
                                    .precision = direct ? Precision::f64 : Precision::mixed,
                                    .threads = threads}}));
  engine->load(bodies);
  return engine->potentials(0);
}

}  // namespace apsis
