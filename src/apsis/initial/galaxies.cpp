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

struct GalaxyDefaults {
  double toomre_q, height, halo_mass, halo_cutoff, disk_share, bulge_share;
};

std::vector<ModelOption> galaxy_options(const GalaxyDefaults& own) {
  return {
      number_option("toomre_q", own.toomre_q, 0.1, 10, "Toomre's Q of the disk at R = 2"),
      number_option("height", own.height, 0.01, 2, "z0 of the disk's sech^2(z/z0)"),
      number_option("bulge_mass", 0.25, 0, 100, "bulge over disk mass"),
      number_option("bulge_scale", 0.2, 0.01, 10, "Hernquist scale of the bulge"),
      number_option("halo_mass", own.halo_mass, 0, 1000, "halo over disk mass"),
      number_option("halo_scale", 2, 0.1, 100, "Hernquist scale of the halo"),
      number_option("halo_cutoff", own.halo_cutoff, 1, 1000,
                    "where the halo fades out, as exp(-(r/cutoff)^2)"),
      number_option("disk_share", own.disk_share, 0, 1, "share of the bodies that are in the disk"),
      number_option("bulge_share", own.bulge_share, 0, 1,
                    "share of the bodies that are in the bulge")};
}

// Disk mass and scale length are 1.
GalaxyShape shape_from(const ModelInput& input) {
  const double bulge_scale = input.number("bulge_scale");
  return {
      .height = input.number("height"),
      .toomre_q = input.number("toomre_q"),
      .bulge = {input.number("bulge_mass"), bulge_scale, 10 * bulge_scale},
      .halo = {input.number("halo_mass"), input.number("halo_scale"), input.number("halo_cutoff")},
      .softening = input.defaults.softening};
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
      number_option("pericentre", 2, 1e-3, 1e3, "closest distance of the parabola"),
      number_option("separation", 10, 1e-2, 1e4, "distance at the start"),
      number_option("mass_ratio", 1, 1e-3, 1, "second galaxy over first"),
      number_option("inclination_1", 10, 0, 180, "tilt of the first disk against the orbit"),
      number_option("argument_1", 0, -360, 360, "direction of that tilt"),
      number_option("inclination_2", 45, 0, 180, "tilt of the second disk"),
      number_option("argument_2", -30, -360, 360, "direction of that tilt")};
  // short runs are about arms: a cool, thin disk with most of the bodies and a light halo
  const GalaxyDefaults cool{.toomre_q = 1.3,
                            .height = 0.15,
                            .halo_mass = 3,
                            .halo_cutoff = 8,
                            .disk_share = 0.7,
                            .bulge_share = 0.08};
  for (auto& option : galaxy_options(cool)) options.push_back(std::move(option));
  return options;
}

// Long runs are about rest: enough halo bodies that their pull does not heat the disk (30,000
// bodies over 10 rotations: scale length +4 %, height x1.28).
std::vector<ModelOption> disk_options() {
  return galaxy_options({.toomre_q = 1.5,
                         .height = 0.2,
                         .halo_mass = 4,
                         .halo_cutoff = 12,
                         .disk_share = 0.5,
                         .bulge_share = 0.1});
}

}  // namespace

std::vector<Model> galaxy_models() {
  return {
      {{"galaxy-merger",
        "two disk galaxies with bulges and halos meet on a parabola and throw out tidal arms",
        16384, false, merger_options(), RunDefaults{.softening = 0.08, .step = 0.01, .until = 11}},
       make_merger},
      {{"disk",
        "exponential disk with bulge and halo in equilibrium (disk mass and scale length 1)", 16384,
        false, disk_options(), RunDefaults{.softening = 0.08, .step = 0.04, .until = 20}},
       make_disk}};
}

}  // namespace apsis::initial
