// SPDX-License-Identifier: MIT
// Inside engines/: the loops that move bodies in the host's memory.
#pragma once

#include <apsis/engines/operation.hpp>

#include <array>
#include <cstddef>
#include <vector>

namespace apsis {

// Three components of one quantity, for all bodies.
template <class State>
struct Triple {
  std::vector<State> x, y, z;
  void resize(std::size_t n) { x.resize(n), y.resize(n), z.resize(n); }
};

template <class State>
struct HostState {
  Triple<State> place, velocity, acceleration;
  Triple<State> jerk;  // once it was asked for

  std::size_t count() const { return place.x.size(); }
};

template <class State>
class HostMotion {
 public:
  explicit HostMotion(int threads) : threads_(threads) {}

  // Other bodies have come: what was kept of the last ones is gone.
  void forget() { slots_ = {}, base_ = {}, predicted_.clear(); }
  // All kinds but those that concern forces. One internal unit of time takes `time_unit` of the
  // user's.
  void apply(const Operation& operation, double time_unit, HostState<State>& state);

 private:
  using Column = std::vector<State> Triple<State>::*;

  // Body by body, in any order and by any thread.
  template <class Action>
  void over(const ActiveBodies& active, std::size_t all, const Action& action) const;
  void drift(State h, const ActiveBodies& active, HostState<State>& state) const;
  void kick(State h, const ActiveBodies& active, HostState<State>& state) const;
  void save(const Operation& operation, const HostState<State>& state);
  void combine(const Operation& operation, double time_unit, HostState<State>& state) const;
  void keep_base(const ActiveBodies& active, const HostState<State>& state);
  void predict(State h, const ActiveBodies& active, HostState<State>& state);
  void correct(State h, const ActiveBodies& active, HostState<State>& state) const;
  void end_prediction(const ActiveBodies& active);

  int threads_;
  std::array<HostState<State>, slot_count> slots_;  // without jerks
  HostState<State> base_;                           // Hermite's last accepted state
  // By body: away from its accepted state, which is in the base. Empty: none is.
  std::vector<unsigned char> predicted_;
};

extern template class HostMotion<float>;
extern template class HostMotion<double>;

}  // namespace apsis
