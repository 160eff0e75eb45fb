// SPDX-License-Identifier: MIT
// All searches find the contacts that there are, whatever the bodies look like.
#include "files/expect_error.hpp"
#include "spheres.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <numeric>

namespace apsis {
namespace {

using test::Columns;
using test::sphere;

// Pairs that touch, by the definition alone.
BodyPairs true_contacts(const std::vector<MovingSphere>& spheres, double duration) {
  BodyPairs pairs;
  for (std::uint32_t i = 0; i < spheres.size(); ++i) {
    for (std::uint32_t j = i + 1; j < spheres.size(); ++j) {
      const auto time = time_of_contact(spheres[i], spheres[j], 0, Overlap::always);
      if (time && *time <= duration) pairs.push_back({i, j});
    }
  }
  return pairs;
}

struct Scene {
  std::string name;
  std::function<std::vector<MovingSphere>(std::size_t)> make;
};

std::vector<MovingSphere> scattered(std::size_t n, double size, double speed) {
  std::vector<MovingSphere> out;
  for (std::size_t i = 0; i < n; ++i) {
    BodyRandom random(11, i);
    const double radius = size * random.uniform(0.2, 1) / std::cbrt(static_cast<double>(n));
    const Vec3 velocity = speed * random.in_ball(), place = random.in_ball();
    out.push_back(sphere(i, place, velocity, 1, radius));
  }
  return out;
}

const std::vector<Scene>& scenes() {
  static const std::vector<Scene> table{
      {"even", [](std::size_t n) { return scattered(n, 0.3, 0.1); }},
      {"at_rest", [](std::size_t n) { return scattered(n, 0.5, 0); }},
      {"fast", [](std::size_t n) { return scattered(n, 0.02, 2); }},
      {"stream",
       [](std::size_t n) {  // all fly the same way, a thousand times their size
         auto all = scattered(n, 0.3, 0.05);
         for (auto& s : all) s.pace += Vec3{100, -50, 30};
         return all;
       }},
      {"one_giant",
       [](std::size_t n) {
         auto all = scattered(n, 0.1, 0.1);
         if (n > 0) all[n / 2].radius = 0.3;
         return all;
       }},
      {"bullets",
       [](std::size_t n) {
         auto all = scattered(n, 0.2, 0.01);
         for (std::size_t i = 0; i < n; i += 50) all[i].pace = 300.0 * all[i].place;
         return all;
       }},
      {"escapers",
       [](std::size_t n) {
         auto all = scattered(n, 0.3, 0.1);
         for (std::size_t i = 0; i < n; i += 97) {
           all[i].place = (1e7 + static_cast<double>(i)) * all[i].place;
         }
         return all;
       }},
      {"clumps",
       [](std::size_t n) {  // a millionth of the distance between them
         auto all = scattered(n, 0.3, 0.1);
         for (std::size_t i = 0; i < n; ++i) {
           all[i].place = 1e-6 * all[i].place + (i % 2 == 0 ? Vec3{1, 2, 3} : Vec3{-1, 0, 2});
           all[i].pace = 1e-6 * all[i].pace, all[i].radius *= 1e-6;
         }
         return all;
       }},
      {"line", [](std::size_t n) {
         auto all = scattered(n, 0, 0);
         for (std::size_t i = 0; i < n; ++i) {
           all[i].place = {static_cast<double>(i), 0, 0}, all[i].radius = 0.4;
           all[i].pace = {i % 3 == 0 ? 0.5 : -0.1, 0, 0};
         }
         return all;
       }}};
  return table;
}

class Searches : public testing::TestWithParam<Scene> {};

constexpr double duration = 0.25;

TEST_P(Searches, find_every_contact_and_little_else) {
  for (const std::size_t n : {0, 1, 2, 3, 7, 8, 9, 63, 64, 65, 700}) {
    const auto spheres = GetParam().make(n);
    const BodyPairs expected = true_contacts(spheres, duration);
    auto larger = spheres;
    for (MovingSphere& s : larger) s.radius *= 1 + looked_beyond;
    const BodyPairs close = true_contacts(larger, duration);
    const Columns columns(spheres, duration);
    for (const ContactSearch how :
         {ContactSearch::direct, ContactSearch::grid, ContactSearch::tree}) {
      ContactFinder finder(how, 2);
      finder.look_at(columns.paths());
      const FoundPairs found = finder.candidates();
      EXPECT_TRUE(std::ranges::includes(found.touching, expected)) << name_of(how) << " " << n;
      EXPECT_LE(found.touching.size(), expected.size() + expected.size() / 100 + 2)
          << name_of(how) << " " << n << ": rounding takes few for touching";
      BodyPairs all;
      std::ranges::merge(found.touching, found.close, std::back_inserter(all));
      EXPECT_TRUE(std::ranges::includes(all, close)) << name_of(how) << " " << n;
      EXPECT_LE(all.size(), close.size() + 10) << name_of(how) << " " << n;
      EXPECT_TRUE(std::ranges::is_sorted(found.touching));
      EXPECT_TRUE(std::ranges::is_sorted(found.close));
      EXPECT_EQ(std::ranges::adjacent_find(all), all.end()) << "a pair is in one of the two";
    }
  }
}

// Who may be met by a body that strays: everybody whose path comes so near to its own.
TEST_P(Searches, find_all_that_a_strayed_body_may_meet) {
  const std::size_t n = 300;
  const auto spheres = GetParam().make(n);
  const Columns columns(spheres, duration);
  const std::vector<Stray> strayed{{3, 0.25}, {150, 0.21}, {299, 0.4}};
  BodyPairs expected;
  for (const auto& [body, distance] : strayed) {
    for (std::uint32_t j = 0; j < n; ++j) {
      if (j == body) continue;
      MovingSphere grown = spheres[body];
      grown.radius += distance;
      const auto time = time_of_contact(grown, spheres[j], 0, Overlap::always);
      if (time && *time <= duration) expected.push_back({std::min(body, j), std::max(body, j)});
    }
  }
  std::ranges::sort(expected);
  keep_each_once(expected);
  for (const ContactSearch how : {ContactSearch::direct, ContactSearch::tree}) {
    ContactFinder finder(how, 2);
    finder.look_at(columns.paths());
    EXPECT_TRUE(std::ranges::includes(finder.near(strayed), expected)) << name_of(how);
  }
}

TEST_P(Searches, do_not_depend_on_the_number_of_threads) {
  const auto spheres = GetParam().make(5000);
  const Columns columns(spheres, duration);
  ContactFinder one(ContactSearch::tree, 1), three(ContactSearch::tree, 3);
  one.look_at(columns.paths()), three.look_at(columns.paths());
  EXPECT_EQ(one.candidates(), three.candidates());
}

INSTANTIATE_TEST_SUITE_P(Scenes, Searches, testing::ValuesIn(scenes()),
                         [](const auto& tested) { return tested.param.name; });

TEST(Search, in_float_finds_what_double_finds) {
  const auto spheres = scattered(3000, 0.3, 0.2);
  const Columns columns(spheres, duration);
  std::vector<float> x(columns.x.begin(), columns.x.end()), y(columns.y.begin(), columns.y.end()),
      z(columns.z.begin(), columns.z.end()), vx(columns.vx.begin(), columns.vx.end()),
      vy(columns.vy.begin(), columns.vy.end()), vz(columns.vz.begin(), columns.vz.end());
  const Paths<float> paths{.count = x.size(),
                           .x = x.data(),
                           .y = y.data(),
                           .z = z.data(),
                           .vx = vx.data(),
                           .vy = vy.data(),
                           .vz = vz.data(),
                           .duration = duration,
                           .radius = columns.radius.data()};
  ContactFinder tree(ContactSearch::tree, 2), direct(ContactSearch::direct, 2);
  tree.look_at(paths), direct.look_at(paths);
  EXPECT_TRUE(std::ranges::includes(tree.candidates().touching, direct.candidates().touching));
}

TEST(Search, of_bodies_on_top_of_each_other_ends_with_the_remedy) {
  std::vector<MovingSphere> heap(100000, sphere(0, {1, 2, 3}, {}));
  const Columns columns(heap, duration);
  for (const ContactSearch how : {ContactSearch::grid, ContactSearch::tree}) {
    ContactFinder finder(how, 2);
    finder.look_at(columns.paths());
    EXPECT_THAT(error_text(ExitCode::bad_data, [&] { finder.candidates(); }),
                testing::AllOf(testing::HasSubstr("100000 bodies touch"),
                               testing::HasSubstr("smaller radii")));
  }
}

TEST(Search, takes_no_more_than_64_bytes_a_body) {
  const std::size_t n = 100000;
  const auto spheres = scattered(n, 0.1, 0.1);
  const Columns columns(spheres, duration);
  ContactFinder tree(ContactSearch::tree, 2);
  tree.look_at(columns.paths());
  EXPECT_LE(tree.bytes(), 64 * n);
}

TEST(BeyondWalls, are_bodies_whose_surface_is_outside) {
  const Columns columns({sphere(0, {0, 0, 0}, {}), sphere(1, {1.6, 0, 0}, {}),
                         sphere(2, {0, -1.4, 0}, {}), sphere(3, {0, 0, 0}, {0, 0, -8})},
                        duration);
  EXPECT_THAT(beyond_walls(columns.paths(), Box{-2, 2, -2, 2, -2, 2}), testing::ElementsAre(1, 3));
}

TEST(Search, of_bodies_beyond_all_numbers_ends) {
  for (const double size : {1e39, 1e308}) {
    std::vector<MovingSphere> spheres = test::gas(300, 0.01, 1, 5);
    for (MovingSphere& s : spheres) s.radius = size;
    const Columns columns(spheres, 0.1);
    ContactFinder finder(ContactSearch::tree, 2);
    finder.look_at(columns.paths());
    EXPECT_LE(finder.candidates().size(), 300U * 299 / 2) << size;
    EXPECT_LE(finder.near(std::vector<Stray>{{7, size}}).size(), 299U) << size;
  }
  std::vector<MovingSphere> spheres = test::gas(300, 0.01, 1, 5);
  spheres[3].place.x = std::numeric_limits<double>::infinity();
  spheres[4].place.x = -std::numeric_limits<double>::infinity();
  spheres[5].place.y = std::numeric_limits<double>::quiet_NaN();
  const Columns columns(spheres, 0.1);
  ContactFinder finder(ContactSearch::tree, 2);
  finder.look_at(columns.paths());
  EXPECT_LE(finder.candidates().size(), 300U * 299 / 2);
}

// So large that their reach passes every place, also that of lanes which no body fills.
TEST(Search, of_bodies_larger_than_everything_finds_each_pair_once) {
  std::vector<MovingSphere> spheres = test::gas(299, 0.01, 1, 5);
  for (MovingSphere& s : spheres) s.radius = 1e19;
  const Columns columns(spheres, 0.1);
  ContactFinder finder(ContactSearch::tree, 2);
  finder.look_at(columns.paths());
  EXPECT_EQ(finder.candidates().touching.size(), 299U * 298 / 2);
  EXPECT_EQ(finder.near(std::vector<Stray>{{7, 1e19}}).size(), 298U);
}

}  // namespace
}  // namespace apsis
