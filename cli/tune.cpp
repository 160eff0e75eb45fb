// SPDX-License-Identifier: MIT
// apsis tune: finds the fastest kernels of each device and remembers them.
#include "commands.hpp"
#include "table.hpp"
#include "terminal.hpp"
#include "usage_errors.hpp"
#include <apsis/core/choices.hpp>
#include <apsis/core/counted.hpp>
#include <apsis/engines/tuned.hpp>
#include <apsis/measure/tune.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace apsis::cli {
namespace {

using Json = nlohmann::ordered_json;

struct TuneArguments {
  TuneOptions options;
  std::vector<std::string> precisions = {"f32"};
  bool json = false;
  bool dry_run = false;
};

Json json_of(const TuneResult& result) {
  Json trials = Json::array();
  for (const TuneTrial& trial : result.trials) {
    trials.push_back({{"variant", trial.variant},
                      {"sizes", to_string(trial.sizes)},
                      {"seconds", trial.seconds},
                      {"complaint", trial.complaint}});
  }
  return {{"device", result.device.name},
          {"driver", result.device.driver},
          {"precision", name_of(result.precision)},
          {"bodies", result.bodies},
          {"interactions_per_second", result.interactions_per_second()},
          {"seconds_default", result.default_seconds},
          {"trials", std::move(trials)}};
}

void print(const TuneResult& result) {
  constexpr std::size_t shown = 5;
  fmt::print("{}, {}, {}\n", name_with_driver(result.device), name_of(result.precision),
             counted(result.bodies, "body"));
  Table table{{"", "seconds", "interactions/s", "variant", "sizes"}, {}};
  const auto n = static_cast<double>(result.bodies);
  std::size_t rank = 0;
  for (const TuneTrial& trial : result.trials) {
    if (!trial.complaint.empty() || ++rank > shown) continue;
    table.rows.push_back({fmt::format("{}", rank), fmt::format("{:.6f}", trial.seconds),
                          fmt::format("{:.3e}", n * n / trial.seconds), trial.variant,
                          to_string(trial.sizes)});
  }
  fmt::print("{}", aligned(table));
  for (const TuneTrial& trial : result.trials) {
    if (trial.complaint.empty()) continue;
    fmt::print("refused: {} {}: {}\n", trial.variant, to_string(trial.sizes), trial.complaint);
  }
  if (result.found() && result.default_seconds > 0) {
    fmt::print("{:.2f} times as fast as the default\n",
               result.default_seconds / result.trials.front().seconds);
  }
  fmt::print("\n");
}

// One line that is redrawn, on a terminal only.
void redraw(const std::string& text) {
  if (can_redraw(stderr) && talk() != Talk::quiet) {
    say_text("\r\x1b[K" + text.substr(0, static_cast<std::size_t>(columns(stderr)) - 1));
  }
}

void show_trial(const TuneResult& result, const TuneTrial& next) {
  redraw(fmt::format("{}, {}: {} {}", counted(result.bodies, "body"), name_of(result.precision),
                     next.variant, to_string(next.sizes)));
}

void run(const TuneArguments& arguments, Outcome& outcome) {
  TuneOptions options = arguments.options;
  options.precisions.clear();
  for (const std::string& name : arguments.precisions) {
    options.precisions.push_back(choice_from<Precision>(name));
  }
  options.remember = !arguments.dry_run;
  const std::vector<TuneResult> results = tune(options, show_trial);
  redraw("");
  if (arguments.json) {
    Json json = Json::array();
    for (const TuneResult& result : results) json.push_back(json_of(result));
    fmt::print("{}\n", json.dump(2));
  } else {
    for (const TuneResult& result : results) print(result);
    if (options.remember) {
      fmt::print("Remembered in {}; run, bench and check use it.\n", tuned_file().string());
    }
  }
  const bool all = std::all_of(results.begin(), results.end(),
                               [](const TuneResult& result) { return result.found(); });
  if (!all) outcome.exit_code = ExitCode::unavailable;
}

}  // namespace

void add_tune(CLI::App& app, Outcome& outcome) {
  const auto arguments = std::make_shared<TuneArguments>();
  TuneOptions& o = arguments->options;
  CLI::App* command = app.add_subcommand("tune", "Find the fastest kernels of each device");
  command->add_option("--device", o.device, "all, opencl, opencl:1, gpu or part of a name")
      ->capture_default_str();
  command->add_option("--precision", arguments->precisions, "f32, mixed, f64; several with commas")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--bodies", o.bodies, "Numbers of bodies; default: what suits the device")
      ->delimiter(',')
      ->check(not_negative());
  command->add_option("--variant", o.variants, "Try these only; several with commas")
      ->delimiter(',');
  command->add_flag("--dry-run", arguments->dry_run, "Remember nothing");
  command->add_flag("--json", arguments->json, "Print JSON with every trial");
  add_talk_options(*command, "Print results, warnings and errors only", more_of_kernels);
  command->footer("Forces are compared with the reference; what is wrong is refused.");
  command->callback([arguments, &outcome] { run(*arguments, outcome); });
}

}  // namespace apsis::cli
