// SPDX-License-Identifier: MIT
// A run that starts afresh.
#include <apsis/files/file.hpp>
#include <apsis/measure/force_error.hpp>
#include <apsis/run/prepare.hpp>
#include <apsis/run/run.hpp>
#include <apsis/run/runner.hpp>

namespace apsis {

RunResult start_run(const RunSpec& spec, bool force, const RunListener& listener,
                    mpi::Communicator* ranks) {
  // at once where the folder is known already
  if (!force && !spec.output.directory.empty()) RunFolder::require_no_run(spec.output.directory);
  PreparedRun prepared = prepare_run(spec, ranks);
  if (listener.strict) require_good_input(prepared.warnings);
  // Before the folder is taken: a solver that can't be as accurate as asked says so at its first
  // evaluation, and then a run to be replaced is still there.
  RunRecord record;
  record.force_error = sample_force_error(*prepared.engine, law_of(prepared.spec));
  // after an evaluation a solver knows what it settled for
  prepared.spec.resolved = resolved_from(prepared);
  RunFolder folder = RunFolder::create(prepared.spec.output.directory, force);
  folder.require_space(space_needed(prepared));
  write_text(folder.file("spec.toml"), to_toml(prepared.spec));
  EnergyLog log = EnergyLog::create(folder.file("energy.csv"));
  return Runner(std::move(prepared), std::move(folder), std::move(log), record, listener).run();
}

}  // namespace apsis
