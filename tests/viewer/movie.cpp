// SPDX-License-Identifier: MIT
#include "viewer/run_files.hpp"
#include <apsis/core/error.hpp>
#include <apsis/files/file.hpp>
#include <apsis/files/programs.hpp>
#include <apsis/io/event_log.hpp>
#include <apsis/render/png.hpp>
#include <apsis/viewer/movie.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace apsis {
namespace {

constexpr MovieSettings small() {
  MovieSettings settings;
  settings.width = 64, settings.height = 48;
  settings.frames_per_second = 10, settings.seconds = 1;
  settings.threads = 1;
  return settings;
}

class MovieTest : public testing::Test {
 protected:
  void SetUp() override { test::write_circling(folder_.path(), 20, {0, 0.5, 1}); }

  test::ScratchFolder folder_;
};

TEST_F(MovieTest, frames_move_and_are_the_same_every_time) {
  Recording recording(folder_.path());
  Movie movie(recording, small());
  ASSERT_EQ(movie.frames(), 10U);
  EXPECT_EQ(movie.time_of(0), 0);
  EXPECT_EQ(movie.time_of(9), 1);
  const Image first = movie.frame(0);
  EXPECT_NE(first, movie.frame(5));
  EXPECT_EQ(first, movie.frame(0));
}

TEST_F(MovieTest, threads_do_not_change_a_frame) {
  Recording recording(folder_.path());
  MovieSettings two = small();
  two.threads = 2;
  EXPECT_EQ(Movie(recording, small()).frame(3), Movie(recording, two).frame(3));
}

TEST_F(MovieTest, the_scale_bar_stands_still_while_the_camera_goes_round) {
  Recording recording(folder_.path());
  MovieSettings settings = small();
  settings.width = 320, settings.height = 240;
  settings.camera.orbit = 90, settings.camera.elevation = 30;
  settings.camera.centre = Vec3{1e6, 0, 0};  // away from the bodies: words alone
  Movie movie(recording, settings);
  const auto corner = [&](std::size_t frame) {
    const Image image = movie.frame(frame);
    std::vector<std::uint8_t> bytes;
    for (int row = 200; row < 240; ++row) {
      bytes.insert(bytes.end(), image.pixel(160, row), image.pixel(160, row) + 160L * 3);
    }
    return bytes;
  };
  const auto first = corner(0);
  EXPECT_GT(std::ranges::count_if(first, [](auto byte) { return byte > 100; }), 50);
  EXPECT_EQ(first, corner(4));
  EXPECT_EQ(first, corner(9));
}

TEST_F(MovieTest, a_followed_body_stays_in_the_middle) {
  Recording recording(folder_.path());
  MovieSettings settings = small();
  settings.follow = 0, settings.caption = false;
  settings.camera.zoom_start = settings.camera.zoom_end = 20;  // alone in the picture
  Movie movie(recording, settings);
  for (const std::size_t frame : {0U, 4U, 9U}) {
    const Image image = movie.frame(frame);
    EXPECT_GT(image.pixel(32, 24)[1], 100) << frame;
  }
  settings.follow = 12345;
  EXPECT_THROW(Movie(recording, settings), Error);
}

class MergerMovieTest : public MovieTest {
 protected:
  // Body 1 merges into body 0 at 0.75.
  void SetUp() override {
    MovieTest::SetUp();
    Snapshot last;
    last.bodies = test::circling(20, 1), last.time = 1;
    last.bodies.remove(std::vector<std::size_t>{1});
    write_snapshot(folder_.path() / ("snapshot_0002" + snapshot_ending()), last);
  }
  void write_event() {
    auto log = EventLog::create(folder_.path() / "events.csv");
    log.append({75, {.time = 0.75, .kind = "merge", .a = 0, .b = 1, .place_b = {0.7, 0.7, 0}}});
    log.flush();
  }
};

TEST_F(MergerMovieTest, a_movie_goes_on_where_bodies_are_gone) {
  write_event();
  Recording recording(folder_.path());
  Movie movie(recording, small());
  EXPECT_NE(movie.frame(6), movie.frame(9));
  EXPECT_EQ(movie.frame(9), movie.frame(9));
}

TEST_F(MergerMovieTest, a_followed_body_is_followed_into_the_one_that_took_it_in) {
  write_event();
  Recording recording(folder_.path());
  MovieSettings settings = small();
  settings.follow = 1, settings.caption = false;
  settings.camera.zoom_start = settings.camera.zoom_end = 20;  // alone in the picture
  Movie movie(recording, settings);
  for (const std::size_t frame : {0U, 5U, 9U}) {
    EXPECT_GT(movie.frame(frame).pixel(32, 24)[1], 100) << frame;
  }
}

TEST_F(MergerMovieTest, who_leaves_without_a_word_cannot_be_followed) {
  Recording recording(folder_.path());
  MovieSettings settings = small();
  settings.follow = 1;
  EXPECT_THROW(Movie(recording, settings), Error);
  settings.to = 0.5;
  EXPECT_NO_THROW(Movie(recording, settings));
}

TEST_F(MovieTest, a_part_of_the_run_can_be_shown) {
  Recording recording(folder_.path());
  MovieSettings settings = small();
  settings.from = 0.25, settings.to = 0.75;
  EXPECT_EQ(Movie(recording, settings).time_of(0), 0.25);
  settings.from = 2, settings.to = 3;
  EXPECT_THROW(Movie(recording, settings), Error);
}

TEST_F(MovieTest, what_makes_no_movie_is_refused) {
  Recording recording(folder_.path());
  for (const auto& change :
       {+[](MovieSettings& s) { s.frames_per_second = 0; },
        +[](MovieSettings& s) { s.seconds = -1; }, +[](MovieSettings& s) { s.seconds = 1e9; },
        +[](MovieSettings& s) { s.width = 0; }, +[](MovieSettings& s) { s.tone.gamma = 0; },
        +[](MovieSettings& s) { s.spheres = SphereChoice::on; }}) {  // of points
    MovieSettings settings = small();
    change(settings);
    EXPECT_THROW(Movie(recording, settings), Error);
  }
}

TEST_F(MovieTest, a_series_is_numbered_from_0) {
  if (!pictures_available()) GTEST_SKIP() << "built without libpng";
  Recording recording(folder_.path());
  const auto result = write_movie(recording, small(), folder_.path() / "f_%03d.png", {});
  EXPECT_TRUE(result.finished);
  EXPECT_TRUE(file_exists(folder_.path() / "f_000.png"));
  EXPECT_TRUE(file_exists(folder_.path() / "f_009.png"));
  EXPECT_FALSE(file_exists(folder_.path() / "f_010.png"));
}

TEST_F(MovieTest, a_movie_that_is_stopped_leaves_nothing) {
  if (!find_program("ffmpeg")) GTEST_SKIP() << "ffmpeg is not installed";
  Recording recording(folder_.path());
  const auto output = folder_.path() / "m.mp4";
  const auto result = write_movie(recording, small(), output,
                                  [](std::size_t done, std::size_t) { return done < 3; });
  EXPECT_FALSE(result.finished);
  EXPECT_EQ(result.frames, 3U);
  EXPECT_FALSE(file_exists(output));
  EXPECT_TRUE(list_files(folder_.path(), "m.mp4").empty());
}

TEST_F(MovieTest, odd_sizes_are_refused_before_any_work) {
  Recording recording(folder_.path());
  MovieSettings settings = small();
  settings.width = 63;
  EXPECT_THROW(write_movie(recording, settings, folder_.path() / "m.mp4", {}), Error);
}

TEST(MovieFormats, follow_the_ending) {
  EXPECT_EQ(movie_format("a.mp4"), MovieFormat::mp4);
  EXPECT_EQ(movie_format("a.webm"), MovieFormat::webm);
  EXPECT_EQ(movie_format("a.gif"), MovieFormat::gif);
  EXPECT_EQ(movie_format("a.png"), MovieFormat::picture);
  EXPECT_EQ(movie_format("a_%04d.png"), MovieFormat::series);
  for (const char* name : {"a", "a.avi", "a.MP4.txt", ""}) EXPECT_THROW(movie_format(name), Error);
}

TEST(Numbered, only_one_plain_place_is_taken) {
  EXPECT_EQ(numbered("x/f_%04d.png", 7), "x/f_0007.png");
  EXPECT_EQ(numbered("f%d.png", 12), "f12.png");
  for (const char* pattern : {"f_%s.png", "f_%04d_%d.png", "f_%-4d.png", "f_%99d.png", "f%.png",
                              "f%00d.png", "f%n%d.png"}) {
    EXPECT_THROW(numbered(pattern, 1), Error) << pattern;
  }
}

}  // namespace
}  // namespace apsis
