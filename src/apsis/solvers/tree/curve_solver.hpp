// SPDX-License-Identifier: MIT
// What ranks ask of `tree` and `fmm`. Either every rank builds the tree of all bodies and evaluates
// the field of those in its piece of the space-filling curve; or each has the bodies of its piece
// alone, and imports the cells of others that it needs.
#pragma once

#include <apsis/solvers/solver.hpp>
#include <apsis/solvers/tree/partners.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace apsis {

// Bodies [begin, end) in the order of the curve.
struct CurvePart {
  std::size_t begin = 0, end = std::numeric_limits<std::size_t>::max();

  bool is_whole() const { return begin == 0 && end == std::numeric_limits<std::size_t>::max(); }
};

// What one partner had: its piece, and what came from others.
struct SharedCounts {
  std::size_t bodies = 0, cells = 0;
  std::size_t imported_bodies = 0, imported_cells = 0, hollow_cells = 0;
  double work = 0;  // in pairs
};

// What evaluations cost each body of a block. Bodies that have not moved since the last evaluation
// are evaluated again with what that one used: so how often a field is asked for at one place
// changes no bit, and a run that goes on with its history goes on with its bits.
struct WorkHistory {
  std::vector<float> used, found;     // in pairs of bodies; empty: nothing known
  std::vector<std::uint32_t> places;  // of the last evaluation, a hash of each body's
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

// Of `tree` and `fmm`.
template <class Real>
class SharedSolver {
 public:
  SharedSolver() = default;
  SharedSolver(const SharedSolver&) = delete;
  SharedSolver& operator=(const SharedSolver&) = delete;
  virtual ~SharedSolver() = default;

  // Adds the field of the bodies of all partners at those of the own block; the arrays of a block
  // without bodies do not say what is wanted. Pieces are cut by the counted work of the evaluation
  // before. The same number of partners gets the same bits.
  virtual void add_shared_field(const BodiesView<Host<Real>>& block, const Field<Host<Real>>& field,
                                const Wants& wants, WorkHistory& history,
                                far::Partners& partners) = 0;
  // Of the last such evaluation.
  virtual SharedCounts shared_counts() const = 0;
};

}  // namespace apsis
