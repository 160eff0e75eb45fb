// SPDX-License-Identifier: MIT
// Spherical models: cold sphere, Plummer, Hernquist, King. docs/models.md has the formulas.
#include <apsis/core/parallel.hpp>
#include <apsis/core/random.hpp>
#include <apsis/initial/builder.hpp>
#include <apsis/initial/isotropic.hpp>
#include <apsis/initial/king.hpp>
#include <apsis/initial/masses.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace apsis::initial {
namespace {

// Bodies placed one by one from their own random numbers, with the mass shared and the centre of
// mass at rest.
template <class Place>
InitialState sphere_of_bodies(const ModelInput& input, Place&& place) {
  InitialState state{Bodies(input.bodies), input.defaults};
  parallel_for(input.bodies, thread_count(0), [&](std::size_t i) {
    place(state.bodies, i, BodyRandom(input.seed, i, position_stream),
          BodyRandom(input.seed, i, velocity_stream));
  });
  return state;
}

InitialState make_sphere(const ModelInput& input) {
  // U = -3/5; a uniform ball of velocities of radius v has <v²> = 3/5 v², so K/|U| = v²/2
  const double fastest = std::sqrt(2 * input.number("virial_ratio"));
  auto state = sphere_of_bodies(
      input, [&](Bodies& bodies, std::size_t i, BodyRandom place, BodyRandom motion) {
        bodies.set_position(i, place.in_ball());
        bodies.set_velocity(i, fastest * motion.in_ball());
      });
  share_mass(input, 1, state.bodies);
  center(state.bodies);
  return state;
}

// Aarseth, Hénon & Wielen (1974).
InitialState make_plummer(const ModelInput& input) {
  const double scale = 3 * std::numbers::pi / 16;  // E = -1/4
  const double cutoff = input.number("cutoff");
  const double inside = std::pow(1 + 1 / (cutoff * cutoff), -1.5);
  auto state = sphere_of_bodies(
      input, [&](Bodies& bodies, std::size_t i, BodyRandom place, BodyRandom motion) {
        const double r = 1 / std::sqrt(std::pow(inside * place.uniform(), -2.0 / 3) - 1);
        const double escape = std::sqrt(2.0) * std::pow(1 + r * r, -0.25);
        const double share =
            rejected_speed(motion, 1, [](double q) { return q * q * std::pow(1 - q * q, 3.5); });
        bodies.set_position(i, scale * r * place.direction());
        bodies.set_velocity(i, share * escape / std::sqrt(scale) * motion.direction());
      });
  share_mass(input, 1, state.bodies);
  center(state.bodies);
  return state;
}

InitialState make_hernquist(const ModelInput& input) {
  const HernquistSphere sphere(1, 1);
  const double inside = sphere.enclosed(input.number("cutoff"));
  const IsotropicVelocities velocities(sphere, {{sphere}});
  auto state = sphere_of_bodies(
      input, [&](Bodies& bodies, std::size_t i, BodyRandom place, BodyRandom motion) {
        const double r = sphere.radius_of(inside * place.uniform());
        bodies.set_position(i, r * place.direction());
        bodies.set_velocity(i, velocities.velocity(r, motion));
      });
  // the bodies carry what lies inside the cut-off, so they move as in the whole model
  share_mass(input, inside, state.bodies);
  center(state.bodies);
  return state;
}

InitialState make_king(const ModelInput& input) {
  const KingModel king(input.number("w0"));
  const double length = 1 / king.virial_radius();
  const double velocity = std::sqrt(king.virial_radius() / king.mass());
  auto state = sphere_of_bodies(
      input, [&](Bodies& bodies, std::size_t i, BodyRandom place, BodyRandom motion) {
        const double x = king.radius_of(place.uniform());
        bodies.set_position(i, length * x * place.direction());
        const double speed = KingModel::speed(king.potential(x), motion);
        bodies.set_velocity(i, velocity * speed * motion.direction());
      });
  share_mass(input, 1, state.bodies);
  center(state.bodies);
  return state;
}

std::vector<ModelOption> with_masses(std::vector<ModelOption> own) {
  for (auto& option : mass_options()) own.push_back(std::move(option));
  return own;
}

}  // namespace

std::vector<Model> sphere_models() {
  return {
      {{"plummer", "Plummer sphere in equilibrium, Henon units (M = 1, E = -1/4)", 4096, false,
        with_masses({number_option("cutoff", 22.8, 1, 1e6, "outermost radius in scale lengths")}),
        RunDefaults{.units = "henon", .softening = 0.05, .step = 0.01, .until = 10}, true},
       make_plummer},
      {{"hernquist", "Hernquist sphere (bulge, elliptical galaxy, halo), mass and scale length 1",
        8192, false,
        with_masses({number_option("cutoff", 100, 1, 1e4, "outermost radius in scale lengths")}),
        RunDefaults{.softening = 0.03, .step = 0.025, .until = 15}, true},
       make_hernquist},
      {{"king", "King's tidally limited cluster of central potential W0, Henon units", 4096, false,
        with_masses(
            {number_option("w0", 6, 0.1, 14, "central potential in units of dispersion^2")}),
        RunDefaults{.units = "henon", .softening = 0.02, .step = 0.005, .until = 5}, true},
       make_king},
      {{"sphere", "uniform sphere of mass and radius 1; at rest it collapses within 1.11", 4096,
        false,
        with_masses({number_option("virial_ratio", 0, 0, 1,
                                   "kinetic over potential energy; 0 at rest, 0.5 balance")}),
        RunDefaults{.softening = 0.05, .step = 0.001, .until = 2.5}},
       make_sphere},
  };
}

}  // namespace apsis::initial
