// SPDX-License-Identifier: MIT
#include <apsis/analysis/orbits.hpp>
#include <apsis/analysis/tables.hpp>
#include <apsis/core/parallel.hpp>
#include <apsis/core/printable.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numbers>
#include <utility>

namespace apsis::analysis {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
constexpr double degrees = 180 / std::numbers::pi;

Figure whole(std::size_t number) { return std::uint64_t{number}; }

std::vector<std::string> lagrangian_columns(const TableChoice& choice) {
  std::vector<std::string> columns{"time", "bodies", "x", "y", "z"};
  for (const double share : choice.shares) columns.push_back(fmt::format("r_{:g}", share));
  return columns;
}

StateTable lagrangian_of(const AnalysedState& state, const TableChoice& choice) {
  const Vec3 centre = centre_of(state.bodies, choice.centre, choice.threads).position;
  const auto sorted = by_distance(state.bodies, centre, choice.threads);
  Row row{state.time, whole(state.bodies.size()), centre.x, centre.y, centre.z};
  for (const double r : lagrangian_radii(state.bodies, sorted, choice.shares)) row.emplace_back(r);
  return {{}, {std::move(row)}};
}

std::vector<std::string> centre_columns(const TableChoice& choice) {
  std::vector<std::string> columns{"time", "x", "y", "z", "vx", "vy", "vz"};
  if (choice.centre == CentreKind::density) {
    columns.insert(columns.end(), {"core_radius", "density"});
  }
  return columns;
}

StateTable centre_table_of(const AnalysedState& state, const TableChoice& choice) {
  const bool dense = choice.centre == CentreKind::density;
  DensityCentre found;
  if (dense) {
    found = density_centre(state.bodies, choice.threads);
  } else {
    found.centre = centre_of(state.bodies, choice.centre, choice.threads);
  }
  const auto& [p, v] = found.centre;
  Row row{state.time, p.x, p.y, p.z, v.x, v.y, v.z};
  if (dense) row.insert(row.end(), {found.core_radius, found.density});
  return {{}, {std::move(row)}};
}

std::vector<std::string> profile_columns(const TableChoice& /*choice*/) {
  return {"inner",         "outer",        "bodies",   "mass",    "mass_within", "density",
          "density_error", "radial_speed", "rotation", "sigma_r", "sigma_t",     "anisotropy"};
}

StateTable profile_of(const AnalysedState& state, const TableChoice& choice) {
  const Centre centre = centre_of(state.bodies, choice.centre, choice.threads);
  const auto sorted = by_distance(state.bodies, centre.position, choice.threads);
  const Vec3 p = centre.position;
  StateTable table{{p.x, p.y, p.z}, {}};
  for (const Shell& s : profile(state.bodies, sorted, centre, choice.shells)) {
    table.rows.push_back({s.inner, s.outer, whole(s.bodies), s.mass, s.mass_within, s.density,
                          s.density_error, s.radial_speed, s.rotation, s.radial_dispersion,
                          s.tangential_dispersion, s.anisotropy.value_or(nothing)});
  }
  return table;
}

std::vector<std::string> bound_columns(const TableChoice& /*choice*/) {
  return {"time", "bodies", "mass", "share_of_mass", "x",         "y",     "z",
          "vx",   "vy",     "vz",   "kinetic",       "potential", "rounds"};
}

StateTable bound_of(const AnalysedState& state, const TableChoice& /*choice*/) {
  return table_of(state.bodies, state.time, bound_part(state.bodies, state.potentials_of));
}

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

std::vector<std::string> group_columns(const TableChoice& /*choice*/) {
  return {"group", "bodies", "mass", "x", "y", "z", "vx", "vy", "vz", "half_mass_radius", "sigma"};
}

Row group_row(std::size_t number, const Bodies& group, int threads) {
  const Centre centre = centre_of_mass(group, threads);
  const double half[] = {0.5};
  const auto sorted = by_distance(group, centre.position, threads);
  double mass = 0, square = 0;
  for (std::size_t i = 0; i < group.size(); ++i) {
    const Vec3 v = group.velocity(i) - centre.velocity;
    mass += group.mass[i], square += group.mass[i] * dot(v, v);
  }
  const auto& [p, v] = centre;
  return {whole(number),
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

StateTable groups_of(const AnalysedState& state, const TableChoice& choice) {
  return table_of(state.bodies, groups_in(state.bodies, choice), choice.threads);
}

std::vector<std::string> orbit_columns(const TableChoice& /*choice*/) {
  return {"id",           "mass",         "a",          "e",     "inclination", "node", "periapsis",
          "true_anomaly", "mean_anomaly", "pericentre", "period"};
}

Row orbit_row(const Bodies& bodies, std::size_t i, std::size_t primary, double gravity) {
  const Vec3 place = bodies.position(i) - bodies.position(primary);
  const double attraction = gravity * (bodies.mass[i] + bodies.mass[primary]);
  const Figure id = bodies.id[i];
  if (place == Vec3{} || !(attraction > 0)) {  // in one place, or without a pull: no orbit
    return {id,      bodies.mass[i], nothing, nothing, nothing, nothing,
            nothing, nothing,        nothing, nothing, nothing};
  }
  const OrbitalElements o =
      elements_of(place, bodies.velocity(i) - bodies.velocity(primary), attraction);
  return {id,
          bodies.mass[i],
          o.semi_major_axis,
          o.eccentricity,
          o.inclination * degrees,
          o.node * degrees,
          o.periapsis * degrees,
          o.true_anomaly * degrees,
          o.mean_anomaly * degrees,
          o.pericentre,
          o.period};
}

StateTable orbits_of(const AnalysedState& state, const TableChoice& choice) {
  const Bodies& bodies = state.bodies;
  const auto primary = primary_of(bodies, choice);
  if (!primary) return {{nothing}, {}};
  StateTable table{{bodies.id[*primary]}, std::vector<Row>(bodies.size() - 1)};
  parallel_for(table.rows.size(), thread_count(choice.threads), [&](std::size_t k) {
    const std::size_t i = k < *primary ? k : k + 1;
    table.rows[k] = orbit_row(bodies, i, *primary, state.gravity);
  });
  return table;
}

}  // namespace

std::string exact_text(const Figure& figure) {
  if (const auto* word = std::get_if<std::string>(&figure)) return printable(*word);
  if (const auto* count = std::get_if<std::uint64_t>(&figure)) return fmt::format("{}", *count);
  const double value = std::get<double>(figure);
  return std::isnan(value) ? "" : fmt::format("{}", value);
}

std::string csv_line(const Row& row) {
  std::string text;
  for (const Figure& figure : row) {
    text += exact_text(figure);
    text += ',';
  }
  if (text.empty()) return "\n";
  text.back() = '\n';
  return text;
}

std::string_view words_for(CentreKind centre) {
  if (centre == CentreKind::density) return "density centre";
  if (centre == CentreKind::sphere) return "centre of a shrinking sphere";
  return centre == CentreKind::mass ? "centre of mass" : "origin";
}

Centre centre_of(const Bodies& bodies, CentreKind centre, int threads) {
  if (centre == CentreKind::density) return density_centre(bodies, threads).centre;
  if (centre == CentreKind::sphere) return shrinking_sphere_centre(bodies, threads);
  return centre == CentreKind::mass ? centre_of_mass(bodies, threads) : Centre{};
}

const std::vector<Analysis>& analyses() {
  static const std::vector<Analysis> rows{
      {.name = "lagrangian",
       .one_row = true,
       .about_a_centre = true,
       .says = {},
       .of_state = {},
       .columns = lagrangian_columns,
       .of = lagrangian_of},
      {.name = "profile",
       .about_a_centre = true,
       .says = {},
       .of_state = {"x", "y", "z"},
       .columns = profile_columns,
       .of = profile_of},
      {.name = "centre",
       .one_row = true,
       .about_a_centre = true,
       .says = {},
       .of_state = {},
       .columns = centre_columns,
       .of = centre_table_of},
      {.name = "bound",
       .one_row = true,
       .needs_gravity = true,
       .says = {},
       .of_state = {},
       .columns = bound_columns,
       .of = bound_of},
      {.name = "groups",
       .says = {{"least", fmt::format("{} bodies", TableChoice{}.least)}},
       .of_state = {"linking_length", "groups", "bodies_in_groups"},
       .columns = group_columns,
       .of = groups_of},
      {.name = "orbits",
       .needs_gravity = true,
       .says = {{"angles", "degrees"}},
       .of_state = {"about"},
       .columns = orbit_columns,
       .of = orbits_of},
  };
  return rows;
}

const Analysis& analysis_named(const std::string& name) {
  const auto found = std::ranges::find(analyses(), name, &Analysis::name);
  if (found != analyses().end()) return *found;
  std::vector<std::string> names;
  for (const Analysis& analysis : analyses()) names.push_back(analysis.name);
  throw bad_data(fmt::format("there is no analysis '{}'{}", name, did_you_mean(name, names)),
                 "choose " + list_of(names));
}

std::vector<std::string> series_columns(const Analysis& analysis, const TableChoice& choice) {
  std::vector<std::string> columns = analysis.columns(choice);
  if (analysis.one_row) return columns;
  columns.insert(columns.begin(), analysis.of_state.begin(), analysis.of_state.end());
  columns.insert(columns.begin(), "time");
  return columns;
}

std::vector<Row> series_rows(const Analysis& analysis, const AnalysedState& state,
                             const TableChoice& choice) {
  auto [of_state, rows] = analysis.of(state, choice);
  if (analysis.one_row) return std::move(rows);
  if (rows.empty()) rows.emplace_back(analysis.columns(choice).size(), Figure{nothing});
  std::vector<Row> series;
  for (Row& row : rows) {
    Row& whole_row = series.emplace_back();
    whole_row.reserve(1 + of_state.size() + row.size());
    whole_row.emplace_back(state.time);
    std::ranges::copy(of_state, std::back_inserter(whole_row));
    std::ranges::move(row, std::back_inserter(whole_row));
  }
  return series;
}

FoundGroups groups_in(const Bodies& bodies, const TableChoice& choice) {
  const Vectors& places = bodies.positions;
  FoundGroups found;
  const double usual = choice.linking_length ? 0 : usual_linking_length(places, choice.threads);
  found.linking_length = choice.linking_length.value_or(usual);
  if (places.size() > 1 && !(found.linking_length > 0)) {
    found.linking_length = nothing;
    return found;
  }
  if (places.size() > 1 || choice.linking_length) {
    found.groups = friends_of_friends(places, found.linking_length);
  } else if (places.size() == 1) {
    found.groups = {{0}, {1}};
  }
  found.members = members_of(found.groups, choice.least);
  return found;
}

StateTable table_of(const Bodies& bodies, const FoundGroups& found, int threads) {
  std::size_t in_groups = 0;
  for (const auto& group : found.members) in_groups += group.size();
  StateTable table{{found.linking_length, whole(found.members.size()), whole(in_groups)}, {}};
  for (std::size_t g = 0; g < found.members.size(); ++g) {
    table.rows.push_back(group_row(g, only(bodies, found.members[g]), threads));
  }
  return table;
}

StateTable table_of(const Bodies& bodies, double time, const BoundPart& part) {
  double all = 0;
  for (const double mass : bodies.mass) all += mass;
  const auto& [p, v] = std::pair{part.position, part.velocity};
  return {{},
          {{time, whole(part.bodies), part.mass, all > 0 ? part.mass / all : nothing, p.x, p.y, p.z,
            v.x, v.y, v.z, part.kinetic, part.potential,
            whole(static_cast<std::size_t>(part.rounds))}}};
}

std::optional<std::size_t> primary_of(const Bodies& bodies, const TableChoice& choice) {
  if (bodies.empty()) return std::nullopt;
  if (!choice.about) return heaviest(bodies);
  const auto found = std::ranges::find(bodies.id, *choice.about);
  if (found == bodies.id.end()) return std::nullopt;
  return static_cast<std::size_t>(found - bodies.id.begin());
}

}  // namespace apsis::analysis
