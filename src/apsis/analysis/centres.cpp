// SPDX-License-Identifier: MIT
#include <apsis/analysis/centres.hpp>
#include <apsis/analysis/neighbours.hpp>
#include <apsis/core/parallel.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>

namespace apsis::analysis {
namespace {

constexpr std::size_t neighbours_counted = 6;

struct Moment {
  double weight = 0;
  Vec3 place, motion;

  Moment& operator+=(const Moment& other) {
    weight += other.weight, place += other.place, motion += other.motion;
    return *this;
  }
  Centre mean() const { return weight > 0 ? Centre{place / weight, motion / weight} : Centre{}; }
};

template <class WeightOf>
Centre weighted_mean(const Bodies& bodies, std::size_t n, int threads,
                     WeightOf&& weight_and_number) {
  return ordered_sum<Moment>(
             n, thread_count(threads),
             [&](std::size_t k) {
               const auto [weight, i] = weight_and_number(k);
               return Moment{weight, weight * bodies.position(i), weight * bodies.velocity(i)};
             })
      .mean();
}

struct WeightAndNumber {
  double weight;
  std::size_t number;
};

}  // namespace

bool is_massless(const Bodies& bodies) {
  return std::ranges::all_of(bodies.mass, [](double mass) { return mass == 0; });
}

double weight_of(const Bodies& bodies, bool massless, std::size_t i) {
  return massless ? 1 : bodies.mass[i];
}

Centre centre_of_mass(const Bodies& bodies, int threads) {
  const bool massless = is_massless(bodies);
  return weighted_mean(bodies, bodies.size(), threads, [&](std::size_t i) {
    return WeightAndNumber{weight_of(bodies, massless, i), i};
  });
}

Centre shrinking_sphere_centre(const Bodies& bodies, int threads) {
  constexpr std::size_t fewest = 100, share = 100;
  const std::size_t wanted = std::max(fewest, bodies.size() / share);
  const bool massless = is_massless(bodies);
  struct Inside {
    double square;
    std::size_t number;
    auto operator<=>(const Inside&) const = default;  // NOLINT(*-use-nullptr)
  };
  std::vector<Inside> inside(bodies.size());
  for (std::size_t i = 0; i < inside.size(); ++i) inside[i].number = i;
  for (;;) {
    // in one order, so that sums do not depend on how bodies were sorted out
    std::ranges::sort(inside, {}, &Inside::number);
    const Centre centre = weighted_mean(bodies, inside.size(), threads, [&](std::size_t k) {
      const std::size_t i = inside[k].number;
      return WeightAndNumber{weight_of(bodies, massless, i), i};
    });
    if (inside.size() <= wanted) return centre;
    parallel_for(inside.size(), thread_count(threads), [&](std::size_t k) {
      const Vec3 d = bodies.position(inside[k].number) - centre.position;
      inside[k].square = dot(d, d);
    });
    const std::size_t left = std::max(wanted, inside.size() - inside.size() / 10 - 1);
    const auto end = inside.begin() + static_cast<std::ptrdiff_t>(left);
    std::nth_element(inside.begin(), end - 1, inside.end());
    inside.erase(end, inside.end());
  }
}

std::vector<double> local_densities(const Bodies& bodies, int threads) {
  const std::size_t n = bodies.size();
  std::vector<double> densities(n);
  if (n <= neighbours_counted) return densities;
  const bool massless = is_massless(bodies);
  const int team = thread_count(threads);
  const NeighbourTree tree(bodies.positions, team);
  const auto order = tree.order();
  parallel_pieces(n, 4096, team, [&](std::size_t begin, std::size_t end, int) {
    std::vector<Neighbour> found;
    for (std::size_t k = begin; k < end; ++k) {
      const std::size_t i = order[k];
      tree.nearest(bodies.position(i), neighbours_counted, i, found);
      double mass = 0;
      for (std::size_t j = 0; j + 1 < found.size(); ++j) {
        mass += weight_of(bodies, massless, found[j].number);
      }
      const double square = found.back().square;
      const double volume = 4 * std::numbers::pi / 3 * square * std::sqrt(square);
      densities[i] = volume > 0 ? mass / volume
                     : mass > 0 ? std::numeric_limits<double>::infinity()
                                : 0;
    }
  });
  return densities;
}

DensityCentre density_centre(const Bodies& bodies, int threads) {
  std::vector<double> densities = local_densities(bodies, threads);
  const bool any = std::ranges::any_of(densities, [](double d) { return d > 0; });
  if (!any) return {centre_of_mass(bodies, threads), 0, 0};
  // Where bodies lie on top of each other nothing else counts. Squares of the others stay finite.
  const double most = std::ranges::max(densities);
  for (double& density : densities) {
    density = std::isinf(most) ? (std::isinf(density) ? 1.0 : 0.0) : density / most;
  }
  DensityCentre found;
  found.centre = weighted_mean(bodies, bodies.size(), threads, [&](std::size_t i) {
    return WeightAndNumber{densities[i], i};
  });
  struct Sums {
    double density = 0, square = 0, distance = 0;
    Sums& operator+=(const Sums& other) {
      density += other.density, square += other.square, distance += other.distance;
      return *this;
    }
  };
  const auto sums = ordered_sum<Sums>(bodies.size(), thread_count(threads), [&](std::size_t i) {
    const Vec3 d = bodies.position(i) - found.centre.position;
    const double square = densities[i] * densities[i];
    return Sums{densities[i], square, square * dot(d, d)};
  });
  found.core_radius = std::sqrt(sums.distance / sums.square);
  found.density = most * (sums.square / sums.density);
  return found;
}

}  // namespace apsis::analysis
