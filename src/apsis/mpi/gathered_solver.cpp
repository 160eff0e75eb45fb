// SPDX-License-Identifier: MIT
#include <apsis/mpi/gathered_bodies.hpp>
#include <apsis/mpi/inner_solver.hpp>

namespace apsis::mpi {
namespace {

template <class State>
class GatheredSolver final : public RankSolver<State> {
 public:
  using Base = RankSolver<State>;
  using Base::Base;
  using typename Base::FieldView;
  using typename Base::View;

 private:
  using Base::blocks_, Base::inner_, Base::ranks_, Base::record_;

  void add_field_of_all(const View& bodies, const FieldView& field, const Wants& wants) override {
    const View all = gathered_.gather(ranks_, blocks_, bodies, wants.jerk);
    record_.guard(
        [&] { inner_->add_part_field(all, blocks_.first(ranks_.rank()), bodies.count, field); });
  }

  GatheredBodies<State> gathered_;
};

}  // namespace

template <class State>
HostSolver<State> gathered_of(RankSolverParts<State> parts) {
  return std::make_unique<GatheredSolver<State>>(std::move(parts));
}
template HostSolver<float> gathered_of(RankSolverParts<float>);
template HostSolver<double> gathered_of(RankSolverParts<double>);

}  // namespace apsis::mpi
