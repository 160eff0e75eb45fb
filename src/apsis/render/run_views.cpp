// SPDX-License-Identifier: MIT
#include <apsis/render/caption.hpp>
#include <apsis/render/run_views.hpp>
#include <apsis/render/strip.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace apsis {
namespace {

// More kinds than this are a mass spectrum; fewer bodies than this are individuals (a sun, a
// central mass), which stay bright.
constexpr std::size_t most_kinds = 12, smallest_kind = 32;

struct Kind {
  double mass = 0;
  std::size_t count = 0;
};

// To three digits: masses that a model made equal stay one kind through any file.
long kind_of(double mass) { return std::lround(1000 * std::log(mass)); }

// In the order of mass; more than `most_kinds` are not followed further.
std::map<long, Kind> kinds_of(const Bodies& bodies) {
  std::map<long, Kind> kinds;
  for (const double mass : bodies.mass) {
    if (mass > 0 && kinds[kind_of(mass)].count++ == 0) kinds[kind_of(mass)].mass = mass;
    if (kinds.size() > most_kinds) break;
  }
  return kinds;
}

}  // namespace

std::vector<float> light_by_kind(const Bodies& bodies) {
  const auto kinds = kinds_of(bodies);
  if (kinds.size() < 2 || kinds.size() > most_kinds) return {};
  const auto lightest = std::find_if(kinds.begin(), kinds.end(), [](const auto& entry) {
    return entry.second.count >= smallest_kind;
  });
  if (lightest == kinds.end()) return {};
  std::vector<float> light(bodies.size(), 1.0F);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!(bodies.mass[i] > 0)) continue;
    const Kind& kind = kinds.at(kind_of(bodies.mass[i]));
    if (kind.count < smallest_kind) continue;
    light[i] = static_cast<float>(std::min(1.0, std::pow(lightest->second.mass / kind.mass, 1.2)));
  }
  return light;
}

FrameStyle suitable_style(const Bodies& bodies) {
  FrameStyle style;
  const bool sized = std::ranges::any_of(bodies.radius, [](double r) { return r > 0; });
  if (!sized) style.light = light_by_kind(bodies);
  if (!style.light.empty()) style.light_id = bodies.id;  // others may follow with fewer bodies
  if (bodies.charged()) {
    style.colour_by = ColourBy::charge;
    style.colour_map = ColourMap::stars;
  }
  return style;
}

Image view_of(const Bodies& bodies, const FrameStyle& style, int threads) {
  const Camera camera =
      framed(std::span(&bodies, 1), static_cast<double>(style.width) / style.height, {},
             style.light, style.light_id);
  return render(bodies, camera, style, threads);
}

Image strip_of(std::span<const Bodies> frames, std::span<const double> times,
               const FrameStyle& style, const StripViews& views, int threads) {
  FrameStyle small = style;
  small.width = views.frame_width;
  small.height = views.frame_height;
  const Camera camera = framed(frames, static_cast<double>(small.width) / small.height, {},
                               style.light, style.light_id);
  small.look = look_of(frames, camera, small, threads);
  double longest = 0;
  for (const double time : times) longest = std::max(longest, std::abs(time));
  std::vector<Image> images;
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    images.push_back(render(frames[i], camera, small, threads));
    labels.push_back(i < times.size() ? time_label(times[i], time_digits(longest), views.time_unit)
                                      : "");
  }
  return strip(images, labels);
}

std::vector<std::size_t> evenly_spaced(std::size_t count, std::size_t wanted) {
  std::vector<std::size_t> indices;
  const std::size_t taken = std::min(count, wanted);
  for (std::size_t i = 0; i < taken; ++i) {
    indices.push_back(taken == 1 ? count - 1 : i * (count - 1) / (taken - 1));
  }
  return indices;
}

}  // namespace apsis
