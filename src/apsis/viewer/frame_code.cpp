// SPDX-License-Identifier: MIT
#include <apsis/viewer/frame_code.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace apsis::viewer {
namespace {

static_assert(std::endian::native == std::endian::little,
              "frames are written as they lie in memory");

constexpr double places_per_side = 65534;  // 0xFFFF is kept for `outside`
constexpr std::size_t looked_at = 8192;    // points that ranges and cubes are found from

// Percentile of at most `looked_at` values, evenly taken; the order is random already. Of points
// whose body is gone, and of what else is no number, there are none.
template <class Value>
double percentile(const std::vector<Value>& values, double share) {
  std::vector<double> some;
  some.reserve(std::min(values.size(), looked_at));
  for (std::size_t i = 0; i < values.size() && some.size() < looked_at; ++i) {
    if (std::isfinite(values[i])) some.push_back(values[i]);
  }
  if (some.empty()) return 0;
  // outwards, so that of a few values the ends are taken
  const double exact = share * static_cast<double>(some.size() - 1);
  const auto place = some.begin() + static_cast<std::ptrdiff_t>(share < 0.5 ? std::floor(exact)
                                                                            : std::ceil(exact));
  std::nth_element(some.begin(), place, some.end());
  return *place;
}

struct Writer {
  std::byte* at;
  template <class Value>
  void operator()(Value value) {
    std::memcpy(at, &value, sizeof value);
    at += sizeof value;
  }
};

struct Reader {
  const std::byte* at;
  template <class Value>
  void operator()(Value& value) {
    std::memcpy(&value, at, sizeof value);
    at += sizeof value;
  }
};

std::uint16_t place_on(double value, double low, double inverse_step) {
  const double place = (value - low) * inverse_step;
  return place >= 0 && place <= places_per_side ? static_cast<std::uint16_t>(std::lround(place))
                                                : outside;
}

// How many points share a cell of a 64³ grid over the cube's inner part, smoothed by nothing: as a
// logarithm it is what the eye takes for density.
std::vector<float> log_density(const Points& points, const Cube& cube) {
  constexpr std::size_t cells = 64;
  const double side = cube.step * places_per_side;
  std::vector<std::uint32_t> count(cells * cells * cells);
  const auto cell_of = [&](std::size_t i) {
    const auto along = [&](double value, double low) {
      const double offset = (value - low) / side;
      const double place = offset > 0 ? std::min(offset, 1.0) : 0.0;  // NaN falls to 0
      return std::min<std::size_t>(cells - 1, static_cast<std::size_t>(place * cells));
    };
    return (along(points.z[i], cube.corner.z) * cells + along(points.y[i], cube.corner.y)) * cells +
           along(points.x[i], cube.corner.x);
  };
  for (std::size_t i = 0; i < points.size(); ++i) ++count[cell_of(i)];
  std::vector<float> values(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    values[i] = std::log10(static_cast<float>(count[cell_of(i)]));
  }
  return values;
}

std::vector<float> values_of(const Points& points, ColourBy by, const Cube& cube) {
  std::vector<float> values(points.size());
  switch (by) {
    case ColourBy::speed:
      return points.speed;
    case ColourBy::mass:
      for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = std::log10(std::max(points.mass[i], 1e-37F));
      }
      return values;
    case ColourBy::charge:
      return points.charged ? points.charge : values;
    case ColourBy::density:
      return log_density(points, cube);
    case ColourBy::id:
      for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = std::isnan(points.x[i]) ? points.speed[i] : static_cast<float>(points.id[i]);
      }
      return values;
  }
  return values;
}

ColourRange range_of(const std::vector<float>& values, ColourBy by) {
  ColourRange range{percentile(values, 0.02), percentile(values, 0.98)};
  if (by == ColourBy::charge) {  // zero in the middle
    range.high = std::max(std::abs(range.low), std::abs(range.high));
    range.low = -range.high;
  }
  return range;
}

}  // namespace

std::array<std::byte, frame_header_bytes> encode_header(const FrameHeader& h) {
  std::array<std::byte, frame_header_bytes> bytes{};
  Writer write{bytes.data()};
  write(frame_magic), write(frame_version);
  write(static_cast<std::uint16_t>(frame_header_bytes));
  write(h.frame), write(h.first), write(h.count), write(h.sampled);
  write(h.bodies), write(h.scene), write(h.step), write(h.time);
  write(h.cube.corner.x), write(h.cube.corner.y), write(h.cube.corner.z), write(h.cube.step);
  write(static_cast<float>(h.center_of_mass.x)), write(static_cast<float>(h.center_of_mass.y));
  write(static_cast<float>(h.center_of_mass.z));
  write(static_cast<std::uint32_t>(h.colour_by));
  write(static_cast<float>(h.range.low)), write(static_cast<float>(h.range.high));
  write(h.base);
  return bytes;
}

FrameHeader decode_header(const std::array<std::byte, frame_header_bytes>& bytes) {
  FrameHeader h;
  Reader read{bytes.data() + 8};
  read(h.frame), read(h.first), read(h.count), read(h.sampled);
  read(h.bodies), read(h.scene), read(h.step), read(h.time);
  read(h.cube.corner.x), read(h.cube.corner.y), read(h.cube.corner.z), read(h.cube.step);
  float x = 0, y = 0, z = 0, low = 0, high = 0;
  std::uint32_t by = 0;
  read(x), read(y), read(z), read(by), read(low), read(high), read(h.base);
  h.center_of_mass = {x, y, z};
  h.colour_by = static_cast<ColourBy>(by);
  h.range = {low, high};
  return h;
}

Cube fitting_cube(const Points& points, const Cube& before) {
  const Vec3 middle{percentile(points.x, 0.5), percentile(points.y, 0.5),
                    percentile(points.z, 0.5)};
  double half = 0;
  std::vector<double> reach;
  for (std::size_t i = 0; i < points.size() && reach.size() < looked_at; ++i) {
    const double far = std::max({std::abs(points.x[i] - middle.x), std::abs(points.y[i] - middle.y),
                                 std::abs(points.z[i] - middle.z)});
    if (!std::isnan(points.x[i])) reach.push_back(far);
  }
  const std::size_t n = reach.size();
  // few bodies are all important; of many, one in a thousand may be on its way out
  half = n < 1000 ? (n > 0 ? *std::max_element(reach.begin(), reach.end()) : 0.0)
                  : percentile(reach, 0.999);
  if (!(half > 0) || !std::isfinite(half)) half = 1;
  const double kept = 0.5 * before.step * places_per_side;
  const Vec3 aside = before.corner + Vec3{kept, kept, kept} - middle;
  const double off = std::max({std::abs(aside.x), std::abs(aside.y), std::abs(aside.z)});
  if (before.step > 0 && half + off <= kept && kept <= 4 * half) return before;
  half *= 2;
  return {middle - Vec3{half, half, half}, 2 * half / places_per_side};
}

std::vector<std::uint16_t> encode_places(const Points& points, const Cube& cube) {
  std::vector<std::uint16_t> places(3 * points.size());
  const double inverse = 1 / cube.step;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::uint16_t x = place_on(points.x[i], cube.corner.x, inverse);
    const std::uint16_t y = place_on(points.y[i], cube.corner.y, inverse);
    const std::uint16_t z = place_on(points.z[i], cube.corner.z, inverse);
    const bool in = x != outside && y != outside && z != outside;
    places[3 * i] = in ? x : outside;
    places[3 * i + 1] = in ? y : outside;
    places[3 * i + 2] = in ? z : outside;
  }
  return places;
}

std::vector<std::uint16_t> encode_colours(const Points& points, ColourBy by, const Cube& cube,
                                          ColourRange& range, bool first) {
  const std::vector<float> values = values_of(points, by, cube);
  const ColourRange now = range_of(values, by);
  const double share = first ? 1.0 : 0.1;
  range.low += share * (now.low - range.low);
  range.high += share * (now.high - range.high);
  const double width = range.high - range.low;
  std::vector<std::uint16_t> colours(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double place = width > 0 ? (values[i] - range.low) / width : 0.5;
    colours[i] =
        static_cast<std::uint16_t>(std::lround(65535 * (place > 0 ? std::min(place, 1.0) : 0.0)));
  }
  return colours;
}

EncodedFrame::EncodedFrame(std::uint32_t number, Points points, const EncodedFrame* before)
    : number_(number), points_(std::move(points)) {
  const bool same_scene = before != nullptr && before->points_.scene == points_.scene;
  cube_ = fitting_cube(points_, same_scene ? before->cube_ : Cube{.corner = {}, .step = 0});
  if (same_scene) ranges_ = before->ranges_, ranged_ = before->ranged_;
  places_ = std::make_shared<const std::vector<std::uint16_t>>(encode_places(points_, cube_));
}

FrameHeader EncodedFrame::header(ColourBy by) const {
  return {.frame = number_,
          .first = 0,
          .count = static_cast<std::uint32_t>(points_.size()),
          .base = static_cast<std::uint32_t>(points_.base),
          .sampled = static_cast<std::uint32_t>(points_.size()),
          .bodies = points_.bodies,
          .scene = points_.scene,
          .step = points_.step,
          .time = points_.time,
          .cube = cube_,
          .center_of_mass = points_.center_of_mass,
          .colour_by = by,
          .range = ranges_[static_cast<std::size_t>(by)]};
}

const SharedBytes& EncodedFrame::colours(ColourBy by) {
  const auto kind = static_cast<std::size_t>(by);
  if (!colours_[kind]) {
    colours_[kind] = std::make_shared<const std::vector<std::uint16_t>>(
        encode_colours(points_, by, cube_, ranges_[kind], !ranged_[kind]));
    ranged_[kind] = true;
  }
  return colours_[kind];
}

}  // namespace apsis::viewer
