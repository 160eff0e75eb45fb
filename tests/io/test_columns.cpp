// SPDX-License-Identifier: MIT
// What formats make of the columns of bodies, and of types in particular.
#include "files/expect_error.hpp"
#include "files/scratch_folder.hpp"
#include "io/samples.hpp"
#include <apsis/core/columns.hpp>
#include <apsis/files/file.hpp>
#include <apsis/io/csv_columns.hpp>
#include <apsis/io/file_info.hpp>
#include <apsis/io/snapshot_formats.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <support/columns.hpp>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace apsis {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> exact_endings() {
  std::vector<std::string> endings{".csv", ".xyz"};
  if (hdf5_built_in()) endings.emplace_back(".hdf5");
  return endings;
}

Snapshot round_trip(const Snapshot& snapshot, const std::string& ending) {
  const ScratchFolder folder;
  write_snapshot(folder / ("s" + ending), snapshot);
  return read_snapshot(folder / ("s" + ending));
}

Snapshot snapshot_of(Bodies bodies) {
  Snapshot snapshot;
  snapshot.bodies = std::move(bodies);
  return snapshot;
}

// Files may group bodies by type.
Bodies by_id(const Bodies& bodies) {
  std::vector<std::size_t> numbers = test::numbers_below(bodies.size());
  std::ranges::sort(numbers, {}, [&](std::size_t i) { return bodies.id[i]; });
  return picked(bodies, numbers);
}

// Of the optional columns they have types alone.
Bodies typed(std::vector<std::uint8_t> types) {
  Bodies bodies = test::bodies_with_everything(types.size());
  for_each_column(bodies, [](const auto& column, auto& values) {
    if (column.optional) values = {};
  });
  bodies.type = std::move(types);
  return bodies;
}

bool goes_both_ways(const SnapshotFormat& format) {
  if (format.read == nullptr || format.write == nullptr) return false;
  return format.name != "HDF5" || hdf5_built_in();
}

TEST(ColumnsInFiles, exact_formats_carry_every_column_of_the_table) {
  for (const auto& ending : exact_endings()) {
    for (const std::size_t n : {1, 6, 100, 20000}) {
      SCOPED_TRACE(ending + " " + std::to_string(n));
      const Bodies bodies = test::bodies_with_everything(n);
      EXPECT_EQ(by_id(round_trip(snapshot_of(bodies), ending).bodies), bodies);
    }
  }
}

TEST(ColumnsInFiles, every_column_has_a_name_in_tables) {
  for_each_component(Bodies{}, [](const auto& /*column*/, const char* name, auto /*values*/) {
    EXPECT_EQ(std::ranges::count(csv_columns(), name, &CsvColumn::quantity), 1) << name;
  });
}

TEST(ColumnsInFiles, fields_stay_with_their_bodies_when_types_are_grouped) {
  Snapshot snapshot = snapshot_of(typed({4, 1, 0, 4, 1}));
  snapshot.potential = {-1, -2, -3, -4, -5};
  snapshot.accelerations = Accelerations(5);
  for (std::size_t i = 0; i < 5; ++i) {
    snapshot.accelerations.set(i, {1.0 * static_cast<double>(i), 2, 3});
  }
  for (const auto& ending : exact_endings()) {
    const Snapshot back = round_trip(snapshot, ending);
    for (std::size_t i = 0; i < 5; ++i) {
      const auto found = std::ranges::find(snapshot.bodies.id, back.bodies.id[i]);
      const auto k = static_cast<std::size_t>(found - snapshot.bodies.id.begin());
      EXPECT_EQ(back.potential[i], snapshot.potential[k]) << ending;
      EXPECT_EQ(back.accelerations.at(i), snapshot.accelerations.at(k)) << ending;
    }
  }
}

TEST(ParticleTypes, are_absent_where_all_bodies_are_of_the_usual_one) {
  const Snapshot ones = snapshot_of(typed({1, 1, 1}));
  for (const auto& ending : exact_endings()) {
    EXPECT_TRUE(round_trip(ones, ending).bodies.type.empty()) << ending;
  }
  EXPECT_TRUE(round_trip(ones, ".tipsy").bodies.type.empty());
  if (!hdf5_built_in()) return;
  Snapshot absent = ones;
  absent.bodies.type.clear();
  EXPECT_EQ(format_hdf5(ones, "s"), format_hdf5(absent, "s"));
}

TEST(ParticleTypes, are_joined_in_their_order_from_hdf5) {
  if (!hdf5_built_in()) GTEST_SKIP() << "built without HDF5";
  const Bodies bodies = typed({4, 1, 0, 4, 1, 5});
  const Bodies back = round_trip(snapshot_of(bodies), ".hdf5").bodies;
  EXPECT_THAT(back.type, ElementsAre(0, 1, 1, 4, 4, 5));
  EXPECT_THAT(back.id, ElementsAre(bodies.id[2], bodies.id[1], bodies.id[4], bodies.id[0],
                                   bodies.id[3], bodies.id[5]));
}

TEST(ParticleTypes, beyond_the_six_of_gadget_are_kept) {
  for (const auto& ending : exact_endings()) {
    EXPECT_THAT(round_trip(snapshot_of(typed({1, 6, 15})), ending).bodies.type,
                ElementsAre(1, 6, 15))
        << ending;
  }
}

TEST(ParticleTypes, of_tipsy_are_gas_dark_matter_and_stars) {
  const Bodies bodies = typed({4, 1, 0, 4, 1});
  for (const bool native : {false, true}) {
    const Snapshot back = parse_tipsy(format_tipsy(snapshot_of(bodies), "t", native), "t");
    EXPECT_THAT(back.bodies.type, ElementsAre(0, 1, 1, 4, 4));
    const std::vector<std::size_t> order{2, 1, 4, 0, 3};
    for (std::size_t i = 0; i < order.size(); ++i) {
      EXPECT_EQ(back.bodies.position(i), bodies.position(order[i]));
      EXPECT_EQ(back.bodies.velocity(i), bodies.velocity(order[i]));
      EXPECT_EQ(back.bodies.mass[i], bodies.mass[order[i]]);
    }
  }
}

TEST(ParticleTypes, that_tipsy_lacks_become_dark_matter_and_are_named) {
  Snapshot snapshot = snapshot_of(typed({0, 2, 1, 3, 2}));
  snapshot.bodies.renumber();
  EXPECT_THAT(tipsy_format().losses(snapshot),
              ElementsAre(HasSubstr("7 digits"), HasSubstr("3 bodies of type 2, 3 become dark")));
  EXPECT_THAT(round_trip(snapshot, ".tipsy").bodies.type, ElementsAre(0, 1, 1, 1, 1));
}

TEST(ParticleTypes, cost_tipsy_the_numbers_where_they_change_the_order) {
  Snapshot snapshot = snapshot_of(typed({4, 0}));
  snapshot.bodies.renumber();
  EXPECT_THAT(tipsy_format().losses(snapshot),
              ElementsAre(HasSubstr("7 digits"), HasSubstr("no ids")));
  snapshot.bodies.type = {0, 4};
  EXPECT_THAT(tipsy_format().losses(snapshot), ElementsAre(HasSubstr("7 digits")));
}

TEST(ParticleTypes, of_tables_are_whole_numbers_below_sixteen) {
  const auto refuses = [](const std::string& value, const std::string& reason) {
    expect_error(ExitCode::bad_data, reason,
                 [&] { parse_csv("x,y,z,type\n1,2,3,1\n1,2,3," + value + "\n", "t.csv"); });
  };
  refuses("16", "t.csv:3:7: '16' is no type of particles");
  refuses("300", "t.csv:3:7: '300' is no type of particles");
  refuses("-1", "t.csv:3:7: '-1' is not a whole number");
  refuses("1.5", "t.csv:3:7: '1.5' is not a whole number");
  refuses("star", "t.csv:3:7: 'star' is not a whole number");
  refuses("", "t.csv:3:7: nothing where a whole number");
  EXPECT_THAT(parse_csv("type,x,y,z\n0,1,2,3\n15,1,2,3\n", "t.csv").bodies.type,
              ElementsAre(0, 15));
}

TEST(ParticleTypes, must_be_one_for_each_body_and_known) {
  const ScratchFolder folder;
  Snapshot snapshot = snapshot_of(typed({1, 4}));
  snapshot.bodies.type = {1, 4, 4};
  expect_error(ExitCode::bad_data, "3 values of type for 2 bodies",
               [&] { write_snapshot(folder / "s.csv", snapshot); });
  snapshot.bodies.type = {1, 16};
  expect_error(ExitCode::bad_data, "type of body 1 (id ",
               [&] { require_valid(snapshot.bodies, "here"); });
}

TEST(ParticleTypes, are_counted_by_info) {
  const ScratchFolder folder;
  write_snapshot(folder / "s.csv", snapshot_of(typed({4, 1, 0, 4, 1})));
  const std::map<int, std::uint64_t> expected{{0, 1}, {1, 2}, {4, 2}};
  EXPECT_EQ(file_info(folder / "s.csv").snapshot->types, expected);
}

TEST(SnapshotFormats, rows_have_all_that_is_asked_of_them) {
  std::set<std::string_view> endings;
  for (const SnapshotFormat& format : snapshot_formats()) {
    EXPECT_FALSE(format.name.empty());
    EXPECT_FALSE(format.summary.empty()) << format.name;
    ASSERT_FALSE(format.endings.empty()) << format.name;
    for (const std::string_view ending : format.endings) {
      EXPECT_TRUE(ending.starts_with('.') && endings.insert(ending).second) << ending;
    }
    const bool read = format.read != nullptr, written = format.write != nullptr;
    EXPECT_TRUE(read || written) << format.name;
    EXPECT_EQ(format.looks_like != nullptr, read) << format.name;
    EXPECT_EQ(format.flavour != nullptr, read) << format.name;
    EXPECT_EQ(format.losses != nullptr, written) << format.name;
    const auto named_in = [&](const std::string& text) {
      return text.find(format.endings.front()) != std::string::npos;
    };
    EXPECT_EQ(named_in(snapshot_endings()), read) << format.name;
    EXPECT_EQ(named_in(written_endings()), written) << format.name;
  }
}

TEST(SnapshotFormats, are_found_by_their_endings_or_refused_where_they_are_not_written_or_read) {
  for (const SnapshotFormat& format : snapshot_formats()) {
    for (const std::string_view ending : format.endings) {
      const std::string file = "s" + std::string(ending);
      if (format.write != nullptr) {
        EXPECT_EQ(&format_by_ending(file), &format) << ending;
      } else {
        expect_error(ExitCode::bad_data, "is read but not written",
                     [&] { format_by_ending(file); });
      }
      if (format.read != nullptr) {
        EXPECT_EQ(&format_of_file(file), &format) << ending;
      } else {
        expect_error(ExitCode::bad_data, "is written but not read", [&] { format_of_file(file); });
      }
    }
  }
}

TEST(SnapshotFormats, each_knows_its_own_files_by_their_beginning_and_no_others_but_text) {
  const ScratchFolder folder;
  for (const SnapshotFormat& format : snapshot_formats()) {
    if (!goes_both_ways(format)) continue;
    const auto file = folder / ("s" + std::string(format.endings.front()));
    write_snapshot(file, sample_snapshot(5));
    std::filesystem::rename(file, folder / "plain");
    EXPECT_EQ(format_of_file(folder / "plain").name, format.name);
    EXPECT_EQ(read_snapshot(folder / "plain").bodies.size(), 5U) << format.name;
    const Bytes beginning = read_beginning(folder / "plain", 32);
    for (const SnapshotFormat& other : snapshot_formats()) {
      if (other.any_text || other.looks_like == nullptr) continue;
      EXPECT_EQ(other.looks_like(beginning, size_of_file(folder / "plain")), &other == &format)
          << other.name << " of " << format.name;
    }
  }
}

TEST(SnapshotFormats, keep_places_to_seven_digits_and_say_what_else_they_lose) {
  const Snapshot snapshot = sample_snapshot(20);
  for (const SnapshotFormat& format : snapshot_formats()) {
    if (!goes_both_ways(format)) continue;
    const Snapshot back = round_trip(snapshot, std::string(format.endings.front()));
    ASSERT_EQ(back.bodies.size(), 20U) << format.name;
    EXPECT_EQ(back.time, snapshot.time) << format.name;
    for (std::size_t i = 0; i < 20; ++i) {
      const Vec3 place = snapshot.bodies.position(i);
      // half a unit of float's last digit
      EXPECT_LE(norm(back.bodies.position(i) - place), 1e-7 * norm(place)) << format.name;
    }
    const bool same = back.bodies == snapshot.bodies && back.units == snapshot.units &&
                      back.law == snapshot.law && back.provenance == snapshot.provenance;
    EXPECT_TRUE(same || !format.losses(snapshot).empty()) << format.name;
  }
}

TEST(SnapshotFormats, a_file_that_is_none_is_refused_with_the_endings_there_are) {
  const ScratchFolder folder;
  write_text(folder / "noise", std::string("\x01\x02\x00\x07", 4));
  expect_error(ExitCode::bad_data, "looks like no snapshot format",
               [&] { read_snapshot(folder / "noise"); });
}

}  // namespace
}  // namespace apsis
