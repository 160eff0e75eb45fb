// SPDX-License-Identifier: MIT
// Inside the far-field solvers: bodies from the blocks in which partners own them to the pieces of
// the space-filling curve in which they evaluate them, and their fields back home.
#pragma once

#include <apsis/solvers/tree/frame.hpp>
#include <apsis/solvers/tree/partners.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace apsis::far {

// How many bodies all have, and the frame of all. Partners own consecutive ones, in their order.
struct Shared {
  std::size_t bodies = 0;
  std::size_t first = 0;  // number of the own block's first
  Frame frame;
  // Of mixed signs: bodies at which the field is typical, in the solver's units. The same however
  // the curve is cut, because a few close ones may decide it.
  std::vector<std::array<float, 3>> typical;
};
template <class Real>
Shared shared_by_all(const BodiesView<Host<Real>>& block, Partners& partners, int threads);

// What one body got, and what that cost, in pairs of bodies.
template <class Real>
struct FieldResult {
  Real x = 0, y = 0, z = 0, potential = 0;
  float work = 0;
};

// Of x, y and z of every body.
template <class Real>
std::vector<std::uint32_t> hashed_places(const BodiesView<Host<Real>>& bodies, int threads);

template <class Real>
class Pieces {
 public:
  using View = BodiesView<Host<Real>>;
  using FieldView = Field<Host<Real>>;

  // The bodies of the own piece. The curve is cut so that all pieces have the same share of the
  // work; `work` is that of each body of the block, or empty where nothing is known. Bodies whose
  // keys are the same stay together.
  View collect(const View& block, std::span<const float> work, const Frame& frame,
               Partners& partners, int threads);
  // Adds to the block's field, and sets its work, from the results of the bodies of the piece.
  void bring_home(std::span<const FieldResult<Real>> results, const FieldView& field,
                  std::vector<float>& work, Partners& partners);

 private:
  struct Body {
    Real x, y, z, strength;
  };
  std::vector<std::uint64_t> cuts(std::span<const std::uint64_t> keys, std::span<const float> work,
                                  Partners& partners) const;

  std::vector<std::vector<std::uint32_t>> going_;  // numbers in the block, by partner
  std::vector<std::size_t> came_;                  // how many, by partner
  std::vector<Real> x_, y_, z_, strength_;         // of the piece
};

}  // namespace apsis::far
