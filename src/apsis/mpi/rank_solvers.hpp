// SPDX-License-Identifier: MIT
// Solvers around a solver: each rank holds a block of the bodies, calls add_self_field on it, and
// gets the field of all bodies of all ranks. To the engine it is a solver like any other.
#pragma once

#include <apsis/mpi/communicator.hpp>
#include <apsis/solvers/solver.hpp>
#include <apsis/solvers/tree/curve_solver.hpp>

#include <cstddef>
#include <exception>
#include <memory>
#include <vector>

namespace apsis::mpi {

// What a rank keeps of its evaluations.
struct EvaluationRecord {
  // What failed here. The messages of the evaluation are sent all the same, so that no other rank
  // waits for them; then the ranks agree on it.
  std::exception_ptr failure;
  // strength × potential of every own body, of the last evaluation that was asked for potentials
  std::vector<double> potential_terms;
  // of tree and fmm, where pieces of the curve are cut by it
  WorkHistory history;

  template <class Work>
  void guard(Work&& work) {
    if (failure) return;
    try {
      work();
    } catch (...) {
      failure = std::current_exception();
    }
  }
};

// The bodies of all ranks: consecutive ones, `counts` of them at each.
struct Blocks {
  std::vector<std::size_t> counts;

  std::size_t of(int rank) const { return counts[static_cast<std::size_t>(rank)]; }
  std::size_t first(int rank) const;
  std::size_t all() const { return first(static_cast<int>(counts.size())); }
};

template <class State>
using HostSolver = std::unique_ptr<Solver<Host<State>>>;

// What a solver around a solver is made of.
template <class State>
struct RankSolverParts {
  Communicator& ranks;
  Blocks blocks;
  HostSolver<State> inner;
  EvaluationRecord& record;
};

// Each pair once over all ranks: blocks visit half of the circle, are met there, and the sums that
// they get travel home. Messages are under way while pairs are computed. The order of sums depends
// on the number of ranks, and on nothing else.
template <class State>
HostSolver<State> ring_of(RankSolverParts<State> parts);

// Every rank gets all bodies and computes the field at its own: the same bits for any number of
// ranks, where the inner solver sums each target for itself.
template <class State>
HostSolver<State> gathered_of(RankSolverParts<State> parts);

// tree and fmm: every rank has the tree of its piece of the space-filling curve, and imports what
// it needs of the others'. The bits depend on the number of ranks.
template <class State>
HostSolver<State> essential_of(RankSolverParts<State> parts);

// tree and fmm: every rank builds the tree of all bodies and evaluates a piece of the curve. The
// bits of one engine.
template <class State>
HostSolver<State> curve_of(RankSolverParts<State> parts);

}  // namespace apsis::mpi
