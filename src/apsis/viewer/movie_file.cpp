// SPDX-License-Identifier: MIT
// Frames into files: PNG by libpng, movies by the ffmpeg program, which gets raw frames through a
// pipe and is started by argument vector.
#include <apsis/core/error.hpp>
#include <apsis/files/file.hpp>
#include <apsis/files/programs.hpp>
#include <apsis/render/png.hpp>
#include <apsis/viewer/movie.hpp>

#include <fmt/format.h>

#include <utility>

namespace apsis {
namespace {

// H.264 with yuv420p, which every player knows, needs even sides.
void require_even(const MovieSettings& settings) {
  if (settings.width % 2 == 0 && settings.height % 2 == 0) return;
  throw bad_data(
      fmt::format("a movie of {} x {} pixels cannot be encoded", settings.width, settings.height),
      "choose even numbers for both sides");
}

// GIF knows 256 colours: they are found from what moves in this movie.
constexpr const char* own_palette =
    "[0:v]split[a][b];[a]palettegen=stats_mode=diff[p];"
    "[b][p]paletteuse=dither=bayer:bayer_scale=3";

std::string ffmpeg() {
  const auto found = find_program("ffmpeg");
  if (found) return found->string();
  throw Error(ExitCode::unavailable, "ffmpeg, which encodes movies, was not found",
              "install it (apt-get install ffmpeg), or write pictures: -o frame_%04d.png");
}

std::string last_line(const std::string& text) {
  const auto end = text.find_last_not_of(" \n\r");
  if (end == std::string::npos) return "it gave no reason";
  const auto begin = text.find_last_of("\n\r", end);
  return text.substr(begin == std::string::npos ? 0 : begin + 1, end - (begin + 1) + 1);
}

MovieResult encode(Movie& movie, const MovieSettings& settings, MovieFormat format,
                   const std::filesystem::path& output, const MovieProgress& progress) {
  const std::string program = ffmpeg();
  MovieResult result;
  struct Ended {};  // thrown through the writer, so that the temporary goes with it
  try {
    write_by_name(output, [&](const std::filesystem::path& temporary) {
      Image image;
      bool go_on = true;
      const auto next = [&]() -> std::string_view {
        if (result.frames == movie.frames() || !go_on) return {};
        image = movie.frame(result.frames++);
        go_on = !progress || progress(result.frames, movie.frames());
        return {reinterpret_cast<const char*>(image.rgb.data()), image.rgb.size()};
      };
      const auto run = run_program(encoder_arguments(program, format, settings, temporary), next);
      if (!go_on && result.frames < movie.frames()) throw Ended{};
      if (run.exit_status != 0) {
        throw file_error(fmt::format("ffmpeg ended with {} and wrote no {}: {}", run.exit_status,
                                     output.string(), last_line(run.errors)),
                         "check the free space, or write pictures: -o frame_%04d.png");
      }
    });
    result.finished = true;
  } catch (const Ended&) {
  }
  return result;
}

}  // namespace

MovieFormat movie_format(const std::filesystem::path& output) {
  const std::string ending = output.extension().string();
  if (ending == ".mp4") return MovieFormat::mp4;
  if (ending == ".webm") return MovieFormat::webm;
  if (ending == ".gif") return MovieFormat::gif;
  if (ending == ".png") {
    const bool series = output.filename().string().find('%') != std::string::npos;
    return series ? MovieFormat::series : MovieFormat::picture;
  }
  throw bad_data(fmt::format("{} is neither a picture nor a movie by its ending", output.string()),
                 "choose .png, .mp4, .webm or .gif");
}

std::filesystem::path numbered(const std::filesystem::path& pattern, std::size_t number) {
  const std::string name = pattern.filename().string();
  const auto place = name.find('%');
  const auto letter = name.find('d', place);
  const auto inner = name.substr(place + 1, letter - place - 1);
  const bool plain = letter != std::string::npos &&
                     name.find('%', place + 1) == std::string::npos &&
                     (inner.empty() ||
                      (inner.size() == 2 && inner[0] == '0' && inner[1] >= '1' && inner[1] <= '9'));
  if (!plain) {
    throw bad_data(fmt::format("{} has no place for a number that can be used", pattern.string()),
                   "write it as frame_%04d.png");
  }
  const int digits = inner.empty() ? 1 : inner[1] - '0';
  return pattern.parent_path() /
         (name.substr(0, place) + fmt::format("{:0{}}", number, digits) + name.substr(letter + 1));
}

std::vector<std::string> encoder_arguments(const std::string& program, MovieFormat format,
                                           const MovieSettings& settings,
                                           const std::filesystem::path& file) {
  std::vector<std::string> arguments = {program,
                                        "-hide_banner",
                                        "-loglevel",
                                        "error",
                                        "-y",
                                        "-f",
                                        "rawvideo",
                                        "-pixel_format",
                                        "rgb24",
                                        "-video_size",
                                        fmt::format("{}x{}", settings.width, settings.height),
                                        "-framerate",
                                        fmt::format("{}", settings.frames_per_second),
                                        "-i",
                                        "pipe:0",
                                        "-an"};
  const auto add = [&](std::initializer_list<const char*> more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
  };
  if (format == MovieFormat::mp4) {
    add({"-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "18", "-preset", "medium", "-movflags",
         "+faststart", "-f", "mp4"});
  } else if (format == MovieFormat::webm) {
    add({"-c:v", "libvpx-vp9", "-pix_fmt", "yuv420p", "-crf", "28", "-b:v", "0", "-row-mt", "1",
         "-f", "webm"});
  } else {
    add({"-filter_complex", own_palette, "-loop", "0", "-f", "gif"});
  }
  arguments.push_back("file:" + file.string());  // a colon in a name is no protocol's
  return arguments;
}

MovieResult write_movie(Recording& recording, const MovieSettings& settings,
                        const std::filesystem::path& output, const MovieProgress& progress) {
  const MovieFormat format = movie_format(output);
  MovieSettings used = settings;
  if (format == MovieFormat::picture) {  // one picture of the end of what was asked for
    used.from = settings.to.value_or(recording.last_time());
    used.to = used.from;
    used.frames_per_second = 1, used.seconds = 1;
  }
  if (format == MovieFormat::series) numbered(output, 0);
  if (format == MovieFormat::mp4 || format == MovieFormat::webm) require_even(used);
  if (format != MovieFormat::picture && format != MovieFormat::series) ffmpeg();
  Movie movie(recording, used);
  if (format != MovieFormat::picture && format != MovieFormat::series) {
    return encode(movie, used, format, output, progress);
  }
  MovieResult result;
  while (result.frames < movie.frames()) {
    const auto file = format == MovieFormat::series ? numbered(output, result.frames) : output;
    write_atomically(file, encode_png(movie.frame(result.frames++)));
    if (progress && !progress(result.frames, movie.frames())) return result;
  }
  result.finished = true;
  return result;
}

}  // namespace apsis
