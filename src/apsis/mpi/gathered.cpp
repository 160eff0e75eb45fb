// SPDX-License-Identifier: MIT
#include <apsis/mpi/inner_solver.hpp>

#include <algorithm>

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
    gather(bodies.x, bodies.count, x_), gather(bodies.y, bodies.count, y_);
    gather(bodies.z, bodies.count, z_);
    if (strength_.empty()) gather(bodies.strength, bodies.count, strength_);  // never changes
    View all{x_.size(), x_.data(), y_.data(), z_.data(), strength_.data()};
    if (wants.jerk) {
      gather(bodies.vx, bodies.count, vx_), gather(bodies.vy, bodies.count, vy_);
      gather(bodies.vz, bodies.count, vz_);
      all.vx = vx_.data(), all.vy = vy_.data(), all.vz = vz_.data();
    }
    record_.guard(
        [&] { inner_->add_part_field(all, blocks_.first(ranks_.rank()), bodies.count, field); });
  }

  void gather(const State* own, std::size_t count, std::vector<State>& all) {
    all.resize(blocks_.all());
    std::vector<std::size_t> bytes = blocks_.counts;
    for (std::size_t& size : bytes) size *= sizeof(State);
    ranks_.gather_at_all(std::as_bytes(std::span(own, count)), bytes,
                         std::as_writable_bytes(std::span(all)));
  }

  std::vector<State> x_, y_, z_, strength_, vx_, vy_, vz_;
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
