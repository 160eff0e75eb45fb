// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/core/parallel.hpp>
#include <apsis/render/crowd_map.hpp>
#include <apsis/render/frame.hpp>
#include <apsis/render/percentile.hpp>
#include <apsis/render/spheres.hpp>
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

// Few bodies are drawn as discs, a million as the finest points that keep their light. Beside
// spheres all points are fine and do not glow: a disc would be taken for a size. `spheres`: 0 for
// none, 1 for some.
double point_radius(const FrameStyle& style, std::size_t bodies, double spheres) {
  if (style.point_size > 0) return style.point_size;
  const double scale = style.width / 1600.0;
  const double n = std::max<double>(1, static_cast<double>(bodies));
  const double finest = 1.9, usual = std::clamp(14 / std::pow(n, 0.22), finest, 12.0);
  return scale * (usual + spheres * (finest - usual));
}

// A sixteenth of the picture, and less for many points: glows cover each pixel a hundred times at
// most, so that the cost of a picture has a bound.
double largest_glow(const FrameStyle& style, double point, std::size_t points) {
  const double pixels = static_cast<double>(style.width) * style.height;
  const double points_or_one = std::max(1.0, static_cast<double>(points));
  const double affordable = std::sqrt(100 * pixels / (std::numbers::pi * points_or_one));
  // a handful of points has no density to show: a halo of a few radii is all they get
  const double halo = point * (4 + static_cast<double>(points) / 8);
  return std::clamp(std::min(affordable, halo), 2.0, std::max(8.0, style.width / 16.0));
}

struct Projected {
  std::vector<Projection::Point> points;
  std::vector<float> radius;  // in pixels; empty where nobody is drawn as a sphere
  std::vector<float> sphere;  // 0 is a point, 1 a sphere: a body turns as the camera comes closer
  double looked_around;       // pixels, for neighbours
  CrowdMap crowd;
  double point = 0, widest_glow = 0;  // radii of the lights of points

  double share_of_sphere(std::size_t i) const { return sphere.empty() ? 0 : sphere[i]; }
};

// From three quarters of a pixel on shading begins to show.
double share_of_sphere(const FrameStyle& style, double radius) {
  if (!(radius > 0)) return 0;
  if (style.spheres == SphereChoice::on) return 1;
  return std::clamp(4 * (radius - 0.75), 0.0, 1.0);
}

Projected project(const Bodies& bodies, const Camera& camera, const FrameStyle& style,
                  int threads) {
  const std::size_t n = bodies.size();
  const double around = largest_glow(style, point_radius(style, n, 0), n);
  const Projection projection(camera, style.width, style.height);
  const bool sized = style.spheres != SphereChoice::off && !bodies.radius.empty();
  Projected result{.points = std::vector<Projection::Point>(n),
                   .radius = std::vector<float>(sized ? n : 0),
                   .sphere = std::vector<float>(sized ? n : 0),
                   .looked_around = around,
                   .crowd = CrowdMap(style.width, style.height, static_cast<int>(around))};
  parallel_for(n, threads, [&](std::size_t i) {
    result.points[i] = projection(bodies.position(i));
    if (!sized) return;
    const double radius =
        bodies.radius[i] * projection.pixels_per_length() * result.points[i].magnification;
    result.radius[i] = static_cast<float>(radius);
    result.sphere[i] = static_cast<float>(share_of_sphere(style, radius));
  });
  const auto spheres = std::ranges::count(result.sphere, 1.0F);
  const double most = sized && n > 0 ? *std::ranges::max_element(result.sphere) : 0.0;
  result.point = point_radius(style, n, most);
  const double widest = largest_glow(style, result.point, n - static_cast<std::size_t>(spheres));
  result.widest_glow = (1 - most) * widest;
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
            projected.crowd.density(p.column, p.row, neighbours, projected.looked_around);
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

// What gives every body its colour.
struct Colouring {
  std::vector<double> values;
  Look look;
  std::vector<Colour> table;

  Colour of(std::size_t i, const FrameStyle& style) const {
    return looked_up(table, style.tint.empty() ? place_on_map(values[i], look) : style.tint[i]);
  }
};

Colouring coloured(const Bodies& bodies, const Projected& projected, const FrameStyle& style,
                   int threads) {
  Colouring colouring{
      coloured_values(bodies, projected, style, threads), {}, colour_table(style.colour_map)};
  if (style.look) {
    colouring.look = *style.look;
  } else {
    take_range(colouring.look, colouring.values, style, true);
  }
  return colouring;
}

Surfaces spheres_of(const Bodies& bodies, const Projected& projected, const Colouring& colouring,
                    const Camera& camera, const FrameStyle& style, int threads) {
  if (projected.radius.empty()) return {};
  const Projection projection(camera, style.width, style.height);
  std::vector<Sphere> spheres(bodies.size());
  parallel_for(bodies.size(), threads, [&](std::size_t i) {
    const double share = projected.share_of_sphere(i);
    if (!(share > 0) || !(light_of(style, i) > 0)) return;
    const double distance = projection.distance(bodies.position(i), bodies.radius[i]);
    // what is farther away is dimmer: it tells a ball of bodies from a disk
    const double air = std::clamp(1 - 0.6 * distance / camera.width, 0.45, 1.2);
    spheres[i] = {.column = static_cast<float>(projected.points[i].column),
                  .row = static_cast<float>(projected.points[i].row),
                  .radius = projected.radius[i],
                  .distance = distance,
                  .colour = static_cast<float>(air) * colouring.of(i, style),
                  .opacity = static_cast<float>(share)};
  });
  return drawn(std::move(spheres), style.width, style.height, threads);
}

Light splatted(const Bodies& bodies, const Projected& projected, const Colouring& colouring,
               const Surfaces& surfaces, const Camera& camera, const FrameStyle& style,
               int threads) {
  std::vector<Splat> splats(bodies.size());
  const double widest = projected.widest_glow;
  const Projection projection(camera, style.width, style.height);
  parallel_for(bodies.size(), threads, [&](std::size_t i) {
    const Projection::Point& p = projected.points[i];
    const double light = light_of(style, i) * (1 - projected.share_of_sphere(i));
    if (!(p.magnification > 0) || !(light > 0)) return;
    if (!std::isfinite(p.column) || !std::isfinite(p.row)) return;
    // far outside: no need to look for neighbours
    if (p.column < -widest || p.column > style.width + widest || p.row < -widest ||
        p.row > style.height + widest) {
      return;
    }
    if (!surfaces.empty() &&
        surfaces.hides(p.column, p.row, projection.distance(bodies.position(i), 0))) {
      return;
    }
    Splat& splat = splats[i];
    splat.column = static_cast<float>(p.column);
    splat.row = static_cast<float>(p.row);
    splat.glow_radius = static_cast<float>(std::min(
        widest, glow_per_square * projected.crowd.radius(p.column, p.row, neighbours, widest)));
    splat.colour = static_cast<float>(light) * colouring.of(i, style);
  });
  Light light(style.width, style.height);
  add_splats(light, splats,
             {.point_radius = static_cast<float>(projected.point),
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
  const std::size_t lit = style.light_id.empty() ? bodies : style.light_id.size();
  demand(style.light.empty() || style.light.size() == lit,
         fmt::format("{} values of light for {} bodies", style.light.size(), lit),
         "give one per body or none");
  demand(style.tint.empty() || style.tint.size() == bodies,
         fmt::format("{} tints for {} bodies", style.tint.size(), bodies),
         "give one per body or none");
}

namespace {

struct Drawing {
  Light light;
  Surfaces surfaces;
  Look look;  // its colours; exposed later
};

// With the light of these bodies in their order.
FrameStyle style_for(const Bodies& bodies, const FrameStyle& style) {
  FrameStyle own = style;
  own.light = light_for(bodies, style.light, style.light_id);
  own.light_id.clear();
  return own;
}

Drawing draw(const Bodies& bodies, const Camera& camera, const FrameStyle& given, int threads) {
  require_valid(given, camera, bodies.size());
  const FrameStyle style = style_for(bodies, given);
  const int team = thread_count(threads);
  const Projected projected = project(bodies, camera, style, team);
  const Colouring colouring = coloured(bodies, projected, style, team);
  Drawing drawing;
  drawing.surfaces = spheres_of(bodies, projected, colouring, camera, style, team);
  drawing.light = splatted(bodies, projected, colouring, drawing.surfaces, camera, style, team);
  drawing.look = colouring.look;
  return drawing;
}

}  // namespace

Light collect_light(const Bodies& bodies, const Camera& camera, const FrameStyle& style,
                    int threads) {
  return draw(bodies, camera, style, threads).light;
}

Look look_of(std::span<const Bodies> frames, const Camera& camera, const FrameStyle& style,
             int threads) {
  const int team = thread_count(threads);
  Look look;
  bool first = true;
  for (const Bodies& bodies : frames) {
    require_valid(style, camera, bodies.size());
    const FrameStyle own = style_for(bodies, style);
    const Projected projected = project(bodies, camera, own, team);
    take_range(look, coloured_values(bodies, projected, own, team), own, first);
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

Rendered rendered(const Bodies& bodies, const Camera& camera, const FrameStyle& style,
                  int threads) {
  Drawing drawing = draw(bodies, camera, style, threads);
  const bool exposed = style.look && style.look->exposure.white > 0;
  if (!exposed) drawing.look.exposure = exposure_of(drawing.light);
  return {
      develop(drawing.light, drawing.look.exposure, style.tone, threads, drawing.surfaces.light),
      drawing.look};
}

Image render(const Bodies& bodies, const Camera& camera, const FrameStyle& style, int threads) {
  return rendered(bodies, camera, style, threads).image;
}

}  // namespace apsis
