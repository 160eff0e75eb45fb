// SPDX-License-Identifier: MIT
#include <apsis/contacts/plain_search.hpp>
#include <apsis/core/parallel.hpp>
#include <apsis/core/vec3.hpp>

#include <algorithm>
#include <atomic>
#include <limits>
#include <numeric>

namespace apsis {
namespace {

struct Path {
  Vec3 begin, end;
  double radius = 0;  // with what rounding may hide of the way to another one
};

template <class Real>
Path path_of(const Paths<Real>& paths, std::size_t i) {
  const Vec3 end{static_cast<double>(paths.x[i]), static_cast<double>(paths.y[i]),
                 static_cast<double>(paths.z[i])};
  const Vec3 velocity{static_cast<double>(paths.vx[i]), static_cast<double>(paths.vy[i]),
                      static_cast<double>(paths.vz[i])};
  const Vec3 begin = end - paths.duration * velocity;
  constexpr double rounding = 1e-14;
  const double hidden = rounding * (norm(begin) + norm(end));
  return {begin, end, (1 + looked_beyond) * (paths.radius_of(i) + hidden)};
}

enum class Meeting { none, close, touching };

// How near two paths come, where the radii and `further` are what counts.
Meeting meeting(const Path& a, const Path& b, double further = 0) {
  const Vec3 apart = b.begin - a.begin, way = b.end - a.end - apart;
  const double length = dot(way, way);
  const double part = length > 0 ? std::clamp(-dot(apart, way) / length, 0.0, 1.0) : 0.0;
  const Vec3 there = apart + part * way;
  const double reach = a.radius + b.radius + further;
  const double distance = dot(there, there);
  if (!(distance <= reach * reach)) return Meeting::none;
  const double touch = true_share<double> * reach;
  return distance <= touch * touch ? Meeting::touching : Meeting::close;
}

void add(Meeting found, std::uint32_t a, std::uint32_t b, FoundPairs& to) {
  if (found != Meeting::none) (found == Meeting::close ? to.close : to.touching).push_back({a, b});
}

BodyPairs joined(const std::vector<FoundPairs>& found, BodyPairs FoundPairs::*which) {
  std::size_t all = 0;
  for (const FoundPairs& some : found) all += (some.*which).size();
  BodyPairs out;
  out.reserve(all);
  for (const FoundPairs& some : found) {
    out.insert(out.end(), (some.*which).begin(), (some.*which).end());
  }
  std::ranges::sort(out);
  return out;
}

// Pieces of bodies, each by one thread with lists of its own; find(i, lists) until there are too
// many.
template <class Find>
std::optional<FoundPairs> collected(std::size_t count, std::size_t most, int threads,
                                    const Find& find) {
  constexpr std::size_t piece = 256;
  std::vector<FoundPairs> found((count + piece - 1) / piece);
  std::atomic<std::size_t> all{0};
  parallel_pieces(count, piece, threads, [&](std::size_t begin, std::size_t end, int /*member*/) {
    FoundPairs& own = found[begin / piece];
    for (std::size_t i = begin; i < end && all <= most; ++i) {
      const std::size_t before = own.size();
      find(i, own);
      all += own.size() - before;
    }
  });
  if (all > most) return std::nullopt;
  return FoundPairs{joined(found, &FoundPairs::touching), joined(found, &FoundPairs::close)};
}

// Bodies sorted by the bucket that their cell falls into.
struct Grid {
  double cell = 1;
  std::vector<std::uint32_t> first;    // by bucket, and one more
  std::vector<std::uint32_t> numbers;  // of the bodies, bucket by bucket

  struct Cell {
    std::int64_t x = 0, y = 0, z = 0;
    friend bool operator==(const Cell&, const Cell&) = default;
  };
  Cell cell_of(const Vec3& place) const {
    const auto index = [&](double v) { return static_cast<std::int64_t>(std::floor(v / cell)); };
    return {index(place.x), index(place.y), index(place.z)};
  }
  std::size_t bucket_of(const Cell& c) const {
    const auto mixed = static_cast<std::uint64_t>(c.x) * 0x9e3779b97f4a7c15U ^
                       static_cast<std::uint64_t>(c.y) * 0xc2b2ae3d27d4eb4fU ^
                       static_cast<std::uint64_t>(c.z) * 0x165667b19e3779f9U;
    return (mixed ^ mixed >> 32) & (first.size() - 2);
  }
};

Vec3 middle_of(const Path& path) { return 0.5 * (path.begin + path.end); }

template <class Real>
Grid grid_of(const Paths<Real>& paths) {
  Grid grid;
  double radius = 0, way = 0, extent = 0;
  for (std::size_t i = 0; i < paths.count; ++i) {
    const Path path = path_of(paths, i);
    radius = std::max(radius, path.radius);
    way = std::max(way, norm(path.end - path.begin));
    extent = std::max({extent, std::abs(path.end.x), std::abs(path.end.y), std::abs(path.end.z)});
  }
  // of two that touch the middles of the paths are no further apart; 2^40 cells are enough
  grid.cell = std::max({2 * radius + way, extent * 0x1p-40, std::numeric_limits<double>::min()});
  std::size_t buckets = 2;
  while (buckets < 2 * paths.count) buckets *= 2;
  grid.first.assign(buckets + 1, 0);
  std::vector<std::uint32_t> bucket(paths.count);
  for (std::size_t i = 0; i < paths.count; ++i) {
    bucket[i] =
        static_cast<std::uint32_t>(grid.bucket_of(grid.cell_of(middle_of(path_of(paths, i)))));
    ++grid.first[bucket[i] + 1];
  }
  std::partial_sum(grid.first.begin(), grid.first.end(), grid.first.begin());
  std::vector<std::uint32_t> next = grid.first;
  grid.numbers.resize(paths.count);
  for (std::size_t i = 0; i < paths.count; ++i) {
    grid.numbers[next[bucket[i]]++] = static_cast<std::uint32_t>(i);
  }
  return grid;
}

}  // namespace

template <class Real>
std::optional<FoundPairs> candidates_of_all(const Paths<Real>& paths, std::size_t most,
                                            int threads) {
  std::vector<Path> all(paths.count);
  for (std::size_t i = 0; i < paths.count; ++i) all[i] = path_of(paths, i);
  return collected(paths.count, most, threads, [&](std::size_t i, FoundPairs& found) {
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      add(meeting(all[i], all[j]), static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j),
          found);
    }
  });
}

template <class Real>
std::optional<FoundPairs> candidates_by_grid(const Paths<Real>& paths, std::size_t most,
                                             int threads) {
  const Grid grid = grid_of(paths);
  return collected(paths.count, most, threads, [&](std::size_t i, FoundPairs& found) {
    const Path own = path_of(paths, i);
    const Grid::Cell at = grid.cell_of(middle_of(own));
    for (int neighbour = 0; neighbour < 27; ++neighbour) {
      const Grid::Cell cell{at.x + neighbour % 3 - 1, at.y + neighbour / 3 % 3 - 1,
                            at.z + neighbour / 9 - 1};
      const std::size_t bucket = grid.bucket_of(cell);
      for (std::uint32_t k = grid.first[bucket]; k < grid.first[bucket + 1]; ++k) {
        const std::uint32_t j = grid.numbers[k];
        if (j <= i) continue;
        const Path other = path_of(paths, j);
        if (grid.cell_of(middle_of(other)) != cell) continue;
        add(meeting(own, other), static_cast<std::uint32_t>(i), j, found);
      }
    }
  });
}

template <class Real>
BodyPairs all_near(const Paths<Real>& paths, std::span<const Stray> strayed, int threads) {
  std::vector<FoundPairs> found(strayed.size());
  parallel_tasks(strayed.size(), threads, [&](std::size_t s) {
    const auto [body, distance] = strayed[s];
    const Path own = path_of(paths, body);
    for (std::uint32_t j = 0; j < paths.count; ++j) {
      if (j == body || meeting(own, path_of(paths, j), distance) == Meeting::none) continue;
      found[s].close.push_back({std::min(body, j), std::max(body, j)});
    }
  });
  BodyPairs out = joined(found, &FoundPairs::close);
  keep_each_once(out);
  return out;
}

template std::optional<FoundPairs> candidates_of_all(const Paths<float>&, std::size_t, int);
template std::optional<FoundPairs> candidates_of_all(const Paths<double>&, std::size_t, int);
template std::optional<FoundPairs> candidates_by_grid(const Paths<float>&, std::size_t, int);
template std::optional<FoundPairs> candidates_by_grid(const Paths<double>&, std::size_t, int);
template BodyPairs all_near(const Paths<float>&, std::span<const Stray>, int);
template BodyPairs all_near(const Paths<double>&, std::span<const Stray>, int);

}  // namespace apsis
