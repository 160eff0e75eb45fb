// SPDX-License-Identifier: MIT
// Inside the far-field solvers: one evaluation from the caller's arrays to the caller's arrays.
#pragma once

#include <apsis/solvers/solver.hpp>
#include <apsis/solvers/tree/curve_solver.hpp>
#include <apsis/solvers/tree/essential.hpp>
#include <apsis/solvers/tree/far_field_solver.hpp>
#include <apsis/solvers/tree/far_kernels.hpp>
#include <apsis/solvers/tree/frame.hpp>
#include <apsis/solvers/tree/inversion.hpp>
#include <apsis/solvers/tree/pieces.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace apsis::far {

struct EvaluationSettings {
  FarFieldChoice choice;
  double accuracy = 1e-3;  // what is neglected stays well below it
  double softening = 0;
  int threads = 1;
  bool bodies_only = false;  // Barnes-Hut
  Meetings* meetings = nullptr;
  CurvePart part;                  // of one set of bodies: whose fields are wanted
  double distances_to_others = 1;  // see EssentialRule
};

// A body, or the field at one, in the caller's order: one random access instead of four.
template <class Real>
struct Quad {
  Real x, y, z, w;
};

// Keeps its arrays from one evaluation to the next.
class Evaluation {
 public:
  // Adds the field of the sources at the targets, which may be the same bodies.
  template <class Real>
  void add_field(const BodiesView<Host<Real>>& sources, const BodiesView<Host<Real>>* targets,
                 const Field<Host<Real>>& field, const EvaluationSettings& settings);

  // The field at the bodies of one piece of the curve; partners have the other pieces. They import
  // from each other what cells they need.
  template <class Real>
  void find_shared_field(const BodiesView<Host<Real>>& piece, bool potential, const Shared& shared,
                         const EvaluationSettings& settings, Partners& partners,
                         std::vector<FieldResult<Real>>& results);

  FarFieldTimes times() const { return times_; }
  SharedCounts shared_counts() const;
  // The numbers of the bodies of the last evaluation along the curve.
  std::span<const std::uint32_t> order() const {
    return std::span(scene_.bodies.id).first(scene_.bodies.count);
  }
  const Scene& scene() const { return scene_; }

 private:
  template <class Real>
  void take(const Both<Real>& all, const Frame& frame, const EvaluationSettings& settings);
  void prepare(const EvaluationSettings& settings);
  void make_room(int order);
  void climb(const Kernels& kernels, int threads);
  void invert(int order, int threads);
  void estimate_forces(const Kernels& kernels, int threads);
  void use_typical_force(float force);
  bool dipoles_matter(double accuracy, int order) const;
  void walk(const Kernels& kernels, const CurvePart& part, int threads);
  void share_forces(const Kernels& kernels, std::vector<std::vector<TargetGroup>>& targets,
                    const Outline& own, const Shared& shared, const EvaluationSettings& settings,
                    Partners& partners);
  void import_shapes(const std::vector<Bytes>& parcels);
  void import_cells(const std::vector<Bytes>& parcels, int order);
  template <class Real>
  void give(const Field<Host<Real>>& field, std::size_t first_target, int threads);
  template <class Real>
  void give_results(std::vector<FieldResult<Real>>& results, int threads) const;
  template <class Real>
  void give_part(const Field<Host<Real>>& field, const CurvePart& part, int threads);
  template <class Real>
  std::vector<Quad<Real>>& quads();

  Scene scene_;
  Units units_;
  bool mixed_signs_ = false;
  std::vector<std::uint64_t> keys_, spare_;
  std::vector<Quad<float>> quads_;
  std::vector<Quad<double>> double_quads_;
  std::vector<Worker> workers_;
  std::optional<Inversion> inversion_;
  FarFieldTimes times_;
};

}  // namespace apsis::far
