// SPDX-License-Identifier: MIT
// Inside direct/: the rungs of the native solver's ladder. A rung adds the field of all sources at
// a range of targets; threads, sizes and what is asked for are DirectHost's business.
#pragma once

#include <apsis/core/choices.hpp>
#include <apsis/core/parallel.hpp>
#include <apsis/core/radial_laws.hpp>
#include <apsis/solvers/solver.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>

namespace apsis::direct {

template <class State>
struct Task {
  BodiesView<Host<State>> sources, targets;
  Field<Host<State>> field;
  double softening = 0;
  bool same = false;      // the targets are among the sources: a body's own potential is left out
  std::size_t first = 0;  // the number of the first of them among the sources

  bool all_of_one_set() const { return same && targets.count == sources.count; }
};

// Targets that a thread takes at a time; whole tiles of every rung.
inline constexpr std::size_t share = 64;

// Two sets on each other.
template <class State>
struct MutualTask {
  BodiesView<Host<State>> a, b;
  Field<Host<State>> field_a, field_b;
  double softening = 0;
};

template <class State>
class Rung {
 public:
  Rung() = default;
  Rung(const Rung&) = delete;
  Rung& operator=(const Rung&) = delete;
  virtual ~Rung() = default;

  // Once per evaluation, before any add: copies of the bodies in the rung's own layout.
  virtual void prepare(const Task<State>& /*task*/, int /*threads*/) {}
  virtual void add(const Task<State>& task, std::size_t begin, std::size_t end) const = 0;
  virtual bool threaded() const { return true; }
  // The field's bits do not depend on whether the potential is wanted; what compilers reorder can't
  // promise it.
  virtual bool potential_keeps_field() const { return false; }

  // Both sides of every pair at once. False, and nothing done, where it would not pay or can't be.
  virtual bool add_mutual(const MutualTask<State>& /*task*/, int /*threads*/) { return false; }

  // All targets, in shares over the threads; a rung that meets each pair once has its own way.
  virtual void add_all(const Task<State>& task, int threads) {
    prepare(task, threads);
    const std::size_t targets = task.targets.count, shares = (targets + share - 1) / share;
    if (threads == 1 || !threaded()) return add(task, 0, targets);
    parallel_tasks(shares, threads, [&](std::size_t s) {
      add(task, s * share, std::min(targets, (s + 1) * share));
    });
  }
};

// Adds to one target of a field what is not null.
template <class State>
void add_to_field(const Field<Host<State>>& field, std::size_t i, double x, double y, double z,
                  double potential) {
  const auto add = [i](State* to, double value) {
    if (to != nullptr) to[i] += static_cast<State>(value);
  };
  add(field.x, x), add(field.y, y), add(field.z, z), add(field.potential, potential);
}

// Rungs take every radial law unless they say otherwise.

// Array of structures; `reduced` takes one root and one quotient instead of a power. In the pairs'
// type of the precision, except for the power, which is double as in the source documents.
template <class State>
std::unique_ptr<Rung<State>> make_aos_rung(Precision precision, const RadialLaw& radial,
                                           bool threaded, bool reduced);
// The compiler's vectors over sources, and over tiles of 16 targets.
template <class State>
std::unique_ptr<Rung<State>> make_soa_rung(Precision precision, const RadialLaw& radial);
template <class State>
std::unique_ptr<Rung<State>> make_tiled_rung(Precision precision, const RadialLaw& radial);
// Explicit vectors, of newton's law alone; null where the build has no Highway.
template <class State>
std::unique_ptr<Rung<State>> make_simd_rung(Precision precision);
// The same, each pair of a set of bodies once.
template <class State>
std::unique_ptr<Rung<State>> make_simd_symmetric_rung(Precision precision);
// Double sums with the bits of every OpenCL device.
std::unique_ptr<Rung<double>> make_reproducible_rung(const RadialLaw& radial);

}  // namespace apsis::direct
