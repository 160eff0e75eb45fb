// SPDX-License-Identifier: MIT
#include <apsis/render/camera.hpp>
#include <apsis/render/percentile.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <unordered_map>

namespace apsis {
namespace {

struct Axes {
  Vec3 right, up, forward;
};

Vec3 unit_or(Vec3 v, Vec3 fallback) {
  const double length = norm(v);
  return length > 0 && std::isfinite(length) ? v / length : fallback;
}

Axes axes_of(Vec3 forward, Vec3 up) {
  const Vec3 ahead = unit_or(forward, {0, 0, -1});
  // any direction across serves when `up` is parallel to the line of sight
  const Vec3 spare = std::abs(ahead.y) < 0.9 ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
  Vec3 right = cross(ahead, unit_or(up, spare));
  if (norm(right) < 1e-9) right = cross(ahead, spare);
  right = unit_or(right, {1, 0, 0});
  return {right, cross(right, ahead), ahead};
}

struct Interval {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void include(Interval other) {
    low = std::min(low, other.low);
    high = std::max(high, other.high);
  }
  double length() const { return high > low ? high - low : 0.0; }
  double middle() const { return high >= low ? 0.5 * (low + high) : 0.0; }
};

// The bulk's share of the light, and the largest reach of a frame over the bulk's. In a Plummer
// sphere, whose outskirts are long, 99 % of the light reach 3.4 times as far as 90 %.
constexpr double bulk_share = 0.9, largest_reach = 3;

// Where bodies end on both sides, for percentiles.
struct Extents {
  std::vector<WeightedValue> lower, upper;  // upper: mirrored, so that both ends round alike

  Interval holding(double share) {
    if (lower.empty()) return {};
    const double tail = std::clamp(0.5 * (1 - share), 0.0, 0.5);
    return {weighted_percentile(lower, tail), -weighted_percentile(upper, tail)};
  }
};

Interval framed_interval(const Bodies& bodies, Vec3 axis, double share,
                         std::span<const float> light) {
  Extents extents;
  extents.lower.reserve(bodies.size()), extents.upper.reserve(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const double along = dot(bodies.position(i), axis), radius = bodies.radius_of(i);
    const double weight = light.size() == bodies.size() ? light[i] : 1.0;
    if (!std::isfinite(along) || !(weight > 0)) continue;
    extents.lower.push_back({along - radius, weight});
    extents.upper.push_back({-along - radius, weight});
  }
  if (extents.lower.empty()) return {};
  const Interval bulk = extents.holding(bulk_share), whole = extents.holding(share);
  const double middle = bulk.middle();
  const double wanted = std::max(middle - whole.low, whole.high - middle);
  // a bulk without extent (bodies at one place) has no reach to judge others by
  const double reach =
      bulk.length() > 0 ? std::min(wanted, 0.5 * largest_reach * bulk.length()) : wanted;
  return {middle - reach, middle + reach};
}

}  // namespace

Projection::Projection(const Camera& camera, int width, int height)
    : centre_(camera.centre),
      pixels_per_length_(width / camera.width),
      half_width_(0.5 * width),
      half_height_(0.5 * height),
      inverse_distance_(0) {
  const Axes axes = axes_of(camera.forward, camera.up);
  right_ = axes.right, up_ = axes.up, forward_ = axes.forward;
  if (camera.field_of_view > 0) {
    const double half_angle = 0.5 * camera.field_of_view * std::numbers::pi / 180;
    inverse_distance_ = std::tan(half_angle) / (0.5 * camera.width);
  }
}

Projection::Point Projection::operator()(Vec3 position) const {
  const Vec3 offset = position - centre_;
  const double depth = 1 + dot(offset, forward_) * inverse_distance_;
  // closer to the eye than 1 % of its distance counts as behind: nothing is magnified without end
  const double magnification = depth > 0.01 ? 1 / depth : 0.0;
  const double scale = pixels_per_length_ * magnification;
  return {half_width_ + dot(offset, right_) * scale, half_height_ - dot(offset, up_) * scale,
          magnification};
}

double Projection::distance(Vec3 position, double radius) const {
  const Vec3 offset = position - centre_;
  if (!(inverse_distance_ > 0)) return dot(offset, forward_);
  const double eye = 1 / inverse_distance_;
  const Vec3 ray = offset + eye * forward_;
  return std::sqrt(std::max(0.0, dot(ray, ray) - radius * radius)) - eye;
}

std::vector<float> light_for(const Bodies& bodies, std::span<const float> light,
                             std::span<const std::uint64_t> id) {
  if (light.empty() || id.empty() || std::ranges::equal(id, bodies.id)) {
    return {light.begin(), light.end()};
  }
  std::unordered_map<std::uint64_t, float> of;
  for (std::size_t k = 0; k < id.size(); ++k) of.emplace(id[k], light[k]);
  std::vector<float> found(bodies.size(), 1.0F);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (const auto known = of.find(bodies.id[i]); known != of.end()) found[i] = known->second;
  }
  return found;
}

Camera framed(std::span<const Bodies> frames, double aspect, const Framing& framing,
              std::span<const float> light, std::span<const std::uint64_t> light_id) {
  const Axes axes = axes_of(framing.forward, framing.up);
  Interval across, upwards, along;
  for (const Bodies& bodies : frames) {
    const std::vector<float> own = light_for(bodies, light, light_id);
    across.include(framed_interval(bodies, axes.right, framing.share, own));
    upwards.include(framed_interval(bodies, axes.up, framing.share, own));
    along.include(framed_interval(bodies, axes.forward, framing.share, own));
  }
  Camera camera;
  camera.forward = framing.forward;
  camera.up = framing.up;
  camera.field_of_view = framing.field_of_view;
  camera.centre =
      across.middle() * axes.right + upwards.middle() * axes.up + along.middle() * axes.forward;
  const double box = std::max(across.length(), upwards.length() * aspect);
  camera.width = box * (1 + 2 * framing.margin);
  // a single body, or all at one place: some picture rather than a division by zero
  if (!(camera.width > 0)) camera.width = along.length() > 0 ? along.length() : 1.0;
  return camera;
}

Camera framed(const Bodies& bodies, double aspect, const Framing& framing,
              std::span<const float> light) {
  return framed(std::span<const Bodies>(&bodies, 1), aspect, framing, light);
}

}  // namespace apsis
