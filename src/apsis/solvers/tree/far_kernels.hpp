// SPDX-License-Identifier: MIT
// Inside the far-field solvers: the arrays that one evaluation works on, and the vector code that
// works on them, compiled for every instruction set of the build and chosen at run time.
#pragma once

#include <apsis/solvers/tree/cartesian.hpp>
#include <apsis/solvers/tree/octree.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

namespace apsis::far {

// How near pairs are summed.
enum class PairMode {
  rough,    // with the hardware's first estimate of the reciprocal root
  full,     // with a Newton step on it
  careful,  // and what rounding takes from a sum is added to the next term (Kahan)
};

// How a cell is accepted. All lengths are in the solver's units.
struct Criterion {
  float angle = 0.75F;      // (radius of target + radius of source) / distance stays below it
  float tolerance = 0;      // error of one source as a share of the force; 0: the angle alone
  float open_share = 0.9F;  // sources are opened before targets if larger than this share of them
  // At a target that is not divided further, sources smaller than this share of it are not opened,
  // because thousands of small ones would all err the same way (p99 1.2e-3 instead of 9.8e-4).
  float leaf_share = 0.6F;
  std::uint32_t walk_above = 1000;  // with more such bodies every body walks those cells alone
  std::uint32_t target_leaf = 96;
  PairMode pairs = PairMode::rough;
};

// What the walk asks of a cell, in one cache line with its neighbour.
struct alignas(32) CellShape {
  float x = 0, y = 0, z = 0;  // centre of |strength|
  float radius = 0;           // holds all bodies
  float weight = 0;           // sum of |strength|
  float effective_radius = 0;
  float open_radius = 0;     // radius, or -1 for leaves
  std::uint32_t family = 0;  // first child << 4 | number of children
};

// What met whom, for tests.
struct Meetings {
  struct Pair {
    std::uint32_t target, source;
  };
  std::vector<Pair> cell_cell, body_cell;  // by expansions
  std::vector<Pair> near, body_near;       // pair by pair
};

// What the parts of a walk cost, in pairs of bodies: for what is counted, not timed.
struct Costs {
  float cell = 0;  // that acts on an expansion; Barnes-Hut: on a body
  float body = 0;  // its own share of everything else
};

// The results in the order of the tree.
struct Sums {
  std::vector<float> x, y, z, potential;
};

// One evaluation.
struct Scene {
  SortedBodies bodies;
  Octree tree;
  Criterion criterion;
  float softening = 0;
  float softened_within = 0;           // beyond this distance softening is not felt
  float softening_tolerance = 0;       // on what is left out of its effect, as share of a pull
  bool forces_on_bodies_only = false;  // Barnes-Hut
  bool has_dipoles = false;
  bool wants_potential = false, same_set = true;
  std::vector<CellShape> shapes;       // and one far away
  std::vector<float> all_terms;        // records, see cartesian.hpp; and one of zeros
  std::vector<float> traceless_terms;  // the same
  std::vector<float> inverted_terms;   // Barnes-Hut: records of all terms up to the order below
  std::vector<float> force_scale;      // estimated |field| of each cell's bodies
  std::vector<std::uint32_t> roots;    // of the own tree, and of those that others sent
  Costs costs;
  std::vector<float> work;  // per own body, in pairs; empty: not counted
  Sums sums;
  Meetings* meetings = nullptr;

  bool softened() const { return softening > 0; }
};

using Indices = std::vector<std::uint32_t>;

inline constexpr int most_order = 7;
inline constexpr auto most_terms = static_cast<std::size_t>(AllTerms::count(most_order));

// Cells that act as wholes. Beyond a few softenings the pull without softening and what softening
// changes about it are added apart.
struct Accepted {
  Indices plain;      // far or slightly softened
  Indices corrected;  // those of them that are slightly softened
  Indices softened;   // near
};

// What a visit leaves to the children.
struct Legacy {
  Indices candidates;
  Accepted accepted;
  std::array<std::array<float, most_terms>, 8> local;
  float work = 0;  // done for every body below
};

// A target cell with what its ancestors left to it.
struct Visit {
  std::uint32_t cell = 0;
  std::span<const std::uint32_t> candidates;
  const Accepted* accepted = nullptr;  // Barnes-Hut: cells that act on all bodies in here
  const float* local = nullptr;        // expansion about the cell's centre
  float work = 0;                      // what they cost every body in here
};

// Scratch of one thread.
struct Worker {
  Indices now, next, near, small, left_to_bodies, next_undecided;
  Accepted accepted;
  std::vector<float> x, y, z, strength;            // sources side by side
  std::vector<float> tx, ty, tz, fx, fy, fz, phi;  // targets
  std::vector<std::int32_t> own;                   // where they lie among the sources
  std::deque<Legacy> legacies;                     // by depth of the recursion
  bool lost = false;  // met a cell without its bodies: what others sent did not suffice
};

struct Kernels {
  int order = 0;
  // Shapes and multipoles of the cells [begin, end) of a level; their children are done.
  void (*upward)(Scene& scene, std::size_t begin, std::size_t end);
  // |field| at a cell from monopoles, to a few tens of per cent.
  float (*estimate)(const Scene& scene, Worker& worker, std::uint32_t cell);
  // One target cell: either its bodies are done, or `legacy` is for its children (true).
  bool (*visit)(Scene& scene, Worker& worker, const Visit& visit, Legacy& legacy);
  // A target cell with everything below it.
  void (*descend)(Scene& scene, Worker& worker, const Visit& visit);
};

// For one of `orders`; the instruction set is the best the machine has.
Kernels kernels(int order, bool softened, bool has_dipoles);
std::span<const int> orders();

}  // namespace apsis::far
