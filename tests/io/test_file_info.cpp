// SPDX-License-Identifier: MIT
// What `apsis info` says of files, without the words.
#include "files/expect_error.hpp"
#include "files/scratch_folder.hpp"
#include "samples.hpp"
#include <apsis/files/file.hpp>
#include <apsis/io/file_info.hpp>
#include <apsis/io/snapshot.hpp>
#include <apsis/io/snapshot_formats.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace apsis {
namespace {

TEST(FileInfo, of_a_snapshot_has_its_values) {
  const ScratchFolder folder;
  Snapshot snapshot = sample_snapshot(50, true);
  add_fields(snapshot);
  write_snapshot(folder / "s.csv", snapshot);
  const FileInfo info = file_info(folder / "s.csv");
  EXPECT_EQ(info.path, folder / "s.csv");
  EXPECT_THAT(info.format, testing::HasSubstr("CSV"));
  EXPECT_EQ(info.length, size_of_file(folder / "s.csv"));
  EXPECT_EQ(info.hash.size(), 32U);
  ASSERT_TRUE(info.snapshot);
  EXPECT_FALSE(info.checkpoint || info.folder);
  const SnapshotInfo& found = *info.snapshot;
  EXPECT_EQ(found.bodies, 50U);
  EXPECT_DOUBLE_EQ(found.time, snapshot.time);
  EXPECT_EQ(found.units.name, "kpc-msun-kms");
  EXPECT_FALSE(found.units_assumed);
  EXPECT_EQ(found.law.law, Law::coulomb);
  EXPECT_EQ(found.provenance, snapshot.provenance);
  EXPECT_TRUE(found.has_potential && found.has_acceleration);
  EXPECT_EQ(found.yt_line, "");  // which opens no tables
  const auto& b = snapshot.bodies;
  ASSERT_TRUE(found.charges);
  EXPECT_EQ(found.charges->positive + found.charges->negative + found.charges->none, 50U);
  EXPECT_EQ(found.charges->negative, static_cast<std::uint64_t>(std::ranges::count_if(
                                         b.charge, [](double q) { return q < 0; })));
}

TEST(FileInfo, of_a_snapshot_has_its_extent_mass_and_charges) {
  const ScratchFolder folder;
  write_text(folder / "s.csv",
             "m,x,y,z,q\n1,-1,2,-3,2\n1,3,-2,5,-0.5\n2,1,1,1,0\n0,1,1,1,0.25\n0,1,1,1,-3\n"
             "0,1,1,1,0\n");
  const SnapshotInfo found = *file_info(folder / "s.csv").snapshot;
  EXPECT_EQ(found.lower, (Vec3{-1, -2, -3}));
  EXPECT_EQ(found.upper, (Vec3{3, 2, 5}));
  EXPECT_EQ(found.total_mass, 4);
  EXPECT_EQ(found.center_of_mass, (Vec3{1, 0.5, 1}));
  ASSERT_TRUE(found.charges);
  EXPECT_EQ(found.charges->total, -1.25);
  EXPECT_EQ(found.charges->positive, 2U);
  EXPECT_EQ(found.charges->negative, 2U);
  EXPECT_EQ(found.charges->none, 2U);
  EXPECT_TRUE(found.units_assumed);
  EXPECT_FALSE(found.has_potential || found.has_acceleration);
}

TEST(FileInfo, of_no_bodies_has_no_extent_and_no_charges) {
  const ScratchFolder folder;
  write_text(folder / "s.csv", "x,y,z\n");
  const SnapshotInfo found = *file_info(folder / "s.csv").snapshot;
  EXPECT_EQ(found.bodies, 0U);
  EXPECT_EQ(found.lower, Vec3{});
  EXPECT_EQ(found.upper, Vec3{});
  EXPECT_FALSE(found.charges);
}

TEST(FileInfo, its_line_for_yt_has_units_and_a_box_with_a_margin) {
  if (!hdf5_built_in()) GTEST_SKIP() << "built without HDF5";
  const ScratchFolder folder;
  const auto file = folder / "a\"b\\c.hdf5";
  Snapshot snapshot;
  snapshot.bodies = Bodies(2);
  snapshot.bodies.set_position(1, {20, 10, 0});
  snapshot.units = {.name = "own", .length_in_cm = 2, .mass_in_g = 0.5};
  const auto expect_line = [&](const std::string& box) {
    write_snapshot(file, snapshot);
    EXPECT_EQ(file_info(file).snapshot->yt_line,
              "yt.load(\"" + folder.path().string() +
                  "/a\\\"b\\\\c.hdf5\", unit_base={\"UnitLength_in_cm\": 2.0, "
                  "\"UnitMass_in_g\": 0.5, \"UnitVelocity_in_cm_per_s\": 1.0}, bounding_box=" +
                  box + ")");
  };
  expect_line("[[-1.0, 21.0], [-1.0, 11.0], [-1.0, 1.0]]");
  snapshot.bodies.set_position(1, {});  // all in one place
  expect_line("[[-1.0, 1.0], [-1.0, 1.0], [-1.0, 1.0]]");
}

// yt 4.1 fails on fewer bodies.
TEST(FileInfo, has_a_line_for_yt_from_two_bodies_on) {
  if (!hdf5_built_in()) GTEST_SKIP() << "built without HDF5";
  const ScratchFolder folder;
  const auto line = [&](std::size_t bodies) {
    write_snapshot(folder / "s.hdf5", sample_snapshot(bodies));
    return file_info(folder / "s.hdf5").snapshot->yt_line;
  };
  EXPECT_EQ(line(1), "");
  EXPECT_THAT(line(2), testing::StartsWith("yt.load("));
}

TEST(FileInfo, of_a_checkpoint_has_its_sections_notes_and_spec) {
  const ScratchFolder folder;
  const Checkpoint checkpoint = sample_checkpoint();
  const auto file = write_checkpoint(folder.path(), checkpoint);
  const FileInfo info = file_info(file);
  EXPECT_THAT(info.format, testing::HasSubstr("checkpoint"));
  ASSERT_TRUE(info.checkpoint);
  EXPECT_FALSE(info.snapshot || info.folder);
  EXPECT_EQ(info.path, file);
  EXPECT_EQ(info.length, size_of_file(file));
  EXPECT_EQ(info.hash.size(), 32U);
  EXPECT_EQ(info.checkpoint->step, checkpoint.step);
  EXPECT_EQ(info.checkpoint->time, checkpoint.time);
  EXPECT_EQ(info.checkpoint->seed, checkpoint.seed);
  EXPECT_EQ(info.checkpoint->seconds_so_far, checkpoint.seconds_so_far);
  EXPECT_EQ(info.checkpoint->energy_error_max, checkpoint.energy_error_max);
  EXPECT_EQ(info.checkpoint->next_snapshot, checkpoint.next_snapshot);
  EXPECT_EQ(info.checkpoint->bodies, checkpoint.state.bodies);
  EXPECT_EQ(info.checkpoint->layout, checkpoint.state.layout);
  EXPECT_EQ(info.checkpoint->notes, checkpoint.notes);
  EXPECT_EQ(info.checkpoint->logs, checkpoint.logs);
  EXPECT_EQ(info.checkpoint->spec_toml, checkpoint.spec_toml);
  EXPECT_EQ(info.checkpoint->sections.size(), 5 + checkpoint.state.arrays.size());
}

TEST(FileInfo, of_a_folder_has_its_snapshots_and_checkpoints) {
  const ScratchFolder folder;
  write_checkpoint(folder.path(), sample_checkpoint());
  write_text(folder / "snapshot_0000.csv", "x,y,z\n");
  write_text(folder / "spec.toml", "title = \"a\"\n");
  const FileInfo info = file_info(folder.path());
  ASSERT_TRUE(info.folder);
  EXPECT_FALSE(info.snapshot || info.checkpoint);
  EXPECT_EQ(info.path, folder.path());
  EXPECT_EQ(info.format, "folder of a run");
  EXPECT_EQ(info.folder->checkpoints, checkpoint_files(folder.path()));
  EXPECT_THAT(info.folder->snapshots, testing::ElementsAre(folder / "snapshot_0000.csv"));
}

TEST(FileInfo, of_a_folder_without_either_is_refused) {
  const ScratchFolder folder;
  write_text(folder / "spec.toml", "title = \"a\"\n");
  expect_error(ExitCode::bad_data, "is a folder without snapshots or checkpoints",
               [&] { file_info(folder.path()); });
  write_text(folder / "snapshot_0000.csv", "x,y,z\n");
  EXPECT_TRUE(file_info(folder.path()).folder->checkpoints.empty());
}

TEST(FileInfo, of_something_else_is_refused_by_name) {
  const ScratchFolder folder;
  write_text(folder / "odd.tipsy", "nothing of ours");
  expect_error(ExitCode::bad_data, "odd.tipsy", [&] { file_info(folder / "odd.tipsy"); });
}

}  // namespace
}  // namespace apsis
