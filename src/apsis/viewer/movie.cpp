// SPDX-License-Identifier: MIT
#include <apsis/core/counted.hpp>
#include <apsis/core/error.hpp>
#include <apsis/core/typed_command.hpp>
#include <apsis/render/run_views.hpp>
#include <apsis/viewer/movie.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace apsis {
namespace {

constexpr double most_frames = 1e6;

// Enough states to know the range of colours and light, few enough to be kept in memory at once.
std::size_t sampled_states(std::size_t bodies) {
  return std::clamp<std::size_t>(4'000'000 / std::max<std::size_t>(bodies, 1), 2, 6);
}

std::optional<Vec3> place_of(const Bodies& bodies, std::uint64_t id) {
  const auto found = std::ranges::find(bodies.id, id);
  if (found == bodies.id.end()) return std::nullopt;
  return bodies.position(static_cast<std::size_t>(found - bodies.id.begin()));
}

// Before any frame is made.
void require_body(const Bodies& bodies, std::uint64_t id) {
  if (place_of(bodies, id)) return;
  throw bad_data(fmt::format("there is no body with id {}", id),
                 fmt::format("the run has {}; `{}` to CSV lists their ids",
                             counted(bodies.size(), "body"), typed_command("convert")));
}

void require_sizes(const std::vector<Bodies>& states) {
  for (const Bodies& bodies : states) {
    if (std::ranges::any_of(bodies.radius, [](double radius) { return radius > 0; })) return;
  }
  throw bad_data("these bodies are points: there are no spheres to draw",
                 "leave --spheres away, or render a run whose bodies have a radius");
}

void require_valid(const MovieSettings& s) {
  if (!(s.frames_per_second > 0 && s.frames_per_second <= 1000)) {
    throw bad_data(fmt::format("{} frames a second make no movie", s.frames_per_second),
                   "choose 1 to 1000");
  }
  if (!(s.seconds > 0) || s.seconds * s.frames_per_second > most_frames) {
    throw bad_data(fmt::format("a movie of {} s at {} frames a second cannot be made", s.seconds,
                               s.frames_per_second),
                   "choose a duration above 0 with at most a million frames");
  }
}

}  // namespace

Movie::Movie(Recording& recording, const MovieSettings& settings)
    : recording_(recording), settings_(settings) {
  require_valid(settings);
  from_ = std::max(settings.from.value_or(recording.first_time()), recording.first_time());
  to_ = std::min(settings.to.value_or(recording.last_time()), recording.last_time());
  if (from_ > to_) {
    throw bad_data(fmt::format("the run has nothing between t = {} and t = {}",
                               settings.from.value_or(from_), settings.to.value_or(to_)),
                   fmt::format("its snapshots reach from {} to {}", recording.first_time(),
                               recording.last_time()));
  }
  frames_ = static_cast<std::size_t>(
      std::max(1.0, std::round(settings.seconds * settings.frames_per_second)));

  const std::size_t wanted = from_ == to_ ? 1 : sampled_states(recording.bodies());
  std::vector<Bodies> states;
  std::vector<double> times;
  for (std::size_t k = 0; k < wanted; ++k) {
    const double share =
        wanted == 1 ? 1.0 : static_cast<double>(k) / static_cast<double>(wanted - 1);
    times.push_back(from_ + share * (to_ - from_));
    states.push_back(recording.at(times.back(), settings.threads));
  }
  style_ = suitable_style(states.front());
  style_.width = settings.width, style_.height = settings.height;
  if (settings.colour_by) style_.colour_by = *settings.colour_by;
  if (settings.colour_map) style_.colour_map = *settings.colour_map;
  style_.tone = settings.tone;
  style_.point_size = settings.point_size, style_.glow = settings.glow;
  style_.spheres = settings.spheres;

  if (settings.spheres == SphereChoice::on) require_sizes(states);
  if (settings.follow) {
    require_body(states.front(), *settings.follow);
    followed(states.back(), times.back());
  }
  CameraMoves moves = settings.camera;
  if (settings.follow) moves.centre = Vec3{};  // the body itself is added in each frame
  path_.emplace(moves, states, static_cast<double>(settings.width) / settings.height, style_.light,
                style_.light_id);
  const std::size_t half = states.size() / 2;
  const Camera middle = path_->at(0.5, followed(states[half], times[half]));
  require_valid(style_, middle, recording.bodies());
  style_.look = look_of(states, middle, style_, settings.threads);
}

double Movie::progress(std::size_t frame) const {
  return frames_ == 1 ? 1.0 : static_cast<double>(frame) / static_cast<double>(frames_ - 1);
}

double Movie::time_of(std::size_t frame) const { return from_ + progress(frame) * (to_ - from_); }

// A body that was taken in by another is that one from then on; where one left, the camera stays.
Vec3 Movie::followed(const Bodies& bodies, double time) const {
  if (!settings_.follow) return {};
  const Recording::Whereabouts now = recording_.whereabouts(*settings_.follow, time);
  if (now.last_place) return *now.last_place;
  const auto place = place_of(bodies, now.id);
  if (place) return *place;
  throw bad_data(fmt::format("body {} leaves the run, and nothing says where to", now.id),
                 "keep the run's events.csv beside its snapshots, or follow another body");
}

Image Movie::frame(std::size_t index) {
  const double time = time_of(index);
  const Bodies bodies = recording_.at(time, settings_.threads);
  const Camera camera = path_->at(progress(index), followed(bodies, time));
  Image image = render(bodies, camera, style_, settings_.threads);
  if (settings_.caption) {
    const Labels labels{.title = recording_.title(), .units = recording_.units()};
    Caption caption = caption_of(bodies, camera, style_, *style_.look, labels,
                                 frames_ == 1 ? Outside::counted : Outside::not_counted);
    const double longest = std::max(std::abs(from_), std::abs(to_));
    caption.text = time_label(time, time_digits(longest), time_unit(labels.units));
    draw_caption(image, caption);
  }
  return image;
}

}  // namespace apsis
