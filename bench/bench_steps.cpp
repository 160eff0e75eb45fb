// SPDX-License-Identifier: MIT
// What one step of three bodies costs with each integrator: all overhead, hardly any force. The
// aim is 2 µs. The result is checked: a step that computes nothing would be faster still.
#include <apsis/engines/engine_factory.hpp>
#include <apsis/integrators/integrator.hpp>

#include <benchmark/benchmark.h>
#include <support/bodies.hpp>

namespace apsis {
namespace {

void three_bodies(benchmark::State& state, const std::string& name) {
  Bodies bodies = test::kepler_pair(0.2);
  Bodies third(1);
  third.mass[0] = 1e-3, third.x[0] = 5, third.vy[0] = 0.4, third.id[0] = 2;
  bodies.append(third);
  const auto engine = make_engine({.device = {.precision = Precision::f64}});
  engine->load(bodies);
  const Energies start = engine->energies();
  const auto integrator = make_integrator(name);
  for (auto _ : state) integrator->step(*engine, 1e-6);
  if (energy_error(engine->energies(), start) > 1e-3) state.SkipWithError("energy is lost");
}

}  // namespace
}  // namespace apsis

int main(int argc, char** argv) {
  for (const auto& name : apsis::integrator_names()) {
    benchmark::RegisterBenchmark(("three_bodies/" + name).c_str(), apsis::three_bodies, name);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
