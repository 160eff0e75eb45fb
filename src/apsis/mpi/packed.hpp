// SPDX-License-Identifier: MIT
// Inside mpi/: bodies and fields in one piece of memory, column behind column, so that one message
// carries them.
#pragma once

#include <apsis/solvers/solver.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace apsis::mpi {

template <class State>
class PackedBodies {
 public:
  using View = BodiesView<Host<State>>;

  void resize(std::size_t count, bool velocities) {
    count_ = count, velocities_ = velocities;
    values_.resize(count * (velocities ? 7 : 4));
  }
  void take(const View& from, bool velocities) {
    resize(from.count, velocities);
    State* to = values_.data();
    for (const State* column : {from.x, from.y, from.z, from.strength, from.vx, from.vy, from.vz}) {
      if (to == values_.data() + values_.size()) break;
      to = std::copy_n(column, count_, to);
    }
  }
  View view() const {
    const auto column = [&](std::size_t number) { return values_.data() + number * count_; };
    View out{count_, column(0), column(1), column(2), column(3)};
    if (velocities_) out.vx = column(4), out.vy = column(5), out.vz = column(6);
    return out;
  }
  std::span<const std::byte> bytes() const { return std::as_bytes(std::span(values_)); }
  std::span<std::byte> bytes() { return std::as_writable_bytes(std::span(values_)); }

 private:
  std::vector<State> values_;
  std::size_t count_ = 0;
  bool velocities_ = false;
};

template <class State>
class PackedField {
 public:
  // Zeros for all that is wanted.
  void clear(std::size_t count, const Wants& wants) {
    count_ = count, wants_ = wants;
    const std::size_t columns =
        (wants.acceleration ? 3U : 0U) + (wants.potential ? 1U : 0U) + (wants.jerk ? 3U : 0U);
    values_.assign(columns * count, State(0));
  }
  Field<Host<State>> view() {
    State* next = values_.data();
    const auto column = [&](bool wanted) -> State* {
      if (!wanted) return nullptr;
      State* const here = next;
      next += count_;
      return here;
    };
    Field<Host<State>> out;
    for (auto member : {&Field<Host<State>>::x, &Field<Host<State>>::y, &Field<Host<State>>::z}) {
      out.*member = column(wants_.acceleration);
    }
    out.potential = column(wants_.potential);
    for (auto member :
         {&Field<Host<State>>::jerk_x, &Field<Host<State>>::jerk_y, &Field<Host<State>>::jerk_z}) {
      out.*member = column(wants_.jerk);
    }
    return out;
  }
  void add_to(const Field<Host<State>>& field) {
    const Field<Host<State>> from = view();
    using F = Field<Host<State>>;
    for (auto member : {&F::x, &F::y, &F::z, &F::potential, &F::jerk_x, &F::jerk_y, &F::jerk_z}) {
      if (from.*member == nullptr) continue;
      for (std::size_t i = 0; i < count_; ++i) (field.*member)[i] += (from.*member)[i];
    }
  }
  std::span<std::byte> bytes() { return std::as_writable_bytes(std::span(values_)); }

 private:
  std::vector<State> values_;
  std::size_t count_ = 0;
  Wants wants_;
};

}  // namespace apsis::mpi
