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
  const auto& b = snapshot.bodies;
  EXPECT_DOUBLE_EQ(found.lower.x, *std::ranges::min_element(b.x()));
  EXPECT_DOUBLE_EQ(found.upper.z, *std::ranges::max_element(b.z()));
  ASSERT_TRUE(found.charges);
  EXPECT_EQ(found.charges->positive + found.charges->negative + found.charges->none, 50U);
  EXPECT_EQ(found.charges->negative, static_cast<std::uint64_t>(std::ranges::count_if(
                                         b.charge, [](double q) { return q < 0; })));
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
  write_text(folder / "spec.toml", "title = \"a\"\n");
  const FileInfo info = file_info(folder.path());
  ASSERT_TRUE(info.folder);
  EXPECT_FALSE(info.snapshot || info.checkpoint);
  EXPECT_EQ(info.folder->checkpoints.size(), 1U);
}

TEST(FileInfo, of_something_else_is_refused_by_name) {
  const ScratchFolder folder;
  write_text(folder / "odd.tipsy", "nothing of ours");
  expect_error(ExitCode::bad_data, "odd.tipsy", [&] { file_info(folder / "odd.tipsy"); });
}

}  // namespace
}  // namespace apsis
