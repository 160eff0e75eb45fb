// SPDX-License-Identifier: MIT
#include "viewer/run_files.hpp"
#include <apsis/core/error.hpp>
#include <apsis/files/file.hpp>
#include <apsis/io/event_log.hpp>
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

TEST(Recording, is_called_as_its_run_is) {
  const test::ScratchFolder folder;
  const auto file = folder.path() / ("here" + snapshot_ending());
  const auto title = [&](const char* spec) {
    Snapshot snapshot;
    snapshot.bodies = test::circling(2, 0);
    if (spec != nullptr) snapshot.provenance = {{"spec", spec}};
    write_snapshot(file, snapshot);
    return Recording(file).title();
  };
  EXPECT_EQ(title(nullptr), file.filename().string());
  EXPECT_EQ(title("no spec at all ["), file.filename().string());
  EXPECT_EQ(title("[initial]\nmodel = \"plummer\""), "plummer");
  EXPECT_EQ(title("[initial]\nfile = \"some/where/bodies.csv\""), "bodies.csv");
  EXPECT_EQ(title("title = \"Two\"\n[initial]\nmodel = \"plummer\""), "Two");
}

TEST(Recording, empty_folders_and_mixed_runs_are_refused) {
  const test::ScratchFolder folder;
  EXPECT_THROW(Recording{folder.path()}, Error);
  EXPECT_THROW(Recording{folder.path() / "nothing.hdf5"}, Error);
  test::write_circling(folder.path(), 5, {0, 1});
  Snapshot other;
  other.bodies = test::circling(6, 0);
  other.time = 2;
  write_snapshot(folder.path() / ("snapshot_0002" + snapshot_ending()), other);
  EXPECT_THROW(Recording{folder.path()}, Error);
}

// The second of five bodies merges into the first between the second snapshot and the third.
void write_merger(const test::ScratchFolder& folder, bool events) {
  test::write_circling(folder.path(), 5, {0, 0.5, 1});
  Snapshot last;
  last.bodies = test::circling(5, 1), last.time = 1;
  last.bodies.remove(std::vector<std::size_t>{1});
  last.bodies.mass[0] = 2;
  write_snapshot(folder.path() / ("snapshot_0002" + snapshot_ending()), last);
  if (!events) return;
  auto log = EventLog::create(folder.path() / "events.csv");
  log.append({75, {.time = 0.75, .kind = "merge", .a = 0, .b = 1, .place_b = {0.5, 0.5, 0}}});
  log.flush();
}

TEST(Recording, bodies_may_leave_and_events_tell_when) {
  const test::ScratchFolder folder;
  write_merger(folder, true);
  Recording recording(folder.path());
  EXPECT_EQ(recording.bodies(), 5U);
  EXPECT_EQ(recording.at(0.7, 1).size(), 5U);
  const Bodies just_before = recording.at(0.75 - 1e-9, 1), after = recording.at(0.76, 1);
  EXPECT_LT(norm(just_before.position(1) - Vec3{0.5, 0.5, 0}), 1e-7);
  EXPECT_EQ(after.id, (std::vector<std::uint64_t>{0, 2, 3, 4}));
  EXPECT_EQ(after.mass[0], 2);
  EXPECT_EQ(recording.at(1, 1).id, after.id);
  EXPECT_EQ(recording.at(0.2, 1).size(), 5U);  // and back again
  EXPECT_EQ(recording.whereabouts(1, 0.7).id, 1U);
  EXPECT_EQ(recording.whereabouts(1, 0.8).id, 0U);
}

TEST(Recording, without_events_bodies_are_shown_until_the_last_snapshot_before_they_are_gone) {
  const test::ScratchFolder folder;
  write_merger(folder, false);
  Recording recording(folder.path());
  EXPECT_EQ(recording.at(0.99, 1).size(), 5U);
  EXPECT_EQ(recording.at(1, 1).size(), 4U);
}

TEST(Recording, a_damaged_list_of_events_is_said) {
  const test::ScratchFolder folder;
  write_merger(folder, false);
  write_text(folder.path() / "events.csv", "no table\n");
  Recording recording(folder.path());
  ASSERT_EQ(recording.left_out().size(), 1U);
  EXPECT_NE(recording.left_out()[0].find("events.csv"), std::string::npos);
  EXPECT_EQ(recording.at(0.99, 1).size(), 5U);
}

// Half of it, as a copy that broke off leaves it.
void damage(const std::filesystem::path& file) {
  std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
}

std::filesystem::path snapshot_in(const test::ScratchFolder& folder, int number) {
  return folder.path() / fmt::format("snapshot_{:04}{}", number, snapshot_ending());
}

TEST(Recording, a_damaged_snapshot_is_refused_by_name_unless_it_may_be_left_out) {
  const test::ScratchFolder folder;
  test::write_circling(folder.path(), 3, {0, 1, 2});
  damage(snapshot_in(folder, 0));
  try {
    Recording{folder.path()};
    ADD_FAILURE() << "it was read";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("snapshot_0000"), std::string::npos) << error.what();
  }
  Recording recording(folder.path(), Recording::Unreadable::left_out);
  EXPECT_EQ(recording.times(), (std::vector<double>{1, 2}));
  ASSERT_EQ(recording.left_out().size(), 1U);
  EXPECT_NE(recording.left_out()[0].find("snapshot_0000"), std::string::npos);
  damage(snapshot_in(folder, 1)), damage(snapshot_in(folder, 2));
  EXPECT_THROW(Recording(folder.path(), Recording::Unreadable::left_out), Error);
}

TEST(Recording, snapshots_that_vanish_or_go_bad_later_are_left_out_and_the_others_stay) {
  const test::ScratchFolder folder;
  test::write_circling(folder.path(), 4, {0, 1, 2, 3, 4});
  Recording recording(folder.path(), Recording::Unreadable::left_out);
  const Bodies first = recording.at(0, 1);
  std::filesystem::remove(snapshot_in(folder, 2));
  damage(snapshot_in(folder, 4));
  const Bodies across = recording.at(1.5, 1);  // from 1 to 3 now
  EXPECT_EQ(across.size(), 4U);
  EXPECT_EQ(recording.times(), (std::vector<double>{0, 1, 3, 4}));
  EXPECT_EQ(recording.at(4, 1), recording.at(3, 1));
  EXPECT_EQ(recording.times(), (std::vector<double>{0, 1, 3}));
  EXPECT_EQ(recording.at(0, 1), first);
  ASSERT_EQ(recording.left_out().size(), 2U);
  EXPECT_NE(recording.left_out()[0].find("snapshot_0002"), std::string::npos);
  EXPECT_NE(recording.left_out()[1].find("snapshot_0004"), std::string::npos);
}

TEST(Recording, ends_with_an_error_when_no_snapshot_is_left) {
  const test::ScratchFolder folder;
  test::write_circling(folder.path(), 4, {0, 1, 2});
  Recording recording(folder.path(), Recording::Unreadable::left_out);
  for (int k = 0; k < 3; ++k) std::filesystem::remove(snapshot_in(folder, k));
  EXPECT_THROW(recording.at(0.5, 1), Error);
  EXPECT_EQ(recording.left_out().size(), 2U);
}

TEST(Recording, snapshots_without_bodies_are_a_recording) {
  const test::ScratchFolder folder;
  test::write_circling(folder.path(), 0, {0, 1});
  Recording recording(folder.path());
  EXPECT_EQ(recording.at(0.5, 1).size(), 0U);
}

}  // namespace
}  // namespace apsis
