// SPDX-License-Identifier: MIT
// Bodies that have a size and touch: a gas of hard spheres in a box, and a cloud of planetesimals
// that merge.
#include <apsis/core/parallel.hpp>
#include <apsis/core/random.hpp>
#include <apsis/initial/builder.hpp>

#include <cmath>
#include <numbers>

namespace apsis::initial {
namespace {

// Of spheres that fill this share of a volume.
double radius_for(double filling, double volume, std::size_t bodies) {
  const double each = filling * volume / static_cast<double>(std::max<std::size_t>(bodies, 1));
  return std::cbrt(3 * each / (4 * std::numbers::pi));
}

Vec3 random_direction(BodyRandom& random) {
  const double z = random.uniform(-1, 1), angle = random.uniform(0, 2 * std::numbers::pi);
  const double across = std::sqrt(1 - z * z);
  return {across * std::cos(angle), across * std::sin(angle), z};
}

// Each in a cell of its own, so that none overlaps another whatever the threads do. All have the
// same speed: Maxwell's distribution comes of their contacts.
InitialState make_billiard(const ModelInput& input) {
  InitialState state{Bodies(input.bodies), input.defaults};
  Bodies& bodies = state.bodies;
  std::size_t side = 1;
  while (side * side * side < bodies.size()) ++side;
  const double cell = 1.0 / static_cast<double>(side);
  const double radius = radius_for(input.number("filling"), 1, side * side * side);
  const double room = 0.5 * cell - radius;
  bodies.radius.assign(bodies.size(), radius);
  parallel_for(bodies.size(), thread_count(0), [&](std::size_t i) {
    BodyRandom place(input.seed, i, position_stream), motion(input.seed, i, velocity_stream);
    const auto along = [&](std::size_t k) {
      return (static_cast<double>(k) + 0.5) * cell + place.uniform(-room, room);
    };
    const double x = along(i % side), y = along(i / side % side);
    bodies.set_position(i, {x, y, along(i / side / side)});
    bodies.set_velocity(i, input.number("speed") * random_direction(motion));
    bodies.mass[i] = 1 / static_cast<double>(bodies.size());
  });
  return state;
}

// A uniform ball that turns as a whole and is too slow to keep its size.
InitialState make_planetesimals(const ModelInput& input) {
  InitialState state{Bodies(input.bodies), input.defaults};
  Bodies& bodies = state.bodies;
  const double volume = 4 * std::numbers::pi / 3;
  const double radius = radius_for(input.number("filling"), volume, bodies.size());
  // a share of the rate at which the edge would stay where it is
  const double rate = input.number("rotation");
  bodies.radius.assign(bodies.size(), radius);
  parallel_for(bodies.size(), thread_count(0), [&](std::size_t i) {
    BodyRandom place(input.seed, i, position_stream), motion(input.seed, i, velocity_stream);
    const Vec3 at = place.in_ball();
    const Vec3 random = input.number("dispersion") * motion.in_ball();
    bodies.set_position(i, at);
    bodies.set_velocity(i, Vec3{-rate * at.y, rate * at.x, 0} + random);
    bodies.mass[i] = 1 / static_cast<double>(bodies.size());
  });
  center(bodies);
  return state;
}

}  // namespace

std::vector<Model> hard_body_models() {
  return {{{"billiard",
            "hard spheres of one speed in a box of side 1 whose walls reflect them, without forces",
            1000,
            false,
            {number_option("filling", 0.05, 0, 0.5, "share of the box that the spheres fill"),
             number_option("speed", 1, 0, 1e6, "of every sphere")},
            RunDefaults{.step = 0.01,
                        .until = 10,
                        .precision = Precision::f64,
                        .solver = "none",
                        .on_contact = OnContact::bounce,
                        .walls = apsis::Box{0, 1, 0, 1, 0, 1}}},
           make_billiard},
          {{"planetesimals",
            "a turning ball of small bodies that fall together and merge where they touch",
            2000,
            false,
            {number_option("filling", 0.002, 0, 0.3, "share of the ball that the bodies fill"),
             number_option("rotation", 0.4, 0, 2, "angular speed; at 1 the edge stays where it is"),
             number_option("dispersion", 0.1, 0, 10, "largest random speed")},
            RunDefaults{.softening = 0.005,
                        .step = 1.0 / 512,
                        .until = 6,
                        .precision = Precision::f64,
                        .on_contact = OnContact::merge}},
           make_planetesimals}};
}

}  // namespace apsis::initial
