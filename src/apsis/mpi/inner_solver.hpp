// SPDX-License-Identifier: MIT
// Inside mpi/: what the solvers around a solver share.
#pragma once

#include <apsis/mpi/rank_solvers.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace apsis::mpi {

template <class State>
class RankSolver : public Solver<Host<State>> {
 public:
  using View = BodiesView<Host<State>>;
  using FieldView = Field<Host<State>>;

  explicit RankSolver(RankSolverParts<State> parts)
      : ranks_(parts.ranks),
        blocks_(std::move(parts.blocks)),
        inner_(std::move(parts.inner)),
        record_(parts.record) {}

  // Of the bodies of this rank alone.
  void add_field(const View& sources, const View& targets, const FieldView& field) override {
    inner_->add_field(sources, targets, field);
  }
  void add_self_field(const View& bodies, const FieldView& field) override {
    const Wants wants = wants_of_all(field.wants());
    add_field_of_all(bodies, field, wants);
    if (!wants.potential) return;
    record_.potential_terms.resize(bodies.count);
    for (std::size_t i = 0; i < bodies.count; ++i) {
      record_.potential_terms[i] =
          static_cast<double>(bodies.strength[i]) * static_cast<double>(field.potential[i]);
    }
  }
  bool gives_jerk() const override { return inner_->gives_jerk(); }
  bool potential_keeps_field() const override { return inner_->potential_keeps_field(); }
  bool threaded() const override { return inner_->threaded(); }
  std::string name() const override { return inner_->name(); }
  std::string variant() const override { return inner_->variant(); }
  SolverChoice chosen() const override { return inner_->chosen(); }

 protected:
  virtual void add_field_of_all(const View& bodies, const FieldView& field, const Wants& wants) = 0;

  // A rank without bodies has arrays without a place, and does not know what is wanted.
  Wants wants_of_all(const Wants& own) {
    const auto& counts = blocks_.counts;
    if (std::find(counts.begin(), counts.end(), 0U) == counts.end()) return own;
    const int all =
        ranks_.largest((own.acceleration ? 1 : 0) + (own.potential ? 2 : 0) + (own.jerk ? 4 : 0));
    return {.acceleration = (all & 1) != 0, .potential = (all & 2) != 0, .jerk = (all & 4) != 0};
  }

  Communicator& ranks_;
  Blocks blocks_;
  HostSolver<State> inner_;
  EvaluationRecord& record_;
};

}  // namespace apsis::mpi
