// SPDX-License-Identifier: MIT
// Seam 1 of 4: a solver adds the field of sources at targets. `Where` is a tag that says where the
// arrays lie and of which type they are; solvers of different places never mix.
#pragma once

#include <apsis/core/error.hpp>
#include <apsis/solvers/solver_choice.hpp>

#include <cstddef>
#include <optional>
#include <string>

namespace apsis {

// The host's memory, state in Real.
template <class Real>
struct Host {
  using real = Real;
};
// An OpenCL device's memory; its views are in device_views.hpp.
struct Device;

// What a field evaluation is asked for.
struct Wants {
  bool acceleration = true;
  bool potential = false;
  bool jerk = false;
};

template <class Where>
struct BodiesView;
template <class Where>
struct Field;

// Sources or targets. Velocities are read only where jerk is wanted, and may be null otherwise.
template <class Real>
struct BodiesView<Host<Real>> {
  std::size_t count = 0;
  const Real *x = nullptr, *y = nullptr, *z = nullptr;
  const Real* strength = nullptr;  // mass or charge; not read of targets
  const Real *vx = nullptr, *vy = nullptr, *vz = nullptr;
};

// `count` of them, from number `first` on.
template <class Real>
BodiesView<Host<Real>> part_of(const BodiesView<Host<Real>>& v, std::size_t first,
                               std::size_t count) {
  const auto from = [first](const Real* column) {
    return column == nullptr ? nullptr : column + first;
  };
  return {count,      from(v.x),  from(v.y), from(v.z), from(v.strength),
          from(v.vx), from(v.vy), from(v.vz)};
}

// Results are added to these arrays, one value per target; null where not wanted.
// field = Σ s_j r_ij/(r²+ε²)^{3/2}, potential = Σ s_j/√(r²+ε²), jerk = d field/dt.
template <class Real>
struct Field<Host<Real>> {
  Real *x = nullptr, *y = nullptr, *z = nullptr;
  Real* potential = nullptr;
  Real *jerk_x = nullptr, *jerk_y = nullptr, *jerk_z = nullptr;

  Wants wants() const {
    return {
        .acceleration = x != nullptr, .potential = potential != nullptr, .jerk = jerk_x != nullptr};
  }
};

// The places of the targets from number `first` on.
template <class Real>
Field<Host<Real>> part_of(const Field<Host<Real>>& f, std::size_t first) {
  const auto from = [first](Real* column) { return column == nullptr ? nullptr : column + first; };
  return {from(f.x),      from(f.y),      from(f.z),     from(f.potential),
          from(f.jerk_x), from(f.jerk_y), from(f.jerk_z)};
}

// Seconds of the two parts of an evaluation: all that comes before the first force (sort, tree,
// expansions), and the forces.
struct EvaluationParts {
  double build = 0, force = 0;
};

template <class Where>
class Solver {
 public:
  using Bodies = BodiesView<Where>;
  using FieldOf = Field<Where>;

  Solver() = default;
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;
  virtual ~Solver() = default;

  // Adds the field of `sources` at `targets`; never clears. A pair at zero distance gives no
  // force; with softening its potential counts, without softening it contributes nothing.
  virtual void add_field(const Bodies& sources, const Bodies& targets, const FieldOf& field) = 0;

  // The field of bodies on themselves: like add_field, but no body acts on itself.
  virtual void add_self_field(const Bodies& bodies, const FieldOf& field) = 0;

  // The field of bodies on `count` of them, the first of which is number `first`: add_self_field
  // for a part of the targets. In the bits, too, of solvers that sum every target for itself.
  virtual void add_part_field(const Bodies& /*bodies*/, std::size_t /*first*/,
                              std::size_t /*count*/, const FieldOf& /*field*/) {
    throw bad_data("solver " + name() + " can't be split over several ranks",
                   "use solver direct, tree or fmm");
  }

  // Two disjoint sets on each other. Solvers that use Newton's third law override it.
  virtual void add_mutual_field(const Bodies& a, const Bodies& b, const FieldOf& field_a,
                                const FieldOf& field_b) {
    add_field(b, a, field_a);
    add_field(a, b, field_b);
  }

  // add_self_field with its parts timed one after the other, each waited for. Solvers that build
  // nothing add nothing and give nothing.
  virtual std::optional<EvaluationParts> add_timed(const Bodies& /*bodies*/,
                                                   const FieldOf& /*field*/) {
    return std::nullopt;
  }

  virtual bool gives_jerk() const { return false; }
  // Whether a field has the same bits when the potential is asked for with it. Only then may the
  // two share a pass: a run's bits must not depend on when energies are logged.
  virtual bool potential_keeps_field() const { return false; }
  // Whether sources may be given piece by piece, with the same sums as from all at once; of
  // devices.
  virtual bool sums_by_parts() const { return false; }
  virtual bool threaded() const { return true; }  // uses more than one thread where there are
  virtual std::string name() const = 0;           // reference, direct, ...
  virtual std::string variant() const = 0;        // which of its implementations
  // What its kernels were built with, or what it takes to reach an accuracy; open where there is no
  // choice.
  virtual SolverChoice chosen() const { return {}; }
  std::string sizes() const { return to_string(chosen()); }
};

}  // namespace apsis
