// SPDX-License-Identifier: MIT
#include <apsis/contacts/curve_order.hpp>
#include <apsis/contacts/pair_sort.hpp>
#include <apsis/contacts/sweep_tree.hpp>
#include <apsis/core/clones.hpp>
#include <apsis/core/parallel.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

// Loops over lanes become vectors where they are part of the function that is compiled for them.
#define APSIS_INLINED [[gnu::always_inline]] inline

namespace apsis {
namespace {

constexpr std::size_t lanes = sweep_lanes;
// Of a thread at a time.
constexpr std::size_t nodes_a_piece = 16, bodies_a_piece = 8192;
using Mask = unsigned;  // a bit a lane

// Roundings that separate a computed distance from the true one, in units of the largest place.
template <class Lane>
constexpr Lane rounding = 8 * std::numeric_limits<Lane>::epsilon();
// Of radii: sums of a few of them are numbers, so that nothing is near an empty lane.
template <class Lane>
constexpr Lane largest_reach = std::numeric_limits<Lane>::max() / 8;

template <class Lane>
SweepBox<Lane> box_in(const SweepNode<Lane>& node, std::size_t lane) {
  SweepBox<Lane> box;
  for (std::size_t k = 0; k < 3; ++k) {
    box.low_begin[k] = node.low_begin[k][lane], box.high_begin[k] = node.high_begin[k][lane];
    box.low_end[k] = node.low_end[k][lane], box.high_end[k] = node.high_end[k][lane];
  }
  box.radius = node.radius[lane];
  return box;
}

template <class Lane>
SweepBox<Lane> box_of(const SweepLeaf<Lane>& leaf, std::size_t lane, Lane further) {
  SweepBox<Lane> box;
  for (std::size_t k = 0; k < 3; ++k) {
    box.low_begin[k] = box.high_begin[k] = leaf.begin[k][lane];
    box.low_end[k] = box.high_end[k] = leaf.end[k][lane];
  }
  box.radius = leaf.radius[lane] + further;
  return box;
}

// Which of eight boxes come near: not those that are on one side of the other box along an axis
// both at the beginning and at the end, further off than both radii.
template <class Lane>
APSIS_INLINED Mask lanes_near(const SweepBox<Lane>& box, const SweepNode<Lane>& node) {
  std::array<int, lanes> near{};
  for (std::size_t j = 0; j < lanes; ++j) {
    const Lane reach = box.radius + node.radius[j];
    bool apart = false;
    for (std::size_t k = 0; k < 3; ++k) {
      const Lane above =
          std::min(node.low_begin[k][j] - box.high_begin[k], node.low_end[k][j] - box.high_end[k]);
      const Lane below =
          std::min(box.low_begin[k] - node.high_begin[k][j], box.low_end[k] - node.high_end[k][j]);
      apart = apart | (above > reach) | (below > reach);
    }
    near[j] = apart ? 0 : 1;
  }
  Mask mask = 0;
  for (std::size_t j = 0; j < lanes; ++j) mask |= static_cast<Mask>(near[j]) << j;
  return mask;
}

// Which of eight bodies come near the box.
template <class Lane>
APSIS_INLINED Mask bodies_near(const SweepBox<Lane>& box, const SweepLeaf<Lane>& leaf) {
  std::array<int, lanes> near{};
  for (std::size_t j = 0; j < lanes; ++j) {
    const Lane reach = box.radius + leaf.radius[j];
    bool apart = false;
    for (std::size_t k = 0; k < 3; ++k) {
      const Lane above =
          std::min(leaf.begin[k][j] - box.high_begin[k], leaf.end[k][j] - box.high_end[k]);
      const Lane below =
          std::min(box.low_begin[k] - leaf.begin[k][j], box.low_end[k] - leaf.end[k][j]);
      apart = apart | (above > reach) | (below > reach);
    }
    near[j] = apart ? 0 : 1;
  }
  Mask mask = 0;
  for (std::size_t j = 0; j < lanes; ++j) mask |= static_cast<Mask>(near[j]) << j;
  return mask;
}

// How near the paths of two bodies come, squared.
template <class Lane>
APSIS_INLINED Lane nearest_squared(const SweepLeaf<Lane>& of, std::size_t i,
                                   const SweepLeaf<Lane>& leaf, std::size_t j) {
  std::array<Lane, 3> apart, way;
  Lane along = 0, length = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    apart[k] = leaf.begin[k][j] - of.begin[k][i];
    way[k] = leaf.end[k][j] - of.end[k][i] - apart[k];
    along -= apart[k] * way[k], length += way[k] * way[k];
  }
  const Lane part = along / std::max(length, std::numeric_limits<Lane>::min());
  const Lane at = std::min(Lane(1), std::max(Lane(0), part));
  Lane distance = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const Lane there = apart[k] + at * way[k];
    distance += there * there;
  }
  return distance;
}

// Which of eight bodies are within reach of one of another leaf where both are nearest.
template <class Lane>
APSIS_INLINED Mask bodies_reached(const SweepLeaf<Lane>& of, std::size_t i, Lane further,
                                  const SweepLeaf<Lane>& leaf) {
  std::array<int, lanes> reached{};
  for (std::size_t j = 0; j < lanes; ++j) {
    const Lane reach = of.radius[i] + leaf.radius[j] + further;
    reached[j] = nearest_squared(of, i, leaf, j) <= reach * reach ? 1 : 0;
  }
  Mask mask = 0;
  for (std::size_t j = 0; j < lanes; ++j) mask |= static_cast<Mask>(reached[j]) << j;
  return mask;
}

// Of the few that are within reach: whether they touch, and not only come close.
template <class Lane>
bool touches(const SweepLeaf<Lane>& of, std::size_t i, const SweepLeaf<Lane>& leaf, std::size_t j) {
  const Lane reach = true_share<Lane> * (of.radius[i] + leaf.radius[j]);
  return nearest_squared(of, i, leaf, j) <= reach * reach;
}

// Calls report(box) for every box of that level from `first` on which comes near. Numbers that went
// bad may come near lanes that hold nothing.
template <class Lane, class Report>
APSIS_INLINED void visit(const std::vector<std::vector<SweepNode<Lane>>>& levels,
                         std::size_t leaves, const SweepBox<Lane>& box, std::size_t wanted,
                         std::size_t first, const Report& report) {
  struct Waiting {
    std::uint32_t level, node;
  };
  std::array<Waiting, 96> stack;  // seven more a level, and 2^32 bodies have ten
  std::size_t waiting = 0;
  stack[waiting++] = {static_cast<std::uint32_t>(levels.size() - 1), 0};
  while (waiting > 0) {
    const auto [level, node] = stack[--waiting];
    const std::size_t children = level > 0 ? levels[level - 1].size() : leaves;
    Mask near = lanes_near(box, levels[level][node]);
    while (near != 0) {
      const auto lane = static_cast<std::uint32_t>(__builtin_ctz(near));
      near &= near - 1;
      const auto child = static_cast<std::uint32_t>(node * lanes + lane);
      if (child >= children) break;
      if (((child + std::size_t{1}) << 3 * (level - wanted)) <= first) continue;
      if (level == wanted) {
        report(child);
      } else {
        stack[waiting++] = {level - 1, child};
      }
    }
  }
}

// What the loops over pairs are told.
template <class Lane>
struct Trees {
  const std::vector<SweepLeaf<Lane>>& leaves;
  const std::vector<std::vector<SweepNode<Lane>>>& levels;
  const std::vector<std::uint32_t>& order;
};

// What one thread finds.
struct Found {
  FoundPairs candidates;
  std::vector<std::uint32_t> near;  // nodes near that which it is at
};

BodyPair ordered(std::uint32_t a, std::uint32_t b) {
  return a < b ? BodyPair{a, b} : BodyPair{b, a};
}

// Pairs of bodies of two leaves.
template <class Lane>
APSIS_INLINED void add_pairs_of_leaves(const Trees<Lane>& tree, std::size_t g, std::size_t h,
                                       FoundPairs& found) {
  const SweepLeaf<Lane>&own = tree.leaves[g], &other = tree.leaves[h];
  Mask mine = bodies_near(box_in(tree.levels[0][h / lanes], h % lanes), own);
  while (mine != 0) {
    const auto i = static_cast<std::size_t>(__builtin_ctz(mine));
    mine &= mine - 1;
    Mask close = bodies_reached(own, i, Lane(0), other);
    if (g == h) close &= ~Mask{1} << i;
    for (; close != 0; close &= close - 1) {
      const auto j = static_cast<std::size_t>(__builtin_ctz(close));
      (touches(own, i, other, j) ? found.touching : found.close)
          .push_back(ordered(tree.order[g * lanes + i], tree.order[h * lanes + j]));
    }
  }
}

// Nodes of eight leaves from node n on that come near it: looked for once for all of its leaves.
template <class Lane>
APSIS_INLINED void find_nodes_near(const Trees<Lane>& tree, std::size_t n,
                                   std::vector<std::uint32_t>& near) {
  near.clear();
  if (tree.levels.size() == 1) {
    near.push_back(0);
    return;
  }
  visit(tree.levels, tree.leaves.size(), box_in(tree.levels[1][n / lanes], n % lanes), 1, n,
        [&](std::uint32_t m) { near.push_back(m); });
}

// Pairs of a leaf with itself and with those after it in the nodes near its own.
template <class Lane>
APSIS_INLINED void add_pairs(const Trees<Lane>& tree, std::size_t g,
                             const std::vector<std::uint32_t>& near, FoundPairs& found) {
  const std::size_t n = g / lanes;
  const SweepBox<Lane> box = box_in(tree.levels[0][n], g % lanes);
  for (const std::uint32_t m : near) {
    Mask mask = lanes_near(box, tree.levels[0][m]);
    if (m == n) mask &= ~Mask{0} << g % lanes;
    for (; mask != 0; mask &= mask - 1) {
      const auto lane = static_cast<std::size_t>(__builtin_ctz(mask));
      if (m * lanes + lane >= tree.leaves.size()) break;
      add_pairs_of_leaves(tree, g, m * lanes + lane, found);
    }
  }
}

// Those of a node, until there are too many of all.
template <class Lane>
APSIS_INLINED void add_pairs_of_node(const Trees<Lane>& tree, std::size_t n, std::size_t most,
                                     std::atomic<std::size_t>& all, Found& found) {
  find_nodes_near(tree, n, found.near);
  const std::size_t end = std::min(tree.leaves.size(), (n + 1) * lanes);
  for (std::size_t g = n * lanes; g < end && all <= most; ++g) {
    const std::size_t before = found.candidates.size();
    add_pairs(tree, g, found.near, found.candidates);
    all += found.candidates.size() - before;
  }
}

APSIS_CLONES void add_pairs_of(const Trees<float>& tree, std::size_t n, std::size_t most,
                               std::atomic<std::size_t>& all, Found& found) {
  add_pairs_of_node(tree, n, most, all, found);
}
APSIS_CLONES void add_pairs_of(const Trees<double>& tree, std::size_t n, std::size_t most,
                               std::atomic<std::size_t>& all, Found& found) {
  add_pairs_of_node(tree, n, most, all, found);
}

// Nothing is near an empty lane.
template <class Lane>
SweepNode<Lane> empty_node() {
  constexpr Lane infinite = std::numeric_limits<Lane>::infinity();
  SweepNode<Lane> node;
  for (std::size_t k = 0; k < 3; ++k) {
    node.low_begin[k].fill(infinite), node.low_end[k].fill(infinite);
    node.high_begin[k].fill(-infinite), node.high_end[k].fill(-infinite);
  }
  node.radius.fill(0);
  return node;
}

// One body of a leaf: where it begins and ends, its radius.
template <class Lane>
using SweepRecord = std::array<Lane, 7>;
template <class Lane>
using SweepRecords = std::array<SweepRecord<Lane>, lanes>;
static_assert(sizeof(SweepLeaf<float>) == sizeof(SweepRecords<float>));
static_assert(sizeof(SweepLeaf<double>) == sizeof(SweepRecords<double>));

// Records of up to eight bodies from `first` on, in the user's order.
template <class Lane, class Real>
APSIS_INLINED SweepRecords<Lane> records_of(const Paths<Real>& paths,
                                            const std::array<double, 3>& middle, std::size_t first,
                                            std::size_t bodies) {
  const std::array<const Real*, 3> place{paths.x, paths.y, paths.z};
  const std::array<const Real*, 3> velocity{paths.vx, paths.vy, paths.vz};
  SweepLeaf<Lane> columns{};
  SweepLanes<Lane> largest{};
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t j = 0; j < bodies; ++j) {
      const double last = static_cast<double>(place[k][first + j]) - middle[k];
      const double way = static_cast<double>(velocity[k][first + j]) * paths.duration;
      const auto begin = static_cast<Lane>(last - way), end = static_cast<Lane>(last);
      columns.begin[k][j] = begin, columns.end[k][j] = end;
      largest[j] = std::max({largest[j], std::abs(begin), std::abs(end)});
    }
  }
  // and by which its place may be wrong
  for (std::size_t j = 0; j < bodies; ++j) {
    const Lane radius = static_cast<Lane>(paths.radius_of(first + j)) * (1 + rounding<Lane>);
    columns.radius[j] = std::min(largest_reach<Lane>, static_cast<Lane>(1 + looked_beyond) *
                                                          (radius + rounding<Lane> * largest[j]));
  }
  SweepRecords<Lane> records;
  for (std::size_t j = 0; j < lanes; ++j) {
    for (std::size_t k = 0; k < 3; ++k) {
      records[j][k] = columns.begin[k][j], records[j][3 + k] = columns.end[k][j];
    }
    records[j][6] = columns.radius[j];
  }
  return records;
}

// Puts bodies [first, last) to their places on the curve, as records. Memory is asked for in one
// line a body that way, not in one for every column.
template <class Lane, class Real>
APSIS_INLINED void put_records(const Paths<Real>& paths, const std::array<double, 3>& middle,
                               std::size_t first, std::size_t last,
                               std::span<const std::uint32_t> places, SweepLeaf<Lane>* leaves) {
  auto* bytes = reinterpret_cast<std::byte*>(leaves);
  for (std::size_t i = first; i < last; i += lanes) {
    const std::size_t bodies = std::min(lanes, last - i);
    const auto records = bodies == lanes ? records_of<Lane>(paths, middle, i, lanes)
                                         : records_of<Lane>(paths, middle, i, bodies);
    for (std::size_t j = 0; j < bodies; ++j) {
      std::memcpy(bytes + places[i + j] * sizeof(records[j]), &records[j], sizeof(records[j]));
    }
  }
}

template <class Lane>
APSIS_INLINED void make_columns(std::span<SweepLeaf<Lane>> leaves) {
  for (SweepLeaf<Lane>& leaf : leaves) {
    const auto records = std::bit_cast<SweepRecords<Lane>>(leaf);
    for (std::size_t j = 0; j < lanes; ++j) {
      for (std::size_t k = 0; k < 3; ++k) {
        leaf.begin[k][j] = records[j][k], leaf.end[k][j] = records[j][3 + k];
      }
      leaf.radius[j] = records[j][6];
    }
  }
}

#define APSIS_PUT_SOME(Real, Lane)                                                             \
  APSIS_CLONES void put_some(const Paths<Real>& paths, const std::array<double, 3>& middle,    \
                             std::size_t first, std::size_t last,                              \
                             std::span<const std::uint32_t> places, SweepLeaf<Lane>* leaves) { \
    put_records(paths, middle, first, last, places, leaves);                                   \
  }
APSIS_PUT_SOME(float, float)
APSIS_PUT_SOME(float, double)
APSIS_PUT_SOME(double, float)
APSIS_PUT_SOME(double, double)
#undef APSIS_PUT_SOME
APSIS_CLONES void turn_some(std::span<SweepLeaf<float>> leaves) { make_columns(leaves); }
APSIS_CLONES void turn_some(std::span<SweepLeaf<double>> leaves) { make_columns(leaves); }

// The box around lanes of a leaf or a node.
template <class Lane>
void take_in(SweepNode<Lane>& to, std::size_t lane, const SweepBox<Lane>& box) {
  for (std::size_t k = 0; k < 3; ++k) {
    to.low_begin[k][lane] = std::min(to.low_begin[k][lane], box.low_begin[k]);
    to.high_begin[k][lane] = std::max(to.high_begin[k][lane], box.high_begin[k]);
    to.low_end[k][lane] = std::min(to.low_end[k][lane], box.low_end[k]);
    to.high_end[k][lane] = std::max(to.high_end[k][lane], box.high_end[k]);
  }
  to.radius[lane] = std::max(to.radius[lane], box.radius);
}

// log2, between powers of two by a straight line.
template <class Lane>
double rough_log2(Lane value) {
  constexpr double bits_an_octave = 0x1p23;
  return std::bit_cast<std::int32_t>(static_cast<float>(value)) / bits_an_octave - 127;
}

}  // namespace

template <class Lane>
template <class Real>
void SweepTree<Lane>::build(const Paths<Real>& paths) {
  count_ = paths.count;
  if (kept_.may_serve(count_)) {
    fill(paths);
    if (kept_.serves(spread())) return;
  }
  order_ = order_along_curve(paths, box_of_ends(paths, threads_), threads_);
  places_.resize(count_);
  parallel_for(count_, threads_,
               [&](std::size_t k) { places_[order_[k]] = static_cast<std::uint32_t>(k); });
  fill(paths);
  kept_.made(count_, spread());
}

template <class Lane>
template <class Real>
void SweepTree<Lane>::fill(const Paths<Real>& paths) {
  // about the middle body of the curve: floats are finest there, and most bodies are near it
  std::array<double, 3> middle{};
  if (count_ > 0) {
    const std::size_t i = order_[count_ / 2];
    middle = {static_cast<double>(paths.x[i]), static_cast<double>(paths.y[i]),
              static_cast<double>(paths.z[i])};
  }
  fill_leaves(paths, middle);
  fill_nodes();
}

template <class Lane>
double SweepTree<Lane>::spread() const {
  const std::size_t leaves = leaves_.size();
  if (leaves == 0) return 0;
  return ordered_sum<double>(leaves, threads_,
                             [&](std::size_t g) {
                               const SweepBox<Lane> box = box_in(levels_[0][g / lanes], g % lanes);
                               Lane size = 0;
                               for (std::size_t k = 0; k < 3; ++k) {
                                 size = std::max(size, box.high_end[k] - box.low_end[k]);
                               }
                               return rough_log2(size);
                             }) /
         static_cast<double>(leaves);
}

template <class Lane>
template <class Real>
void SweepTree<Lane>::fill_leaves(const Paths<Real>& paths, const std::array<double, 3>& middle) {
  leaves_.resize((count_ + lanes - 1) / lanes);
  SweepRecord<Lane> nobody;
  nobody.fill(std::numeric_limits<Lane>::quiet_NaN());  // no distance to it is below any reach
  nobody.back() = 0;
  for (std::size_t k = count_; k < leaves_.size() * lanes; ++k) {
    std::memcpy(reinterpret_cast<std::byte*>(leaves_.data()) + k * sizeof(nobody), &nobody,
                sizeof(nobody));
  }
  parallel_pieces(count_, bodies_a_piece, threads_,
                  [&](std::size_t begin, std::size_t end, int /*member*/) {
                    put_some(paths, middle, begin, end, places_, leaves_.data());
                  });
  parallel_pieces(leaves_.size(), bodies_a_piece / lanes, threads_,
                  [&](std::size_t begin, std::size_t end, int /*member*/) {
                    turn_some(std::span(leaves_).subspan(begin, end - begin));
                  });
}

template <class Lane>
void SweepTree<Lane>::fill_nodes() {
  std::size_t below = leaves_.size(), depth = 0;
  do {
    if (levels_.size() <= depth) levels_.emplace_back();
    std::vector<SweepNode<Lane>>& level = levels_[depth];
    level.resize((std::max<std::size_t>(below, 1) + lanes - 1) / lanes);
    parallel_pieces(level.size(), nodes_a_piece, threads_,
                    [&](std::size_t begin, std::size_t end, int /*member*/) {
                      for (std::size_t n = begin; n < end; ++n) {
                        level[n] = node_over(depth, n, below);
                      }
                    });
    below = level.size(), ++depth;
  } while (below > 1);
  levels_.resize(depth);
}

// Boxes around leaves, or around nodes of the level below, of which there are so many.
template <class Lane>
SweepNode<Lane> SweepTree<Lane>::node_over(std::size_t depth, std::size_t n,
                                           std::size_t below) const {
  SweepNode<Lane> node = empty_node<Lane>();
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const std::size_t child = n * lanes + lane;
    if (child >= below) break;
    const std::size_t held = depth > 0 ? lanes : std::min(lanes, count_ - child * lanes);
    for (std::size_t j = 0; j < held; ++j) {
      take_in(
          node, lane,
          depth > 0 ? box_in(levels_[depth - 1][child], j) : box_of(leaves_[child], j, Lane(0)));
    }
  }
  return node;
}

template <class Lane>
std::optional<FoundPairs> SweepTree<Lane>::candidates(std::size_t most) const {
  const Trees<Lane> tree{leaves_, levels_, order_};
  const std::size_t nodes = leaves_.empty() ? 0 : levels_[0].size();
  std::vector<Found> found(static_cast<std::size_t>(threads_));
  std::atomic<std::size_t> all{0};
  parallel_pieces(nodes, nodes_a_piece, threads_,
                  [&](std::size_t begin, std::size_t end, int member) {
                    for (std::size_t n = begin; n < end && all <= most; ++n) {
                      add_pairs_of(tree, n, most, all, found[static_cast<std::size_t>(member)]);
                    }
                  });
  if (all > most) return std::nullopt;
  const auto sorted = [&](BodyPairs FoundPairs::*which) {
    BodyPairs pairs;
    for (const Found& one : found) {
      const BodyPairs& some = one.candidates.*which;
      pairs.insert(pairs.end(), some.begin(), some.end());
    }
    return sorted_pairs(std::move(pairs), count_, threads_);
  };
  return FoundPairs{sorted(&FoundPairs::touching), sorted(&FoundPairs::close)};
}

template <class Lane>
void SweepTree<Lane>::add_pairs_near(const Stray& stray, std::size_t place,
                                     BodyPairs& pairs) const {
  const std::size_t g = place / lanes, i = place % lanes;
  const Lane further =
      std::min(largest_reach<Lane>, static_cast<Lane>(stray.distance * (1 + rounding<Lane>)));
  visit(levels_, leaves_.size(), box_of(leaves_[g], i, further), 0, 0, [&](std::size_t h) {
    Mask close = bodies_reached(leaves_[g], i, further, leaves_[h]);
    if (g == h) close &= ~(Mask{1} << i);
    for (; close != 0; close &= close - 1) {
      const auto j = static_cast<std::size_t>(__builtin_ctz(close));
      pairs.push_back(ordered(stray.body, order_[h * lanes + j]));
    }
  });
}

template <class Lane>
BodyPairs SweepTree<Lane>::near(std::span<const Stray> strayed) const {
  constexpr std::size_t piece = 64;  // of strayed bodies
  std::vector<BodyPairs> found((strayed.size() + piece - 1) / piece);
  parallel_pieces(strayed.size(), piece, threads_,
                  [&](std::size_t begin, std::size_t end, int /*member*/) {
                    for (std::size_t s = begin; s < end; ++s) {
                      add_pairs_near(strayed[s], places_[strayed[s].body], found[s / piece]);
                    }
                  });
  BodyPairs pairs;
  for (const BodyPairs& some : found) pairs.insert(pairs.end(), some.begin(), some.end());
  return sorted_pairs(std::move(pairs), count_, threads_);
}

template <class Lane>
std::size_t SweepTree<Lane>::bytes() const {
  std::size_t sum = (order_.capacity() + places_.capacity()) * sizeof(order_[0]) +
                    leaves_.capacity() * sizeof(leaves_[0]);
  for (const auto& level : levels_) sum += level.capacity() * sizeof(level[0]);
  return sum;
}

template class SweepTree<float>;
template class SweepTree<double>;
template void SweepTree<float>::build(const Paths<float>&);
template void SweepTree<float>::build(const Paths<double>&);
template void SweepTree<double>::build(const Paths<float>&);
template void SweepTree<double>::build(const Paths<double>&);

}  // namespace apsis
