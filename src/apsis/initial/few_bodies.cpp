// SPDX-License-Identifier: MIT
// Two and three bodies with known answers: f64, no softening.
#include <apsis/initial/builder.hpp>
#include <apsis/initial/kepler_orbit.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace apsis::initial {
namespace {

constexpr double degree = std::numbers::pi / 180;

InitialState make_kepler(const ModelInput& input) {
  const double ratio = input.number("mass_ratio");
  const double total = input.number("mass");
  const double eccentricity = input.number("eccentricity");
  const KeplerOrbit orbit{.semi_major_axis = input.number("semi_major_axis"),
                          .eccentricity = eccentricity,
                          .inclination = degree * input.number("inclination"),
                          .node = degree * input.number("node"),
                          .periapsis = degree * input.number("periapsis"),
                          .mean_anomaly = degree * input.number("mean_anomaly")};
  const PhasePoint relative = state_on_orbit(orbit, total);
  InitialState state{Bodies(2), input.defaults};
  const double second = ratio / (1 + ratio);
  state.bodies.mass = {total * (1 - second), total * second};
  state.bodies.set_position(0, -second * relative.position);
  state.bodies.set_velocity(0, -second * relative.velocity);
  state.bodies.set_position(1, (1 - second) * relative.position);
  state.bodies.set_velocity(1, (1 - second) * relative.velocity);
  const double period = orbital_period(orbit, total);
  // the passage of the pericentre lasts (1-e)^1.5 of the period; below 1e-4 a fixed step loses
  // anyway, and the run should end some time
  state.defaults.step = period / 500 * std::max(std::pow(1 - eccentricity, 1.5), 1e-4);
  state.defaults.until = 10 * period;
  return state;
}

// Chenciner & Montgomery (2000), found by Moore (1993); initial values by Simó.
InitialState make_figure_eight(const ModelInput& input) {
  InitialState state{Bodies(3), input.defaults};
  const Vec3 place{0.97000436, -0.24308753, 0};
  const Vec3 velocity{-0.93240737, -0.86473146, 0};
  state.bodies.mass = {1, 1, 1};
  state.bodies.set_position(0, place);
  state.bodies.set_position(1, -place);
  state.bodies.set_velocity(0, -0.5 * velocity);
  state.bodies.set_velocity(1, -0.5 * velocity);
  state.bodies.set_velocity(2, velocity);
  return state;
}

// Burrau (1913); solved by Szebehely & Peters (1967).
InitialState make_pythagorean(const ModelInput& input) {
  InitialState state{Bodies(3), input.defaults};
  state.bodies.mass = {3, 4, 5};
  state.bodies.set_position(0, {1, 3, 0});
  state.bodies.set_position(1, {-2, -1, 0});
  state.bodies.set_position(2, {1, -1, 0});
  return state;
}

Model kepler_model() {
  return {{"kepler",
           "two bodies on an ellipse, from its six elements; the first is the heavier one",
           2,
           true,
           {number_option("eccentricity", 0.5, 0, 0.999999, "0 circle, towards 1 needle"),
            number_option("semi_major_axis", 1, 1e-12, 1e15, "of the relative orbit"),
            number_option("mass", 1, 1e-30, 1e30, "of both bodies together"),
            number_option("mass_ratio", 0.5, 0, 1, "second over first; 0: a test body"),
            number_option("inclination", 0, 0, 180, "degrees against the x-y plane"),
            number_option("node", 0, -360, 360, "longitude of the ascending node, degrees"),
            number_option("periapsis", 0, -360, 360, "argument of the pericentre, degrees"),
            number_option("mean_anomaly", 0, -360, 360, "degrees since the pericentre")},
           // of the default orbit: period 2π, step period/500·(1-e)^1.5
           RunDefaults{.step = 2 * std::numbers::pi / 500 * std::pow(0.5, 1.5),
                       .until = 20 * std::numbers::pi,
                       .precision = Precision::f64}},
          make_kepler};
}

}  // namespace

std::vector<Model> few_body_models() {
  // three periods of T = 6.32591398 in steps of T/400
  constexpr double period = 6.32591398;
  return {
      kepler_model(),
      {{"figure-eight",
        "three equal masses chasing each other along one figure-eight (period 6.32591398)",
        3,
        true,
        {},
        RunDefaults{.step = period / 400, .until = 3 * period, .precision = Precision::f64}},
       make_figure_eight},
      {{"pythagorean",
        "Burrau's three bodies of mass 3, 4, 5 at rest on a 3-4-5 triangle; ends in an escape",
        3,
        true,
        {},
        RunDefaults{.step = 1e-5, .until = 10, .precision = Precision::f64},
        false,
        {"mass 3", "mass 4", "mass 5"}},
       make_pythagorean},
  };
}

}  // namespace apsis::initial
