// SPDX-License-Identifier: MIT
// Light bodies on circular orbits about a heavy one: Saturn's rings, or a disc of planetesimals.
#include <apsis/core/error.hpp>
#include <apsis/core/parallel.hpp>
#include <apsis/core/random.hpp>
#include <apsis/initial/builder.hpp>

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace apsis::initial {
namespace {

struct Annulus {
  double inner, outer, height, ring_mass, size;
};

Annulus annulus_from(const ModelInput& input) {
  const Annulus ring{input.number("inner"), input.number("outer"), input.number("height"),
                     input.number("ring_mass"), input.number("size")};
  if (ring.inner > ring.outer) {
    throw bad_data(
        fmt::format("ring: inner radius {} lies outside outer radius {}", ring.inner, ring.outer),
        "choose inner <= outer");
  }
  return ring;
}

// Body 0 is the centre; the ring's surface density is uniform.
InitialState make_ring(const ModelInput& input) {
  const Annulus ring = annulus_from(input);
  InitialState state{Bodies(input.bodies), input.defaults};
  Bodies& bodies = state.bodies;
  if (bodies.empty()) return state;
  const double share = bodies.size() > 1 ? 1.0 / static_cast<double>(bodies.size() - 1) : 0.0;
  parallel_for(bodies.size(), thread_count(0), [&](std::size_t i) {
    if (i == 0) {
      bodies.mass[0] = 1;
      return;
    }
    BodyRandom random(input.seed, i, position_stream);
    const double u = random.uniform();
    const double radius =
        std::sqrt(ring.inner * ring.inner * (1 - u) + ring.outer * ring.outer * u);
    const double angle = random.uniform(0, 2 * std::numbers::pi);
    // a node and a tilt, so that the height is kept along the orbit
    const double tilt = ring.height / radius * random.normal();
    const double node = random.uniform(0, 2 * std::numbers::pi);
    const Vec3 out{std::cos(angle), std::sin(angle), tilt * std::sin(angle - node)};
    const Vec3 ahead{-std::sin(angle), std::cos(angle), tilt * std::cos(angle - node)};
    bodies.set_position(i, radius / norm(out) * out);
    bodies.set_velocity(i, 1 / (std::sqrt(radius) * norm(ahead)) * ahead);
    bodies.mass[i] = ring.ring_mass * share;
  });
  if (ring.size > 0) {
    bodies.radius.assign(bodies.size(), ring.size);
    bodies.radius[0] = 0;  // nothing of the ring reaches the centre
  }
  center(bodies);
  return state;
}

}  // namespace

std::vector<Model> ring_models() {
  return {{{"ring",
            "bodies on circular orbits about a centre of mass 1 (body 0), uniform annulus",
            4096,
            false,
            {number_option("inner", 0.7, 1e-6, 1e6, "inner radius"),
             number_option("outer", 1.3, 1e-6, 1e6, "outer radius"),
             number_option("height", 0.002, 0, 1e3, "dispersion of the height"),
             number_option("ring_mass", 1e-4, 0, 1, "mass of all ring bodies, centre = 1"),
             number_option("size", 0, 0, 1, "radius of the ring bodies; 0: they are points")},
            // the innermost circle takes 3.7: 240 steps
            RunDefaults{.softening = 0.002, .step = 1.0 / 64, .until = 20},
            false,
            {"centre"}},
           make_ring}};
}

}  // namespace apsis::initial
