// SPDX-License-Identifier: MIT
// The hand-out of the lesson far-field: what its files hold, and that there are all or none.
#include "files/expect_error.hpp"
#include "files/scratch_folder.hpp"
#include <apsis/core/error.hpp>
#include <apsis/files/file.hpp>
#include <apsis/io/comparison.hpp>
#include <apsis/io/snapshot_formats.hpp>
#include <apsis/lab/hand_out.hpp>
#include <apsis/solvers/bins/bins_grid.hpp>
#include <apsis/solvers/reference.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

namespace apsis::lab {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const std::vector<HandOutFile>& small() {
  static const std::vector<HandOutFile> files =
      far_field_hand_out({.bodies = {300, 65, 300}, .seed = 7}, {});
  return files;
}

const std::string& text_of(const std::string& name) {
  const auto found = std::ranges::find(small(), name, &HandOutFile::name);
  EXPECT_NE(found, small().end()) << name;
  return found->text;
}

Snapshot table(const std::string& name) {
  return parse_csv(text_of(name), name, {.memory = 0, .places_may_miss = true});
}

TEST(HandOut, has_the_files_that_it_says_and_each_size_once) {
  std::vector<std::string> names;
  for (const HandOutFile& file : small()) names.push_back(file.name);
  EXPECT_THAT(names, ElementsAre("points-65.csv", "direct-65.csv", "bins-65.csv", "points-300.csv",
                                 "direct-300.csv", "bins-300.csv", "README.md", "check.sh"));
  EXPECT_EQ(names, hand_out_names({.bodies = {300, 65}}));
  EXPECT_THAT(hand_out_names({}), testing::Contains("points-320000.csv"));
}

TEST(HandOut, of_points_is_a_table_of_places_that_floats_have_inside_the_box) {
  EXPECT_EQ(text_of("points-65.csv").substr(0, 11), "id,x,y,z,m\n");
  EXPECT_THAT(text_of("points-65.csv"), Not(HasSubstr("#")));
  const Snapshot points = table("points-65.csv");
  ASSERT_EQ(points.bodies.size(), 65U);
  for (const double value : points.bodies.positions.values()) {
    EXPECT_EQ(value, static_cast<double>(static_cast<float>(value)));
    EXPECT_GE(value, 0);
    EXPECT_LT(value, 1000);
  }
  for (const double mass : points.bodies.mass) EXPECT_EQ(mass, 1);
}

TEST(HandOut, of_forces_is_what_the_reference_computes_of_the_points) {
  const Bodies bodies = table("points-300.csv").bodies;
  const std::size_t n = bodies.size();
  std::vector<double> x(n), y(n), z(n);
  ReferenceSolver(1.0).add_self_field(
      {n, bodies.x().data(), bodies.y().data(), bodies.z().data(), bodies.mass.data()},
      {x.data(), y.data(), z.data(), nullptr});
  const Snapshot given = table("direct-300.csv");
  Snapshot expected = given;
  for (std::size_t i = 0; i < n; ++i) expected.accelerations.set(i, {x[i], y[i], z[i]});
  // two orders of a sum of 300 doubles, of which pulls cancel
  EXPECT_LE(compare(expected, given).differences.front().max, 1e-12);
  EXPECT_EQ(compare(expected, given).bodies, n);
}

TEST(HandOut, by_bins_is_the_approximation_of_the_task_and_not_the_forces_themselves) {
  const Bodies bodies = table("points-300.csv").bodies;
  const std::size_t n = bodies.size();
  const BinsGrid<double> grid(10, {0, 0, 0}, {1000, 1000, 1000});
  std::vector<Vec3> centre(grid.count());
  std::vector<double> mass(grid.count());
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 p = bodies.position(i);
    centre[grid.bin_of(p.x, p.y, p.z)] += p, mass[grid.bin_of(p.x, p.y, p.z)] += 1;
  }
  const Snapshot given = table("bins-300.csv");
  Snapshot plain = given;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 p = bodies.position(i);
    Vec3 sum;
    const auto pull = [&](Vec3 from, double strength) {
      const Vec3 d = from - p;
      const double r2 = dot(d, d) + 1;
      sum += (strength / (r2 * std::sqrt(r2))) * d;
    };
    const auto near_along = [&](int axis, double a, double b) {
      return std::abs(grid.along(axis, a) - grid.along(axis, b)) <= 1;
    };
    const auto near = [&](Vec3 q) {
      return near_along(0, p.x, q.x) && near_along(1, p.y, q.y) && near_along(2, p.z, q.z);
    };
    for (std::size_t j = 0; j < n; ++j) {
      if (near(bodies.position(j))) pull(bodies.position(j), 1);
    }
    for (std::size_t b = 0; b < grid.count(); ++b) {
      const Vec3 c = mass[b] > 0 ? centre[b] / mass[b] : Vec3{};
      if (mass[b] > 0 && !near(c)) pull(c, mass[b]);
    }
    plain.accelerations.set(i, sum);
  }
  EXPECT_LE(compare(plain, given).differences.front().max, 1e-12);
  EXPECT_GT(compare(table("direct-300.csv"), given).differences.front().max, 1e-4);
}

TEST(HandOut, follows_the_seed) {
  const auto points = [](std::uint64_t seed) {
    return far_field_hand_out({.bodies = {20}, .seed = seed}, {}).front().text;
  };
  EXPECT_EQ(points(3), points(3));
  EXPECT_NE(points(3), points(4));
}

TEST(HandOut, of_one_point_is_one_that_nothing_pulls) {
  const auto files = far_field_hand_out({.bodies = {1}}, {});
  EXPECT_THAT(files[1].text, HasSubstr("\n0,0,0,0\n"));
  EXPECT_THAT(files[2].text, HasSubstr("\n0,0,0,0\n"));
}

TEST(HandOut, says_the_task_in_words_with_its_numbers) {
  const std::string& readme = text_of("README.md");
  for (const char* words :
       {"65 or 300 points", "softening ε = 1", "G = 1", "10³ cubes", "`id,ax,ay,az`",
        "--export DIR --bodies 65,300 --seed 7", "sh check.sh direct mine.csv 65",
        "--tolerance 0.001 --at 99.9", "--tolerance 0.05"}) {
    EXPECT_THAT(readme, HasSubstr(words));
  }
  for (const char* brace : {"{", "}"}) EXPECT_THAT(readme, Not(HasSubstr(brace)));
  EXPECT_THAT(text_of("check.sh"), HasSubstr("case $points in 65|300)"));
}

TEST(HandOut, is_not_written_over_what_is_there) {
  const ScratchFolder folder;
  const auto names = hand_out_names({.bodies = {65}});
  EXPECT_NO_THROW(require_free_folder(folder.path(), names));
  EXPECT_NO_THROW(require_free_folder(folder / "new", names));
  write_text(folder / "check.sh", "mine");
  expect_error(ExitCode::file_error, "check.sh exists",
               [&] { require_free_folder(folder.path(), names); });
  expect_error(ExitCode::file_error, "check.sh is no folder",
               [&] { require_free_folder(folder / "check.sh", names); });
  std::filesystem::create_symlink("nowhere", folder / "README.md");
  expect_error(ExitCode::file_error, "README.md exists",
               [&] { require_free_folder(folder.path(), {"README.md"}); });
}

TEST(HandOut, is_written_whole_or_not_at_all) {
  const ScratchFolder folder;
  const std::vector<HandOutFile> files{{"a.csv", "1"}, {"b.csv", "2"}, {"c.csv", "3"}};
  write_hand_out(folder / "good", files);
  for (const HandOutFile& file : files) {
    EXPECT_EQ(read_text(folder / "good" / file.name), file.text);
  }
  std::filesystem::create_directories(folder / "bad/c.csv/full");
  expect_error(ExitCode::file_error, "c.csv", [&] { write_hand_out(folder / "bad", files); });
  EXPECT_FALSE(std::filesystem::exists(folder / "bad/a.csv"));
  EXPECT_FALSE(std::filesystem::exists(folder / "bad/b.csv"));
}

}  // namespace
}  // namespace apsis::lab
