// SPDX-License-Identifier: MIT
#include "run_report.hpp"

#include "progress.hpp"
#include "terminal.hpp"
#include <apsis/core/counted.hpp>
#include <apsis/core/thread_team.hpp>
#include <apsis/core/typed_command.hpp>
#include <apsis/device/build_log.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/version.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>

namespace apsis::cli {
namespace {

// "a each": what devices say that are all alike; else one after the other.
std::string once(const Resolution& engine, std::string DeviceResolution::*field,
                 const std::string& list, const char* each) {
  const std::string& first = engine.devices.front().*field;
  const bool alike = std::ranges::all_of(
      engine.devices, [&](const DeviceResolution& at) { return at.*field == first; });
  return engine.devices.size() > 1 && alike ? first + each : list;
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
                            {"lagrangian.csv", "radii that hold shares of the mass, over time"},
                            {"centre.csv", "where the system is, over time"},
                            {"bound.csv", "what holds together, over time"},
                            {"profile.csv", "shells about the centre, over time"},
                            {"groups.csv", "groups of friends, over time"},
                            {"orbits.csv", "elements of every body, over time"},
                            {"summary.json", "how it went, for programs"},
                            {"spec.toml", "every setting, to run it again"}};
  const auto& files = result.summary.files;
  std::vector<Line> there;
  std::size_t width = 14;
  for (const Line& line : lines) {
    if (std::find(files.begin(), files.end(), line.file) == files.end()) continue;
    there.push_back(line);
    width = std::max(width, std::string_view(line.file).size() + 2);
  }
  for (const auto& [file, meaning] : there) fmt::print("  {:<{}}{}\n", file, width, meaning);
  const auto snapshots = std::count_if(files.begin(), files.end(), [](const std::string& name) {
    return name.starts_with("snapshot_");
  });
  fmt::print("  {:<{}}{}; `{}` describes one\n", "snapshot_*", width, counted(snapshots, "state"),
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

// What the forces between bodies cannot change; fields, walls and bodies that leave can.
void print_drift(const Drift& drift) {
  struct Share {
    const char* what;
    std::optional<double> value;
  };
  std::vector<std::string> parts;
  for (const auto& [what, value] : {Share{"centre of mass", drift.center_of_mass},
                                    {"momentum", drift.momentum},
                                    {"angular momentum", drift.angular_momentum}}) {
    if (value) parts.push_back(fmt::format("{} {:.1e}", what, *value));
  }
  if (!parts.empty()) fmt::print("\ndrift: {}", fmt::join(parts, ", "));
}

// A word to go on with, other than what was just run.
const char* another_model(const std::string& model) {
  return model == "plummer" ? "figure-eight" : "plummer";
}

}  // namespace

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

// "compiled fmm_walk.cl for NAME in 1.3 s", of builds that were not told yet.
void tell_program() {
  say_more("apsis {} ({}), {} usable", version, commit, counted(usable_cores(), "core"));
}

void tell_builds() {
  static std::size_t told = 0;
  const std::vector<device::ProgramBuild> all = device::program_builds();
  for (; told < all.size(); ++told) {
    const device::ProgramBuild& build = all[told];
    say_more("kernels: {} {} for {} in {:.2f} s", build.file,
             build.kept ? "taken from the cache" : "built", build.device, build.seconds);
  }
}

// What was decided, and by whom.
void describe_choices(const RunSpec& asked, const RunSpec& spec, const Resolution& engine) {
  if (talk() != Talk::verbose) return;
  tell_program();
  const auto chosen = [&](const char* key, const std::string& value, const std::string& given) {
    say_more("{} = {}: {}", key, value,
             given == "auto" ? "auto; the lines before say why" : "as set");
  };
  chosen("force.solver", engine.solver, asked.force.solver);
  chosen("device.name", engine.device(), asked.device.name);
  for (const DeviceResolution& at : engine.devices) {
    const std::string sizes = to_string(at.choice);
    say_more("{} ({}): {}, variant {}{}", at.device, at.driver, counted(at.bodies, "body"),
             at.variant, sizes.empty() ? "" : ", " + sizes);
  }
  for (const auto& [key, value] : spec.resolved) say_more("resolved.{} = {}", key, value);
  say_more("writes to {}", spec.output.directory);
}

// What is known at the end only.
void describe_end(const RunResult& result, std::uint64_t most) {
  const Summary& s = result.summary;
  if (result.bursts > 0) {
    say_more("{} between looks at the run, of at most {} (time.burst)",
             counted(result.bursts, "burst"), counted(most, "step"));
  }
  for (const std::string& file : s.files) {
    std::error_code ignored;
    const auto bytes = std::filesystem::file_size(result.folder / file, ignored);
    say_more("{}  {}", (result.folder / file).string(), ignored ? "" : readable_size(bytes));
  }
}

void print_result(const RunResult& result, const std::string& model) {
  const Summary& s = result.summary;
  fmt::print("{}: step {}, t = {:.6g}, {:.1f} s, {} steps/s{}\n",
             s.exit_code == ExitCode::done      ? good(s.status)
             : s.exit_code == ExitCode::stopped ? doubtful(s.status)
                                                : bad(s.status),
             s.steps, s.time, s.seconds, short_rate(s.steps_per_second),
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
  print_drift(s.drift);
  if (s.events && s.events->any()) fmt::print("\nevents: {}", words_for(*s.events));
  const std::string folder = printable(result.folder.string());
  fmt::print("\n\n{}/\n", strong(folder));
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

}  // namespace apsis::cli
