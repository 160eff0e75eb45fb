// SPDX-License-Identifier: MIT
// What output.analyse names: a table for each, which grows as the run goes on.
#include <apsis/files/append_log.hpp>
#include <apsis/run/run_analyses.hpp>
#include <apsis/run/run_observers.hpp>

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

namespace apsis {
namespace {

struct Log {
  const analysis::Analysis* analysis;
  std::shared_ptr<AppendLog> file;
  bool complained = false;
};

void write_rows(const ObservedRun& run, Log& log, const Frame& frame) {
  std::string problem;
  log.file->append(log_rows(*log.analysis, frame, run.spec(), problem));
  log.file->flush();
  if (problem.empty() || log.complained) return;
  log.complained = true;
  run.notice(fmt::format("{}.csv has nothing to say at step {}: {}", log.analysis->name,
                         frame.step(), problem));
}

Observer made_for(ObservedRun& run) {
  std::vector<Log> logs;
  for (const AnalysisName name : run.spec().output.analyse) {
    const analysis::Analysis& analysis = analysis_of(name);
    auto file = run.logs.open<AppendLog>(run.folder, log_name(name));
    if (file->offset() == 0) file->append(log_header(analysis, run.spec()));
    logs.push_back({&analysis, std::move(file)});
  }
  if (logs.empty()) return {.name = "analyses", .when = AtEnd{}, .observe = [](const Frame&) {}};
  return {.name = "analyses",
          .when = Cadence(*run.spec().output.analyse_every, run.plan.step, run.plan.last_step),
          .observe = [&run, logs = std::move(logs)](const Frame& frame) mutable {
            for (Log& log : logs) write_rows(run, log, frame);
          }};
}

}  // namespace

// Its files are not among the fixed names: users have tables of such names, too.
RunObserver analysis_observer() { return {.files = {}, .make = made_for}; }

}  // namespace apsis
