// SPDX-License-Identifier: MIT
// The observers of a run. Each is a file in run/observers/ that gives its row.
#include <apsis/run/run_observers.hpp>

namespace apsis {

RunObserver analysis_observer();
RunObserver checkpoint_observer();
RunObserver energy_observer();
RunObserver event_observer();
RunObserver picture_observer();
RunObserver progress_observer();
RunObserver snapshot_observer();

const std::vector<RunObserver>& run_observers() {
  static const std::vector<RunObserver> rows{
      event_observer(),  // before those that go by what events amount to
      energy_observer(),
      analysis_observer(),
      snapshot_observer(),
      progress_observer(),
      // after those whose logs and numbers it keeps
      checkpoint_observer(),
      picture_observer(),
  };
  return rows;
}

}  // namespace apsis
