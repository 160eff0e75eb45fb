// SPDX-License-Identifier: MIT
// XYZ, plain and extended, with one frame and with several.
#include "files/expect_error.hpp"
#include "files/scratch_folder.hpp"
#include "io/samples.hpp"
#include <apsis/io/frames.hpp>
#include <apsis/io/snapshot_formats.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <support/bodies.hpp>
#include <support/radial_laws.hpp>

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

namespace apsis {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

void expect_refused(const std::string& text, const std::string& word) {
  expect_error(ExitCode::bad_data, word, [&] { parse_xyz(text, "m.xyz"); });
}

bool looks_like_xyz(std::string_view text) {
  const auto bytes = bytes_of(text);
  return xyz_format().looks_like(bytes.first(std::min<std::size_t>(32, bytes.size())),
                                 bytes.size());
}

TEST(Xyz, plain_files_have_species_and_places_and_perhaps_velocities) {
  const Snapshot s = parse_xyz("2\nwater, or so\nO 1 2 3\nH  4\t5 6e0\r\n", "m.xyz");
  EXPECT_EQ(s.bodies.position(1), (Vec3{4, 5, 6}));
  EXPECT_EQ(s.bodies.mass, (std::vector<double>{1, 1}));
  EXPECT_THAT(s.bodies.id, ElementsAre(0, 1));
  EXPECT_THAT(s.not_given, ElementsAre("velocity", "mass", "id"));
  EXPECT_TRUE(s.bodies.type.empty()) << "elements are no types";
  EXPECT_TRUE(s.units_assumed);
  EXPECT_EQ(s.units, Units{});
  EXPECT_EQ(s.law.constant, 1);
  const Snapshot moving = parse_xyz("1\n\nstar 1 2 3 4 5 6", "m.xyz");
  EXPECT_EQ(moving.bodies.velocity(0), (Vec3{4, 5, 6}));
  EXPECT_THAT(moving.bodies.type, ElementsAre(4));
  EXPECT_EQ(parse_xyz("1\nTime=2.5\n1 2 3\n", "m.xyz").time, 2.5);
  EXPECT_EQ(parse_xyz("1\nTime=soon\n1 2 3\n", "m.xyz").time, 0);
}

TEST(Xyz, species_are_types_by_name_or_number_and_elements_are_counted) {
  const Snapshot s = parse_xyz(
      "8\n\ngas 0 0 0\ndark 1 0 0\nhole 2 0 0\ntype9 3 0 0\n15 4 0 0\nC 5 0 0\n16 6 0 0\nC 7 0 0\n",
      "m.xyz");
  EXPECT_THAT(s.bodies.type, ElementsAre(0, 1, 5, 9, 15, 1, 1, 1));
  ASSERT_EQ(s.provenance.size(), 1U);
  EXPECT_EQ(s.provenance[0].second, "16 (1), C (2)");
}

TEST(Xyz, extended_files_name_their_columns_and_others_are_passed_over) {
  const Snapshot s = parse_xyz(
      "2\n"
      "Lattice=\"10 0 0 0 10 0 0 0 10\" "
      "Properties=species:S:1:pos:R:3:forces:R:3:Vel:R:3:masses:R:1:"
      "id:I:1:fixed:L:1:radius:R:1:charge:R:1 energy=-3.5 Time=12.5 pbc=\"T T T\" note='a \\' b'\n"
      "A 1 2 3 9 9 9 4 5 6 0.5 77 T 0.1 -1\n"
      "B 7 8 9 9 9 9 1 1 1 2.5 12 F 0.2 1\n",
      "m.xyz");
  EXPECT_EQ(s.time, 12.5);
  EXPECT_EQ(s.bodies.position(1), (Vec3{7, 8, 9}));
  EXPECT_EQ(s.bodies.velocity(0), (Vec3{4, 5, 6}));
  EXPECT_THAT(s.bodies.mass, ElementsAre(0.5, 2.5));
  EXPECT_THAT(s.bodies.id, ElementsAre(77, 12));
  EXPECT_THAT(s.bodies.radius, ElementsAre(0.1, 0.2));
  EXPECT_THAT(s.bodies.charge, ElementsAre(-1, 1));
  EXPECT_TRUE(s.not_given.empty());
}

Snapshot read_back(const Snapshot& snapshot) {
  return parse_snapshot(bytes_of(format_xyz(snapshot)), xyz_format(), "m.xyz");
}

TEST(Xyz, every_bit_of_a_snapshot_comes_back_with_units_and_law) {
  for (const std::size_t n : {0, 1, 2, 3, 1000}) {
    Snapshot snapshot = sample_snapshot(n, n % 2 == 1);
    if (n == 1000) add_fields(snapshot);
    snapshot.units = {.name = "my \"own\" units\\", .length_in_cm = 0.1, .gravity = 7};
    const Snapshot back = read_back(snapshot);
    EXPECT_EQ(back.bodies, snapshot.bodies) << n;
    EXPECT_EQ(back.time, snapshot.time);
    EXPECT_EQ(back.units, snapshot.units);
    EXPECT_EQ(back.law, snapshot.law);
    EXPECT_FALSE(back.units_assumed);
    EXPECT_EQ(back.potential, snapshot.potential);
    EXPECT_EQ(back.accelerations, snapshot.accelerations);
  }
  Snapshot snapshot = sample_snapshot(4);
  test::assign(snapshot.bodies.x(), {5e-324, -1.7976931348623157e308, 0.1, -0.0});
  for (const RadialLaw& law : test::radial_laws()) {
    snapshot.law.radial = law;
    const Snapshot back = read_back(snapshot);
    EXPECT_EQ(back.law, snapshot.law);
    EXPECT_EQ(back.bodies.positions, snapshot.bodies.positions);
    EXPECT_TRUE(std::signbit(back.bodies.x()[3]));
  }
}

TEST(Xyz, frames_are_counted_and_chosen) {
  std::string text;
  for (int k = 1; k <= 3; ++k) {
    text += std::to_string(k) + "\nTime=" + std::to_string(k) + "\n";
    for (int i = 0; i < k; ++i) text += "X 1 2 " + std::to_string(k) + "\n";
  }
  text += "\n \n";
  const Snapshot last = parse_snapshot(bytes_of(text), xyz_format(), "m.xyz");
  EXPECT_EQ(last.bodies.size(), 3U);
  EXPECT_EQ(last.frames, 3U);
  ASSERT_EQ(last.warnings.size(), 1U);
  EXPECT_EQ(last.warnings[0].code, WarningCode::several_snapshots);
  const Snapshot second = parse_snapshot(bytes_of(text), xyz_format(), "m.xyz", {.frame = 2});
  EXPECT_EQ(second.time, 2);
  EXPECT_EQ(second.bodies.position(1).z, 2);
  EXPECT_TRUE(second.warnings.empty());
  expect_error(ExitCode::bad_data, "holds 3 snapshots, and number 4",
               [&] { parse_xyz(text, "m.xyz", {.frame = 4}); });
  expect_error(ExitCode::bad_data, "m.xyz:9:3: 'z' is not a number",
               [&] { parse_xyz("2\n\nX 1 2 3\nX 1 2 3\n\n2\n\nX 1 2 3\nX z 1 1\n", "m.xyz"); });
}

TEST(Xyz, a_cut_file_is_refused_but_its_whole_frames_can_be_taken) {
  const std::string text = "1\n\nX 1 2 3\n2\n\nX 1 2 3\n";
  expect_refused(text, "m.xyz:4:1: there are fewer rows");
  expect_refused(text, "or take one of the whole ones before it, 1 to 1");
  EXPECT_EQ(parse_xyz(text, "m.xyz", {.frame = 1}).bodies.size(), 1U);
  expect_error(ExitCode::bad_data, "fewer rows", [&] { parse_xyz(text, "m.xyz", {.frame = 2}); });
  const std::string whole = format_xyz(sample_snapshot(3));
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_THROW(parse_xyz(whole.substr(0, length), "m.xyz"), Error) << length;
  }
}

TEST(Xyz, bad_lines_are_refused_with_line_and_column) {
  expect_refused("", "is empty");
  expect_refused("two\n\nX 1 2 3\n", "m.xyz:1:1: 'two' is not a whole number");
  expect_refused("-1\n\n", "m.xyz:1:1: '-1' is not a whole number");
  expect_refused("1", "fewer rows");
  expect_refused("1152921504606846976\n\nX 1 2 3\n", "fewer rows");
  expect_refused("1\n\nX 1 2\n", "m.xyz:3:1: 'X' is not a number");
  expect_refused("1\n\nX 1 2 3 4\n", "m.xyz:3:1: 5 columns");
  expect_refused("2\n\nX 1 2 3\nX 1 2 3 4 5 6\n", "m.xyz:4:1: 7 values where there are 4 columns");
  expect_refused("1\n\nX 1 nan 3\n", "m.xyz:3:5: 'nan' is not a finite number");
  expect_refused("1\n\nX 1 1e999 3\n", "m.xyz:3:5: '1e999' is out of range");
  const auto with = [](const std::string& properties) {
    return "1\nProperties=" + properties + "\n1 2 3\n";
  };
  expect_refused(with("pos:R"), "m.xyz:2:12: 'pos' in Properties");
  expect_refused(with("pos:Q:3"), "'pos' in Properties");
  expect_refused(with("pos:R:2"), "property pos:R:2 is not pos:R:3");
  expect_refused(with("pos:S:3"), "property pos:S:3 is not pos:R:3");
  expect_refused(with("id:R:1:pos:R:3"), "property id:R:1 is not id:I:1");
  expect_refused(with("pos:R:99999999999"), "is no number of columns");
  expect_refused(with("pos:R:0"), "'0' is no number of columns");
  expect_refused(with("pos:R:3:velo:R:3:vel:R:3"), "properties velo and vel are the same");
  expect_refused(with("mass:R:1"), "Properties has no pos:R:3");
  expect_refused(with("pos:R:3 Time=soon"), "m.xyz:2:25: 'soon' is not a number");
  expect_refused(with("pos:R:3 units=parsecs"), "parsecs");
}

TEST(Xyz, is_known_by_a_number_in_a_line_of_its_own) {
  EXPECT_TRUE(looks_like_xyz("12\nany words\nX 1 2 3\n"));
  EXPECT_TRUE(looks_like_xyz(" 0 \r\n\n"));
  EXPECT_FALSE(looks_like_xyz("1,2,3\n4,5,6\n"));
  EXPECT_FALSE(looks_like_xyz("1 2 3\n4 5 6\n"));
  EXPECT_FALSE(looks_like_xyz("x,y,z\n4,5,6\n"));
  EXPECT_FALSE(looks_like_xyz("123"));
  EXPECT_FALSE(looks_like_xyz(std::string_view("1\n\0\0", 4)));
  EXPECT_EQ(xyz_format().flavour(bytes_of(format_xyz(sample_snapshot(1)))), "extended XYZ");
  EXPECT_EQ(xyz_format().flavour(bytes_of("1\n\nX 1 2 3\n")), "XYZ");
}

TEST(Xyz, says_what_it_loses) {
  Snapshot s = sample_snapshot(2);
  EXPECT_THAT(xyz_format().losses(s), ElementsAre("XYZ has no provenance"));
  s.provenance.clear();
  EXPECT_TRUE(xyz_format().losses(s).empty());
}

TEST(FramesOfFiles, a_folder_and_a_movie_have_the_same_states) {
  const ScratchFolder folder;
  for (int k = 0; k < 3; ++k) {
    Snapshot s = sample_snapshot(static_cast<std::size_t>(k) + 1);
    s.time = k;
    write_snapshot(folder / ("snapshot_000" + std::to_string(k) + ".csv"), s);
  }
  const Frames run(folder.path());
  EXPECT_EQ(run.count(), 3U);
  EXPECT_EQ(run.chosen().time, 2);
  write_frames(folder / "movie.xyz", run);
  const Frames movie(folder / "movie.xyz");
  ASSERT_EQ(movie.count(), 3U);
  EXPECT_EQ(movie.chosen().time, 2);
  for (std::uint64_t k = 0; k < 3; ++k) EXPECT_EQ(movie.at(k).bodies, run.at(k).bodies);
  EXPECT_EQ(Frames(folder.path(), 2).chosen().time, 1);
  EXPECT_EQ(Frames(folder / "movie.xyz", 2).chosen().time, 1);
  expect_error(ExitCode::bad_data, "holds 3 snapshots, and number 4",
               [&] { const Frames none(folder.path(), 4); });
  const ScratchFolder empty;
  expect_error(ExitCode::bad_data, "holds no snapshots", [&] { const Frames none(empty.path()); });
}

}  // namespace
}  // namespace apsis
