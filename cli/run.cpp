// SPDX-License-Identifier: MIT
#include "commands.hpp"
#include "progress.hpp"
#include "ranks.hpp"
#include "serving.hpp"
#include "signals.hpp"
#include "spec_source.hpp"
#include "terminal.hpp"
#include "warning_text.hpp"
#include <apsis/core/counted.hpp>
#include <apsis/core/typed_command.hpp>
#include <apsis/files/file.hpp>
#include <apsis/mpi/rank_engine.hpp>
#include <apsis/run/run.hpp>
#include <apsis/sim/run_spec.hpp>
#include <apsis/viewer/show.hpp>

#include <fmt/format.h>

#include <algorithm>
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

// "a each": what devices say that are all alike; else one after the other.
std::string once(const Resolution& engine, std::string DeviceResolution::*field,
                 const std::string& list, const char* each) {
  const std::string& first = engine.devices.front().*field;
  const bool alike = std::ranges::all_of(
      engine.devices, [&](const DeviceResolution& at) { return at.*field == first; });
  return engine.devices.size() > 1 && alike ? first + each : list;
}

void describe_start(const RunSpec& spec, const Resolution& engine) {
  const std::string what = !spec.title.empty()         ? spec.title
                           : spec.initial.file.empty() ? spec.initial.model
                                                       : spec.initial.file;
  say("{}: {} until t = {} in steps of {} ({})", what, counted(engine.bodies, "body"),
      *spec.time.until, *spec.time.step, spec.time.integrator);
  const bool native = engine.on_cpu(), many = engine.ranks > 1;
  say("on {}{}{}, {}{} ({}, {})", many ? counted(engine.ranks, "rank") + ", " : "",
      once(engine, &DeviceResolution::device, engine.device(), " each"),
      native ? fmt::format(", {}{}", counted(engine.threads, "thread"), many ? " each" : "") : "",
      engine.solver,
      native ? "" : " " + once(engine, &DeviceResolution::variant, engine.variant(), ""),
      name_of(engine.precision), once(engine, &DeviceResolution::driver, engine.driver(), ""));
}

// Only what is there is offered.
void print_files(const RunResult& result) {
  struct Line {
    const char *file, *meaning;
  };
  constexpr Line lines[] = {{"final.png", "the end state"},
                            {"strip.png", "the run in a row of frames"},
                            {"energy.png", "energy over time"},
                            {"energy.csv", "the figures behind it"},
                            {"events.csv", "every contact, and every body that left"},
                            {"summary.json", "how it went, for programs"},
                            {"spec.toml", "every setting, to run it again"}};
  const auto& files = result.summary.files;
  for (const auto& [file, meaning] : lines) {
    if (std::find(files.begin(), files.end(), file) != files.end()) {
      fmt::print("  {:<14}{}\n", file, meaning);
    }
  }
  const auto snapshots = std::count_if(files.begin(), files.end(), [](const std::string& name) {
    return name.starts_with("snapshot_");
  });
  fmt::print("  {:<14}{}; `{}` describes one\n", "snapshot_*", counted(snapshots, "state"),
             typed_command("info"));
}

// "1204 merged, 3 left; they took an energy of 0.0123"
std::string words_for(const EventTotals& events) {
  std::vector<std::string> parts;
  const auto add = [&](std::uint64_t count, const char* what) {
    if (count > 0) parts.push_back(fmt::format("{} {}", count, what));
  };
  add(events.merged, "merged"), add(events.bounced, "bounced"), add(events.left, "left");
  add(events.wall_hits, events.wall_hits == 1 ? "hit at a wall" : "hits at walls");
  return fmt::format("{}; they took an energy of {:.3g}", fmt::join(parts, ", "),
                     events.energy_lost);
}

// A word to go on with, other than what was just run.
const char* another_model(const std::string& model) {
  return model == "plummer" ? "figure-eight" : "plummer";
}

void print_result(const RunResult& result, const std::string& model) {
  const Summary& s = result.summary;
  fmt::print("{}: step {}, t = {:.6g}, {:.1f} s, {} steps/s{}\n", s.status, s.steps, s.time,
             s.seconds, short_rate(s.steps_per_second),
             interaction_rate(", ", s.interactions_per_second));
  if (s.energy_error_max) {
    const auto& end = s.energy_error_end;
    fmt::print("energy error: {} at the end, {:.1e} at most",
               end ? fmt::format("{:.1e}", *end) : "not known", *s.energy_error_max);
  } else {
    fmt::print("energy error: none measured yet");
  }
  if (s.force_error && s.force_error->samples > 0)
    fmt::print("; force error: 99 % within {:.1e}", s.force_error->p99);
  if (s.events && s.events->any()) fmt::print("\nevents: {}", words_for(*s.events));
  const std::string folder = printable(result.folder.string());
  fmt::print("\n\n{}/\n", folder);
  print_files(result);
  const std::string run = typed_command("run"),
                    word = printable(shell_word(result.folder.string()));
  if (s.exit_code == ExitCode::stopped) {
    fmt::print("\ngo on with: {} --resume {}\n", run, word);
  } else if (s.ended_by == EndedBy::contact) {
    fmt::print("\ngo on with: {} --resume {} --set contacts.on=bounce    or merge, none\n", run,
               word);
  } else if (s.exit_code == ExitCode::done) {
    fmt::print(
        "\nnext: {} {}    another model; {} shows all\n"
        "      {} {} --seed 7 --out out/again    the same with another seed\n",
        run, another_model(model), typed_command("init --list"), run,
        printable(shell_word((result.folder / "spec.toml").string())));
  }
}

// Told when they happened, perhaps hours ago, perhaps in an earlier part of the run.
void remind_of(const std::vector<Warning>& warnings) {
  if (warnings.empty()) return;
  say("{} in this run:", warnings.size() == 1 ? "a warning" : counted(warnings.size(), "warning"));
  for (const Warning& warning : warnings) {
    say("  [{}] {}", warning.name(), warning.text);
  }
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
  ProgressLine line;
  RunListener listener;
  std::string model;
  listener.started = [&](const RunSpec& spec, const Resolution& engine) {
    keep_listening();
    model = spec.initial.model;
    describe_start(spec, engine);
  };
  listener.progress = [&](const Progress& progress) { line.show(progress); };
  listener.notice = [&](const std::string& text) {
    line.end();
    say("{}", text);
  };
  listener.warning = [&](const Warning& warning) {
    line.end();
    say("{}", text_of(warning));
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
  if (!result.message.empty()) say("apsis: {}", result.message);
  if (options.json) {
    fmt::print("{}", result.was_finished ? read_text(result.folder / "summary.json")
                                         : to_json(result.summary));
  } else {
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
         "Ctrl-C, SIGTERM, SIGHUP or SIGUSR2 end the run behind a checkpoint with exit code 75;\n"
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
  auto* view = command->add_flag("--view", options->view, "Watch the run in the browser");
  add_serving_options(*command, options->serving, view);
  command->footer(spec_help);
  command->callback([options, &outcome] { run(*options, outcome); });
}

}  // namespace apsis::cli
