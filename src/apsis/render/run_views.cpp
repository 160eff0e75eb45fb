// SPDX-License-Identifier: MIT
#include <apsis/core/counted.hpp>
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

// "0.02" and "1.3 km/s", with digits enough to tell them apart; empty where they are equal.
ColourKey key_between(double low, double high, const std::string& quantity,
                      const std::string& unit) {
  if (!(high > low)) return {};
  for (int digits = 2; digits <= 6; ++digits) {
    ColourKey key{
        .quantity = quantity, .low = short_number(low, digits), .high = short_number(high, digits)};
    if (key.low == key.high) continue;
    if (!unit.empty()) key.high += " " + unit;
    return key;
  }
  return {};
}

ColourKey colours_of(const Bodies& bodies, const FrameStyle& style, const Look& look,
                     const Units& units) {
  if (bodies.size() == 0 || !style.tint.empty()) return {};
  const double low = look.colour_low, high = look.colour_high;
  ColourKey key;
  switch (style.colour_by) {
    case ColourBy::speed:
      key = key_between(low, high, "speed", units.velocity_name);
      break;
    case ColourBy::mass:  // drawn by its logarithm
      key = key_between(std::pow(10, low), std::pow(10, high), "mass", units.mass_name);
      break;
    case ColourBy::charge:
      key = key_between(low, high, "charge", "");
      break;
    case ColourBy::density:  // of the picture, in no unit of the bodies
      if (high > low) key = {.quantity = "density", .low = "low", .high = "high"};
      break;
    case ColourBy::id:
      key = key_between(low, high, "id", "");
      break;
  }
  key.map = style.colour_map;
  return key;
}

std::size_t bodies_outside(const Bodies& bodies, const Camera& camera, const FrameStyle& style) {
  const Projection projection(camera, style.width, style.height);
  std::size_t count = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto at = projection(bodies.position(i));
    const bool inside = at.magnification > 0 && at.column >= 0 && at.column < style.width &&
                        at.row >= 0 && at.row < style.height;
    count += inside ? 0 : 1;
  }
  return count;
}

// What size and brightness mean: the eye takes every disc for a body of that size.
std::string looks_of(const Bodies& bodies, const Camera& camera, const FrameStyle& style) {
  // so many points overlap somewhere
  constexpr std::size_t crowd = 50;
  const double pixel = camera.width / style.width;
  const auto drawn = [&](double radius) {
    return style.spheres == SphereChoice::on ? radius > 0 : radius > pixel;
  };
  const bool spheres =
      style.spheres != SphereChoice::off && std::ranges::any_of(bodies.radius, drawn);
  if (spheres) {
    return std::ranges::all_of(bodies.radius, drawn) ? "spheres to scale"
                                                     : "spheres to scale, smaller ones as points";
  }
  if (bodies.size() < crowd) return "points, sizes not to scale";
  return style.light.empty() ? "brighter where more bodies overlap"
                             : "brighter where more bodies overlap, heavy kinds fainter";
}

// Those of all frames with one number of digits.
std::vector<std::string> labels_of(std::span<const double> times, const std::string& unit) {
  double longest = 0;
  for (const double time : times) longest = std::max(longest, std::abs(time));
  std::vector<std::string> labels;
  for (const double time : times) labels.push_back(time_label(time, time_digits(longest), unit));
  return labels;
}

}  // namespace

std::string time_unit(const Units& units) {
  // "kpc/(km/s) = 0.978 Gyr" explains itself on an axis; behind a number it would be wrong
  return units.time_name.substr(0, units.time_name.find(" = "));
}

Caption caption_of(const Bodies& bodies, const Camera& camera, const FrameStyle& style,
                   const Look& look, const Labels& labels, Outside outside) {
  Caption caption{.text = {},
                  .width = camera.width,
                  .length_unit = labels.units.length_name,
                  .title = labels.title,
                  .notes = {},
                  .colours = colours_of(bodies, style, look, labels.units)};
  std::string count = counted(bodies.size(), "body");
  const std::size_t beyond =
      outside == Outside::counted ? bodies_outside(bodies, camera, style) : 0;
  if (beyond > 0) count += fmt::format(", {} outside the picture", beyond);
  if (labels.units.length_name.empty()) {
    const bool none = labels.units.name == "dimensionless";
    count += ", " + labels.units.name + (none ? "" : " units");
  }
  caption.notes.push_back(std::move(count));
  if (bodies.size() > 0) caption.notes.push_back(looks_of(bodies, camera, style));
  return caption;
}

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

Image view_of(const Bodies& bodies, double time, const FrameStyle& style, const Labels& labels,
              int threads) {
  const Camera camera =
      framed(std::span(&bodies, 1), static_cast<double>(style.width) / style.height, {},
             style.light, style.light_id);
  Rendered view = rendered(bodies, camera, style, threads);
  if (labels.plain) return std::move(view.image);
  Caption caption = caption_of(bodies, camera, style, view.look, labels);
  caption.text = time_label(time, time_digits(std::abs(time)), time_unit(labels.units));
  draw_caption(view.image, caption);
  return std::move(view.image);
}

Image strip_of(std::span<const Bodies> frames, std::span<const double> times,
               const FrameStyle& style, const Labels& labels, const StripViews& views,
               int threads) {
  FrameStyle small = style;
  small.width = views.frame_width;
  small.height = views.frame_height;
  const Camera camera = framed(frames, static_cast<double>(small.width) / small.height, {},
                               style.light, style.light_id);
  small.look = look_of(frames, camera, small, threads);
  std::vector<Image> images;
  for (const Bodies& bodies : frames) {
    images.push_back(render(bodies, camera, small, threads));
  }
  if (labels.plain || frames.empty()) return strip(images);
  Caption caption =
      caption_of(frames.front(), camera, small, *small.look, labels, Outside::not_counted);
  return captioned_strip(images, caption, labels_of(times, time_unit(labels.units)));
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
