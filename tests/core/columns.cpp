// SPDX-License-Identifier: MIT
// Whatever handles bodies carries every column of the table, also those that come later.
#include <apsis/core/columns.hpp>

#include <gtest/gtest.h>
#include <support/columns.hpp>

#include <set>
#include <string>
#include <vector>

namespace apsis {
namespace {

using test::bodies_with_everything;
using test::Marks;
using test::marks_of;

// What the bodies of these numbers have, component by component.
Marks expected(const Marks& all, const std::vector<std::size_t>& numbers) {
  Marks out;
  for (const auto& [name, values] : all) {
    out[name] = {};
    for (const std::size_t i : numbers) out[name].push_back(values[i]);
  }
  return out;
}

TEST(Columns, the_table_lists_all_that_bodies_hold) {
  std::size_t bytes = 0;
  std::set<std::string> names;
  for_each_column(Bodies{}, [&](const auto& column, const auto& values) {
    bytes += sizeof values;
    for (const char* name : column.components) EXPECT_TRUE(names.insert(name).second) << name;
  });
  EXPECT_EQ(bytes, sizeof(Bodies)) << "a member of Bodies without a row in columns.hpp";
}

TEST(Columns, marks_of_all_components_differ) {
  const Marks marks = marks_of(bodies_with_everything(5));
  std::size_t components = 0;
  for_each_column(Bodies{}, [&](const auto& column, const auto& /*values*/) {
    components += column.components.size();
  });
  EXPECT_EQ(marks.size(), components);
  for (const auto& [name, values] : marks) {
    ASSERT_EQ(values.size(), 5U) << name;
    EXPECT_GT(std::set<double>(values.begin(), values.end()).size(), 1U) << name;
  }
  EXPECT_NE(marks.at("x"), marks.at("y"));
}

TEST(Columns, resizing_keeps_the_bodies_that_stay) {
  const Bodies all = bodies_with_everything(7);
  for (const std::size_t n : {0U, 1U, 6U, 7U, 8U, 100U}) {
    Bodies bodies = all;
    bodies.resize(n);
    bodies.resize(std::min<std::size_t>(n, 7));
    EXPECT_EQ(marks_of(bodies), expected(marks_of(all), test::numbers_below(std::min(n, 7UL))))
        << n;
  }
}

TEST(Columns, new_bodies_are_at_rest_without_mass_and_of_the_usual_type) {
  Bodies bodies = bodies_with_everything(2);
  bodies.resize(3);
  EXPECT_EQ(bodies.position(2), Vec3{});
  EXPECT_EQ(bodies.velocity(2), Vec3{});
  EXPECT_EQ(bodies.mass[2], 0);
  EXPECT_EQ(bodies.charge[2], 0);
  EXPECT_EQ(bodies.type[2], usual_type);
}

TEST(Columns, appending_carries_all_of_both) {
  const Bodies all = bodies_with_everything(9);
  Bodies joined = part_of(all, 0, 4);
  joined.append(part_of(all, 4, 5));
  EXPECT_EQ(joined, all);
  Bodies none;
  none.append(all);
  EXPECT_EQ(none, all);
}

TEST(Columns, appending_to_bodies_without_an_optional_column_gives_them_what_its_absence_means) {
  Bodies plain(2);
  const Bodies all = bodies_with_everything(3);
  plain.append(all);
  EXPECT_EQ(plain.charge, (std::vector<double>{0, 0, all.charge[0], all.charge[1], all.charge[2]}));
  EXPECT_EQ(plain.type, (std::vector<std::uint8_t>{1, 1, all.type[0], all.type[1], all.type[2]}));
  Bodies typed = all;
  typed.append(Bodies(1));
  EXPECT_EQ(typed.type.back(), usual_type);
  EXPECT_EQ(typed.charge.back(), 0);
}

TEST(Columns, removing_bodies_keeps_the_others_whole_and_in_order) {
  const Bodies all = bodies_with_everything(8);
  Bodies bodies = all;
  const std::vector<std::size_t> gone{6, 0, 3, 6};
  bodies.remove(gone);
  EXPECT_EQ(marks_of(bodies), expected(marks_of(all), {1, 2, 4, 5, 7}));
  bodies.remove(test::numbers_below(5));
  EXPECT_TRUE(bodies.empty());
  EXPECT_TRUE(bodies.id.empty());
  Bodies plain(3);
  plain.remove(std::vector<std::size_t>{1});
  EXPECT_FALSE(plain.charged());
  EXPECT_TRUE(plain.type.empty());
  EXPECT_EQ(plain.id, (std::vector<std::uint64_t>{0, 2}));
}

TEST(Columns, picking_and_cutting_carry_every_column) {
  const Bodies all = bodies_with_everything(6);
  const std::vector<std::uint32_t> numbers{5, 0, 0, 3};
  EXPECT_EQ(marks_of(picked(all, numbers)), expected(marks_of(all), {5, 0, 0, 3}));
  EXPECT_EQ(marks_of(part_of(all, 2, 3)), expected(marks_of(all), {2, 3, 4}));
  EXPECT_TRUE(picked(Bodies(6), numbers).type.empty());
}

TEST(Columns, constants_are_what_engines_keep_of_bodies) {
  const Bodies all = bodies_with_everything(4);
  Bodies constants;
  copy_constants(all, constants);
  EXPECT_TRUE(constants.empty());  // no state
  Bodies other = bodies_with_everything(4);
  other.set_position(0, {9, 9, 9});
  other.mass = {}, other.charge = {}, other.id = {}, other.type = {};
  copy_constants(constants, other);
  other.set_position(0, all.position(0));
  EXPECT_EQ(other, all);
}

TEST(Vectors, components_lie_one_behind_the_other) {
  Vectors vectors(3);
  vectors.set(1, {1, 2, 3});
  EXPECT_EQ(vectors.values().size(), 9U);
  EXPECT_EQ(&vectors.y()[0], &vectors.x()[0] + 3);
  EXPECT_EQ(&vectors.z()[0], &vectors.x()[0] + 6);
  EXPECT_EQ(vectors.at(1), (Vec3{1, 2, 3}));
  vectors.resize(2);
  EXPECT_EQ(vectors.at(1), (Vec3{1, 2, 3}));
  vectors.resize(5);
  EXPECT_EQ(vectors.at(1), (Vec3{1, 2, 3}));
  EXPECT_EQ(vectors.at(4), Vec3{});
}

}  // namespace
}  // namespace apsis
