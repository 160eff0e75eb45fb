// SPDX-License-Identifier: MIT
// apsis render: pictures and movies of a run.
#include "commands.hpp"
#include "progress.hpp"
#include "signals.hpp"
#include "terminal.hpp"
#include "usage_errors.hpp"
#include <apsis/core/counted.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/viewer/movie.hpp>

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <memory>
#include <string>

namespace apsis::cli {
namespace {

struct RenderOptions {
  std::string input, output, size = "1280x720", zoom = "1";
  std::string colour_by, colour_map, spheres;
  std::optional<double> time, from, to, width;
  MovieSettings settings;
  bool force = false, plain = false;
};

Error wrong(const std::string& what, const std::string& remedy) {
  return {ExitCode::wrong_usage, what, remedy};
}

// "1280x720" or "1:3": two numbers around a sign; the second may be missing where `single`.
template <class Number>
bool two_numbers(const std::string& text, char sign, bool single, Number& first, Number& second) {
  const char* end = text.data() + text.size();
  const auto [middle, error] = std::from_chars(text.data(), end, first);
  if (error != std::errc()) return false;
  if (middle == end && single) {
    second = first;
    return true;
  }
  if (middle == end || *middle != sign) return false;
  const auto [rest, later] = std::from_chars(middle + 1, end, second);
  return later == std::errc() && rest == end;
}

MovieSettings settings_from(const RenderOptions& options) {
  MovieSettings s = options.settings;
  if (!two_numbers(options.size, 'x', false, s.width, s.height)) {
    throw wrong(fmt::format("--size {} is not a size", options.size), "write it as 1280x720");
  }
  if (!two_numbers(options.zoom, ':', true, s.camera.zoom_start, s.camera.zoom_end)) {
    throw wrong(fmt::format("--zoom {} is not a zoom", options.zoom),
                "write a factor, or two for the start and the end: --zoom 1:4");
  }
  if (!options.colour_by.empty()) s.colour_by = choice_from<ColourBy>(options.colour_by);
  if (!options.colour_map.empty()) s.colour_map = choice_from<ColourMap>(options.colour_map);
  if (!options.spheres.empty()) s.spheres = choice_from<SphereChoice>(options.spheres);
  s.from = options.from, s.to = options.time ? options.time : options.to;
  s.camera.width = options.width;
  s.caption = !options.plain;
  return s;
}

// On a terminal one line that is redrawn; elsewhere nothing until the end.
class FrameCounter {
 public:
  bool operator()(std::size_t done, std::size_t all) {
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    const double left = seconds / static_cast<double>(done) * static_cast<double>(all - done);
    if (can_redraw(stderr) && all > 1 && talk() != Talk::quiet) {
      say_text(fmt::format("\r\x1b[Kframe {}/{}  ETA {}{}", done, all, short_duration(left),
                           done == all ? "\n" : ""));
    }
    return stop_signal() == 0;
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

void require_free(const RenderOptions& options, MovieFormat format) {
  const std::filesystem::path file = format == MovieFormat::series
                                         ? numbered(options.output, 0)
                                         : std::filesystem::path(options.output);
  if (options.force || !file_exists(file)) return;
  throw file_error(fmt::format("{} exists", file.string()),
                   "give --force to replace it, or another name");
}

void render(const RenderOptions& options, Outcome& outcome) {
  const MovieFormat format = movie_format(options.output);
  const MovieSettings settings = settings_from(options);
  require_free(options, format);
  listen_for_stop();
  Recording recording(options.input);
  constexpr double noticed = 0.05;
  if (format != MovieFormat::picture) {
    if (recording.size() < 2) {
      throw bad_data(fmt::format("{} has one snapshot, which makes no movie", options.input),
                     "give the folder of a run, or write a picture: -o frame.png");
    }
    if (const double lost = recording.unresolved(); lost > noticed) {
      say("{:.0f} % of the bodies turn too far between two snapshots for their way to be known, "
          "and "
          "are drawn going straight; a smaller output.snapshot_every shows their orbits",
          100 * lost);
    }
  }
  FrameCounter counter;
  const MovieResult result =
      write_movie(recording, settings, options.output,
                  [&](std::size_t done, std::size_t all) { return counter(done, all); });
  if (!result.finished) {
    outcome.exit_code = ExitCode::stopped;
    warn("apsis: stopped on request after {}; {}", counted(result.frames, "frame"),
         format == MovieFormat::series ? "they are kept" : "no movie was written");
    return;
  }
  if (talk() == Talk::quiet) return;
  fmt::print("{}: {} of {} x {}\n", options.output, counted(result.frames, "frame"), settings.width,
             settings.height);
}

void add_camera(CLI::App& command, RenderOptions& options) {
  CameraMoves& camera = options.settings.camera;
  command.add_option("--azimuth", camera.azimuth,
                     "Degrees that the camera is turned about the z axis");
  command
      .add_option("--elevation", camera.elevation,
                  "Degrees above the x-y plane; 90 looks down on it")
      ->capture_default_str();
  command.add_option("--orbit", camera.orbit,
                     "Degrees that the camera goes round during the movie");
  command.add_option("--zoom", options.zoom, "Factor, or two for start and end: 1:4")
      ->type_name("A[:B]")
      ->capture_default_str();
  command.add_option("--width", options.width,
                     "Length seen across at zoom 1 (default: all bodies)");
  command.add_option("--field-of-view", camera.field_of_view, "Degrees of perspective; 0: none")
      ->capture_default_str();
  command
      .add_option("--follow", options.settings.follow, "Keep the body with this id in the middle")
      ->check(not_negative())
      ->type_name("ID");
}

void add_look(CLI::App& command, RenderOptions& options) {
  MovieSettings& s = options.settings;
  command
      .add_option("--colour-by,--color-by", options.colour_by,
                  "What colours stand for: " + list_of(choice_names<ColourBy>()))
      ->type_name("WHAT");
  command
      .add_option("--colour-map,--color-map", options.colour_map,
                  "Colours: " + list_of(choice_names<ColourMap>()))
      ->type_name("NAME");
  command.add_option("--exposure", s.tone.stops, "Brighter (+1: twice the light) or darker");
  command.add_option("--gamma", s.tone.gamma, "Above 1 lifts what is faint")->capture_default_str();
  command.add_option("--contrast", s.tone.contrast, "Above 1 keeps faint light darker")
      ->capture_default_str();
  command.add_option("--bloom", s.tone.bloom, "Light that spreads around what is brightest")
      ->capture_default_str();
  command.add_option("--glow", s.glow, "Share of a body's light that fills the space around it")
      ->capture_default_str();
  command
      .add_option("--point-size", s.point_size, "Radius of a body in pixels; 0: by their number")
      ->capture_default_str();
  command
      .add_option("--spheres", options.spheres,
                  "Bodies that have a radius as spheres: auto (from a pixel on), on, off")
      ->type_name("WHEN");
  command.add_flag("--plain", options.plain, "Without time, scale bar and other words");
}

}  // namespace

void add_render(CLI::App& app, Outcome& outcome) {
  auto options = std::make_shared<RenderOptions>();
  CLI::App* command = app.add_subcommand("render", "Makes pictures and movies of a run");
  command->add_option("RUN", options->input, "Folder of a run, or a snapshot")->required();
  command
      ->add_option(
          "-o,--output", options->output,
          "movie.mp4, .webm or .gif (by ffmpeg), frame.png, or frame_%04d.png for a series")
      ->type_name("FILE")
      ->required();
  command->add_flag("--force", options->force, "Replace an existing file");
  command->add_option("--size", options->size, "Pixels")->type_name("WxH")->capture_default_str();
  command->add_option("--fps", options->settings.frames_per_second, "Frames a second")
      ->capture_default_str();
  command->add_option("--duration", options->settings.seconds, "Seconds of the movie")
      ->capture_default_str();
  command->add_option("--time", options->time,
                      "Time of the run that a picture shows (default: its end)");
  command->add_option("--from", options->from, "Time of the run at which the movie begins");
  command->add_option("--to", options->to, "Time of the run at which it ends");
  add_camera(*command, *options);
  add_look(*command, *options);
  command->add_option("--threads", options->settings.threads, "0: all")->capture_default_str();
  add_talk_options(*command, "Print warnings and errors only", "");
  command->footer(
      "Between snapshots bodies are moved along cubics through their positions and velocities.\n"
      "For example: apsis render out/galaxy-merger -o merger.mp4 --elevation 40 --orbit 60");
  command->callback([options, &outcome] { render(*options, outcome); });
}

}  // namespace apsis::cli
