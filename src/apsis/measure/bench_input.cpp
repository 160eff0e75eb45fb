// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/core/random.hpp>
#include <apsis/core/units.hpp>
#include <apsis/files/file.hpp>
#include <apsis/initial/model.hpp>
#include <apsis/io/snapshot.hpp>
#include <apsis/measure/bench_input.hpp>

#include <fmt/format.h>

#include <numeric>

namespace apsis {
namespace {

// Bodies in double twice (as made, as the engine holds them), the engine's own arrays and the
// reference's.
constexpr std::uint64_t bytes_per_body = 512;
constexpr std::uint32_t mass_stream = 7;  // apart from the streams that models draw from

void require_memory(std::uint64_t bodies) {
  const std::uint64_t largest = physical_memory() / bytes_per_body;
  if (bodies <= largest) return;
  throw bad_data(fmt::format("{} bodies do not fit into this machine's memory", bodies),
                 fmt::format("use at most {}", largest));
}

// The model's total, shared alike or with a factor of 3 between the lightest and the heaviest.
void share_masses(Bodies& bodies, Masses masses, std::uint64_t seed) {
  const double total = std::accumulate(bodies.mass.begin(), bodies.mass.end(), 0.0);
  const double mean = bodies.empty() ? 0 : total / static_cast<double>(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const double share =
        masses == Masses::equal ? 1.0 : BodyRandom(seed, i, mass_stream).uniform(0.5, 1.5);
    bodies.mass[i] = share * mean;
  }
}

BenchInput from_file(const BenchOptions& options) {
  Snapshot snapshot = read_snapshot(options.file);
  BenchInput input{std::move(snapshot.bodies), snapshot.law, options.file, "file"};
  if (options.force.softening) input.law.softening = *options.force.softening;
  return input;
}

BenchInput from_model(const BenchOptions& options, std::uint64_t bodies) {
  require_memory(bodies);
  ModelRequest request;
  request.model = options.model;
  request.seed = options.seed;
  // few-body models have their own number of bodies
  if (!model_info(options.model).fixed_count) request.bodies = bodies;
  InitialState state = make_model(request);
  const Units& units = units_named(state.defaults.units);
  BenchInput input;
  input.law.law = state.defaults.law;
  input.law.constant = input.law.law == Law::gravity ? units.gravity : units.coulomb;
  input.law.softening = options.force.softening.value_or(state.defaults.softening);
  input.bodies = std::move(state.bodies);
  input.model = options.model;
  input.masses = "model";
  // those of uniform are drawn here, as they always were
  const auto masses =
      options.model == "uniform" ? options.masses.value_or(Masses::spread) : options.masses;
  if (masses) {
    share_masses(input.bodies, *masses, options.seed);
    input.masses = name_of(*masses);
  }
  return input;
}

}  // namespace

BenchInput bench_input(const BenchOptions& options, std::uint64_t bodies) {
  BenchInput input = options.file.empty() ? from_model(options, bodies) : from_file(options);
  require_valid(input.bodies, input.model);
  require_valid(input.law, input.bodies, input.model);
  return input;
}

}  // namespace apsis
