// SPDX-License-Identifier: MIT
#include <apsis/contacts/finder.hpp>
#include <apsis/contacts/plain_search.hpp>
#include <apsis/core/error.hpp>
#include <apsis/core/parallel.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace apsis {
namespace {

// Below, all pairs are as fast: 256 bodies are 33,000 pairs, some 30 us.
constexpr std::size_t few = 256;

// Whether floats tell bodies of this size apart: their rounding, 1e-6 of the extent, is well below
// the usual radius.
struct Sizes {
  double radii = 0, extent = 0;
  Sizes& operator+=(const Sizes& other) {
    radii += other.radii, extent = std::max(extent, other.extent);
    return *this;
  }
};

template <class Real>
bool floats_suffice(const Paths<Real>& paths, int threads) {
  const auto all = ordered_sum<Sizes>(paths.count, threads, [&](std::size_t i) {
    const auto size = [&](const Real* column) { return std::abs(static_cast<double>(column[i])); };
    return Sizes{paths.radius_of(i), std::max({size(paths.x), size(paths.y), size(paths.z)})};
  });
  return 1e-6 * all.extent * static_cast<double>(paths.count) < 0.25 * all.radii;
}

}  // namespace

void refuse_heap(std::size_t most, std::size_t bodies) {
  throw bad_data(fmt::format("more than {} pairs among {} bodies touch or nearly do in one step: "
                             "they lie on top of each "
                             "other, or a step is far too long",
                             most, bodies),
                 "give smaller radii (contacts.radius, contacts.density) or a shorter step");
}

bool ContactFinder::uses_tree() const {
  const std::size_t count = std::visit([](const auto& paths) { return paths.count; }, paths_);
  if (how_ == ContactSearch::automatic) return count > few;
  return how_ == ContactSearch::tree;
}

template <class Real>
void ContactFinder::build_tree(const Paths<Real>& paths) {
  const auto build = [&]<class Lane>(std::type_identity<Lane>) {
    if (!std::holds_alternative<SweepTree<Lane>>(tree_)) tree_.emplace<SweepTree<Lane>>(threads_);
    std::get<SweepTree<Lane>>(tree_).build(paths);
  };
  if (floats_suffice(paths, threads_)) {
    build(std::type_identity<float>{});
  } else {
    build(std::type_identity<double>{});
  }
}

template <class Real>
void ContactFinder::look_at(const Paths<Real>& paths) {
  paths_ = paths;
  if (uses_tree()) build_tree(paths);
}

FoundPairs ContactFinder::candidates() const {
  return std::visit(
      [&](const auto& paths) {
        const std::size_t most = most_candidates(paths.count);
        std::optional<FoundPairs> found;
        if (uses_tree()) {
          std::visit(
              [&]<class Tree>(const Tree& tree) {
                if constexpr (!std::is_same_v<Tree, std::monostate>) found = tree.candidates(most);
              },
              tree_);
        } else if (how_ == ContactSearch::grid) {
          found = candidates_by_grid(paths, most, threads_);
        } else {
          found = candidates_of_all(paths, most, threads_);
        }
        if (found) return *std::move(found);
        refuse_heap(most, paths.count);
      },
      paths_);
}

BodyPairs ContactFinder::near(std::span<const Stray> strayed) const {
  return std::visit(
      [&](const auto& paths) {
        BodyPairs pairs;
        if (!uses_tree()) return all_near(paths, strayed, threads_);
        std::visit(
            [&]<class Tree>(const Tree& tree) {
              if constexpr (!std::is_same_v<Tree, std::monostate>) pairs = tree.near(strayed);
            },
            tree_);
        return pairs;
      },
      paths_);
}

std::size_t ContactFinder::bytes() const {
  return std::visit(
      []<class Tree>(const Tree& tree) -> std::size_t {
        if constexpr (std::is_same_v<Tree, std::monostate>) {
          return 0;
        } else {
          return tree.bytes();
        }
      },
      tree_);
}

template <class Real>
std::vector<std::uint32_t> beyond_walls(const Paths<Real>& paths, const Box& walls) {
  constexpr double rounding = 1e-12;
  const Box inside = inside_of(walls, rounding);
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < paths.count; ++i) {
    const double r = paths.radius_of(i);
    const std::array<double, 3> place{static_cast<double>(paths.x[i]),
                                      static_cast<double>(paths.y[i]),
                                      static_cast<double>(paths.z[i])};
    bool beyond = false;
    for (std::size_t k = 0; k < 3; ++k) {
      beyond = beyond || place[k] - r <= inside[2 * k] || place[k] + r >= inside[2 * k + 1];
    }
    if (beyond) out.push_back(static_cast<std::uint32_t>(i));
  }
  return out;
}

template void ContactFinder::look_at(const Paths<float>&);
template void ContactFinder::look_at(const Paths<double>&);
template std::vector<std::uint32_t> beyond_walls(const Paths<float>&, const Box&);
template std::vector<std::uint32_t> beyond_walls(const Paths<double>&, const Box&);

}  // namespace apsis
