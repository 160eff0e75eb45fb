// SPDX-License-Identifier: MIT
// What `apsis view` shows: a run that is computed now and leaves no files, a recorded run, or one
// state. Each plays on a stage until it is told to stop.
#pragma once

#include <apsis/core/pair_law.hpp>
#include <apsis/run/prepare.hpp>
#include <apsis/run/run.hpp>
#include <apsis/sim/run_spec.hpp>
#include <apsis/viewer/director.hpp>
#include <apsis/viewer/recording.hpp>
#include <apsis/viewer/stage.hpp>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace apsis::viewer {

// So that a page may draw orbits, where they are ellipses.
void obey_law(Scene& scene, const PairLaw& law);
// Of the model's bodies 0, 1 ... as far as it names any.
std::vector<std::string> names_of(const RunSpec& spec);

struct Audience {
  std::function<bool()> stop;                      // asked often
  std::function<void(const std::string&)> notice;  // may be empty
  // Before each start of a run that is computed: may let another engine compute it. May be empty.
  std::function<void(PreparedRun&)> prepared = {};
};

// Errors of the first scene are thrown; those of an example chosen later are told on the page.
void show_run(const RunSpec& spec, Stage& stage, const Audience& audience);

// `path` may be a folder with an energy.csv, which fills the charts. Snapshots that the recording
// leaves out are told of, here and on the page; when none can be read any more the last frame
// stays.
void show_recording(Recording& recording, const std::filesystem::path& path, Stage& stage,
                    const Audience& audience);

// For `apsis run --view`: adds the stage to those who observe a run, and lets it be paused. The run
// keeps its results.
class WatchedRun {
 public:
  WatchedRun(Stage& stage, RunListener& listener);
  // When the run is over: the page keeps showing the end until `stop` or `needless`.
  void stay(const RunResult& result, const std::function<bool()>& needless);

 private:
  std::vector<Observer> observers_of(const ObservedRun& run);
  Stage& stage_;
  std::function<bool()> stop_;
  std::unique_ptr<Director> director_;
};

}  // namespace apsis::viewer
