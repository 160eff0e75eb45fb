// SPDX-License-Identifier: MIT
// Inside mpi/: the counted work of tree and fmm as arrays of a saved state. A value per body, so
// that any number of ranks can go on with it; an engine without ranks has no use for it.
#pragma once

#include <apsis/engines/state_arrays.hpp>
#include <apsis/solvers/tree/curve_solver.hpp>

namespace apsis::mpi {

inline void add_work(const WorkHistory& work, EngineState& state) {
  state.arrays.push_back(array_of("work_used", work.used));
  state.arrays.push_back(array_of("work_found", work.found));
  state.arrays.push_back(array_of("work_places", work.places));
}

// Nothing where the state has none.
inline WorkHistory work_in(const EngineState& state) {
  WorkHistory work;
  const auto take = [&](const char* name, auto& values) {
    if (has_array(state, name)) take_array(state, name, state.bodies, values);
  };
  take("work_used", work.used), take("work_found", work.found), take("work_places", work.places);
  return work;
}

}  // namespace apsis::mpi
