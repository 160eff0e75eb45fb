// SPDX-License-Identifier: MIT
#include "viewer/run_files.hpp"
#include <apsis/core/error.hpp>
#include <apsis/viewer/recording.hpp>

#include <gtest/gtest.h>

namespace apsis {
namespace {

TEST(Recording, any_time_between_snapshots_can_be_asked_for) {
  const test::ScratchFolder folder;
  test::write_circling(folder.path(), 10, {0, 0.5, 1});
  Recording recording(folder.path());
  EXPECT_EQ(recording.size(), 3U);
  for (const double time : {0.0, 0.25, 0.5, 0.9, 1.0, 0.1}) {  // back again at last
    const Bodies now = recording.at(time, 1), exact = test::circling(10, time);
    for (std::size_t i = 0; i < 10; ++i) {
      // cubic Hermite over half a radian on a circle of radius 2: 2·0.5⁴/384
      EXPECT_LT(norm(now.position(i) - exact.position(i)), 4e-4) << time;
    }
  }
}

TEST(Recording, stands_still_outside_of_its_snapshots) {
  const test::ScratchFolder folder;
  test::write_circling(folder.path(), 3, {1, 2});
  Recording recording(folder.path());
  EXPECT_EQ(recording.at(-5, 1), recording.at(1, 1));
  EXPECT_EQ(recording.at(99, 1), recording.at(2, 1));
}

TEST(Recording, one_file_is_a_recording_too) {
  const test::ScratchFolder folder;
  test::write_circling(folder.path(), 3, {4});
  Recording recording(folder.path() / ("snapshot_0000" + snapshot_ending()));
  EXPECT_EQ(recording.size(), 1U);
  EXPECT_EQ(recording.first_time(), 4);
  EXPECT_EQ(recording.at(4, 1).size(), 3U);
  EXPECT_EQ(recording.unresolved(), 0);
}

TEST(Recording, tells_how_much_of_the_motion_is_lost_between_snapshots) {
  const test::ScratchFolder folder;
  test::write_circling(folder.path(), 5, {0, 3.1, 6.2});
  EXPECT_EQ(Recording(folder.path()).unresolved(), 1);
}

TEST(Recording, empty_folders_and_mixed_runs_are_refused) {
  const test::ScratchFolder folder;
  EXPECT_THROW(Recording{folder.path()}, Error);
  EXPECT_THROW(Recording{folder.path() / "nothing.hdf5"}, Error);
  test::write_circling(folder.path(), 5, {0, 1});
  Snapshot other;
  other.bodies = test::circling(4, 0);
  other.time = 2;
  write_snapshot(folder.path() / ("snapshot_0002" + snapshot_ending()), other);
  EXPECT_THROW(Recording{folder.path()}, Error);
}

TEST(Recording, snapshots_without_bodies_are_a_recording) {
  const test::ScratchFolder folder;
  test::write_circling(folder.path(), 0, {0, 1});
  Recording recording(folder.path());
  EXPECT_EQ(recording.at(0.5, 1).size(), 0U);
}

}  // namespace
}  // namespace apsis
