// SPDX-License-Identifier: MIT
// What ranks ask of `tree` and `fmm`: every rank builds the tree of all bodies, and evaluates the
// field of those in its piece of the space-filling curve.
#pragma once

#include <apsis/solvers/solver.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace apsis {

// Bodies [begin, end) in the order of the curve.
struct CurvePart {
  std::size_t begin = 0, end = std::numeric_limits<std::size_t>::max();

  bool is_whole() const { return begin == 0 && end == std::numeric_limits<std::size_t>::max(); }
};

template <class Real>
class CurveSolver {
 public:
  CurveSolver() = default;
  CurveSolver(const CurveSolver&) = delete;
  CurveSolver& operator=(const CurveSolver&) = delete;
  virtual ~CurveSolver() = default;

  // Like add_self_field, for the bodies of the part alone: the same bits, whatever the parts. Gives
  // the numbers of all bodies along the curve, valid until the next evaluation.
  virtual std::span<const std::uint32_t> add_curve_part(const BodiesView<Host<Real>>& bodies,
                                                        const CurvePart& part,
                                                        const Field<Host<Real>>& field) = 0;
  // Of the part, without what all ranks do alike.
  virtual double seconds_of_part() const = 0;
};

}  // namespace apsis
