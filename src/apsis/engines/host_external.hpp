// SPDX-License-Identifier: MIT
// Inside engines/: what external fields add to bodies in the host's memory.
#pragma once

#include <apsis/core/external_fields.hpp>
#include <apsis/core/parallel.hpp>
#include <apsis/engines/host_motion.hpp>
#include <apsis/engines/operation.hpp>

namespace apsis {

template <class Field, class State>
void add_external_to(std::size_t i, const ExternalConstants<State>& constants, bool with_jerk,
                     HostState<State>& state) {
  const auto at = [i](const Triple<State>& t) { return Components<State>{t.x[i], t.y[i], t.z[i]}; };
  const auto add = [i](const Components<State>& value, Triple<State>& to) {
    to.x[i] += value.x, to.y[i] += value.y, to.z[i] += value.z;
  };
  const Components<State> place = at(state.place);
  add(Field::acceleration(constants, place), state.acceleration);
  if (with_jerk) add(Field::jerk(constants, place, at(state.velocity)), state.jerk);
}

// To accelerations, and jerks where they are wanted, that hold the pull of all bodies already.
template <class State>
void add_external(const ExternalFields& fields, const ExternalUnits& units,
                  const Operation& accelerate, int threads, HostState<State>& state) {
  for_each_acting(fields, [&]<class Field>(const Field& field) {
    const auto constants = narrowed<State>(field.constants(accelerate.time, units));
    const auto add_to = [&](std::size_t i) {
      add_external_to<Field>(i, constants, accelerate.with_jerk, state);
    };
    if (accelerate.active.all()) return parallel_for(state.count(), threads, add_to);
    const auto numbers = accelerate.active.numbers();
    parallel_for(numbers.size(), threads, [&](std::size_t k) { add_to(numbers[k]); });
  });
}

}  // namespace apsis
