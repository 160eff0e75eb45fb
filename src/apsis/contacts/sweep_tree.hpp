// SPDX-License-Identifier: MIT
// Which bodies may touch on their straight paths: a tree of boxes over the bodies in the order of a
// space-filling curve. A box holds where its bodies begin and where they end, so that bodies that
// fly side by side stay apart however fast they are. Eight bodies make a leaf and eight boxes a
// node; nothing but their numbers links them, and eight are compared at once (ADR 26).
#pragma once

#include <apsis/contacts/kept_order.hpp>
#include <apsis/contacts/paths.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace apsis {

inline constexpr std::size_t sweep_lanes = 8;

template <class Lane>
using SweepLanes = std::array<Lane, sweep_lanes>;

// Eight bodies, their places about the middle of all.
template <class Lane>
struct SweepLeaf {
  std::array<SweepLanes<Lane>, 3> begin, end;
  SweepLanes<Lane> radius;
};

// Eight boxes: the corners of what they hold at the beginning and at the end.
template <class Lane>
struct SweepNode {
  std::array<SweepLanes<Lane>, 3> low_begin, high_begin, low_end, high_end;
  SweepLanes<Lane> radius;  // of the largest body
};

// What is searched for: a box, and how far around it.
template <class Lane>
struct SweepBox {
  std::array<Lane, 3> low_begin, high_begin, low_end, high_end;
  Lane radius;
};

// Lane is float, or double where radii are so small beside the whole that floats would take
// distant bodies for touching ones.
template <class Lane>
class SweepTree {
 public:
  explicit SweepTree(int threads) : threads_(threads) {}

  template <class Real>
  void build(const Paths<Real>& paths);

  // Nothing where there are more than `most`.
  std::optional<FoundPairs> candidates(std::size_t most) const;
  // All pairs of a strayed body with those whose paths come within its distance.
  BodyPairs near(std::span<const Stray> strayed) const;

  std::size_t bytes() const;  // that it holds

 private:
  template <class Real>
  void fill(const Paths<Real>& paths);
  template <class Real>
  void fill_leaves(const Paths<Real>& paths, const std::array<double, 3>& middle);
  void fill_nodes();
  SweepNode<Lane> node_over(std::size_t depth, std::size_t n, std::size_t below) const;
  double spread() const;  // of the leaves: the mean of log2 of their sizes
  // `place`: of the body on the curve.
  void add_pairs_near(const Stray& stray, std::size_t place, BodyPairs& pairs) const;

  int threads_;
  std::size_t count_ = 0;
  KeptOrder kept_;
  std::vector<std::uint32_t> order_;   // numbers of the bodies along the curve
  std::vector<std::uint32_t> places_;  // on the curve, by number
  std::vector<SweepLeaf<Lane>> leaves_;
  std::vector<std::vector<SweepNode<Lane>>> levels_;  // the first holds the leaves' boxes
};

extern template class SweepTree<float>;
extern template class SweepTree<double>;

}  // namespace apsis
