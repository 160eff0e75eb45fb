// SPDX-License-Identifier: MIT
// tree and fmm: all ranks build the same tree of all bodies, each evaluates a piece of the curve,
// and the fields go to the ranks that own the bodies. As every rank knows the whole order, values
// travel without numbers. The pieces follow the clock; the bits do not.
#include <apsis/mpi/curve_shares.hpp>
#include <apsis/mpi/gathered_bodies.hpp>
#include <apsis/mpi/inner_solver.hpp>
#include <apsis/mpi/packed.hpp>
#include <apsis/solvers/tree/curve_solver.hpp>

#include <algorithm>

namespace apsis::mpi {
namespace {

constexpr int curve_tag = 30;

template <class State>
class Curve final : public RankSolver<State> {
 public:
  using Base = RankSolver<State>;
  using Base::Base;
  using typename Base::FieldView;
  using typename Base::View;

 private:
  using Base::blocks_, Base::inner_, Base::ranks_, Base::record_;
  using Order = std::span<const std::uint32_t>;

  void add_field_of_all(const View& bodies, const FieldView& field, const Wants& wants) override {
    const std::size_t n = blocks_.all();
    if (cuts_.empty()) cut_evenly(n);
    const View all = gathered_.gather(ranks_, blocks_, bodies, false);
    everywhere_.clear(n, wants);
    Order order;
    double seconds = 0;
    record_.guard([&] {
      auto& solver = dynamic_cast<CurveSolver<State>&>(*inner_);
      order = solver.add_curve_part(all, piece(ranks_.rank()), everywhere_.view());
      seconds = solver.seconds_of_part();
    });
    // without the order nobody knows what to send
    if (ranks_.largest(record_.failure ? 1 : 0) != 0) return;
    exchange(order, field, wants);
    balance(seconds);
  }

  void cut_evenly(std::size_t n) {
    const auto ranks = static_cast<std::size_t>(ranks_.size());
    for (std::size_t r = 1; r <= ranks; ++r) cuts_.push_back(n * r / ranks);
  }
  CurvePart piece(int rank) const {
    const auto r = static_cast<std::size_t>(rank);
    return {r == 0 ? 0 : cuts_[r - 1], cuts_[r]};
  }

  // The bodies of `owner` in the piece of `rank`, in the order of the curve.
  std::vector<std::size_t> bodies_in(Order order, int rank, int owner) const {
    const CurvePart part = piece(rank);
    const std::size_t first = blocks_.first(owner), end = first + blocks_.of(owner);
    std::vector<std::size_t> out;
    for (std::size_t k = part.begin; k < part.end; ++k) {
      if (order[k] >= first && order[k] < end) out.push_back(order[k]);
    }
    return out;
  }

  void exchange(Order order, const FieldView& field, const Wants& wants) {
    const auto ranks = static_cast<std::size_t>(ranks_.size());
    const std::size_t first = blocks_.first(ranks_.rank());
    sent_.resize(ranks), received_.resize(ranks);
    std::vector<Transfer> transfers;
    std::vector<std::vector<std::size_t>> coming(ranks);
    for (int hop = 0; hop < ranks_.size(); ++hop) {
      const int to = ranks_.neighbour(hop), from = ranks_.neighbour(-hop);
      const auto going = bodies_in(order, ranks_.rank(), to);
      PackedField<State>& sent = sent_[static_cast<std::size_t>(to)];
      sent.clear(going.size(), wants);
      copy(everywhere_.view(), sent.view(), going.size(), [&](std::size_t i) {
        return std::pair{going[i], i};
      });
      auto& numbers = coming[static_cast<std::size_t>(from)];
      numbers = bodies_in(order, from, ranks_.rank());
      PackedField<State>& received = received_[static_cast<std::size_t>(from)];
      received.clear(numbers.size(), wants);
      transfers.push_back(ranks_.start_receive(received.bytes(), from, curve_tag));
      transfers.push_back(ranks_.start_send(sent.bytes(), to, curve_tag));
    }
    for (Transfer& transfer : transfers) ranks_.wait(transfer);
    for (std::size_t r = 0; r < ranks; ++r) {
      copy(received_[r].view(), field, coming[r].size(), [&](std::size_t i) {
        return std::pair{i, coming[r][i] - first};
      });
    }
  }

  // Adds n values of every quantity; `places` gives where from and where to.
  template <class Places>
  static void copy(const FieldView& from, const FieldView& to, std::size_t n, Places&& places) {
    for (auto member : {&FieldView::x, &FieldView::y, &FieldView::z, &FieldView::potential}) {
      if (from.*member == nullptr || to.*member == nullptr) continue;
      for (std::size_t i = 0; i < n; ++i) {
        const auto [source, target] = places(i);
        (to.*member)[target] += (from.*member)[source];
      }
    }
  }

  void balance(double seconds) {
    const auto ranks = static_cast<std::size_t>(ranks_.size());
    std::vector<double> all(ranks);
    ranks_.gather_at_all(std::as_bytes(std::span(&seconds, 1)), std::vector(ranks, sizeof seconds),
                         std::as_writable_bytes(std::span(all)));
    cuts_ = balanced_cuts(blocks_.all(), cuts_, all);
  }

  GatheredBodies<State> gathered_;
  PackedField<State> everywhere_;
  std::vector<PackedField<State>> sent_, received_;  // by rank
  std::vector<std::size_t> cuts_;
};

}  // namespace

template <class State>
HostSolver<State> curve_of(RankSolverParts<State> parts) {
  return std::make_unique<Curve<State>>(std::move(parts));
}
template HostSolver<float> curve_of(RankSolverParts<float>);
template HostSolver<double> curve_of(RankSolverParts<double>);

}  // namespace apsis::mpi
