// SPDX-License-Identifier: MIT
// Random cubes: the performance start and the starts of the teaching documents.
#include <apsis/core/error.hpp>
#include <apsis/core/parallel.hpp>
#include <apsis/core/random.hpp>
#include <apsis/initial/builder.hpp>

#include <fmt/format.h>

#include <cmath>
#include <random>

namespace apsis::initial {
namespace {

struct Box {
  double low, high;  // of every coordinate
  double speed = 0;  // every velocity component is uniform in [-speed, speed]
  double mass = 1;   // mean mass of a body
  bool spread = false;
};

Bodies random_box(const ModelInput& input, const Box& box) {
  Bodies bodies(input.bodies);
  parallel_for(bodies.size(), thread_count(0), [&](std::size_t i) {
    BodyRandom place(input.seed, i, position_stream);
    BodyRandom motion(input.seed, i, velocity_stream);
    BodyRandom weight(input.seed, i, mass_stream);
    const auto draw = [](BodyRandom& random, double low, double high) {
      const double x = random.uniform(low, high);
      const double y = random.uniform(low, high);
      return Vec3{x, y, random.uniform(low, high)};
    };
    bodies.set_position(i, draw(place, box.low, box.high));
    if (box.speed > 0) bodies.set_velocity(i, draw(motion, -box.speed, box.speed));
    bodies.mass[i] = box.mass * (box.spread ? weight.uniform(0.5, 1.5) : 1.0);
  });
  return bodies;
}

double share_of_one(const ModelInput& input) {
  return input.bodies == 0 ? 0.0 : 1.0 / static_cast<double>(input.bodies);
}

InitialState make_uniform(const ModelInput& input) {
  const Box box{.low = -1,
                .high = 1,
                .speed = input.number("speed"),
                .mass = share_of_one(input),
                .spread = input.word("masses") == "spread"};
  return {random_box(input, box), input.defaults};
}

InitialState make_tutorial(const ModelInput& input) {
  return {random_box(input, {.low = -1, .high = 1, .mass = share_of_one(input)}), input.defaults};
}

// One stream for all bodies, six numbers each: x, y, z and their velocities. Any program that takes
// 32 bits of a Mersenne Twister for each has the same bodies.
Bodies mersenne_box(const ModelInput& input, const Box& box) {
  Bodies bodies(input.bodies);
  std::mt19937 twister(static_cast<std::mt19937::result_type>(input.seed));
  const auto draw = [&twister](double low, double high) {
    return low + (high - low) * (static_cast<double>(twister()) * 0x1p-32);
  };
  const auto draw_vector = [&draw](double low, double high) {
    const double x = draw(low, high);
    const double y = draw(low, high);
    return Vec3{x, y, draw(low, high)};
  };
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    bodies.set_position(i, draw_vector(box.low, box.high));
    bodies.set_velocity(i, draw_vector(-box.speed, box.speed));
    bodies.mass[i] = box.mass;
  }
  return bodies;
}

InitialState make_lab(const ModelInput& input) {
  const bool ones = input.word("masses") == "one";
  const Box box{.low = -1, .high = 1, .speed = 1, .mass = ones ? 1 : share_of_one(input)};
  if (input.word("random") == "philox") return {random_box(input, box), input.defaults};
  if (input.seed > std::mt19937::max()) {
    throw bad_data(
        fmt::format("seed = {} is none of random = \"mt19937\"", input.seed),
        fmt::format("give a seed up to {}, or use random = \"philox\"", std::mt19937::max()));
  }
  return {mersenne_box(input, box), input.defaults};
}

InitialState make_bins_box(const ModelInput& input) {
  return {random_box(input, {.low = 0, .high = 1000}), input.defaults};
}

}  // namespace

std::vector<Model> box_models() {
  return {
      {{"uniform",
        "random cube [-1,1]^3 at rest, total mass about 1: the start of every benchmark",
        16384,
        false,
        {word_option("masses", {"spread", "equal"}, "spread over a factor of 3, or all equal"),
         number_option("speed", 0, 0, 1e6, "velocity components are uniform in [-speed, speed]")},
        RunDefaults{.softening = 0.01, .step = 0.005, .until = 1}},
       make_uniform},
      {{"tutorial",
        "the OpenCL tutorial's start: random cube at rest, squared softening 1e-4, 100 short steps",
        8192,
        false,
        {},
        RunDefaults{.softening = 0.01, .step = 1e-4, .until = 0.01}},
       make_tutorial},
      {{"lab",
        "the OpenMP lab's start: positions and velocities uniform in [-1,1], 10 steps",
        16384,
        false,
        {word_option("masses", {"equal", "one"}, "equal: 1 in all; one: 1 each, as the lab has"),
         word_option("random", {"philox", "mt19937"},
                     "philox: every body has numbers of its own; mt19937: the lab's Mersenne "
                     "Twister, one stream for all")},
        RunDefaults{.softening = 1e-10, .step = 0.01, .until = 0.1}},
       make_lab},
      {{"bins-box",
        "points of mass 1 in the box [0,1000]^3, the far-field assignment's space",
        32000,
        false,
        {},
        RunDefaults{.softening = 1, .step = 0.5, .until = 5}},
       make_bins_box},
  };
}

}  // namespace apsis::initial
