// SPDX-License-Identifier: MIT
#include <apsis/mpi/gathered_bodies.hpp>
#include <apsis/mpi/inner_solver.hpp>

namespace apsis::mpi {
namespace {

template <class State>
class Gathering final : public RankSolver<State> {
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
std::unique_ptr<Solver<Host<State>>> gathering_of(Communicator& ranks, const Blocks& blocks,
                                                  std::unique_ptr<Solver<Host<State>>> inner,
                                                  EvaluationRecord& record) {
  return std::make_unique<Gathering<State>>(ranks, blocks, std::move(inner), record);
}
template std::unique_ptr<Solver<Host<float>>> gathering_of(Communicator&, const Blocks&,
                                                           std::unique_ptr<Solver<Host<float>>>,
                                                           EvaluationRecord&);
template std::unique_ptr<Solver<Host<double>>> gathering_of(Communicator&, const Blocks&,
                                                            std::unique_ptr<Solver<Host<double>>>,
                                                            EvaluationRecord&);

}  // namespace apsis::mpi
