// SPDX-License-Identifier: MIT
// Groups of friends, and orbits about one body.
#include <apsis/core/counted.hpp>
#include <apsis/measure/analysis_chart_parts.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace apsis {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t grey = 4, black = 11;

// Each has a colour and a name.
constexpr std::size_t most_named = 8;

std::size_t group_colour(std::size_t group) { return group < grey ? group : group + 1; }

Panel group_places(const ChartSubject& subject, const Bodies& bodies,
                   const analysis::Groups& groups, std::span<const GroupInChart> shown) {
  constexpr Side side{0, 1};
  Panel panel = projection(subject, side);
  if (!bodies.empty()) set_window(panel, bodies, side);
  const std::size_t named = shown.size() <= most_named ? shown.size() : 0;
  std::vector<std::size_t> in_none, in_groups;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    (groups.group_of[i] < shown.size() ? in_groups : in_none).push_back(i);
  }
  const auto add = [&](std::span<const std::size_t> numbers, const std::string& name,
                       std::size_t colour) {
    if (numbers.empty()) return;
    panel.series.push_back(dots(bodies, numbers, side));
    panel.series.back().name = name, panel.series.back().colour = colour;
  };
  // half of the dots for each, so that few bodies in groups are seen among many others
  add(some_of(in_none, most_dots / 2), "in no group", grey);
  std::vector<std::vector<std::size_t>> members(named + 1);
  for (const std::size_t i : some_of(in_groups, most_dots / 2)) {
    members[std::min<std::size_t>(groups.group_of[i], named)].push_back(i);
  }
  for (std::size_t g = 0; g < named; ++g) {
    add(members[g], fmt::format("group {}: {}", g, counted(shown[g].bodies, "body")),
        group_colour(g));
  }
  add(members[named], "in groups", 0);
  Series circles{.name = "half-mass radii", .look = Series::Look::circles, .width = 1.5};
  if (named == 0) circles.width = 1;
  circles.colour = black;
  for (const GroupInChart& group : shown) {
    circles.x.push_back(group.place.x), circles.y.push_back(group.place.y);
    circles.radius.push_back(group.half_mass_radius);
  }
  panel.series.push_back(std::move(circles));
  return panel;
}

std::string mass_label(const ChartSubject& subject) {
  return with_unit("mass of a group", subject.units.mass_name);
}

// A bar for each of a few groups; of many how many are that heavy.
Panel group_masses(const ChartSubject& subject, std::span<const GroupInChart> shown) {
  Panel panel;
  if (shown.size() <= most_named) {
    panel.x = {.label = "group", .low = -0.6, .high = static_cast<double>(shown.size()) - 0.4};
    panel.y = {.label = mass_label(subject), .low = 0};
    for (std::size_t g = 0; g < shown.size(); ++g) {
      panel.x.names.push_back(std::to_string(g));
      panel.series.push_back({.x = {static_cast<double>(g)},
                              .y = {shown[g].mass},
                              .look = Series::Look::bars,
                              .colour = group_colour(g)});
    }
    if (shown.empty()) panel.x.high = 1;
    return panel;
  }
  panel.x = {.label = mass_label(subject), .logarithmic = true};
  panel.y = {.label = "groups of that mass or more", .logarithmic = true};
  std::vector<double> masses;
  for (const GroupInChart& group : shown) masses.push_back(group.mass);
  std::ranges::sort(masses, std::greater{});
  Series counts{.name = "mass function", .colour = 0};
  for (std::size_t k = 0; k < masses.size(); ++k) {
    counts.x.push_back(masses[k]), counts.y.push_back(static_cast<double>(k + 1));
  }
  panel.series.push_back(std::move(counts));
  return panel;
}

// Unit vectors towards the pericentre and a quarter of a turn after it.
struct Plane {
  Vec3 ahead, aside;
};
Plane plane_of(const analysis::OrbitalElements& o) {
  const double cw = std::cos(o.periapsis), sw = std::sin(o.periapsis), cn = std::cos(o.node),
               sn = std::sin(o.node), ci = std::cos(o.inclination), si = std::sin(o.inclination);
  return {{cn * cw - sn * sw * ci, sn * cw + cn * sw * ci, sw * si},
          {-cn * sw - sn * cw * ci, -sn * sw + cn * cw * ci, cw * si}};
}

// A curve through the pericentre: all of an ellipse, of a hyperbola what is within `reach`.
void add_orbit(Series& line, const analysis::OrbitalElements& o, double reach) {
  const auto [ahead, aside] = plane_of(o);
  const double a = o.semi_major_axis, e = o.eccentricity;
  if (!std::isfinite(a) || a == 0) return;  // a parabola, which no elements of an ellipse give
  const double minor = std::sqrt(std::abs(1 - e * e));
  const double far = a > 0 ? std::numbers::pi : std::acosh(std::max(1.0, (1 - reach / a) / e));
  constexpr int steps = 180;
  for (int k = -steps; k <= steps; k += 2) {
    const double t = far * k / steps;
    const double along = a > 0 ? a * (std::cos(t) - e) : a * (std::cosh(t) - e);
    const double across = a > 0 ? a * minor * std::sin(t) : -a * minor * std::sinh(t);
    const Vec3 place = along * ahead + across * aside;
    line.x.push_back(place.x), line.y.push_back(place.y);
  }
  line.x.push_back(nothing), line.y.push_back(nothing);
}

// How far out an orbit is drawn: to its apocentre, unless that is much farther than the body is.
double extent_of(const OrbitInChart& orbit) {
  const double r = norm(orbit.place);
  if (!orbit.elements) return r;
  const auto& o = *orbit.elements;
  const bool comes_back = o.semi_major_axis > 0 && std::isfinite(o.semi_major_axis);
  const double apocentre = comes_back ? o.semi_major_axis * (1 + o.eccentricity) : 3 * r;
  return std::min(apocentre, 3 * r);
}

Panel orbits_in_space(const ChartSubject& subject, std::uint64_t about,
                      std::span<const OrbitInChart> orbits, double reach) {
  Panel panel = projection(subject, {0, 1});
  const bool few = orbits.size() <= most_named + 4;
  set(panel.x, {-reach, reach}), set(panel.y, {-reach, reach});
  Series middle{.name = fmt::format("id {}", about),
                .x = {0},
                .y = {0},
                .look = Series::Look::points,
                .colour = black,
                .marker = 3};
  if (few) {
    for (std::size_t k = 0; k < orbits.size(); ++k) {
      Series line{.colour = k, .width = 1.5, .gaps = true};
      if (orbits[k].elements) add_orbit(line, *orbits[k].elements, reach);
      Series place{.name = fmt::format("id {}", orbits[k].id),
                   .x = {orbits[k].place.x},
                   .y = {orbits[k].place.y},
                   .look = Series::Look::points,
                   .colour = k,
                   .marker = 0};
      panel.series.push_back(std::move(line)), panel.series.push_back(std::move(place));
    }
  } else {
    constexpr std::size_t most_lines = 40;
    Series lines{.colour = 6, .width = 1, .gaps = true};
    const auto with_line = every_kth(orbits.size(), most_lines);
    for (const std::size_t k : with_line) {
      if (orbits[k].elements) add_orbit(lines, *orbits[k].elements, reach);
    }
    Series places{.look = Series::Look::dots, .colour = 0};
    for (const std::size_t k : every_kth(orbits.size())) {
      places.x.push_back(orbits[k].place.x), places.y.push_back(orbits[k].place.y);
    }
    places.name = places.x.size() < orbits.size() ? fmt::format("{} of the bodies", places.x.size())
                                                  : "bodies";
    lines.name =
        with_line.size() < orbits.size() ? fmt::format("{} orbits", with_line.size()) : "orbits";
    panel.series.push_back(std::move(lines)), panel.series.push_back(std::move(places));
  }
  panel.series.push_back(std::move(middle));
  return panel;
}

Panel shapes_of_orbits(const ChartSubject& subject, std::span<const OrbitInChart> orbits) {
  Panel panel{.x = length_axis(subject, "semi-major axis"),
              .y = {.label = "eccentricity", .low = 0},
              .series = {}};
  panel.x.logarithmic = true;
  const bool few = orbits.size() <= most_named + 4;
  const Series::Look look = few ? Series::Look::points : Series::Look::dots;
  Series free{.name = "unbound, at -a", .look = look, .colour = 1, .marker = 4};
  Series held{.name = "bound", .look = look, .colour = 0, .marker = 0};
  for (const std::size_t k : every_kth(orbits.size())) {
    if (!orbits[k].elements) continue;
    const auto& o = *orbits[k].elements;
    const bool bound = o.semi_major_axis > 0;
    if (bound && few) {
      panel.series.push_back({.x = {o.semi_major_axis},
                              .y = {o.eccentricity},
                              .look = look,
                              .colour = k,
                              .marker = 0});
      continue;
    }
    Series& one = bound ? held : free;
    one.x.push_back(std::abs(o.semi_major_axis)), one.y.push_back(o.eccentricity);
  }
  if (free.x.empty()) held.name.clear();  // there is nothing to tell them from
  if (!held.x.empty()) panel.series.push_back(std::move(held));
  if (!free.x.empty()) panel.series.push_back(std::move(free));
  return panel;
}

}  // namespace

Chart groups_chart(const ChartSubject& subject, const Bodies& bodies,
                   const analysis::Groups& groups, std::span<const GroupInChart> shown,
                   double linking_length) {
  Chart chart =
      titled(subject,
             fmt::format("groups within a linking length of {:.4g}{}", linking_length,
                         subject.units.length_name.empty() ? "" : " " + subject.units.length_name));
  chart.side_by_side = true;
  chart.panels = {group_places(subject, bodies, groups, shown), group_masses(subject, shown)};
  return chart;
}

Chart orbits_chart(const ChartSubject& subject, std::uint64_t about,
                   std::span<const OrbitInChart> orbits) {
  Chart chart = titled(subject, fmt::format("orbits about body {}", about));
  chart.side_by_side = true;
  std::vector<double> extents;
  for (const OrbitInChart& orbit : orbits) extents.push_back(extent_of(orbit));
  const double all = orbits.empty() ? 1 : window_of(extents).high;
  chart.panels.push_back(orbits_in_space(subject, about, orbits, all));
  std::ranges::sort(extents);
  // where the inner half would be a point, it is seen once more by itself
  const double half = orbits.empty() ? all : 1.15 * extents[(extents.size() - 1) / 2];
  if (half > 0 && half < all / 8) {
    chart.panels.push_back(orbits_in_space(subject, about, orbits, half));
    chart.width = 1600, chart.height = 680;
  }
  chart.panels.push_back(shapes_of_orbits(subject, orbits));
  return chart;
}

}  // namespace apsis
