// SPDX-License-Identifier: MIT
// What one step of three bodies costs with each integrator: all overhead, hardly any force. The
// aim is 2 µs. The result is checked: a step that computes nothing would be faster still.
#include <apsis/engines/engine_factory.hpp>
#include <apsis/integrators/integrator.hpp>

#include <benchmark/benchmark.h>
#include <support/bodies.hpp>

namespace apsis {
namespace {

void three_bodies(benchmark::State& state, const Integrator& integrator) {
  Bodies bodies = test::kepler_pair(0.2);
  Bodies third(1);
  third.mass[0] = 1e-3, third.x()[0] = 5, third.vy()[0] = 0.4, third.id[0] = 2;
  bodies.append(third);
  const auto engine = make_engine({.device = {.precision = Precision::f64}});
  engine->load(bodies);
  const Energies start = engine->energies(0);
  std::vector<Operation> operations;
  for (auto _ : state) {
    operations.clear();
    integrator.add_step(0, 1e-6, operations);
    engine->apply(operations);
  }
  if (energy_error(engine->energies(0), start) > 1e-3) state.SkipWithError("energy is lost");
}

}  // namespace
}  // namespace apsis

int main(int argc, char** argv) {
  for (const apsis::Integrator& integrator : apsis::integrator_table()) {
    benchmark::RegisterBenchmark(("three_bodies/" + integrator.name).c_str(), apsis::three_bodies,
                                 integrator);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
