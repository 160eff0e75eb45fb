// SPDX-License-Identifier: MIT
// Rock salt: charges +1 and -1 in turn on a cubic lattice, masses in the ratio of Na to Cl.
#include <apsis/core/parallel.hpp>
#include <apsis/core/random.hpp>
#include <apsis/initial/builder.hpp>

#include <cmath>

namespace apsis::initial {
namespace {

// The smallest even side whose cube holds n: with it, any even n is neutral, row by row.
std::size_t even_side(std::size_t n) {
  std::size_t side = 2;
  while (side * side * side < n) side += 2;
  return side;
}

InitialState make_lattice(const ModelInput& input) {
  constexpr double chlorine_over_sodium = 35.453 / 22.990;
  const double spacing = input.number("spacing");
  const double deviation = std::sqrt(input.number("temperature") / spacing);
  const std::size_t side = even_side(input.bodies);
  const double middle = 0.5 * static_cast<double>(side - 1);
  InitialState state{Bodies(input.bodies, true), input.defaults};
  Bodies& bodies = state.bodies;
  state.defaults.softening *= spacing;
  state.defaults.step *= std::pow(spacing, 1.5);
  state.defaults.until *= std::pow(spacing, 1.5);
  parallel_for(bodies.size(), thread_count(0), [&](std::size_t i) {
    const std::size_t ix = i % side;
    const std::size_t iy = i / side % side;
    const std::size_t iz = i / side / side;
    const auto along = [&](std::size_t k) { return spacing * (static_cast<double>(k) - middle); };
    const bool sodium = (ix + iy + iz) % 2 == 0;
    bodies.set_position(i, {along(ix), along(iy), along(iz)});
    bodies.charge[i] = sodium ? 1 : -1;
    bodies.mass[i] = sodium ? 1 : chlorine_over_sodium;
    if (deviation > 0) {
      BodyRandom random(input.seed, i, velocity_stream);
      const double thermal = deviation / std::sqrt(bodies.mass[i]);
      const double vx = thermal * random.normal();
      const double vy = thermal * random.normal();
      bodies.set_velocity(i, {vx, vy, thermal * random.normal()});
    }
  });
  const Vec3 drift = mean_velocity(bodies);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    bodies.set_velocity(i, bodies.velocity(i) - drift);
  }
  return state;
}

}  // namespace

std::vector<Model> lattice_models() {
  return {{{"lattice",
            "rock salt: charges +1 and -1 in turn on a cubic lattice, under Coulomb's law",
            4096,
            false,
            {number_option("spacing", 1, 1e-12, 1e12, "distance of neighbours"),
             number_option("temperature", 0, 0, 1e6, "kT in units of k·q²/spacing")},
            RunDefaults{.law = Law::coulomb, .softening = 0.3, .step = 0.01, .until = 5}},
           make_lattice}};
}

}  // namespace apsis::initial
