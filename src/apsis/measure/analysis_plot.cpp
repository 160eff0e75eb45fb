// SPDX-License-Identifier: MIT
#include <apsis/measure/analysis_plot.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <utility>

namespace apsis {
namespace {

using namespace analysis;

// Rows whose figures are asked for by the names of their columns.
class Columns {
 public:
  Columns(std::vector<std::string> names, std::span<const Row> rows)
      : names_(std::move(names)), rows_(rows) {}

  bool has(const std::string& name) const { return std::ranges::count(names_, name) > 0; }

  double at(std::size_t row, std::size_t column) const {
    const Figure& figure = rows_[row][column];
    if (const auto* whole = std::get_if<std::uint64_t>(&figure)) {
      return static_cast<double>(*whole);
    }
    const auto* value = std::get_if<double>(&figure);
    return value == nullptr ? std::numeric_limits<double>::quiet_NaN() : *value;
  }
  double at(std::size_t row, const std::string& name) const {
    const auto found = std::ranges::find(names_, name);
    assert(found != names_.end());
    return at(row, static_cast<std::size_t>(found - names_.begin()));
  }
  Vec3 place(std::size_t row) const { return {at(row, "x"), at(row, "y"), at(row, "z")}; }

  std::size_t rows() const { return rows_.size(); }
  std::vector<double> times() const {
    std::vector<double> times;
    for (std::size_t k = 0; k < rows(); ++k) times.push_back(at(k, "time"));
    return times;
  }

 private:
  std::vector<std::string> names_;
  std::span<const Row> rows_;
};

std::string about(const PlotSource& source) { return std::string(words_for(source.choice.centre)); }

Chart lagrangian_of(const PlotSource& source, const Columns& columns) {
  const std::vector<double>& shares = source.choice.shares;
  constexpr std::size_t before = 5;  // time, bodies and the place
  std::vector<std::vector<double>> radii(columns.rows());
  for (std::size_t row = 0; row < columns.rows(); ++row) {
    for (std::size_t k = 0; k < shares.size(); ++k)
      radii[row].push_back(columns.at(row, before + k));
  }
  if (!source.state) {
    return lagrangian_chart(source.subject, about(source), columns.times(), shares, radii);
  }
  const Bodies& bodies = source.state->bodies;
  return cumulative_mass_chart(source.subject, about(source), bodies,
                               by_distance(bodies, columns.place(0), source.choice.threads), shares,
                               radii.front());
}

Chart profile_of(const PlotSource& source, const Columns& columns) {
  std::vector<Shell> shells;
  for (std::size_t k = 0; k < columns.rows(); ++k) {
    shells.push_back({.inner = columns.at(k, "inner"),
                      .outer = columns.at(k, "outer"),
                      .bodies = static_cast<std::size_t>(columns.at(k, "bodies")),
                      .density = columns.at(k, "density"),
                      .density_error = columns.at(k, "density_error"),
                      .rotation = columns.at(k, "rotation"),
                      .radial_dispersion = columns.at(k, "sigma_r"),
                      .tangential_dispersion = columns.at(k, "sigma_t"),
                      .anisotropy = {}});
  }
  return profile_chart(source.subject, about(source), shells);
}

Chart centre_of(const PlotSource& source, const Columns& columns) {
  std::vector<DensityCentre> centres(columns.rows());
  for (std::size_t k = 0; k < columns.rows(); ++k) {
    centres[k].centre.position = columns.place(k);
    if (columns.has("core_radius")) centres[k].core_radius = columns.at(k, "core_radius");
  }
  if (!source.state) {
    return centre_path_chart(source.subject, about(source), columns.times(), centres);
  }
  const Bodies& bodies = source.state->bodies;
  std::vector<NamedPlace> places;
  const auto add = [&](const char* name, CentreKind kind) {
    const bool known = kind == source.choice.centre;
    places.push_back(
        {name, known ? centres.front().centre.position
                     : analysis::centre_of(bodies, kind, source.choice.threads).position});
  };
  if (!bodies.empty()) {
    add("density centre", CentreKind::density);
    add("shrinking sphere", CentreKind::sphere);
    add("centre of mass", CentreKind::mass);
  }
  return centre_chart(source.subject, bodies, places, centres.front().core_radius);
}

Chart bound_of(const PlotSource& source, const Columns& columns) {
  if (source.state) {
    return binding_chart(source.subject, source.state->bodies, *source.bound);
  }
  std::vector<BoundAt> rows;
  for (std::size_t k = 0; k < columns.rows(); ++k) {
    rows.push_back({columns.at(k, "time"), columns.at(k, "share_of_mass"), columns.at(k, "kinetic"),
                    columns.at(k, "potential")});
  }
  return bound_history_chart(source.subject, rows);
}

Chart groups_of(const PlotSource& source, const Columns& columns) {
  std::vector<GroupInChart> shown;
  for (std::size_t k = 0; k < columns.rows(); ++k) {
    shown.push_back({static_cast<std::size_t>(columns.at(k, "bodies")), columns.at(k, "mass"),
                     columns.at(k, "half_mass_radius"), columns.place(k)});
  }
  return groups_chart(source.subject, source.state->bodies, source.groups->groups, shown,
                      source.groups->linking_length);
}

Chart orbits_of(const PlotSource& source, const Columns& columns) {
  const Bodies& bodies = source.state->bodies;
  const auto primary = primary_of(bodies, source.choice);
  if (!primary) return orbits_chart(source.subject, 0, {});
  constexpr double radians = std::numbers::pi / 180;
  std::vector<OrbitInChart> orbits;
  for (std::size_t row = 0; row < columns.rows(); ++row) {
    const std::size_t i = row < *primary ? row : row + 1;
    OrbitInChart orbit{bodies.id[i], bodies.position(i) - bodies.position(*primary), {}};
    if (const double e = columns.at(row, "e"); !std::isnan(e)) {
      orbit.elements = OrbitalElements{.semi_major_axis = columns.at(row, "a"),
                                       .eccentricity = e,
                                       .inclination = columns.at(row, "inclination") * radians,
                                       .node = columns.at(row, "node") * radians,
                                       .periapsis = columns.at(row, "periapsis") * radians};
    }
    orbits.push_back(orbit);
  }
  return orbits_chart(source.subject, bodies.id[*primary], orbits);
}

struct Drawing {
  const char* analysis;
  Chart (*of)(const PlotSource& source, const Columns& columns);
};
constexpr Drawing drawings[] = {{"lagrangian", lagrangian_of}, {"profile", profile_of},
                                {"centre", centre_of},         {"bound", bound_of},
                                {"groups", groups_of},         {"orbits", orbits_of}};

}  // namespace

void PlotSource::add(Snapshot one, bool only) {
  subject.add(one.bodies.size(), one.time);
  subject.units = one.units, subject.units_assumed = one.units_assumed;
  if (only) state = std::move(one);
}

Chart analysis_chart(const Analysis& analysis, const PlotSource& source,
                     std::span<const Row> rows) {
  const auto* drawing = std::ranges::find(drawings, analysis.name, &Drawing::analysis);
  assert(drawing != std::end(drawings));
  return drawing->of(source, Columns(analysis.columns(source.choice), rows));
}

}  // namespace apsis
