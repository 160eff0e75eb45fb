// SPDX-License-Identifier: MIT
// tree and fmm: each rank evaluates the bodies of its piece of the space-filling curve with a tree
// of its own, and with the cells of the others' trees that they send it (tree/essential.hpp).
#include <apsis/mpi/inner_solver.hpp>
#include <apsis/solvers/tree/curve_solver.hpp>

namespace apsis::mpi {
namespace {

class RankPartners final : public far::Partners {
 public:
  explicit RankPartners(Communicator& ranks) : ranks_(ranks) {}
  std::size_t count() const override { return static_cast<std::size_t>(ranks_.size()); }
  std::size_t own() const override { return static_cast<std::size_t>(ranks_.rank()); }

 private:
  bool all_well(bool own_well) override { return ranks_.largest(own_well ? 0 : 1) == 0; }
  std::vector<Bytes> gathered(std::span<const std::byte> own_bytes) override {
    return ranks_.gather_texts_at_all(own_bytes);
  }
  std::vector<Bytes> exchanged(const std::vector<Bytes>& to) override {
    return ranks_.exchange(to);
  }

  Communicator& ranks_;
};

template <class State>
class Essential final : public RankSolver<State> {
 public:
  using Base = RankSolver<State>;
  using Base::Base;
  using typename Base::FieldView;
  using typename Base::View;

 private:
  using Base::inner_, Base::ranks_, Base::record_;

  void add_field_of_all(const View& bodies, const FieldView& field, const Wants& wants) override {
    // who failed before has no place in what all do together
    if (ranks_.largest(record_.failure ? 1 : 0) != 0) return;
    RankPartners partners(ranks_);
    try {
      auto& solver = dynamic_cast<SharedSolver<State>&>(*inner_);
      solver.add_shared_field(bodies, field, wants, record_.history, partners);
    } catch (const far::PartnerFailed&) {
      return;  // who failed says why
    } catch (...) {
      if (ranks_.broken()) throw;
      record_.failure = std::current_exception();
    }
  }
};

}  // namespace

template <class State>
HostSolver<State> essential_of(RankSolverParts<State> parts) {
  return std::make_unique<Essential<State>>(std::move(parts));
}
template HostSolver<float> essential_of(RankSolverParts<float>);
template HostSolver<double> essential_of(RankSolverParts<double>);

}  // namespace apsis::mpi
