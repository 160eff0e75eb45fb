// SPDX-License-Identifier: MIT
#include "files/expect_error.hpp"
#include "io/samples.hpp"
#include <apsis/io/snapshot_formats.hpp>

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace apsis {
namespace {

Snapshot parse(const std::string& text) { return parse_csv(text, "t.csv"); }

void refuses(const std::string& text, const std::string& reason) {
  expect_error(ExitCode::bad_data, reason, [&] { parse(text); });
}

TEST(Csv, columns_may_come_in_any_order) {
  const auto s = parse("z,x,y,id,q,m\n3,1,2,18446744073709551615,-1,0.5\n");
  ASSERT_EQ(s.bodies.size(), 1U);
  EXPECT_EQ(s.bodies.position(0), (Vec3{1, 2, 3}));
  EXPECT_EQ(s.bodies.id[0], 18446744073709551615U);
  EXPECT_EQ(s.bodies.charge[0], -1);
  EXPECT_EQ(s.bodies.mass[0], 0.5);
  EXPECT_EQ(s.bodies.velocity(0), (Vec3{}));
}

TEST(Csv, seven_columns_without_header_are_mass_place_velocity) {
  const auto s = parse("# from another program\n 1.5  1 2 3\t4 5 6\n2e0 +1 2 3 4 5 6\r\n\n");
  ASSERT_EQ(s.bodies.size(), 2U);
  EXPECT_EQ(s.bodies.mass[0], 1.5);
  EXPECT_EQ(s.bodies.position(1), (Vec3{1, 2, 3}));
  EXPECT_EQ(s.bodies.velocity(1), (Vec3{4, 5, 6}));
  EXPECT_EQ(s.bodies.id[1], 1U);
}

TEST(Csv, three_columns_are_places_of_bodies_of_mass_one_at_rest) {
  const auto s = parse("1 2 3\n4 5 6\n");
  ASSERT_EQ(s.bodies.size(), 2U);
  EXPECT_EQ(s.bodies.position(1), (Vec3{4, 5, 6}));
  EXPECT_EQ(s.bodies.mass[1], 1);
  EXPECT_EQ(s.bodies.velocity(1), (Vec3{}));
  EXPECT_EQ(parse("1,2,3\n").bodies.position(0), (Vec3{1, 2, 3}));
}

TEST(Csv, names_of_units_bring_their_constants) {
  const auto s = parse("# units = si\n# time = 2.5\nx,y,z\n1,2,3\n");
  EXPECT_EQ(s.units, units_named("si"));
  EXPECT_EQ(s.law.constant, units_named("si").gravity);
  EXPECT_EQ(s.time, 2.5);
  EXPECT_EQ(parse("# units = si\n# law = coulomb\nx,y,z\n").law.constant,
            units_named("si").coulomb);
}

TEST(Csv, sizes_of_units_without_a_name_are_custom_units) {
  const auto s = parse("# length_in_cm = 2\n# mass_in_g = 3\nx,y,z\n1,2,3\n");
  EXPECT_EQ(s.units.name, "custom");
  EXPECT_EQ(s.units.length_in_cm, 2);
  EXPECT_EQ(s.units.mass_in_g, 3);
  EXPECT_FALSE(s.units_assumed);
  const auto none = parse("x,y,z\n1,2,3\n");
  EXPECT_EQ(none.units, Units{});
  EXPECT_TRUE(none.units_assumed);
}

TEST(Csv, each_size_of_a_unit_is_read_and_makes_the_units_custom) {
  const std::pair<const char*, double Units::*> sizes[] = {
      {"length_in_cm", &Units::length_in_cm},
      {"mass_in_g", &Units::mass_in_g},
      {"velocity_in_cm_per_s", &Units::velocity_in_cm_per_s},
      {"gravity", &Units::gravity},
      {"coulomb", &Units::coulomb}};
  for (const auto& [name, size] : sizes) {
    const auto s = parse(std::string("# ") + name + " = 3\nx,y,z\n1,2,3\n");
    EXPECT_EQ(s.units.*size, 3) << name;
    EXPECT_EQ(s.units.name, "custom") << name;
    EXPECT_FALSE(s.units_assumed) << name;
  }
}

TEST(Csv, columns_may_have_the_names_that_other_programs_give_them) {
  const auto s = parse("charge,x,y,z,mass\n-1,1,2,3,0.5\n");
  ASSERT_EQ(s.bodies.size(), 1U);
  EXPECT_EQ(s.bodies.charge, std::vector<double>{-1});
  EXPECT_EQ(s.bodies.mass, std::vector<double>{0.5});
}

TEST(Csv, blanks_around_values_names_and_keys_do_not_count) {
  const auto s = parse(" # time = 2.5 \t\n#softening=0.5\n x , y ,\tz \n 1 , 2 , 3 \n");
  EXPECT_EQ(s.time, 2.5);
  EXPECT_EQ(s.law.softening, 0.5);
  ASSERT_EQ(s.bodies.size(), 1U);
  EXPECT_EQ(s.bodies.position(0), (Vec3{1, 2, 3}));
}

TEST(Csv, a_byte_order_mark_is_no_part_of_the_first_name) {
  EXPECT_EQ(parse("\xef\xbb\xbfx,y,z\n1,2,3\n").bodies.position(0), (Vec3{1, 2, 3}));
}

TEST(Csv, a_last_line_without_its_end_is_whole_where_nothing_counts_the_bodies) {
  EXPECT_EQ(parse("x,y,z\n1,2,3").bodies.size(), 1U);
  refuses("# bodies = 1\nx,y,z\n1,2,3", "holds only a part of 1 body where its line 1 says 1");
  refuses("# bodies = 2\nx,y,z\n1,2,3\n", "t.csv holds 1 body where its line 1 says 2");
}

TEST(Csv, a_backslash_at_the_end_of_a_value_is_one) {
  using Entry = std::pair<std::string, std::string>;
  EXPECT_EQ(parse("# provenance.a = b\\\nx,y,z\n").provenance, (std::vector<Entry>{{"a", "b\\"}}));
}

TEST(Csv, a_range_counts_only_where_the_radial_law_has_one) {
  EXPECT_EQ(parse("# range = 3\nx,y,z\n").law, PairLaw{});
  EXPECT_EQ(parse("# radial = yukawa\n# range = 3\nx,y,z\n").law.radial.range, 3);
}

TEST(Csv, no_bodies_still_have_their_columns) {
  EXPECT_NE(format_csv(Snapshot{}).find("id,m,x,y,z,vx,vy,vz\n"), std::string::npos);
}

TEST(Csv, errors_name_line_and_column) {
  refuses("x,y,z\n1,2,3\n1,abc,3\n", "t.csv:3:3: 'abc' is not a number");
  refuses("x,y,z\n1,2\n", "t.csv:2:1: 2 values where there are 3 columns");
  refuses("x,y,z\n1,,3\n", "t.csv:2:3: nothing where a number belongs");
  refuses("x,y,z\n1,2,nan\n", "t.csv:2:5: 'nan' is not a finite number");
  refuses("x,y,z\n1,2,1e999\n", "t.csv:2:5: '1e999' is out of range");
  refuses("id,x,y,z\n-1,1,2,3\n", "t.csv:2:1: '-1' is not a whole number");
  refuses("# time = soon\nx,y,z\n", "t.csv:1:10: 'soon' is not a number");
  refuses("# units = sii\nx,y,z\n", "t.csv:1:11: unknown unit system 'sii' (did you mean 'si'?)");
  refuses("# law = gravitie\nx,y,z\n", "did you mean 'gravity'");
  refuses("# law = gravitie\nx,y,z\n", "t.csv:1:9: ");
  refuses("# time = inf\nx,y,z\n", "t.csv:1:10: time = inf is not finite");
  refuses("# time =\nx,y,z\n", "t.csv:1:9: nothing where a number belongs");
  refuses("x,y,z,type\n1,2,3,16\n", "types are 0 to 15");
}

TEST(Csv, headers_are_checked) {
  refuses("x,y,z,vz,vz\n", "t.csv:1:10: column 'vz' appears twice");
  refuses("x,y,z,potentiel\n", "unknown column 'potentiel' (did you mean 'potential'?)");
  refuses("x,y,m\n", "column 'z' is missing");
  refuses("x,,y,z\n", "t.csv:1:3: unknown column ''");
  refuses("x,y,z,ay,az\n", "ax, ay and az");
  refuses("x,y,z,ax\n", "ax, ay and az");
  refuses("1 2 3 4\n", "4 columns without a header");
  refuses(std::string("\x01\x02\xff\x00", 4), "1 column without a header");
}

TEST(Csv, a_file_cut_at_any_byte_is_found) {
  const std::string text = format_csv(sample_snapshot(20));
  const auto table = text.find("id,m,x");
  for (std::size_t length = table; length < text.size(); ++length) {
    EXPECT_THROW(parse(text.substr(0, length)), Error) << length;
  }
}

TEST(Csv, a_claim_of_2_to_the_60_bodies_is_refused) {
  refuses("# bodies = 1152921504606846976\nx,y,z\n1,2,3\n", "says 1152921504606846976");
}

TEST(Csv, more_rows_than_fit_are_refused_before_they_are_read) {
  const std::string text = format_csv(sample_snapshot(1000));
  expect_error(ExitCode::bad_data, "at most 62 bodies",
               [&] { parse_csv(text, "t.csv", {.memory = 10000}); });
}

TEST(Csv, long_garbage_is_shown_in_part) {
  refuses("x,y,z\n" + std::string(100000, 'a') + ",2,3\n", "aaaa...' is not a number");
}

TEST(Csv, forty_letters_are_shown_whole_and_more_are_not) {
  refuses("x,y,z\n" + std::string(40, 'a') + ",2,3\n", "'" + std::string(40, 'a') + "' is not");
  refuses("x,y,z\n" + std::string(41, 'a') + ",2,3\n", "'" + std::string(40, 'a') + "...' is not");
}

TEST(Csv, letters_that_cannot_be_seen_are_shown_by_their_code) {
  refuses("x,y,z\n1,a b~,3\n", "'a b~' is not a number");
  refuses("x,y,z\n1,a\x1f\x7f,3\n", "'a\\x1f\\x7f' is not a number");
}

TEST(Csv, names_of_provenance_cannot_become_keys) {
  Snapshot snapshot = sample_snapshot(3);
  snapshot.law.softening = 0.05;
  snapshot.provenance = {{"a\n# softening", "77"},
                         {"b = c", "d = e"},
                         {"back\\slash\\n", "\\n"},
                         {"two\r\nlines", "a\r\nb"}};
  const Snapshot back = parse_csv(format_csv(snapshot), "s.csv");
  EXPECT_EQ(back.law.softening, 0.05);
  EXPECT_EQ(back.provenance, snapshot.provenance);
}

}  // namespace
}  // namespace apsis
