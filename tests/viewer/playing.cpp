// SPDX-License-Identifier: MIT
// A recording as it is played on a stage, while its files change.
#include "run_files.hpp"
#include <apsis/core/error.hpp>
#include <apsis/files/file.hpp>
#include <apsis/viewer/show.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <string>
#include <thread>

namespace apsis::viewer {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

// A recording played on its own thread, and a page that always wants a frame.
class Played {
 public:
  explicit Played(const std::filesystem::path& folder)
      : recording_(folder, Recording::Unreadable::left_out), thread_([this, folder] {
          const Audience audience{.stop = [this] { return stop_.load(); },
                                  .notice =
                                      [this](const std::string& text) {
                                        const std::scoped_lock hold(lock_);
                                        notices_ += text + "\n";
                                      }};
          show_recording(recording_, folder, stage, audience);
        }) {}
  Played(const Played&) = delete;
  Played& operator=(const Played&) = delete;
  ~Played() {
    stop_ = true;
    thread_.join();
  }
  std::string notices() {
    const std::scoped_lock hold(lock_);
    return notices_;
  }
  // Waits for a frame at that time, and gives the number of its points; -1: none came.
  long points_at(double time) {
    stage.send({Command::Kind::pause, 0, {}});
    stage.send({Command::Kind::seek, time, {}});
    return until([&](const Points& points) { return points.time == time; });
  }
  template <class Condition>
  long until(Condition&& holds) {
    for (int i = 0; i < 2000; ++i) {
      stage.want_frame(1000);
      if (auto points = stage.newest(); points && holds(*points)) {
        return static_cast<long>(points->size());
      }
      std::this_thread::sleep_for(5ms);
    }
    return -1;
  }
  bool fails() {
    for (int i = 0; i < 2000; ++i) {
      stage.want_frame(1000);
      if (stage.figures().state == State::failed) return true;
      std::this_thread::sleep_for(5ms);
    }
    return false;
  }

  Stage stage;

 private:
  std::atomic<bool> stop_{false};
  std::mutex lock_;
  std::string notices_;
  Recording recording_;
  std::thread thread_;
};

std::filesystem::path snapshot_in(const test::ScratchFolder& folder, int number) {
  return folder.path() / fmt::format("snapshot_{:04}{}", number, snapshot_ending());
}

TEST(Playing, goes_on_without_a_snapshot_that_vanished_and_says_so) {
  const test::ScratchFolder folder;
  test::write_circling(folder.path(), 7, {0, 1, 2, 3});
  Played played(folder.path());
  EXPECT_EQ(played.points_at(0.5), 7);
  std::filesystem::remove(snapshot_in(folder, 2));
  EXPECT_EQ(played.points_at(1.5), 7);
  EXPECT_THAT(played.notices(), HasSubstr("snapshot_0002"));
  EXPECT_THAT(played.stage.figures().message, HasSubstr("snapshot_0002"));
  EXPECT_NE(played.stage.figures().state, State::failed);
  // what stood at the end is gone: the end is where the last one is
  EXPECT_EQ(played.points_at(0.5), 7);
  std::filesystem::resize_file(snapshot_in(folder, 3), 100);
  played.stage.send({Command::Kind::seek, 3, {}});
  EXPECT_EQ(played.until([](const Points& points) { return points.time == 1; }), 7);
  EXPECT_THAT(played.notices(), HasSubstr("snapshot_0003"));
}

TEST(Playing, keeps_the_last_frame_when_the_whole_folder_is_gone) {
  const test::ScratchFolder folder;
  test::write_circling(folder.path(), 7, {0, 1, 2, 3});
  Played played(folder.path());
  EXPECT_EQ(played.points_at(0.5), 7);
  std::filesystem::remove_all(folder.path());
  played.stage.send({Command::Kind::seek, 2.5, {}});
  EXPECT_EQ(played.until([](const Points& points) { return points.time != 0.5; }), 7);
  EXPECT_THAT(played.notices(), HasSubstr("left out"));
}

TEST(Playing, says_that_nothing_is_left_where_not_even_the_first_frame_can_be_read) {
  const test::ScratchFolder folder;
  test::write_circling(folder.path(), 7, {0, 1});
  Played played(folder.path());
  std::filesystem::remove_all(folder.path());
  EXPECT_TRUE(played.fails());
  EXPECT_THAT(played.stage.figures().message, HasSubstr("no snapshot is left"));
}

TEST(Playing, a_damaged_energy_log_leaves_the_charts_empty) {
  const test::ScratchFolder folder;
  test::write_circling(folder.path(), 7, {0, 1});
  write_text(folder.path() / "energy.csv", "no table\n");
  Played played(folder.path());
  EXPECT_EQ(played.points_at(0.5), 7);
  EXPECT_THAT(played.notices(), HasSubstr("the charts stay empty"));
}

}  // namespace
}  // namespace apsis::viewer
