// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/core/parallel.hpp>
#include <apsis/render/crowd_map.hpp>
#include <apsis/render/frame.hpp>
#include <apsis/render/percentile.hpp>
#include <apsis/render/splat.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace apsis {
namespace {

constexpr int largest_side = 16384;
// So many bodies of full light lie in the square that sets the radius of a glow: enough for arms
// to look smooth, few enough to keep them thin.
constexpr double neighbours = 32;
constexpr double glow_per_square = 1.5;  // radius of a glow over half the side of that square

double light_of(const FrameStyle& style, std::size_t i) {
  return style.light.empty() ? 1.0 : style.light[i];
}

// Few bodies are drawn as discs, a million as the finest points that keep their light.
double point_radius(const FrameStyle& style, std::size_t bodies) {
  if (style.point_size > 0) return style.point_size;
  const double scale = style.width / 1600.0;
  const double n = std::max<double>(1, static_cast<double>(bodies));
  return scale * std::clamp(14 / std::pow(n, 0.22), 1.9, 12.0);
}

// A sixteenth of the picture, and less for many bodies: glows cover each pixel a hundred times at
// most, so that the cost of a picture has a bound.
double largest_glow(const FrameStyle& style, std::size_t bodies) {
  const double pixels = static_cast<double>(style.width) * style.height;
  const double bodies_or_one = std::max(1.0, static_cast<double>(bodies));
  const double affordable = std::sqrt(100 * pixels / (std::numbers::pi * bodies_or_one));
  // a handful of bodies has no density to show: a halo of a few radii is all they get
  const double halo = point_radius(style, bodies) * (4 + static_cast<double>(bodies) / 8);
  return std::clamp(std::min(affordable, halo), 2.0, std::max(8.0, style.width / 16.0));
}

struct Projected {
  std::vector<Projection::Point> points;
  CrowdMap crowd;
};

Projected project(const Bodies& bodies, const Camera& camera, const FrameStyle& style,
                  int threads) {
  Projected result{
      std::vector<Projection::Point>(bodies.size()),
      CrowdMap(style.width, style.height, static_cast<int>(largest_glow(style, bodies.size())))};
  const Projection projection(camera, style.width, style.height);
  parallel_for(bodies.size(), threads,
               [&](std::size_t i) { result.points[i] = projection(bodies.position(i)); });
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Projection::Point& p = result.points[i];
    if (p.magnification > 0) result.crowd.add(p.column, p.row, light_of(style, i));
  }
  result.crowd.sum_up();
  return result;
}

// The quantity that colours stand for. Speeds are relative to the bodies' common motion.
std::vector<double> coloured_values(const Bodies& bodies, const Projected& projected,
                                    const FrameStyle& style, int threads) {
  const std::size_t n = bodies.size();
  std::vector<double> values(n);
  const Vec3 drift = style.colour_by == ColourBy::speed ? mean_velocity(bodies) : Vec3{};
  parallel_for(n, threads, [&](std::size_t i) {
    switch (style.colour_by) {
      case ColourBy::speed:
        values[i] = norm(bodies.velocity(i) - drift);
        break;
      case ColourBy::mass:
        values[i] = std::log10(std::max(bodies.mass[i], 1e-300));
        break;
      case ColourBy::charge:
        values[i] = bodies.charged() ? bodies.charge[i] : 0.0;
        break;
      case ColourBy::density: {
        const Projection::Point& p = projected.points[i];
        if (!(p.magnification > 0)) break;
        const double d =
            projected.crowd.density(p.column, p.row, neighbours, largest_glow(style, n));
        values[i] = std::log10(std::max(d, 1e-6));
        break;
      }
      case ColourBy::id:
        values[i] = static_cast<double>(bodies.id[i]);
        break;
    }
  });
  return values;
}

void take_range(Look& look, const std::vector<double>& values, const FrameStyle& style,
                bool first) {
  std::vector<WeightedValue> weighted;
  weighted.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double light = light_of(style, i);
    if (std::isfinite(values[i]) && light > 0) weighted.push_back({values[i], light});
  }
  if (weighted.empty()) return;
  double low = weighted_percentile(weighted, 0.02), high = weighted_percentile(weighted, 0.98);
  if (style.colour_by == ColourBy::charge) {  // zero in the middle of the map
    high = std::max(std::abs(low), std::abs(high));
    low = -high;
  }
  look.colour_low = first ? low : std::min(look.colour_low, low);
  look.colour_high = first ? high : std::max(look.colour_high, high);
}

// Colours of a map at 1024 places: a body takes the nearest, which no eye tells from the exact one.
std::vector<Colour> colour_table(ColourMap map) {
  std::vector<Colour> table(1024);
  const auto last = static_cast<double>(table.size() - 1);
  for (std::size_t i = 0; i < table.size(); ++i) {
    table[i] = colour_at(map, static_cast<double>(i) / last);
  }
  return table;
}

Colour looked_up(const std::vector<Colour>& table, double place) {
  const double clamped = place > 0 ? std::min(place, 1.0) : 0.0;  // NaN falls to 0
  return table[static_cast<std::size_t>(
      std::lround(clamped * static_cast<double>(table.size() - 1)))];
}

double place_on_map(double value, const Look& look) {
  const double range = look.colour_high - look.colour_low;
  return range > 0 ? (value - look.colour_low) / range : 0.5;
}

Light splatted(const Bodies& bodies, const Projected& projected, const std::vector<double>& values,
               const Look& look, const FrameStyle& style, int threads) {
  std::vector<Splat> splats(bodies.size());
  const double widest = largest_glow(style, bodies.size());
  const std::vector<Colour> colours = colour_table(style.colour_map);
  parallel_for(bodies.size(), threads, [&](std::size_t i) {
    const Projection::Point& p = projected.points[i];
    const double light = light_of(style, i);
    if (!(p.magnification > 0) || !(light > 0)) return;
    if (!std::isfinite(p.column) || !std::isfinite(p.row)) return;
    // far outside: no need to look for neighbours
    if (p.column < -widest || p.column > style.width + widest || p.row < -widest ||
        p.row > style.height + widest) {
      return;
    }
    const double place = style.tint.empty() ? place_on_map(values[i], look) : style.tint[i];
    Splat& splat = splats[i];
    splat.column = static_cast<float>(p.column);
    splat.row = static_cast<float>(p.row);
    splat.glow_radius = static_cast<float>(std::min(
        widest, glow_per_square * projected.crowd.radius(p.column, p.row, neighbours, widest)));
    splat.colour = static_cast<float>(light) * looked_up(colours, place);
  });
  Light light(style.width, style.height);
  add_splats(light, splats,
             {.point_radius = static_cast<float>(point_radius(style, bodies.size())),
              .glow_share = static_cast<float>(style.glow)},
             threads);
  return light;
}

}  // namespace

void require_valid(const FrameStyle& style, const Camera& camera, std::size_t bodies) {
  const auto demand = [](bool holds, const std::string& what, const char* remedy) {
    if (!holds) throw bad_data(what, remedy);
  };
  const auto side = [&](int value) { return value >= 1 && value <= largest_side; };
  demand(side(style.width) && side(style.height),
         fmt::format("a picture of {} x {} pixels cannot be made", style.width, style.height),
         "choose 1 to 16384 pixels for each side");
  demand(style.glow >= 0 && style.glow <= 1, fmt::format("glow {} is not a share", style.glow),
         "choose 0 to 1");
  demand(style.point_size >= 0 && style.point_size <= 1000,
         fmt::format("point size {} is out of range", style.point_size),
         "choose 0 (automatic) to 1000 pixels");
  demand(style.tone.gamma > 0 && style.tone.contrast > 0 && std::isfinite(style.tone.stops),
         fmt::format("gamma {}, contrast {} or exposure {} make no picture", style.tone.gamma,
                     style.tone.contrast, style.tone.stops),
         "gamma and contrast must be above 0");
  demand(camera.width > 0 && std::isfinite(camera.width),
         fmt::format("the camera sees a width of {}", camera.width), "give a width above 0");
  demand(camera.field_of_view >= 0 && camera.field_of_view < 179,
         fmt::format("field of view {} degrees is out of range", camera.field_of_view),
         "choose 0 (no perspective) up to 170");
  demand(style.light.empty() || style.light.size() == bodies,
         fmt::format("{} values of light for {} bodies", style.light.size(), bodies),
         "give one per body or none");
  demand(style.tint.empty() || style.tint.size() == bodies,
         fmt::format("{} tints for {} bodies", style.tint.size(), bodies),
         "give one per body or none");
}

Light collect_light(const Bodies& bodies, const Camera& camera, const FrameStyle& style,
                    int threads) {
  require_valid(style, camera, bodies.size());
  const int team = thread_count(threads);
  const Projected projected = project(bodies, camera, style, team);
  const std::vector<double> values = coloured_values(bodies, projected, style, team);
  Look look;
  if (style.look) {
    look = *style.look;
  } else {
    take_range(look, values, style, true);
  }
  return splatted(bodies, projected, values, look, style, team);
}

Look look_of(std::span<const Bodies> frames, const Camera& camera, const FrameStyle& style,
             int threads) {
  const int team = thread_count(threads);
  Look look;
  bool first = true;
  for (const Bodies& bodies : frames) {
    require_valid(style, camera, bodies.size());
    const Projected projected = project(bodies, camera, style, team);
    take_range(look, coloured_values(bodies, projected, style, team), style, first);
    first = false;
  }
  FrameStyle shared = style;
  shared.look = look;
  // the faintest frame sets what is still shown, the mean (in octaves) what is white: no frame is
  // drowned or burnt by the others
  double white_octaves = 0;
  int lit = 0;
  for (const Bodies& bodies : frames) {
    const Exposure exposure = exposure_of(collect_light(bodies, camera, shared, team));
    if (!(exposure.white > 0)) continue;
    look.exposure.faint = lit == 0 ? exposure.faint : std::min(look.exposure.faint, exposure.faint);
    white_octaves += std::log2(exposure.white);
    ++lit;
  }
  if (lit > 0) look.exposure.white = std::exp2(white_octaves / lit);
  return look;
}

Image render(const Bodies& bodies, const Camera& camera, const FrameStyle& style, int threads) {
  const Light light = collect_light(bodies, camera, style, threads);
  const bool exposed = style.look && style.look->exposure.white > 0;
  return develop(light, exposed ? style.look->exposure : exposure_of(light), style.tone, threads);
}

}  // namespace apsis
