// SPDX-License-Identifier: MIT
// A disk galaxy alone, and two of them on a parabola towards each other.
#include <apsis/core/error.hpp>
#include <apsis/initial/builder.hpp>
#include <apsis/initial/exponential_disk.hpp>
#include <apsis/initial/kepler_orbit.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace apsis::initial {
namespace {

constexpr double degree = std::numbers::pi / 180;

std::vector<ModelOption> galaxy_options() {
  return {number_option("toomre_q", 1.5, 0.1, 10, "Toomre's Q of the disk at two scale lengths"),
          number_option("height", 0.2, 0.01, 2, "z0 of the disk's sech^2(z/z0), in scale lengths"),
          number_option("bulge_mass", 0.25, 0, 100, "bulge over disk mass"),
          number_option("bulge_scale", 0.2, 0.01, 10, "Hernquist scale of the bulge"),
          number_option("halo_mass", 4, 0, 1000, "halo over disk mass"),
          number_option("halo_scale", 2, 0.1, 100, "Hernquist scale of the halo"),
          number_option("halo_cutoff", 12, 1, 1000, "outermost radius of the halo"),
          number_option("disk_share", 0.5, 0, 1, "share of the bodies that are in the disk"),
          number_option("bulge_share", 0.1, 0, 1, "share of the bodies that are in the bulge")};
}

// Disk mass and scale 1; the masses of bulge and halo are those inside their cut-offs.
GalaxyShape shape_from(const ModelInput& input) {
  GalaxyShape shape{.height = input.number("height"),
                    .toomre_q = input.number("toomre_q"),
                    .bulge = {1, input.number("bulge_scale")},
                    .halo = {1, input.number("halo_scale")},
                    .softening = input.defaults.softening};
  shape.bulge_cutoff = 15 * shape.bulge.scale;
  shape.halo_cutoff = input.number("halo_cutoff");
  shape.bulge.mass = input.number("bulge_mass") / shape.bulge.enclosed(shape.bulge_cutoff);
  shape.halo.mass = input.number("halo_mass") / shape.halo.enclosed(shape.halo_cutoff);
  return shape;
}

GalaxyCounts counts_from(const ModelInput& input, std::size_t bodies) {
  const double disk = input.number("disk_share");
  const double bulge = input.number("bulge_mass") > 0 ? input.number("bulge_share") : 0;
  if (disk + bulge > 1) {
    throw bad_data(fmt::format("disk_share {} and bulge_share {} sum to more than 1", disk, bulge),
                   "leave some for the halo");
  }
  const bool halo = input.number("halo_mass") > 0;
  GalaxyCounts counts;
  const auto n = static_cast<double>(bodies);
  counts.bulge = static_cast<std::size_t>(n * bulge);
  counts.halo = halo ? static_cast<std::size_t>(n * (1 - disk - bulge)) : 0;
  counts.disk = bodies - counts.bulge - counts.halo;
  return counts;
}

InitialState make_disk(const ModelInput& input) {
  return {make_galaxy(shape_from(input), counts_from(input, input.bodies), input.seed, 0),
          input.defaults};
}

// Lengths by √q and velocities by q^(1/4) keep the surface density of a galaxy of q times the mass.
void shrink(Bodies& galaxy, double q) {
  for (std::size_t i = 0; i < galaxy.size(); ++i) {
    galaxy.set_position(i, std::sqrt(q) * galaxy.position(i));
    galaxy.set_velocity(i, std::pow(q, 0.25) * galaxy.velocity(i));
    galaxy.mass[i] *= q;
  }
}

struct Attitude {
  double inclination, argument;  // radians; 0 and 180 degrees: prograde and retrograde
};

void place(Bodies& galaxy, const Attitude& attitude, const PhasePoint& orbit) {
  for (std::size_t i = 0; i < galaxy.size(); ++i) {
    const auto tilted = [&](Vec3 a) { return turned(a, attitude.inclination, attitude.argument); };
    galaxy.set_position(i, orbit.position + tilted(galaxy.position(i)));
    galaxy.set_velocity(i, orbit.velocity + tilted(galaxy.velocity(i)));
  }
}

PhasePoint scaled(const PhasePoint& point, double factor) {
  return {factor * point.position, factor * point.velocity};
}

InitialState make_merger(const ModelInput& input) {
  const double pericentre = input.number("pericentre");
  const double separation = input.number("separation");
  if (separation < pericentre) {
    throw bad_data(fmt::format("galaxy-merger: separation {} is below the pericentre {}",
                               separation, pericentre),
                   "start the galaxies farther apart");
  }
  const double ratio = input.number("mass_ratio");
  const double second = ratio / (1 + ratio);
  const GalaxyShape shape = shape_from(input);
  const auto small = static_cast<std::size_t>(static_cast<double>(input.bodies) * second);
  const std::size_t large = input.bodies - small;
  Bodies a = make_galaxy(shape, counts_from(input, large), input.seed, 0);
  Bodies b = make_galaxy(shape, counts_from(input, small), input.seed, large);
  shrink(b, ratio);
  const PhasePoint orbit =
      state_on_parabola(pericentre, separation, shape.total_mass() * (1 + ratio));
  place(a, {degree * input.number("inclination_1"), degree * input.number("argument_1")},
        scaled(orbit, -second));
  place(b, {degree * input.number("inclination_2"), degree * input.number("argument_2")},
        scaled(orbit, 1 - second));
  InitialState state{std::move(a), input.defaults};
  state.bodies.append(b);
  state.bodies.renumber();
  center(state.bodies);
  return state;
}

std::vector<ModelOption> merger_options() {
  std::vector<ModelOption> options{
      number_option("pericentre", 1.5, 1e-3, 1e3, "closest distance of the parabola"),
      number_option("separation", 9, 1e-2, 1e4, "distance at the start"),
      number_option("mass_ratio", 1, 1e-3, 1, "second galaxy over first"),
      number_option("inclination_1", 15, 0, 180, "tilt of the first disk against the orbit"),
      number_option("argument_1", 0, -360, 360, "direction of that tilt"),
      number_option("inclination_2", 60, 0, 180, "tilt of the second disk"),
      number_option("argument_2", -30, -360, 360, "direction of that tilt")};
  for (auto& option : galaxy_options()) options.push_back(std::move(option));
  return options;
}

}  // namespace

std::vector<Model> galaxy_models() {
  return {
      {{"galaxy-merger",
        "two disk galaxies with bulges and halos meet on a parabola and throw out tidal arms", 8192,
        false, merger_options(), RunDefaults{.softening = 0.08, .step = 0.03, .until = 36}},
       make_merger},
      {{"disk",
        "exponential disk with bulge and halo in equilibrium (disk mass and scale length 1)", 16384,
        false, galaxy_options(), RunDefaults{.softening = 0.08, .step = 0.04, .until = 20}},
       make_disk}};
}

}  // namespace apsis::initial
