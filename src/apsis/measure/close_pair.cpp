// SPDX-License-Identifier: MIT
#include <apsis/core/parallel.hpp>
#include <apsis/measure/close_pair.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace apsis {
namespace {

// A k-d tree without nodes: the middle of every range splits it along the axis of its depth. Places
// lie in the tree's order, and neighbours are asked for in it: a million take 1.3 s so, 8.6 s else.
class NeighbourTree {
 public:
  explicit NeighbourTree(const Bodies& bodies) : bodies_(bodies), order_(bodies.size()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    arrange(0, order_.size(), 0);
    places_.reserve(order_.size());
    for (const std::size_t i : order_) places_.push_back(bodies.position(i));
  }

  std::size_t body(std::size_t rank) const { return order_[rank]; }
  // Of the body of that rank in the tree's order.
  std::size_t nearest_to(std::size_t rank) const {
    Best best{rank, std::numeric_limits<double>::infinity()};
    search(0, order_.size(), 0, rank, best);
    return order_[best.rank];
  }

 private:
  struct Best {
    std::size_t rank;
    double squared;
  };

  static double along(int axis, Vec3 place) {
    return axis == 0 ? place.x : axis == 1 ? place.y : place.z;
  }

  void arrange(std::size_t first, std::size_t last, int axis) {
    if (last - first < 2) return;
    const std::size_t middle = first + (last - first) / 2;
    const auto& column = axis == 0 ? bodies_.x() : axis == 1 ? bodies_.y() : bodies_.z();
    const auto at = [&](std::size_t k) { return order_.begin() + static_cast<std::ptrdiff_t>(k); };
    std::nth_element(at(first), at(middle), at(last),
                     [&](std::size_t i, std::size_t j) { return column[i] < column[j]; });
    arrange(first, middle, (axis + 1) % 3);
    arrange(middle + 1, last, (axis + 1) % 3);
  }

  void search(std::size_t first, std::size_t last, int axis, std::size_t rank, Best& best) const {
    if (first == last) return;
    const std::size_t middle = first + (last - first) / 2;
    const Vec3 r = places_[rank] - places_[middle];
    if (middle != rank) {
      if (const double squared = dot(r, r); squared < best.squared) best = {middle, squared};
    }
    const double side = along(axis, r);
    const int next = (axis + 1) % 3;
    const auto low = [&] { search(first, middle, next, rank, best); };
    const auto high = [&] { search(middle + 1, last, next, rank, best); };
    side < 0 ? low() : high();
    // not <=: where all share one place, nothing is nearer than the first that is met
    if (side * side < best.squared) side < 0 ? high() : low();
  }

  const Bodies& bodies_;
  std::vector<std::size_t> order_;
  std::vector<Vec3> places_;  // in that order
};

double cubed_root_of_square(double squared) { return squared * std::sqrt(squared); }

struct Motion {
  double distance = 0, speed = 0;
  double pull = 0;      // of both on each other
  bool attract = true;  // like charges do not
  double swept = 0;     // |r x v|
  double softening = 0;

  double softened() const { return distance * distance + softening * softening; }
  bool bound() const { return attract && 0.5 * speed * speed < pull / std::sqrt(softened()); }
  double turn(double at) const {
    const double squared = at * at + softening * softening;
    return 2 * std::numbers::pi * std::sqrt(cubed_root_of_square(squared) / pull);
  }
  // of a Kepler orbit; softening is taken into account by `turn` alone
  double pericentre() const {
    const double semi_latus = swept * swept / pull;
    const double energy = 0.5 * speed * speed - pull / distance;
    const double eccentricity = std::sqrt(std::max(0.0, 1 + 2 * energy * semi_latus / pull));
    return semi_latus / (1 + eccentricity);
  }
};

Motion motion_of(const Bodies& b, const PairLaw& law, std::size_t i, std::size_t j) {
  const auto& strength = strengths(b, law.law);
  const Vec3 r = b.position(j) - b.position(i), v = b.velocity(j) - b.velocity(i);
  const double on_i = coupling(b, law, i) * strength[j], on_j = coupling(b, law, j) * strength[i];
  // as near as they are another radial law is taken for a weaker or stronger newton's
  const double softened = std::hypot(norm(r), law.softening);
  const double factor =
      softened > 0 ? with_radial(law.radial, [&](auto part) { return part.force(softened); }) : 1;
  return {.distance = norm(r),
          .speed = norm(v),
          .pull = (std::abs(on_i) + std::abs(on_j)) * std::abs(factor),
          .attract = on_i + on_j > 0,
          .swept = norm(cross(r, v)),
          .softening = law.softening};
}

ClosePair pair_of(const Bodies& b, const PairLaw& law, std::size_t i, std::size_t j, bool orbit) {
  const Motion motion = motion_of(b, law, i, j);
  constexpr double never = std::numeric_limits<double>::infinity();
  ClosePair pair{.first_id = std::min(b.id[i], b.id[j]),
                 .second_id = std::max(b.id[i], b.id[j]),
                 .distance = motion.distance,
                 .orbital_time = never,
                 .crossing_time = never,
                 .pull = motion.pull};
  if (motion.pull == 0) return pair;
  if (motion.softened() == 0) {
    pair.orbital_time = 0;
    return pair;
  }
  pair.bound = motion.bound();
  if (pair.bound && orbit && motion.distance > 0) {
    pair.distance = std::min(pair.distance, motion.pericentre());
    pair.at_pericentre = pair.distance < 0.99 * motion.distance;
  }
  pair.orbital_time = motion.turn(pair.distance);
  if (!pair.bound) pair.crossing_time = std::sqrt(motion.softened()) / motion.speed;
  return pair;
}

// Pairs are weighed by how fast their force changes them; a weak pair that flies past is none.
double urgency(const ClosePair& pair, double softening) {
  if (pair.pull == 0) return 0;
  const double squared = pair.distance * pair.distance + softening * softening;
  return squared == 0 ? std::numeric_limits<double>::infinity()
                      : pair.pull / cubed_root_of_square(squared);
}

}  // namespace

std::vector<std::size_t> nearest_neighbours(const Bodies& bodies, int threads) {
  const NeighbourTree tree(bodies);
  std::vector<std::size_t> nearest(bodies.size());
  parallel_for(bodies.size(), thread_count(threads),
               [&](std::size_t rank) { nearest[tree.body(rank)] = tree.nearest_to(rank); });
  return nearest;
}

std::optional<ClosePair> closest_pair(const Bodies& bodies, const PairLaw& law, int threads) {
  if (bodies.size() < 2) return std::nullopt;
  std::optional<ClosePair> best;
  const auto consider = [&](std::size_t i, std::size_t j, bool orbit) {
    const ClosePair pair = pair_of(bodies, law, i, j, orbit);
    if (!(urgency(pair, law.softening) > (best ? urgency(*best, law.softening) : 0))) return;
    best = pair;
  };
  const std::vector<std::size_t> nearest = nearest_neighbours(bodies, threads);
  for (std::size_t i = 0; i < bodies.size(); ++i) consider(i, nearest[i], false);
  const auto& strength = strengths(bodies, law.law);
  double total = 0;
  std::size_t strongest = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    total += std::abs(strength[i]);
    if (std::abs(strength[i]) > std::abs(strength[strongest])) strongest = i;
  }
  // about a body that outweighs all others, orbits are Kepler's and their pericentres known
  const bool orbits = std::abs(strength[strongest]) >= 0.5 * total;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (i != strongest) consider(i, strongest, orbits);
  }
  return best;
}

}  // namespace apsis
