// SPDX-License-Identifier: MIT
// Bodies that a page draws one by one, and the ellipses that they go round on.
#include <apsis/initial/model.hpp>
#include <apsis/viewer/orbits.hpp>
#include <apsis/viewer/page_text.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <support/bodies.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

namespace apsis::viewer {
namespace {

using Numbers = std::map<std::string, double>;

InitialState model(const std::string& name, const Numbers& options = {}) {
  ModelRequest request;
  request.model = name;
  for (const auto& [option, value] : options) request.options[option] = {value, {}};
  return make_model(request);
}
std::vector<FewBody> few_of(const Bodies& bodies) {
  std::vector<FewBody> few;
  take_few(bodies, mean_velocity(bodies), few);
  return few;
}
std::vector<FewBody> few_of(const std::string& name, const Numbers& options = {}) {
  return few_of(model(name, options).bodies);
}
constexpr double gravity_au_yr = 39.476926421373;

Vec3 centre_of(const Orbit& orbit, const std::vector<FewBody>& few) {
  Vec3 sum;
  double mass = 0;
  for (const std::size_t k : orbit.pair) sum += few[k].mass * few[k].place, mass += few[k].mass;
  return sum / mass;
}
// How far the body is from the nearest point of its ellipse, in half axes.
double miss(const Orbit& orbit, const std::vector<FewBody>& few) {
  double nearest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 20000; ++i) {
    const double angle = 2 * std::numbers::pi * i / 20000;
    const Vec3 at = centre_of(orbit, few) + (std::cos(angle) - orbit.eccentricity) * orbit.major +
                    std::sin(angle) * orbit.minor;
    nearest = std::min(nearest, norm(at - few[orbit.body].place));
  }
  return nearest / norm(orbit.major);
}

TEST(Few, are_all_bodies_up_to_fifty_in_the_order_of_ids) {
  for (const std::size_t n : {0U, 1U, 2U, 50U}) {
    Bodies bodies = test::random_bodies(n);
    std::reverse(bodies.id.begin(), bodies.id.end());
    const auto few = few_of(bodies);
    ASSERT_EQ(few.size(), n);
    for (std::size_t k = 0; k < n; ++k) EXPECT_EQ(few[k].id, k);
  }
  EXPECT_TRUE(few_of(test::random_bodies(51)).empty());
}

TEST(Few, are_those_of_many_that_outweigh_the_rest) {
  const auto ring = few_of("ring");
  ASSERT_EQ(ring.size(), 1U);
  EXPECT_EQ(ring[0].id, 0U);
  EXPECT_TRUE(few_of("plummer").empty());
  Bodies massless(1000);
  EXPECT_TRUE(few_of(massless).empty());
  Bodies two = test::random_bodies(1000);
  std::fill(two.mass.begin(), two.mass.end(), 1e-6);
  two.mass[3] = two.mass[900] = 1;
  EXPECT_EQ(few_of(two).size(), 2U);
  two.mass[5] = std::numeric_limits<double>::infinity();  // compares with nothing, and hides all
  EXPECT_LE(few_of(two).size(), most_few);
}

TEST(Orbits, of_a_pair_are_two_ellipses_about_their_centre_of_mass) {
  const auto few = few_of("kepler", {{"eccentricity", 0.9}, {"mass_ratio", 0.5}});
  const auto orbits = nested_orbits(few, 1, 0);
  ASSERT_EQ(orbits.size(), 2U);
  for (const Orbit& orbit : orbits) {
    EXPECT_NEAR(orbit.eccentricity, 0.9, 1e-12);
    EXPECT_NEAR(orbit.period, 2 * std::numbers::pi, 1e-9);
    // 20,000 points of the ellipse lie 3e-4 of the half axis apart
    EXPECT_LT(miss(orbit, few), 2e-4);
  }
  EXPECT_EQ(orbits[0].body, 1U);
  EXPECT_NEAR(norm(orbits[0].major), 2.0 / 3, 1e-12);
  EXPECT_NEAR(norm(orbits[1].major), 1.0 / 3, 1e-12);
}

TEST(Orbits, of_the_solar_system_have_the_moon_about_the_earth_and_the_rest_about_the_sun) {
  const auto few = few_of("solar-system");
  const auto orbits = nested_orbits(few, gravity_au_yr, 0);
  ASSERT_EQ(orbits.size(), 10U);  // the Sun's own way about each centre is a spot
  EXPECT_EQ(orbits[0].body, 4U);  // the Moon, about what 3 and 4 weigh together
  auto pair = orbits[0].pair;
  std::sort(pair.begin(), pair.end());
  EXPECT_EQ(pair, (std::vector<std::size_t>{3, 4}));
  // osculating: the Sun moves the Moon's by some percent, a month is 0.0748 years
  EXPECT_NEAR(orbits[0].period, 0.0748, 0.004);
  for (const Orbit& orbit : orbits) {
    EXPECT_NE(orbit.body, 0U);
    // what goes round the Sun with a moon is drawn by its heaviest; the Earth is 5e-3 aside
    EXPECT_LT(miss(orbit, few), 0.01);
  }
  const auto earth = std::find_if(orbits.begin(), orbits.end(),
                                  [](const Orbit& orbit) { return orbit.body == 3; });
  ASSERT_NE(earth, orbits.end());
  EXPECT_NEAR(earth->period, 1, 0.01);
  EXPECT_NEAR(earth->eccentricity, 0.0167, 0.002);
  EXPECT_EQ(orbits.back().body, 10U);
  EXPECT_NEAR(orbits.back().period, 248, 4);
}

TEST(Orbits, are_not_claimed_where_all_pull_alike_or_nothing_is_bound) {
  EXPECT_TRUE(nested_orbits(few_of("figure-eight"), 1, 0).empty());
  EXPECT_TRUE(nested_orbits(few_of("pythagorean"), 1, 0).empty());
  EXPECT_TRUE(nested_orbits(few_of("kepler"), 0, 0).empty());    // charges, or another law
  EXPECT_TRUE(nested_orbits(few_of("kepler"), 1, 0.1).empty());  // softened out of shape
  EXPECT_TRUE(nested_orbits({}, 1, 0).empty());
  auto few = few_of("kepler");
  few[1].velocity = 10 * few[1].velocity;
  EXPECT_TRUE(nested_orbits(few, 1, 0).empty());
  few[1] = few[0];  // at one place
  EXPECT_TRUE(nested_orbits(few, 1, 0).empty());
  for (FewBody& body : few) body.mass = 0;
  EXPECT_TRUE(nested_orbits(few, 1, 0).empty());
}

TEST(Orbits, of_test_bodies_and_falls_along_a_line_are_there) {
  const auto test_body = few_of("kepler", {{"mass_ratio", 0.0}});
  ASSERT_EQ(nested_orbits(test_body, 1, 0).size(), 1U);
  std::vector<FewBody> fall(2);
  fall[0].mass = 1, fall[1].place = {1, 0, 0};
  const auto orbits = nested_orbits(fall, 1, 0);
  ASSERT_EQ(orbits.size(), 1U);
  EXPECT_NEAR(norm(orbits[0].major), 0.5, 1e-12);
  EXPECT_NEAR(orbits[0].eccentricity, 1, 1e-12);
  EXPECT_EQ(norm(orbits[0].minor), 0);
}

TEST(Orbits, of_two_pairs_about_each_other_are_six) {
  const auto pair = [](std::vector<FewBody>& all, Vec3 place, Vec3 velocity) {
    for (const double side : {-1.0, 1.0}) {
      FewBody body;
      body.mass = 1, body.place = place + Vec3{0.5 * side, 0, 0};
      body.velocity = velocity + Vec3{0, side * std::sqrt(0.5), 0};
      all.push_back(body);
    }
  };
  std::vector<FewBody> few;
  const double speed = std::sqrt(4.0 / 30) / 2;
  pair(few, {-15, 0, 0}, {0, -speed, 0});
  pair(few, {15, 0, 0}, {0, speed, 0});
  const auto orbits = nested_orbits(few, 1, 0);
  ASSERT_EQ(orbits.size(), 6U);
  EXPECT_EQ(orbits[0].pair.size(), 2U);
  EXPECT_EQ(orbits[5].pair.size(), 4U);
  EXPECT_NEAR(norm(orbits[5].major), 15, 1e-9);
}

TEST(FewText, tells_exact_places_and_orbits) {
  const Bodies bodies = model("kepler").bodies;
  Points points;
  points.scene = 7;
  take_points(bodies, sample_order(2), 2, {}, points);
  ASSERT_EQ(points.few.size(), 2U);
  const auto json = nlohmann::json::parse(few_text(9, points, nested_orbits(points.few, 1, 0)));
  EXPECT_EQ(json["type"], "few");
  EXPECT_EQ(json["frame"], 9);
  EXPECT_EQ(json["scene"], 7);
  EXPECT_EQ(json["all"], true);
  EXPECT_EQ(json["bodies"][1]["at"][0], bodies.position(1).x);
  EXPECT_EQ(json["bodies"][1]["velocity"][1], bodies.velocity(1).y);
  EXPECT_EQ(json["orbits"].size(), 2U);
  EXPECT_FALSE(json["bodies"][0].contains("charge"));
  EXPECT_FALSE(json["bodies"][0].contains("radius"));
}

TEST(Colours, are_offered_where_they_tell_bodies_apart) {
  const auto offered = [](const Bodies& bodies) {
    Points points;
    take_points(bodies, sample_order(bodies.size()), bodies.size(), {}, points);
    return colours_for(points);
  };
  using Words = std::vector<std::string_view>;
  EXPECT_EQ(offered(model("figure-eight").bodies), (Words{"speed", "id"}));
  EXPECT_EQ(offered(model("solar-system").bodies), (Words{"speed", "mass", "id"}));
  EXPECT_EQ(offered(model("plummer").bodies), (Words{"speed", "density", "id"}));
  Bodies charged(3, true);
  EXPECT_EQ(offered(charged), (Words{"speed", "charge", "id"}));
}

TEST(Charts, have_kinetic_and_potential_energy_after_what_0_1_had) {
  Stage::Chart chart;
  chart.points.push_back({.time = 1,
                          .energy_error = 2,
                          .momentum = 3,
                          .steps_per_second = 4,
                          .kinetic = 5,
                          .potential = -6});
  const auto json = nlohmann::json::parse(figures_text({}, 1, chart));
  EXPECT_EQ(json["chart"][0], (std::vector<double>{1, 2, 3, 4, 5, -6}));
}

}  // namespace
}  // namespace apsis::viewer
