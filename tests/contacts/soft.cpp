// SPDX-License-Identifier: MIT
// Springs and dampers: two bodies touch for the time and part with the speed that were asked for.
#include "spheres.hpp"
#include <apsis/contacts/soft_contacts.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace apsis {
namespace {

using test::sphere;

struct Outcome {
  std::vector<MovingSphere> spheres;
  std::vector<Contact> contacts;
  double lost = 0, touching = 0;  // energy, time
  std::uint64_t wall_hits = 0;
};

// Steps of straight paths with nothing but soft contacts.
Outcome after(std::vector<MovingSphere> spheres, int steps, double step, const SoftRule& rule) {
  Outcome out;
  for (int n = 0; n < steps; ++n) {
    const test::Columns columns(spheres, step);
    ContactFinder finder(ContactSearch::direct, 1);
    finder.look_at(columns.paths());
    ContactSource source;
    source.candidates = [&] { return finder.candidates(); };
    if (rule.walls) {
      source.beyond_walls = [&] { return beyond_walls(columns.paths(), *rule.walls); };
    }
    source.spheres = [&](std::span<const std::uint32_t> numbers) {
      std::vector<MovingSphere> some;
      for (const std::uint32_t i : numbers) some.push_back(spheres[i]);
      return some;
    };
    const ContactChanges changes = soft_contacts_of_step(source, step, rule);
    for (MovingSphere& s : spheres) s.place += step * s.pace;
    for (std::size_t k = 0; k < changes.numbers.size(); ++k) {
      spheres[changes.numbers[k]] = changes.spheres[k];
    }
    for (MovingSphere& s : spheres) s.since = 0;
    if (!changes.numbers.empty()) out.touching += step;
    out.lost += changes.kinetic_lost, out.wall_hits += changes.wall_hits;
    out.contacts.insert(out.contacts.end(), changes.contacts.begin(), changes.contacts.end());
  }
  out.spheres = std::move(spheres);
  return out;
}

std::vector<MovingSphere> head_on(double mass, double speed) {
  return {sphere(0, {-0.6, 0, 0}, {speed, 0, 0}), sphere(1, {0.6, 0, 0}, {}, mass)};
}

TEST(SoftContact, gives_the_restitution_and_the_time_that_were_asked_for) {
  const double duration = 0.1;
  for (const double e : {1.0, 0.8, 0.5, 0.2, 0.05}) {
    for (const double mass : {1.0, 7.0}) {
      for (const double speed : {0.5, 2.0}) {
        const int each = 400;  // steps of a contact: its errors go by their square
        const double step = duration / each;
        const auto begin = head_on(mass, speed);
        const Outcome out = after(begin, static_cast<int>(2 / speed / step), step, {duration, e});
        const double parted = out.spheres[1].velocity.x - out.spheres[0].velocity.x;
        EXPECT_NEAR(parted / speed, e, 1e-3) << e;
        EXPECT_NEAR(out.touching, duration, 0.02 * duration) << e;
        EXPECT_NEAR(test::momentum(out.spheres).x, speed, 1e-12);
        EXPECT_NEAR(test::kinetic_energy(out.spheres) + out.lost, test::kinetic_energy(begin),
                    1e-11 * speed * speed);
        ASSERT_EQ(out.contacts.size(), 1U) << "listed once, where it begins";
        EXPECT_EQ(out.contacts[0].kind, OnContact::soft);
        EXPECT_NEAR(out.contacts[0].approach, speed, 1e-12);
      }
    }
  }
}

TEST(SoftContact, has_few_steps_and_still_about_the_restitution) {
  for (const double e : {1.0, 0.5, 0.1}) {
    for (const int each : {8, 20}) {
      const double step = 0.1 / each;
      const Outcome out = after(head_on(1, 1), static_cast<int>(2 / step), step, {0.1, e});
      const double parted = out.spheres[1].velocity.x - out.spheres[0].velocity.x;
      EXPECT_NEAR(parted, e, each == 8 ? 0.03 : 0.01) << e << " " << each;
    }
  }
}

// As tests of contacts without forces see it: what the springs take they give back.
TEST(SoftContact, of_many_keeps_momentum_and_with_restitution_1_energy) {
  const auto begin = test::gas(60, 0.15, 2, 7);
  const Outcome out = after(begin, 4000, 2.5e-4, {0.02, 1});
  EXPECT_GT(out.contacts.size(), 30U);
  EXPECT_LE(norm(test::momentum(out.spheres) - test::momentum(begin)), 1e-12);
  const double energy = test::kinetic_energy(begin);
  // by the end none touches any more: all have left the ball
  EXPECT_NEAR(test::kinetic_energy(out.spheres), energy, 2e-3 * energy);
  EXPECT_NEAR(out.lost, energy - test::kinetic_energy(out.spheres), 1e-10 * energy);
}

TEST(SoftContact, of_a_body_without_mass_moves_that_body_alone) {
  const Outcome out = after({sphere(0, {-0.6, 0, 0}, {1, 0, 0}, 0), sphere(1, {0.6, 0, 0}, {}, 5)},
                            800, 1e-3, {0.1, 1});
  EXPECT_EQ(out.spheres[1].velocity, Vec3{});
  EXPECT_NEAR(out.spheres[0].velocity.x, -1, 2e-3);
}

TEST(SoftContact, of_bodies_in_one_place_gives_numbers) {
  const Outcome out = after({sphere(0, {}, {}), sphere(1, {}, {})}, 100, 1e-2, {0.2, 0.5});
  for (const MovingSphere& s : out.spheres) EXPECT_TRUE(std::isfinite(s.place.x));
  EXPECT_GT(norm(out.spheres[0].place - out.spheres[1].place), 0.5) << "they part";
}

TEST(SoftContact, bodies_are_reflected_by_walls_meanwhile) {
  const auto begin = test::gas(40, 0.15, 2, 3);
  const Outcome out = after(begin, 4000, 5e-4, {0.02, 1, Box{-1.2, 1.2, -1.2, 1.2, -1.2, 1.2}});
  EXPECT_GT(out.wall_hits, 20U);
  for (const MovingSphere& s : out.spheres) {
    // a kick may leave it beyond the wall by what half a step brings
    EXPECT_LE(std::max({std::abs(s.place.x), std::abs(s.place.y), std::abs(s.place.z)}),
              1.2 - s.radius + 0.01);
  }
}

}  // namespace
}  // namespace apsis
