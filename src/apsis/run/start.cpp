// SPDX-License-Identifier: MIT
// A run that starts afresh.
#include <apsis/files/file.hpp>
#include <apsis/measure/force_error.hpp>
#include <apsis/run/going_on.hpp>
#include <apsis/run/identity.hpp>
#include <apsis/run/prepare.hpp>
#include <apsis/run/run.hpp>
#include <apsis/run/run_analyses.hpp>
#include <apsis/run/runner.hpp>

namespace apsis {
namespace {

struct Ready {
  PreparedRun run;
  RunRecord record;
};

// Before a folder is taken: a solver that can't be as accurate as asked says so at its first
// evaluation, and then a run to be replaced is still there.
Ready made_ready(const RunSpec& spec, bool strict, mpi::Communicator* ranks) {
  Ready ready{prepare_run(spec, ranks), {}};
  if (strict) require_good_input(ready.run.warnings);
  RunSpec& filled = ready.run.spec;
  ready.record.force_error = sample_force_error(*ready.run.engine, law_of(filled));
  // after an evaluation a solver knows what it takes for its accuracy
  filled.resolved = resolved_from(ready.run);
  ready.record.left_open = ready.run.left_open;
  ready.record.extent = ready.run.extent;
  if (const std::string& file = spec.initial.file; !file.empty()) {
    filled.resolved[resolved_initial_file] = file_hash(file);
  }
  filled.resolved[resolved_identity] = identity_of(filled, ready.run.start_hash);
  return ready;
}

RunResult run_in(RunFolder folder, Ready ready, const RunListener& listener) {
  folder.require_space(space_needed(ready.run));
  write_text(folder.file("spec.toml"), to_toml(ready.run.spec));
  return Runner(std::move(ready.run), std::move(folder), ready.record, listener).run();
}

}  // namespace

RunResult start_run(const RunSpec& spec, bool force, const RunListener& listener,
                    mpi::Communicator* ranks) {
  // at once where the folder is known already
  if (!force && !spec.output.directory.empty()) RunFolder::require_no_run(spec.output.directory);
  Ready ready = made_ready(spec, listener.strict, ranks);
  if (!force) {
    RunFolder::require_no_run(ready.run.spec.output.directory);
    require_free_logs(ready.run.spec);
  }
  RunFolder folder = RunFolder::create(ready.run.spec.output.directory, force);
  return run_in(std::move(folder), std::move(ready), listener);
}

RunResult start_again(RunFolder folder, const RunSpec& spec, const RunListener& listener,
                      mpi::Communicator* ranks) {
  Ready ready = made_ready(spec, listener.strict, ranks);
  folder.clear();
  folder.tidy();
  return run_in(std::move(folder), std::move(ready), listener);
}

}  // namespace apsis
