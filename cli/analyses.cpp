// SPDX-License-Identifier: MIT
#include "analyses.hpp"

#include "output_file.hpp"
#include "states.hpp"
#include "terminal.hpp"
#include <apsis/analysis/bound.hpp>
#include <apsis/analysis/centres.hpp>
#include <apsis/analysis/groups.hpp>
#include <apsis/analysis/lagrangian.hpp>
#include <apsis/analysis/orbits.hpp>
#include <apsis/core/counted.hpp>
#include <apsis/core/error.hpp>
#include <apsis/files/file.hpp>
#include <apsis/io/snapshot.hpp>
#include <apsis/measure/potentials.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <numbers>
#include <utility>

namespace apsis::cli {
namespace {

using namespace analysis;

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
Figure whole(std::size_t number) { return std::uint64_t{number}; }

constexpr double degrees = 180 / std::numbers::pi;

Centre centre_named(const std::string& name, const Bodies& bodies, int threads) {
  if (name == "density") return density_centre(bodies, threads).centre;
  if (name == "sphere") return shrinking_sphere_centre(bodies, threads);
  return name == "mass" ? centre_of_mass(bodies, threads) : Centre{};
}

const char* words_for(const std::string& centre) {
  if (centre == "density") return "density centre";
  if (centre == "sphere") return "centre of a shrinking sphere";
  return centre == "mass" ? "centre of mass" : "origin";
}

std::string text_of(Vec3 v) { return fmt::format("({:.6g}, {:.6g}, {:.6g})", v.x, v.y, v.z); }

Figures figures_of(const char* analysis, const AnalyseOptions& options) {
  return {.analysis = analysis, .about = {{"file", options.state}}, .columns = {}, .rows = {}};
}

// What one state is: of a run the last one.
Snapshot last_state(const AnalyseOptions& options, Figures& figures) {
  const std::filesystem::path path = states_in(options.state).back();
  Snapshot state = read_snapshot(path);
  figures.about = {{"file", path.string()},
                   {"bodies", whole(state.bodies.size())},
                   {"time", state.time},
                   {"units", state.units.name + (state.units_assumed ? " (assumed)" : "")}};
  return state;
}

void require_shares(const std::vector<double>& shares) {
  for (const double share : shares) {
    if (share >= 0 && share <= 1) continue;
    throw Error(ExitCode::wrong_usage, fmt::format("--shares {} is no share", share),
                "give numbers from 0 to 1, for example 0.1,0.5,0.9");
  }
}

}  // namespace

Figures lagrangian_of(const AnalyseOptions& options) {
  require_shares(options.shares);
  Figures figures = figures_of("lagrangian", options);
  figures.about.emplace_back("about", words_for(options.centre));
  figures.columns = {"time", "bodies", "x", "y", "z"};
  for (const double share : options.shares) figures.columns.push_back(fmt::format("r_{:g}", share));
  for (const auto& path : states_in(options.state)) {
    const Snapshot state = read_snapshot(path);
    const Vec3 centre = centre_named(options.centre, state.bodies, options.threads).position;
    const auto sorted = by_distance(state.bodies, centre, options.threads);
    std::vector<Figure> row{state.time, whole(state.bodies.size()), centre.x, centre.y, centre.z};
    for (const double r : lagrangian_radii(state.bodies, sorted, options.shares)) row.push_back(r);
    figures.rows.push_back(std::move(row));
  }
  return figures;
}

Figures centre_of(const AnalyseOptions& options) {
  Figures figures = figures_of("centre", options);
  figures.about.emplace_back("about", words_for(options.centre));
  figures.columns = {"time", "x", "y", "z", "vx", "vy", "vz"};
  const bool dense = options.centre == "density";
  if (dense) figures.columns.insert(figures.columns.end(), {"core_radius", "density"});
  for (const auto& path : states_in(options.state)) {
    const Snapshot state = read_snapshot(path);
    DensityCentre found;
    if (dense) {
      found = density_centre(state.bodies, options.threads);
    } else {
      found.centre = centre_named(options.centre, state.bodies, options.threads);
    }
    const auto& [p, v] = found.centre;
    std::vector<Figure> row{state.time, p.x, p.y, p.z, v.x, v.y, v.z};
    if (dense) row.insert(row.end(), {found.core_radius, found.density});
    figures.rows.push_back(std::move(row));
  }
  return figures;
}

Figures profile_of(const AnalyseOptions& options) {
  const auto& [count, least, most] = options.shells;
  if (count < 1 || count > 10000) {
    throw Error(ExitCode::wrong_usage, fmt::format("--bins {} are too few or too many", count),
                "give 1 to 10000");
  }
  if ((least && !(*least > 0)) || (most && !(*most > least.value_or(0)))) {
    throw Error(ExitCode::wrong_usage, "shells from --least to --most need 0 < least < most",
                "leave them out for what holds nearly all bodies");
  }
  Figures figures = figures_of("profile", options);
  const Snapshot state = last_state(options, figures);
  const Centre centre = centre_named(options.centre, state.bodies, options.threads);
  figures.about.emplace_back(
      "about", fmt::format("{} {}", words_for(options.centre), text_of(centre.position)));
  figures.columns = {"inner",       "outer",   "bodies",        "mass",
                     "mass_within", "density", "density_error", "radial_speed",
                     "rotation",    "sigma_r", "sigma_t",       "anisotropy"};
  const auto sorted = by_distance(state.bodies, centre.position, options.threads);
  for (const Shell& s : profile(state.bodies, sorted, centre, options.shells)) {
    figures.rows.push_back({s.inner, s.outer, whole(s.bodies), s.mass, s.mass_within, s.density,
                            s.density_error, s.radial_speed, s.rotation, s.radial_dispersion,
                            s.tangential_dispersion, s.anisotropy.value_or(nothing)});
  }
  return figures;
}

namespace {

void require_gravity(const Snapshot& state, const std::string& file) {
  if (state.law.law == Law::gravity) return;
  throw bad_data(fmt::format("{}: bodies that act by charges are not bound by gravity", file),
                 "give a snapshot of law = \"gravity\"");
}

}  // namespace

Figures bound_of(const AnalyseOptions& options) {
  Figures figures = figures_of("bound", options);
  figures.columns = {"time", "bodies", "mass", "share_of_mass", "x",         "y",     "z",
                     "vx",   "vy",     "vz",   "kinetic",       "potential", "rounds"};
  for (const auto& path : states_in(options.state)) {
    const Snapshot state = read_snapshot(path);
    require_gravity(state, path.string());
    const BoundPart part = bound_part(state.bodies, [&](const Bodies& bodies) {
      return pair_potentials_of(bodies, state.law, options.threads);
    });
    double all = 0;
    for (const double mass : state.bodies.mass) all += mass;
    figures.rows.push_back({state.time, whole(part.bodies), part.mass,
                            all > 0 ? part.mass / all : nothing, part.position.x, part.position.y,
                            part.position.z, part.velocity.x, part.velocity.y, part.velocity.z,
                            part.kinetic, part.potential,
                            whole(static_cast<std::size_t>(part.rounds))});
  }
  return figures;
}

namespace {

// Numbers of the bodies of the first groups, group after group.
std::vector<std::vector<std::size_t>> members_of(const Groups& groups, std::size_t least) {
  std::vector<std::vector<std::size_t>> members;
  for (const std::uint32_t size : groups.sizes) {
    if (size >= least) members.emplace_back();
  }
  for (std::size_t i = 0; i < groups.group_of.size(); ++i) {
    if (groups.group_of[i] < members.size()) members[groups.group_of[i]].push_back(i);
  }
  return members;
}

Bodies only(const Bodies& bodies, const std::vector<std::size_t>& numbers) {
  Bodies some(numbers.size());
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const std::size_t i = numbers[k];
    some.set_position(k, bodies.position(i)), some.set_velocity(k, bodies.velocity(i));
    some.mass[k] = bodies.mass[i], some.id[k] = bodies.id[i];
  }
  return some;
}

std::vector<Figure> group_row(std::size_t number, const Bodies& group, int threads) {
  const Centre centre = centre_of_mass(group, threads);
  const double half[] = {0.5};
  const auto sorted = by_distance(group, centre.position, threads);
  double mass = 0, square = 0;
  for (std::size_t i = 0; i < group.size(); ++i) {
    const Vec3 v = group.velocity(i) - centre.velocity;
    mass += group.mass[i], square += group.mass[i] * dot(v, v);
  }
  const auto& [p, v] = centre;
  return {number,
          whole(group.size()),
          mass,
          p.x,
          p.y,
          p.z,
          v.x,
          v.y,
          v.z,
          lagrangian_radii(group, sorted, half).front(),
          mass > 0 ? std::sqrt(square / mass / 3) : nothing};
}

void write_members(const AnalyseOptions& options, const Bodies& bodies, const Groups& groups) {
  std::string text = "id,group\n";
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const std::uint32_t group = groups.group_of[i];
    text += groups.sizes[group] >= options.least ? fmt::format("{},{}\n", bodies.id[i], group)
                                                 : fmt::format("{},\n", bodies.id[i]);
  }
  write_text(options.members, text);
  say("{}: the group of each of {}", options.members, counted(bodies.size(), "body"));
}

}  // namespace

Figures groups_of(const AnalyseOptions& options) {
  if (options.linking_length && !(*options.linking_length > 0)) {
    throw Error(ExitCode::wrong_usage,
                fmt::format("--length {} links nobody", *options.linking_length),
                "give a distance above 0");
  }
  if (!options.members.empty()) require_free_place(options.state, options.members, options.force);
  Figures figures = figures_of("groups", options);
  const Snapshot state = last_state(options, figures);
  const Vectors& places = state.bodies.positions;
  const double usual = options.linking_length ? 0 : usual_linking_length(places, options.threads);
  if (!options.linking_length && places.size() > 1 && !(usual > 0)) {
    throw bad_data(fmt::format("{}: so many bodies share their places that no linking length "
                               "follows from them",
                               options.state),
                   "give --length");
  }
  const double length = options.linking_length.value_or(usual);
  const Groups groups = places.size() > 1 || options.linking_length
                            ? friends_of_friends(places, length)
                            : Groups{std::vector<std::uint32_t>(places.size()),
                                     std::vector<std::uint32_t>(places.size(), 1)};
  const auto members = members_of(groups, options.least);
  std::size_t in_groups = 0;
  for (const auto& group : members) in_groups += group.size();
  figures.about.emplace_back("linking_length", length);
  figures.about.emplace_back("groups", whole(members.size()));
  figures.about.emplace_back("bodies_in_groups", whole(in_groups));
  figures.columns = {"group", "bodies",           "mass", "x", "y", "z", "vx", "vy",
                     "vz",    "half_mass_radius", "sigma"};
  for (std::size_t g = 0; g < members.size(); ++g) {
    figures.rows.push_back(group_row(g, only(state.bodies, members[g]), options.threads));
  }
  if (!options.members.empty()) write_members(options, state.bodies, groups);
  return figures;
}

namespace {

std::size_t primary_of(const Bodies& bodies, const AnalyseOptions& options) {
  if (!options.about) return heaviest(bodies);
  const auto found = std::ranges::find(bodies.id, *options.about);
  if (found == bodies.id.end()) {
    throw bad_data(fmt::format("{} has no body {}", options.state, *options.about),
                   "give --about one of its ids, or leave it out for the heaviest body");
  }
  return static_cast<std::size_t>(found - bodies.id.begin());
}

}  // namespace

Figures orbits_of(const AnalyseOptions& options) {
  Figures figures = figures_of("orbits", options);
  const Snapshot state = last_state(options, figures);
  require_gravity(state, options.state);
  const Bodies& bodies = state.bodies;
  figures.columns = {"id",           "mass",       "a",         "e",
                     "inclination",  "node",       "periapsis", "true_anomaly",
                     "mean_anomaly", "pericentre", "period"};
  const std::size_t primary = bodies.empty() ? 0 : primary_of(bodies, options);
  if (!bodies.empty()) {
    figures.about.emplace_back("about", fmt::format("body {}", bodies.id[primary]));
  }
  figures.about.emplace_back("angles", "degrees");
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (i == primary) continue;
    const Vec3 place = bodies.position(i) - bodies.position(primary);
    const double attraction = state.law.constant * (bodies.mass[i] + bodies.mass[primary]);
    const Figure id = bodies.id[i];
    if (place == Vec3{} || !(attraction > 0)) {  // in one place, or without a pull: no orbit
      figures.rows.push_back({id, bodies.mass[i], nothing, nothing, nothing, nothing, nothing,
                              nothing, nothing, nothing, nothing});
      continue;
    }
    const OrbitalElements o =
        elements_of(place, bodies.velocity(i) - bodies.velocity(primary), attraction);
    figures.rows.push_back({id, bodies.mass[i], o.semi_major_axis, o.eccentricity,
                            o.inclination * degrees, o.node * degrees, o.periapsis * degrees,
                            o.true_anomaly * degrees, o.mean_anomaly * degrees, o.pericentre,
                            o.period});
  }
  return figures;
}

}  // namespace apsis::cli
