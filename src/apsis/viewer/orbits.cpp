// SPDX-License-Identifier: MIT
#include <apsis/viewer/orbits.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

namespace apsis::viewer {
namespace {

// A body, or several that go together.
struct Node {
  std::vector<std::size_t> members;
  std::size_t heaviest = 0;
  double mass = 0;
  Vec3 place, velocity;
};

// Of the lighter one about the heavier.
struct Ellipse {
  Vec3 major, minor;
  double semi_major = 0, eccentricity = 0, period = 0;
  double farthest() const { return semi_major * (1 + eccentricity); }
  double nearest() const { return semi_major * (1 - eccentricity); }
};

std::optional<Ellipse> ellipse_of(const Node& light, const Node& heavy, double gravity) {
  const double mu = gravity * (light.mass + heavy.mass);
  const Vec3 r = light.place - heavy.place, v = light.velocity - heavy.velocity;
  const double distance = norm(r), energy = 0.5 * dot(v, v) - mu / distance;
  if (!(mu > 0) || !(distance > 0) || !(energy < 0)) return std::nullopt;
  Ellipse found;
  found.semi_major = -0.5 * mu / energy;
  const Vec3 axis = ((dot(v, v) - mu / distance) * r - dot(r, v) * v) / mu;
  found.eccentricity = std::min(norm(axis), 1.0);
  // a circle begins anywhere
  const Vec3 along = norm(axis) > 1e-9 ? axis / norm(axis) : r / distance;
  const Vec3 turn = cross(r, v);
  const double e = found.eccentricity, width = found.semi_major * std::sqrt(1 - e * e);
  found.major = found.semi_major * along;
  if (norm(turn) > 0) found.minor = width * cross(turn / norm(turn), along);
  found.period = 2 * std::numbers::pi * std::sqrt(std::pow(found.semi_major, 3) / mu);
  return std::isfinite(found.semi_major) && std::isfinite(found.period) ? std::optional(found)
                                                                        : std::nullopt;
}

// What the others do to a pair that is so far apart at most, against what holds it together: tides
// of those outside, the whole pull of those inside.
double disturbance(const std::vector<Node>& nodes, const Node& a, const Node& b, double apart) {
  const double mass = a.mass + b.mass;
  const Vec3 centre = (a.mass * a.place + b.mass * b.place) / mass;
  double sum = 0;
  for (const Node& other : nodes) {
    if (&other == &a || &other == &b) continue;
    const double away = norm(other.place - centre);
    sum += other.mass / mass * (away > apart ? std::pow(apart / away, 3) : 1.0);
  }
  return sum;
}

struct Pair {
  std::size_t light = 0, heavy = 0;
  Ellipse ellipse;
};

// The tightest pair that the others leave alone: at 0.02 it is well inside its Hill sphere. The
// Moon has 0.007.
std::optional<Pair> tightest(const std::vector<Node>& nodes, double gravity, double softening) {
  constexpr double most_disturbance = 0.02, most_softening = 0.05;
  std::optional<Pair> best;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (std::size_t j = i + 1; j < nodes.size(); ++j) {
      const bool first_is_light = nodes[i].mass < nodes[j].mass;
      const std::size_t light = first_is_light ? i : j, heavy = first_is_light ? j : i;
      const auto ellipse = ellipse_of(nodes[light], nodes[heavy], gravity);
      if (!ellipse || softening > most_softening * ellipse->nearest()) continue;
      const double apart = ellipse->farthest();
      if (best && apart >= best->ellipse.farthest()) continue;
      if (!(disturbance(nodes, nodes[light], nodes[heavy], apart) < most_disturbance)) continue;
      best = Pair{light, heavy, *ellipse};
    }
  }
  return best;
}

Node joined(const Node& light, const Node& heavy) {
  Node both{heavy.members, heavy.heaviest, light.mass + heavy.mass, {}, {}};
  both.members.insert(both.members.end(), light.members.begin(), light.members.end());
  both.place = (light.mass * light.place + heavy.mass * heavy.place) / both.mass;
  both.velocity = (light.mass * light.velocity + heavy.mass * heavy.velocity) / both.mass;
  return both;
}

// The heavier one's own ellipse is shown where it is more than a spot.
void add_orbits(const Pair& pair, const std::vector<Node>& nodes, std::vector<Orbit>& orbits) {
  constexpr double least_share = 0.02;
  const Node &light = nodes[pair.light], &heavy = nodes[pair.heavy];
  const double share = heavy.mass / (light.mass + heavy.mass);
  const auto members = joined(light, heavy).members;
  const auto add = [&](const Node& node, double scale) {
    const Ellipse& e = pair.ellipse;
    orbits.push_back(
        {node.heaviest, members, scale * e.major, scale * e.minor, e.eccentricity, e.period});
  };
  add(light, share);
  if (1 - share >= least_share) add(heavy, share - 1);
}

}  // namespace

std::vector<Orbit> nested_orbits(const std::vector<FewBody>& bodies, double gravity,
                                 double softening) {
  std::vector<Orbit> orbits;
  if (!(gravity > 0)) return orbits;
  std::vector<Node> nodes;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    nodes.push_back({{i}, i, bodies[i].mass, bodies[i].place, bodies[i].velocity});
  }
  while (const auto pair = tightest(nodes, gravity, softening)) {
    add_orbits(*pair, nodes, orbits);
    const Node both = joined(nodes[pair->light], nodes[pair->heavy]);
    nodes[pair->heavy] = both;
    nodes.erase(nodes.begin() + static_cast<std::ptrdiff_t>(pair->light));
  }
  return orbits;
}

}  // namespace apsis::viewer
