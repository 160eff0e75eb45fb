// SPDX-License-Identifier: MIT
// Many bodies that touch, against what is known of them: a gas of hard spheres, planetesimals that
// merge, a ring that collisions flatten.
#include <apsis/contacts/finder.hpp>
#include <apsis/core/energies.hpp>
#include <apsis/engines/engine_factory.hpp>
#include <apsis/initial/model.hpp>
#include <apsis/integrators/integrator.hpp>
#include <apsis/sim/contact_action.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace apsis {
namespace {

struct Case {
  Bodies bodies;
  ForceSettings force;
  ContactSettings contacts;
  SpaceSettings space;
  ExternalFields external;
  double step = 0.01;
  std::uint64_t steps = 100;
};

struct Outcome {
  Bodies bodies;
  Energies energies;
  std::vector<BodyEvent> events;
};

// In f64; every_step sees the bodies.
Outcome outcome_of(const Case& of, const std::function<void(const Bodies&)>& every_step = {}) {
  const auto engine = make_engine({.force = of.force,
                                   .external = of.external,
                                   .contacts = of.contacts,
                                   .device = {.precision = Precision::f64, .threads = 0}});
  engine->load(of.bodies);
  Outcome out;
  Actions actions;
  actions.on_paths = contact_action(of.contacts, of.space,
                                    {law_of(of.force), of.external, of.force.solver != "none"},
                                    !of.bodies.spin.empty());
  std::vector<Observer> observers{
      {.name = "events", .when = AtEvents{}, .observe = [&](const Frame& f) {
         for (const Event& event : f.events()) {
           out.events.insert(out.events.end(), event.bodies.begin(), event.bodies.end());
         }
       }}};
  if (every_step) {
    observers.push_back({.name = "bodies",
                         .when = EveryLook{.steps = 1},
                         .observe = [&](const Frame& f) { every_step(f.bodies()); }});
  }
  simulate(
      *engine, integrator_named("leapfrog"), {.step = of.step, .last_step = of.steps}, observers,
      [](const Frame&) { return LoopControl::go_on(); }, actions);
  engine->store(out.bodies);
  out.energies = engine->energies(of.step * static_cast<double>(of.steps));
  return out;
}

Vec3 spin_of(const Bodies& bodies) {
  Vec3 sum;
  for (std::size_t i = 0; i < bodies.spin.size(); ++i) sum += bodies.spin.at(i);
  return sum;
}

// --- a gas of hard spheres -----------------------------------------------------------------------

Case gas(std::uint64_t bodies, double filling, std::uint64_t steps) {
  const auto start = make_model(
      {.model = "billiard", .bodies = bodies, .options = {{"filling", {filling, "a test"}}}});
  return {.bodies = start.bodies,
          .force = {.solver = "none"},
          .contacts = {.on = OnContact::bounce},
          .space = {.walls = start.defaults.walls},
          .external = {},
          .step = 0.01,
          .steps = steps};
}

// Kolmogorov and Smirnov's distance of velocity components from a normal distribution, times the
// root of their number: 1.63 is passed by one sample in a hundred.
double distance_from_maxwell(const Bodies& bodies) {
  std::vector<double> v(bodies.velocities.values().begin(), bodies.velocities.values().end());
  double sum = 0;
  for (const double one : v) sum += one * one;
  const auto n = static_cast<double>(v.size());
  const double deviation = std::sqrt(sum / n);
  std::ranges::sort(v);
  double worst = 0;
  for (std::size_t k = 0; k < v.size(); ++k) {
    const double expected = 0.5 * std::erfc(-v[k] / deviation / std::numbers::sqrt2);
    const double below = static_cast<double>(k) / n;
    worst = std::max({worst, expected - below, below + 1 / n - expected});
  }
  return worst * std::sqrt(n);
}

// Away from the walls, where the density is even: in the middle half of the box along each side.
bool is_inside(Vec3 at) {
  return std::max({std::abs(at.x - 0.5), std::abs(at.y - 0.5), std::abs(at.z - 0.5)}) < 0.25;
}

struct Collisions {
  double counted = 0, expected = 0;  // in the middle, over the time that was looked at
};

// Enskog's rate per volume, ½ n² 4 σ² √(π T/m) χ, with Carnahan and Starling's χ at contact.
Collisions collisions_of(const Case& of, Outcome& end) {
  constexpr std::uint64_t settling = 100;  // steps in which Maxwell's distribution comes about
  double squares = 0;
  std::uint64_t steps = 0;
  end = outcome_of(of, [&](const Bodies& bodies) {
    if (++steps <= settling) return;
    double inside = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) inside += is_inside(bodies.position(i)) ? 1 : 0;
    squares += inside * (inside - 1);  // pairs: the mean of the square, not the square of the mean
  });
  constexpr double volume = 0.125;
  const double looked = of.step * static_cast<double>(of.steps - settling);
  const double mean_squares = squares / static_cast<double>(steps - settling) / (volume * volume);
  const double sigma = 2 * of.bodies.radius[0], mass = of.bodies.mass[0];
  const double temperature =
      2 * motion(end.bodies).kinetic / (3 * static_cast<double>(of.bodies.size()));
  const double packing = std::sqrt(mean_squares) * std::numbers::pi * sigma * sigma * sigma / 6;
  const double chi = (1 - packing / 2) / std::pow(1 - packing, 3);
  Collisions out;
  out.expected = 0.5 * mean_squares * 4 * sigma * sigma *
                 std::sqrt(std::numbers::pi * temperature / mass) * chi * volume * looked;
  for (const BodyEvent& event : end.events) {
    const bool counts = event.time > static_cast<double>(settling) * of.step;
    if (counts && is_inside(0.5 * (event.place_a + event.place_b))) ++out.counted;
  }
  return out;
}

// `tolerance`: three deviations of the number of collisions counted, and more.
void expect_gas(const Case& of, double tolerance) {
  ASSERT_GT(distance_from_maxwell(of.bodies), 3) << "it starts with one speed";
  Outcome end;
  const Collisions collisions = collisions_of(of, end);
  const double start = motion(of.bodies).kinetic;
  EXPECT_NEAR(motion(end.bodies).kinetic, start, 1e-10 * start);
  EXPECT_LT(distance_from_maxwell(end.bodies), 1.63);
  EXPECT_NEAR(collisions.counted / collisions.expected, 1, tolerance)
      << collisions.counted << " collisions of " << end.events.size();
  testing::Test::RecordProperty("contacts", std::to_string(end.events.size()));
  testing::Test::RecordProperty("rate_to_enskog",
                                std::to_string(collisions.counted / collisions.expected));
}

TEST(HardSpheres, in_a_box_keep_their_energy_reach_maxwell_and_collide_as_enskog_says) {
  expect_gas(gas(1000, 0.1, 600), 0.05);
}

TEST(DeepHardSpheres, a_million_contacts_of_ten_thousand) {
  expect_gas(gas(10000, 0.05, 1000), 0.02);
}

// The straight paths of a step end where nobody is inside another one.
TEST(HardSpheres, do_not_overlap_after_any_step) {
  double worst = 0;
  outcome_of(gas(300, 0.3, 100), [&](const Bodies& bodies) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const double reach = bodies.radius[i] + bodies.radius[j];
        worst = std::max(worst, 1 - norm(bodies.position(i) - bodies.position(j)) / reach);
      }
    }
  });
  EXPECT_LE(worst, 1e-12);
}

// --- planetesimals
// ---------------------------------------------------------------------------------

Case planetesimals(std::uint64_t bodies, std::uint64_t steps, bool spinning) {
  const auto start = make_model(
      {.model = "planetesimals", .bodies = bodies, .options = {{"filling", {0.02, "a test"}}}});
  Case out{.bodies = start.bodies,
           .force = {.softening = start.defaults.softening, .solver = "direct"},
           .contacts = {.on = OnContact::merge},
           .space = {},
           .external = {},
           .step = start.defaults.step,
           .steps = steps};
  if (spinning) out.bodies.spin = Vectors(bodies);
  return out;
}

void expect_conserved_by_mergers(const Case& of) {
  const Outcome end = outcome_of(of);
  const Energies before = motion(of.bodies), after = motion(end.bodies);
  EXPECT_EQ(end.bodies.size() + end.events.size(), of.bodies.size());
  EXPECT_GT(end.events.size(), of.bodies.size() / 20);
  const auto mass = [](const Bodies& b) {
    return std::accumulate(b.mass.begin(), b.mass.end(), 0.0);
  };
  EXPECT_NEAR(mass(end.bodies), mass(of.bodies), 1e-13);
  EXPECT_LE(norm(after.momentum - before.momentum), 1e-14);
  EXPECT_LE(norm(after.center_of_mass - before.center_of_mass), 1e-12);
  Vec3 lost;
  for (const BodyEvent& event : end.events) lost += event.angular_momentum_lost;
  const Vec3 kept = after.angular_momentum + spin_of(end.bodies) + lost;
  // forces of pairs on one line turn nothing, but for the rounding of each step
  EXPECT_LE(norm(kept - before.angular_momentum), 1e-13);
  if (of.bodies.spin.empty()) {
    EXPECT_GT(norm(lost), 1e-6);
  } else {
    EXPECT_EQ(norm(lost), 0);
    EXPECT_GT(norm(spin_of(end.bodies)), 1e-6);
  }
}

TEST(Planetesimals, keep_mass_momentum_centre_and_angular_momentum_as_they_merge) {
  expect_conserved_by_mergers(planetesimals(1000, 400, false));
  expect_conserved_by_mergers(planetesimals(1000, 400, true));
}

TEST(DeepPlanetesimals, ten_thousand_of_them) {
  expect_conserved_by_mergers(planetesimals(10000, 600, false));
}

// --- a ring
// ------------------------------------------------------------------------------------------

double height_of(const Bodies& bodies) {
  double sum = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    sum += bodies.position(i).z * bodies.position(i).z;
  }
  return std::sqrt(sum / static_cast<double>(bodies.size()));
}

// About a mass that holds still, so that only contacts act between the bodies.
Case ring(std::uint64_t bodies, double size, double restitution) {
  const auto start =
      make_model({.model = "ring",
                  .bodies = bodies,
                  .options = {{"height", {0.04, "a test"}}, {"size", {size, "a test"}}}});
  Case out{.bodies = start.bodies,
           .force = {.solver = "none"},
           .contacts = {.on = OnContact::bounce, .restitution = restitution},
           .space = {},
           .external = {},
           .step = start.defaults.step,
           .steps = std::uint64_t{64} * 20};
  out.bodies.remove(std::vector<std::size_t>{0});
  std::get<external::Plummer>(out.external.table) = {.mass = 1, .radius = 0};
  return out;
}

TEST(Ring, is_flattened_by_inelastic_contacts_and_not_by_elastic_ones) {
  const Case inelastic = ring(3000, 0.008, 0.5);
  const double start = height_of(inelastic.bodies);
  const double flattened = height_of(outcome_of(inelastic).bodies);
  EXPECT_LT(flattened, 0.7 * start);
  EXPECT_GT(height_of(outcome_of(ring(3000, 0.008, 1)).bodies), 0.9 * start);
}

}  // namespace
}  // namespace apsis
