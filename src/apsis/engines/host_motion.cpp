// SPDX-License-Identifier: MIT
#include <apsis/core/parallel.hpp>
#include <apsis/engines/host_motion.hpp>

namespace apsis {
namespace {

template <class State>
void copy_body(std::size_t i, const Triple<State>& from, Triple<State>& to) {
  to.x[i] = from.x[i], to.y[i] = from.y[i], to.z[i] = from.z[i];
}

}  // namespace

template <class State>
void HostMotion<State>::apply(const Operation& operation, double time_unit,
                              HostState<State>& state) {
  const State h = static_cast<State>(operation.dt / time_unit);
  switch (operation.kind) {
    case Operation::Kind::drift:
      end_prediction(operation.active);
      return drift(h, operation.active, state);
    case Operation::Kind::kick:
      end_prediction(operation.active);
      return kick(h, operation.active, state);
    case Operation::Kind::save:
      return save(operation, state);
    case Operation::Kind::combine:
      end_prediction(operation.active);
      return combine(operation, time_unit, state);
    case Operation::Kind::predict:
      return predict(h, operation.active, state);
    case Operation::Kind::correct:
      return correct(h, operation.active, state);
    case Operation::Kind::accept:
      return end_prediction(operation.active);
    case Operation::Kind::advance:
      refuse_to_advance("native engines");
    case Operation::Kind::accelerate:
    case Operation::Kind::keep_potential:
      return;
  }
}

template <class State>
template <class Action>
void HostMotion<State>::over(const ActiveBodies& active, std::size_t all,
                             const Action& action) const {
  if (active.all()) return parallel_for(all, threads_, action);
  const auto numbers = active.numbers();
  parallel_for(numbers.size(), threads_, [&](std::size_t k) { action(numbers[k]); });
}

template <class State>
void HostMotion<State>::drift(State h, const ActiveBodies& active, HostState<State>& state) const {
  over(active, state.count(), [&](std::size_t i) {
    state.place.x[i] += state.velocity.x[i] * h;
    state.place.y[i] += state.velocity.y[i] * h;
    state.place.z[i] += state.velocity.z[i] * h;
  });
}

template <class State>
void HostMotion<State>::kick(State h, const ActiveBodies& active, HostState<State>& state) const {
  over(active, state.count(), [&](std::size_t i) {
    state.velocity.x[i] += state.acceleration.x[i] * h;
    state.velocity.y[i] += state.acceleration.y[i] * h;
    state.velocity.z[i] += state.acceleration.z[i] * h;
  });
}

template <class State>
void HostMotion<State>::save(const Operation& operation, const HostState<State>& state) {
  HostState<State>& to = slots_[static_cast<std::size_t>(operation.slot)];
  if (operation.active.all()) {
    // one by one into arrays that are already there: nothing is allocated from the second step on
    to.place = state.place, to.velocity = state.velocity, to.acceleration = state.acceleration;
    return;
  }
  for (Triple<State>* triple : {&to.place, &to.velocity, &to.acceleration}) {
    triple->resize(state.count());
  }
  over(operation.active, state.count(), [&](std::size_t i) {
    copy_body(i, state.place, to.place), copy_body(i, state.velocity, to.velocity);
    copy_body(i, state.acceleration, to.acceleration);
  });
}

template <class State>
void HostMotion<State>::combine(const Operation& operation, double time_unit,
                                HostState<State>& state) const {
  const HostState<State>& base = slots_[static_cast<std::size_t>(operation.slot)];
  const auto terms = operation.terms();
  const auto add = [&](std::size_t i, Column c) {
    State x = (base.place.*c)[i], v = (base.velocity.*c)[i];
    for (const SlotTerm& term : terms) {
      const HostState<State>& slot = slots_[static_cast<std::size_t>(term.slot)];
      const State h = static_cast<State>(term.coefficient / time_unit);
      x += (slot.velocity.*c)[i] * h;
      v += (slot.acceleration.*c)[i] * h;
    }
    (state.place.*c)[i] = x, (state.velocity.*c)[i] = v;
  };
  over(operation.active, state.count(), [&](std::size_t i) {
    add(i, &Triple<State>::x), add(i, &Triple<State>::y), add(i, &Triple<State>::z);
  });
}

// Of those that are not away from theirs already.
template <class State>
void HostMotion<State>::keep_base(const ActiveBodies& active, const HostState<State>& state) {
  if (active.all() && predicted_.empty()) {
    base_ = state;
    predicted_.assign(state.count(), 1);
    return;
  }
  for (auto triple : {&HostState<State>::place, &HostState<State>::velocity,
                      &HostState<State>::acceleration, &HostState<State>::jerk}) {
    (base_.*triple).resize(state.count());
  }
  predicted_.resize(state.count(), 0);
  over(active, state.count(), [&](std::size_t i) {
    if (predicted_[i] != 0) return;
    copy_body(i, state.place, base_.place), copy_body(i, state.velocity, base_.velocity);
    copy_body(i, state.acceleration, base_.acceleration), copy_body(i, state.jerk, base_.jerk);
    predicted_[i] = 1;
  });
}

template <class State>
void HostMotion<State>::predict(State h, const ActiveBodies& active, HostState<State>& state) {
  keep_base(active, state);
  const State half = h / 2, third = h / 3;
  const auto extrapolate = [&](std::size_t i, Column c) {
    const State v = (base_.velocity.*c)[i], a = (base_.acceleration.*c)[i], j = (base_.jerk.*c)[i];
    (state.place.*c)[i] = (base_.place.*c)[i] + h * (v + half * (a + third * j));
    (state.velocity.*c)[i] = v + h * (a + half * j);
  };
  over(active, state.count(), [&](std::size_t i) {
    extrapolate(i, &Triple<State>::x), extrapolate(i, &Triple<State>::y);
    extrapolate(i, &Triple<State>::z);
  });
}

// Makino & Aarseth 1992: the trapezium with its first derivative correction, fourth order.
template <class State>
void HostMotion<State>::correct(State h, const ActiveBodies& active,
                                HostState<State>& state) const {
  const State half = h / 2, twelfth = h * h / 12;
  const auto refine = [&](std::size_t i, Column c) {
    const State v0 = (base_.velocity.*c)[i];
    const State a0 = (base_.acceleration.*c)[i], a1 = (state.acceleration.*c)[i];
    const State v1 = v0 + half * (a0 + a1) + twelfth * ((base_.jerk.*c)[i] - (state.jerk.*c)[i]);
    (state.velocity.*c)[i] = v1;
    (state.place.*c)[i] = (base_.place.*c)[i] + half * (v0 + v1) + twelfth * (a0 - a1);
  };
  over(active, state.count(), [&](std::size_t i) {
    refine(i, &Triple<State>::x), refine(i, &Triple<State>::y), refine(i, &Triple<State>::z);
  });
}

template <class State>
void HostMotion<State>::end_prediction(const ActiveBodies& active) {
  if (active.all()) return predicted_.clear();
  if (predicted_.empty()) return;
  for (const std::uint32_t i : active.numbers()) predicted_[i] = 0;
}

template class HostMotion<float>;
template class HostMotion<double>;

}  // namespace apsis
