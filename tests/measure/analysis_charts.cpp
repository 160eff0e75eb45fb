// SPDX-License-Identifier: MIT
// What charts of analyses show, before gnuplot draws it.
#include "analysis/scenes.hpp"
#include <apsis/initial/kepler_orbit.hpp>
#include <apsis/measure/analysis_plot.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace apsis {
namespace {

using namespace analysis;

ChartSubject subject_of(std::size_t bodies) {
  ChartSubject subject;
  subject.file = "a.csv";
  subject.add(bodies, 0);
  return subject;
}

const Series* named(const Panel& panel, const std::string& name) {
  const auto found = std::ranges::find(panel.series, name, &Series::name);
  return found == panel.series.end() ? nullptr : &*found;
}

double nearest(const Series& line, Vec3 place) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < line.x.size(); ++k) {
    least = std::fmin(least, std::hypot(line.x[k] - place.x, line.y[k] - place.y));
  }
  return least;
}

// 180 points to an ellipse are at most 2π a/180 apart, so that a body on it is half of that off.
TEST(OrbitsChart, ellipses_go_through_their_bodies) {
  for (const double e : {0.0, 0.3, 0.8}) {
    for (const double inclination : {0.0, 0.4, 2.5}) {
      const initial::KeplerOrbit orbit{2, e, inclination, 1.2, 4.1, 2.2};
      const auto state = initial::state_on_orbit(orbit, 1);
      const OrbitInChart shown{7, state.position, elements_of(state.position, state.velocity, 1)};
      const Chart chart = orbits_chart(subject_of(2), 3, {&shown, 1});
      const Panel& space = chart.panels.front();
      EXPECT_LT(nearest(space.series[0], state.position), 2 * std::numbers::pi / 180 * 1.01);
      const Series* body = named(space, "id 7");
      ASSERT_NE(body, nullptr);
      EXPECT_EQ(body->x.front(), state.position.x);
      ASSERT_NE(named(space, "id 3"), nullptr);
      double farthest = 0;
      for (std::size_t k = 0; k + 1 < space.series[0].x.size(); ++k) {
        farthest = std::max(farthest, std::hypot(space.series[0].x[k], space.series[0].y[k]));
      }
      EXPECT_LE(farthest, 2 * (1 + e) * (1 + 1e-12));
      EXPECT_TRUE(std::isnan(space.series[0].x.back()));  // ends the line
      const Series& shape = chart.panels.back().series.front();
      EXPECT_NEAR(shape.x.front(), 2, 1e-12);
      EXPECT_NEAR(shape.y.front(), e, 1e-12);
    }
  }
}

TEST(OrbitsChart, a_hyperbola_goes_through_its_body_and_a_body_without_orbit_is_a_point) {
  const double e = 1.5, p = 2.5, f = 0.7, r = p / (1 + e * std::cos(f)), s = std::sqrt(4 / p);
  const Vec3 place{r * std::cos(f), r * std::sin(f), 0};
  const OrbitInChart both[] = {
      {1, place, elements_of(place, {-s * std::sin(f), s * (e + std::cos(f)), 0}, 4)}, {2, {}, {}}};
  const Chart chart = orbits_chart(subject_of(3), 0, both);
  EXPECT_LT(nearest(chart.panels[0].series[0], place), 0.05);
  EXPECT_TRUE(chart.panels[0].series[2].x.empty());
  const Series* free = named(chart.panels.back(), "unbound, at -a");
  ASSERT_NE(free, nullptr);
  EXPECT_NEAR(free->x.front(), 2, 1e-12);
}

TEST(OrbitsChart, inner_orbits_that_would_be_a_point_are_shown_by_themselves) {
  std::vector<OrbitInChart> orbits;
  for (const double a : {0.4, 0.7, 1.0, 1.5, 30.0, 40.0}) {
    const auto state = initial::state_on_orbit({a, 0.1, 0.1, 0, 0, 1}, 1);
    orbits.push_back(
        {orbits.size(), state.position, elements_of(state.position, state.velocity, 1)});
  }
  EXPECT_EQ(orbits_chart(subject_of(7), 9, orbits).panels.size(), 3U);
  orbits.resize(4);
  EXPECT_EQ(orbits_chart(subject_of(5), 9, orbits).panels.size(), 2U);
}

TEST(LagrangianChart, the_mass_within_a_radius_grows_to_all_of_it_in_few_points) {
  const Bodies bodies = test::model("plummer", 50'000);
  const std::vector<double> shares{0.1, 0.5};
  const auto sorted = by_distance(bodies, {});
  const auto radii = lagrangian_radii(bodies, sorted, shares);
  const Chart chart =
      cumulative_mass_chart(subject_of(50'000), "origin", bodies, sorted, shares, radii);
  const Series& curve = chart.panels.front().series.front();
  EXPECT_LT(curve.x.size(), 3000U);
  EXPECT_TRUE(std::ranges::is_sorted(curve.x));
  EXPECT_TRUE(std::ranges::is_sorted(curve.y));
  EXPECT_DOUBLE_EQ(curve.y.back(), 1);
  EXPECT_EQ(curve.x.back(), sorted.back().distance);
  // what is left out lies within a thousandth of what is shown
  for (std::size_t k = 1; k < curve.y.size(); ++k) EXPECT_LT(curve.y[k] - curve.y[k - 1], 1.1e-3);
}

TEST(GroupsChart, few_groups_have_bars_and_many_a_mass_function) {
  const Bodies bodies = test::scattered(40, 1);
  Groups groups{std::vector<std::uint32_t>(40), std::vector<std::uint32_t>(20, 2)};
  for (std::uint32_t i = 0; i < 40; ++i) groups.group_of[i] = i / 2;
  std::vector<GroupInChart> shown(20);
  for (std::size_t g = 0; g < 20; ++g) shown[g] = {2, 20.0 - static_cast<double>(g), 0.1, {}};
  const Panel many = groups_chart(subject_of(40), bodies, groups, shown, 0.2).panels.back();
  const Series* counts = named(many, "mass function");
  ASSERT_NE(counts, nullptr);
  EXPECT_EQ(counts->x.front(), 20);  // one group of that mass, 20 of 1 or more
  EXPECT_EQ(counts->y.back(), 20);
  shown.resize(3);
  const Chart few = groups_chart(subject_of(40), bodies, groups, shown, 0.2);
  EXPECT_EQ(few.panels.back().series.size(), 3U);
  EXPECT_EQ(few.panels.back().series[1].y.front(), 19);
  EXPECT_NE(named(few.panels.front(), "group 2: 2 bodies"), nullptr);
  EXPECT_EQ(named(few.panels.front(), "in no group")->x.size(), 34U);
}

TEST(AnalysisChart, there_is_one_of_every_analysis) {
  for (const Analysis& analysis : analyses()) {
    PlotSource source;
    Snapshot state;
    state.bodies = test::model("plummer", 200);
    const Bodies& bodies = state.bodies;
    source.groups = groups_in(bodies, source.choice);
    const auto no_potentials = [](const Bodies& some) {
      return std::vector<double>(some.size(), -10);
    };
    source.bound = bound_part(bodies, no_potentials);
    const auto rows = analysis.of({.bodies = bodies, .potentials_of = no_potentials}, {}).rows;
    source.add(state, true);
    const Chart chart = analysis_chart(analysis, source, rows);
    EXPECT_NE(chart.subtitle.find("200 bodies"), std::string::npos) << analysis.name;
    ASSERT_FALSE(chart.panels.empty()) << analysis.name;
    for (const Panel& panel : chart.panels) EXPECT_FALSE(panel.series.empty()) << analysis.name;
  }
}

// Of runaways a picture would be a point.
TEST(CentreChart, leaves_out_runaways_and_says_what_time_and_how_many_bodies) {
  Bodies bodies = test::scattered(1000, 2);
  bodies.set_position(5, {1e9, -1e9, 0});
  ChartSubject subject = subject_of(1000);
  subject.units = units_named("kpc-msun-kms");
  const NamedPlace places[] = {{"density centre", {0.5, 0.5, 0.5}}};
  const Chart chart = centre_chart(subject, bodies, places, 0.1);
  EXPECT_EQ(chart.subtitle, "1000 bodies · time 0 kpc/(km/s) · units: kpc-msun-kms");
  EXPECT_EQ(chart.panels[0].x.label, "x [kpc]");
  EXPECT_LT(*chart.panels[0].x.high, 1.3);
  EXPECT_GT(*chart.panels[0].x.high, 0.99);
  EXPECT_NEAR(*chart.panels[1].x.high - *chart.panels[1].x.low, 0.28, 1e-9);
}

TEST(BindingChart, shows_the_zero_and_counts_what_is_above) {
  Bodies bodies = test::scattered(100, 3);
  BoundPart part;
  part.is_bound.assign(100, 1), part.bodies = 90;
  part.energies.assign(100, -1);
  for (std::size_t i = 0; i < 10; ++i) part.is_bound[i] = 0, part.energies[i] = 50;
  const Chart chart = binding_chart(subject_of(100), bodies, part);
  EXPECT_NE(chart.subtitle.find("10 bodies above the picture"), std::string::npos);
  EXPECT_GT(*chart.panels[0].y.high, 0);
  EXPECT_LT(*chart.panels[0].y.high, 50);
  double counted = 0;  // each step has two points
  for (const double count : named(chart.panels[1], "bound")->y) counted += count / 2;
  EXPECT_EQ(counted, 90);
}

}  // namespace
}  // namespace apsis
