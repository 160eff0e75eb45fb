// SPDX-License-Identifier: MIT
// The half ring. In hop h a rank meets the block of the rank h before it; of R ranks there are R/2
// hops. Opposite ranks of an even circle see each other in the last hop: each takes one half of the
// pairs.
#include <apsis/mpi/inner_solver.hpp>
#include <apsis/mpi/packed.hpp>

#include <algorithm>
#include <array>

namespace apsis::mpi {
namespace {

constexpr int bodies_tag = 10, sums_tag = 11;
// Own bodies that meet a visitor at a time; in between, messages move on. Several milliseconds.
constexpr std::size_t at_a_time = 8192;

struct Part {
  std::size_t first = 0, count = 0;
};

template <class State>
class Ring final : public RankSolver<State> {
 public:
  using Base = RankSolver<State>;
  using Base::Base;
  using typename Base::FieldView;
  using typename Base::View;

 private:
  using Base::blocks_, Base::inner_, Base::ranks_, Base::record_;

  void add_field_of_all(const View& bodies, const FieldView& field, const Wants& wants) override {
    const int hops = ranks_.size() / 2;
    own_.take(bodies, wants.jerk);
    met_.resize(static_cast<std::size_t>(hops)), returned_.resize(met_.size());
    std::vector<Transfer> coming, returning;
    if (hops > 0) coming = start_visit(1, wants);
    record_.guard([&] { inner_->add_self_field(bodies, field); });
    for (int hop = 1; hop <= hops; ++hop) {
      for (Transfer& transfer : coming) ranks_.wait(transfer);
      if (hop < hops) coming = start_visit(hop + 1, wants);
      meet(hop, bodies, field, wants);
      const auto h = static_cast<std::size_t>(hop - 1);
      returned_[h].clear(met_part(ranks_.neighbour(hop), hop).count, wants);
      returning.push_back(
          ranks_.start_receive(returned_[h].bytes(), ranks_.neighbour(hop), sums_tag));
      returning.push_back(ranks_.start_send(met_[h].bytes(), ranks_.neighbour(-hop), sums_tag));
    }
    for (Transfer& transfer : returning) ranks_.wait(transfer);
    for (int hop = 1; hop <= hops; ++hop) {
      const Part part = met_part(ranks_.neighbour(hop), hop);
      returned_[static_cast<std::size_t>(hop - 1)].add_to(part_of(field, part.first));
    }
  }

  PackedBodies<State>& visitor(int hop) { return visitors_[static_cast<std::size_t>(hop % 2)]; }

  std::vector<Transfer> start_visit(int hop, const Wants& wants) {
    const int from = ranks_.neighbour(-hop);
    visitor(hop).resize(blocks_.of(from), wants.jerk);
    std::vector<Transfer> transfers;
    transfers.push_back(ranks_.start_receive(visitor(hop).bytes(), from, bodies_tag));
    transfers.push_back(
        ranks_.start_send(std::as_const(own_).bytes(), ranks_.neighbour(hop), bodies_tag));
    return transfers;
  }

  bool opposite(int hop) const { return 2 * hop == ranks_.size(); }
  // Of the lower of two opposite ranks: it meets the other with these first bodies of its own.
  std::size_t own_half(int lower) const { return (blocks_.of(lower) + 1) / 2; }

  // The part of its visitor that `rank` meets.
  Part met_part(int rank, int hop) const {
    const int visitor = (rank - hop + ranks_.size()) % ranks_.size();
    const std::size_t all = blocks_.of(visitor);
    if (!opposite(hop) || rank < visitor) return {0, all};
    return {own_half(visitor), all - own_half(visitor)};
  }
  Part own_part(int hop) const {
    const int rank = ranks_.rank();
    if (!opposite(hop) || rank > ranks_.neighbour(hop)) return {0, blocks_.of(rank)};
    return {0, own_half(rank)};
  }

  void meet(int hop, const View& bodies, const FieldView& field, const Wants& wants) {
    const Part own = own_part(hop), met = met_part(ranks_.rank(), hop);
    PackedField<State>& sums = met_[static_cast<std::size_t>(hop - 1)];
    sums.clear(met.count, wants);
    const View visitors = part_of(visitor(hop).view(), met.first, met.count);
    for (std::size_t first = own.first; first < own.first + own.count; first += at_a_time) {
      const std::size_t count = std::min(at_a_time, own.first + own.count - first);
      record_.guard([&] {
        inner_->add_mutual_field(part_of(bodies, first, count), visitors, part_of(field, first),
                                 sums.view());
      });
      ranks_.progress();
    }
  }

  PackedBodies<State> own_;
  std::array<PackedBodies<State>, 2> visitors_;
  std::vector<PackedField<State>> met_, returned_;  // by hop
};

}  // namespace

std::size_t Blocks::first(int rank) const {
  std::size_t sum = 0;
  for (int r = 0; r < rank; ++r) sum += of(r);
  return sum;
}

template <class State>
HostSolver<State> ring_of(RankSolverParts<State> parts) {
  return std::make_unique<Ring<State>>(std::move(parts));
}
template HostSolver<float> ring_of(RankSolverParts<float>);
template HostSolver<double> ring_of(RankSolverParts<double>);

}  // namespace apsis::mpi
