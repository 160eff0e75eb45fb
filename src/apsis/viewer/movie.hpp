// SPDX-License-Identifier: MIT
// Pictures and movies of a run from its snapshots, without a browser or a GPU. Frames share camera
// path, colours and exposure; the same input gives the same frames.
#pragma once

#include <apsis/render/camera_path.hpp>
#include <apsis/render/frame.hpp>
#include <apsis/viewer/recording.hpp>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apsis {

// By the ending of the output: .png (one picture), .png with a place for the number (a series),
// .mp4, .webm, .gif.
enum class MovieFormat { picture, series, mp4, webm, gif };
MovieFormat movie_format(const std::filesystem::path& output);

struct MovieSettings {
  int width = 1280, height = 720;
  double frames_per_second = 30;
  double seconds = 10;             // of the movie
  std::optional<double> from, to;  // times of the run; default: all of it
  CameraMoves camera;
  std::optional<std::uint64_t> follow{};  // id of a body that stays in the middle
  std::optional<ColourBy> colour_by{};    // default: as suits the bodies
  std::optional<ColourMap> colour_map{};
  Tone tone;
  double point_size = 0, glow = 0.75;
  SphereChoice spheres = SphereChoice::automatic;
  bool caption = true;
  int threads = 0;
};

// All frames of a movie, each made when it is asked for.
class Movie {
 public:
  Movie(Recording& recording, const MovieSettings& settings);

  std::size_t frames() const { return frames_; }
  double time_of(std::size_t frame) const;
  Image frame(std::size_t index);

 private:
  double progress(std::size_t frame) const;
  Vec3 followed(const Bodies& bodies, double time) const;

  Recording& recording_;
  MovieSettings settings_;
  FrameStyle style_;
  std::optional<CameraPath> path_;
  double from_ = 0, to_ = 0;
  std::size_t frames_ = 1;
};

// Called after every frame; false ends the work, and nothing is written.
using MovieProgress = std::function<bool(std::size_t done, std::size_t all)>;

struct MovieResult {
  std::size_t frames = 0;
  bool finished = false;  // false: ended by the progress function
};

// Makes the frames and writes the output. unavailable where ffmpeg is needed and missing.
MovieResult write_movie(Recording& recording, const MovieSettings& settings,
                        const std::filesystem::path& output, const MovieProgress& progress);

// frame_%04d.png with a number put in; bad_data where the place for it is not of that form.
std::filesystem::path numbered(const std::filesystem::path& pattern, std::size_t number);

// ffmpeg's arguments for raw frames on its standard input.
std::vector<std::string> encoder_arguments(const std::string& program, MovieFormat format,
                                           const MovieSettings& settings,
                                           const std::filesystem::path& file);

}  // namespace apsis
