// SPDX-License-Identifier: MIT
#include "commands.hpp"
#include "progress.hpp"
#include "ranks.hpp"
#include "run_report.hpp"
#include "serving.hpp"
#include "signals.hpp"
#include "spec_source.hpp"
#include "terminal.hpp"
#include "warning_text.hpp"
#include <apsis/files/file.hpp>
#include <apsis/mpi/rank_engine.hpp>
#include <apsis/run/run.hpp>
#include <apsis/sim/run_spec.hpp>
#include <apsis/viewer/show.hpp>

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace apsis::cli {
namespace {

struct RunOptions {
  SpecSource source;
  std::string out;
  std::string resume;
  bool force = false;
  bool strict = false;
  bool go_on = false;
  bool json = false;
  bool view = false;
  ServingOptions serving;
};

RunSpec spec_from(const RunOptions& options) {
  RunSpec spec = spec_from(options.source);
  if (!options.out.empty()) spec.output.directory = options.out;
  return spec;
}

// Whether this run is for all that the launcher started; of one that shall be reproducible also
// where that is one, so that it has the bits of many.
bool on_ranks(const RunOptions& options) {
  const Launch launched = launch();
  if (launched.size > 1 || !launched.by_launcher) return launched.size > 1;
  if (!options.resume.empty()) return false;
  return spec_from(options).device.reproducible && !mpi::library_version().empty();
}

void listen_for_signals() { launch().rank != 0 ? listen_for_rank_0() : listen_for_wishes(); }

void follow_with_signals(mpi::Communicator& ranks) { mpi::follow(ranks, take_signal); }

// What came to this process, and what other ranks hand on.
void listen_to_signals(RunListener& listener) {
  listener.stop_requested = [] {
    keep_listening();
    return stop_signal() == 0 ? std::string{} : signal_name(stop_signal());
  };
  listener.checkpoint_requested = [] {
    return take_checkpoint_signal() ? std::string("SIGUSR1") : std::string{};
  };
  listener.heard = hear_signal;
}

// Of a run that goes on. A folder is a word, also where it looks like a number.
std::vector<std::string> changes_in(const RunOptions& options) {
  std::vector<std::string> changes = assignments_of(options.source);
  const std::string& kernels = options.source.kernel_dir;
  if (kernels.empty()) return changes;
  const char* quote = kernels.find('\'') == std::string::npos ? "'" : "";
  changes.push_back(fmt::format("device.kernel_dir={}{}{}", quote, kernels, quote));
  return changes;
}

RunResult run_as_asked(const RunOptions& options, const RunListener& listener,
                       mpi::Communicator* ranks) {
  if (!options.resume.empty()) {
    return resume_run(options.resume, changes_in(options), listener, ranks);
  }
  if (options.go_on) return continue_run(spec_from(options), listener, ranks);
  return start_run(spec_from(options), options.force, listener, ranks);
}

void run(const RunOptions& options, Outcome& outcome) {
  listen_for_signals();  // before ranks meet, which takes its time
  std::optional<mpi::Leader> leader;
  if (on_ranks(options)) {
    join_ranks(outcome);
    if (outcome.ranks->rank() != 0) return follow_rank_0(outcome, follow_with_signals);
    leader.emplace(*outcome.ranks);
  }
  if (options.resume.empty()) tell_left_out(options.source);
  ProgressLine line;
  RunListener listener;
  std::string model;
  std::uint64_t most = 0;
  listener.started = [&](const RunSpec& spec, const Resolution& engine) {
    keep_listening();
    model = spec.initial.model;
    most = static_cast<std::uint64_t>(*spec.time.burst);
    describe_start(spec, engine);
    describe_choices(options.resume.empty() ? spec_from(options) : spec, spec, engine);
    tell_builds();
  };
  listener.progress = [&](const Progress& progress) { line.show(progress); };
  listener.notice = [&](const std::string& text) {
    line.end();
    say("{}", text);
  };
  listener.detail = [&](const std::string& text) {
    if (talk() != Talk::verbose) return;
    line.end();
    tell_builds();
    say_more("{}", text);
  };
  listener.warning = [&](const Warning& warning) {
    line.end();
    warn("{}", text_of(warning));
  };
  listener.strict = options.strict;
  listen_to_signals(listener);
  viewer::Stage stage;
  std::optional<Serving> serving;
  std::optional<viewer::WatchedRun> watched;
  if (options.view) {
    serving.emplace(stage, options.serving);
    watched.emplace(stage, listener);
  }
  const RunResult result = run_as_asked(options, listener, outcome.ranks.get());
  line.end();
  remind_of(result.summary.warnings);
  if (!result.message.empty()) warn("apsis: {}", result.message);
  tell_builds();
  describe_end(result, most);
  if (options.json) {
    fmt::print("{}", result.was_finished ? read_text(result.folder / "summary.json")
                                         : to_json(result.summary));
  } else if (talk() != Talk::quiet) {
    print_result(result, model);
  }
  outcome.exit_code = result.summary.exit_code;
  if (watched && stop_signal() == 0 && !result.was_finished) {
    std::fflush(stdout);
    say("the page still shows the end; Ctrl-C ends it");
    watched->stay(result, [&] { return serving->deserted(); });
  }
}

std::string spec_help() {
  std::string text = "Keys of the spec, with their defaults:\n";
  for (const auto& key : spec_key_table()) {
    text += fmt::format("  {:<26} {} [{}]\n", key.path, key.description, key.default_text);
  }
  return text +
         "[initial] also takes the model's own options. A file named `stop` in the run's folder,\n"
         "Ctrl-C, SIGTERM, SIGHUP or SIGUSR2 end the run after a checkpoint with exit code 75;\n"
         "SIGUSR1 writes a checkpoint and goes on.";
}

}  // namespace

void add_run(CLI::App& app, Outcome& outcome) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand(
      "run", "Runs a simulation: snapshots, checkpoints, energies, summary, pictures");
  command->add_option("WHAT", options->source.what,
                      "A TOML file that says what to run, a model, or a snapshot to start from; "
                      "without it two galaxies collide");
  add_spec_options(*command, options->source);
  auto* out = command->add_option("--out", options->out, "Folder of the run")->type_name("DIR");
  auto* force = command->add_flag("--force", options->force, "Replace a run in that folder");
  command
      ->add_option("--resume", options->resume,
                   "Go on with the run in this folder from its newest checkpoint")
      ->type_name("DIR")
      ->excludes(out)
      ->excludes(force)
      ->excludes("WHAT");
  command
      ->add_flag("--continue", options->go_on,
                 "Start, or go on where the folder holds this run, or say that it is finished: one "
                 "line for a job that is queued again")
      ->excludes(force)
      ->excludes("--resume");
  command->add_flag("--strict", options->strict,
                    "Refuse doubtful input (exit code 65), and end with 76 where the numbers are "
                    "not as good as asked for");
  command->add_flag_callback(
      "--plain",
      [options] {
        options->source.shortcuts.push_back({"output.plain", "true", "--plain"});
      },
      "Pictures without time, scale bar and other words (output.plain)");
  command->add_flag("--json", options->json, "Print the summary as JSON");
  add_talk_options(*command, "Print warnings and errors only",
                   "Print what was chosen and why, builds of kernels, bursts and files");
  auto* view = command->add_flag("--view", options->view, "Watch the run in the browser");
  add_serving_options(*command, options->serving, view);
  command->footer(spec_help);
  command->callback([options, &outcome] { run(*options, outcome); });
}

}  // namespace apsis::cli
