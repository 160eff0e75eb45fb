// SPDX-License-Identifier: MIT
#include <apsis/contacts/curve_order.hpp>
#include <apsis/contacts/sweep_tree.hpp>
#include <apsis/core/clones.hpp>
#include <apsis/core/parallel.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

// Loops over lanes become vectors where they are part of the function that is compiled for them.
#define APSIS_INLINED [[gnu::always_inline]] inline

namespace apsis {
namespace {

constexpr std::size_t lanes = sweep_lanes;
using Mask = unsigned;  // a bit a lane

// Roundings that separate a computed distance from the true one, in units of the largest place.
template <class Lane>
constexpr Lane rounding = 8 * std::numeric_limits<Lane>::epsilon();

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

// Which of eight bodies are within reach of one of another leaf where both are nearest.
template <class Lane>
APSIS_INLINED Mask bodies_touched(const SweepLeaf<Lane>& of, std::size_t i, Lane further,
                                  const SweepLeaf<Lane>& leaf) {
  std::array<int, lanes> touched{};
  for (std::size_t j = 0; j < lanes; ++j) {
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
    const Lane reach = of.radius[i] + leaf.radius[j] + further;
    touched[j] = distance <= reach * reach ? 1 : 0;
  }
  Mask mask = 0;
  for (std::size_t j = 0; j < lanes; ++j) mask |= static_cast<Mask>(touched[j]) << j;
  return mask;
}

// Calls report(leaf) for every leaf from `first` on whose box comes near.
template <class Lane, class Report>
APSIS_INLINED void visit_leaves(const std::vector<std::vector<SweepNode<Lane>>>& levels,
                                const SweepBox<Lane>& box, std::size_t first,
                                const Report& report) {
  struct Waiting {
    std::uint32_t level, node;
  };
  std::array<Waiting, 96> stack;  // seven more a level, and 2^32 bodies have ten
  std::size_t waiting = 0;
  stack[waiting++] = {static_cast<std::uint32_t>(levels.size() - 1), 0};
  while (waiting > 0) {
    const auto [level, node] = stack[--waiting];
    Mask near = lanes_near(box, levels[level][node]);
    while (near != 0) {
      const auto lane = static_cast<std::uint32_t>(__builtin_ctz(near));
      near &= near - 1;
      const auto child = static_cast<std::uint32_t>(node * lanes + lane);
      if (((child + std::size_t{1}) << 3 * level) <= first) continue;
      if (level == 0) {
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

BodyPair ordered(std::uint32_t a, std::uint32_t b) {
  return a < b ? BodyPair{a, b} : BodyPair{b, a};
}

// Pairs of a leaf with itself and with those after it.
template <class Lane>
APSIS_INLINED void add_pairs(const Trees<Lane>& tree, std::size_t g, BodyPairs& pairs) {
  const SweepLeaf<Lane>& own = tree.leaves[g];
  const SweepNode<Lane>& node = tree.levels[0][g / lanes];
  visit_leaves(tree.levels, box_in(node, g % lanes), g, [&](std::size_t h) {
    const SweepLeaf<Lane>& other = tree.leaves[h];
    Mask mine = bodies_near(box_in(tree.levels[0][h / lanes], h % lanes), own);
    while (mine != 0) {
      const auto i = static_cast<std::size_t>(__builtin_ctz(mine));
      mine &= mine - 1;
      Mask touched = bodies_touched(own, i, Lane(0), other);
      if (g == h) touched &= ~Mask{1} << i;
      while (touched != 0) {
        const auto j = static_cast<std::size_t>(__builtin_ctz(touched));
        touched &= touched - 1;
        pairs.push_back(ordered(tree.order[g * lanes + i], tree.order[h * lanes + j]));
      }
    }
  });
}

APSIS_CLONES void add_pairs_of(const Trees<float>& tree, std::size_t begin, std::size_t end,
                               BodyPairs& pairs) {
  for (std::size_t g = begin; g < end; ++g) add_pairs(tree, g, pairs);
}
APSIS_CLONES void add_pairs_of(const Trees<double>& tree, std::size_t begin, std::size_t end,
                               BodyPairs& pairs) {
  for (std::size_t g = begin; g < end; ++g) add_pairs(tree, g, pairs);
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

template <class Lane>
SweepLeaf<Lane> empty_leaf() {
  SweepLeaf<Lane> leaf;
  // no distance to them is below any reach
  constexpr Lane nowhere = std::numeric_limits<Lane>::quiet_NaN();
  for (std::size_t k = 0; k < 3; ++k) leaf.begin[k].fill(nowhere), leaf.end[k].fill(nowhere);
  leaf.radius.fill(0);
  return leaf;
}

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

BodyPairs sorted_out(BodyPairs pairs) {
  std::ranges::sort(pairs);
  keep_each_once(pairs);
  return pairs;
}

}  // namespace

template <class Lane>
template <class Real>
void SweepTree<Lane>::build(const Paths<Real>& paths) {
  count_ = paths.count;
  const EndBox box = box_of_ends(paths, threads_);
  order_ = order_along_curve(paths, box, threads_);
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
template <class Real>
void SweepTree<Lane>::fill_leaves(const Paths<Real>& paths, const std::array<double, 3>& middle) {
  leaves_.resize((count_ + lanes - 1) / lanes);
  parallel_for(leaves_.size(), threads_, [&](std::size_t g) {
    SweepLeaf<Lane> leaf = empty_leaf<Lane>();
    for (std::size_t lane = 0; lane < lanes && g * lanes + lane < count_; ++lane) {
      const std::size_t i = order_[g * lanes + lane];
      const std::array<Real, 3> end{paths.x[i], paths.y[i], paths.z[i]};
      const std::array<Real, 3> velocity{paths.vx[i], paths.vy[i], paths.vz[i]};
      Lane largest = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        const double last = static_cast<double>(end[k]) - middle[k];
        const double first = last - static_cast<double>(velocity[k]) * paths.duration;
        leaf.begin[k][lane] = static_cast<Lane>(first), leaf.end[k][lane] = static_cast<Lane>(last);
        largest = std::max({largest, std::abs(leaf.begin[k][lane]), std::abs(leaf.end[k][lane])});
      }
      // by which its place may be wrong
      leaf.radius[lane] =
          static_cast<Lane>(paths.radius_of(i)) * (1 + rounding<Lane>)+rounding<Lane> * largest;
    }
    leaves_[g] = leaf;
  });
}

template <class Lane>
void SweepTree<Lane>::fill_nodes() {
  levels_.clear();
  std::size_t below = leaves_.size();
  do {
    std::vector<SweepNode<Lane>> level((std::max<std::size_t>(below, 1) + lanes - 1) / lanes,
                                       empty_node<Lane>());
    parallel_for(level.size(), threads_, [&](std::size_t n) {
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const std::size_t child = n * lanes + lane;
        if (child >= below) break;
        if (levels_.empty()) {
          const std::size_t bodies = std::min(lanes, count_ - child * lanes);
          for (std::size_t j = 0; j < bodies; ++j) {
            take_in(level[n], lane, box_of(leaves_[child], j, Lane(0)));
          }
        } else {
          for (std::size_t j = 0; j < lanes; ++j) {
            take_in(level[n], lane, box_in(levels_.back()[child], j));
          }
        }
      }
    });
    below = level.size();
    levels_.push_back(std::move(level));
  } while (below > 1);
}

template <class Lane>
std::optional<BodyPairs> SweepTree<Lane>::touching(std::size_t most) const {
  constexpr std::size_t piece = 64;  // leaves
  const Trees<Lane> tree{leaves_, levels_, order_};
  std::vector<BodyPairs> found((leaves_.size() + piece - 1) / piece);
  std::atomic<std::size_t> all{0};
  parallel_pieces(leaves_.size(), piece, threads_,
                  [&](std::size_t begin, std::size_t end, int /*member*/) {
                    for (std::size_t g = begin; g < end && all <= most; ++g) {
                      BodyPairs& pairs = found[g / piece];
                      const std::size_t before = pairs.size();
                      add_pairs_of(tree, g, g + 1, pairs);
                      if (pairs.size() > before) all += pairs.size() - before;
                    }
                  });
  if (all > most) return std::nullopt;
  BodyPairs pairs;
  pairs.reserve(all);
  for (const BodyPairs& some : found) pairs.insert(pairs.end(), some.begin(), some.end());
  return sorted_out(std::move(pairs));
}

template <class Lane>
void SweepTree<Lane>::add_pairs_near(const Stray& stray, std::size_t place,
                                     BodyPairs& pairs) const {
  const std::size_t g = place / lanes, i = place % lanes;
  const auto further = static_cast<Lane>(stray.distance * (1 + rounding<Lane>));
  visit_leaves(levels_, box_of(leaves_[g], i, further), 0, [&](std::size_t h) {
    Mask touched = bodies_touched(leaves_[g], i, further, leaves_[h]);
    if (g == h) touched &= ~(Mask{1} << i);
    for (; touched != 0; touched &= touched - 1) {
      const auto j = static_cast<std::size_t>(__builtin_ctz(touched));
      pairs.push_back(ordered(stray.body, order_[h * lanes + j]));
    }
  });
}

template <class Lane>
BodyPairs SweepTree<Lane>::near(std::span<const Stray> strayed) const {
  // where bodies lie on the curve
  std::vector<std::uint32_t> places(count_);
  parallel_for(count_, threads_,
               [&](std::size_t k) { places[order_[k]] = static_cast<std::uint32_t>(k); });
  constexpr std::size_t piece = 64;  // of strayed bodies
  std::vector<BodyPairs> found((strayed.size() + piece - 1) / piece);
  parallel_pieces(strayed.size(), piece, threads_,
                  [&](std::size_t begin, std::size_t end, int /*member*/) {
                    for (std::size_t s = begin; s < end; ++s) {
                      add_pairs_near(strayed[s], places[strayed[s].body], found[s / piece]);
                    }
                  });
  BodyPairs pairs;
  for (const BodyPairs& some : found) pairs.insert(pairs.end(), some.begin(), some.end());
  return sorted_out(std::move(pairs));
}

template <class Lane>
std::size_t SweepTree<Lane>::bytes() const {
  std::size_t sum = order_.capacity() * sizeof(order_[0]) + leaves_.capacity() * sizeof(leaves_[0]);
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
