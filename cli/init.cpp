// SPDX-License-Identifier: MIT
#include "commands.hpp"
#include "terminal.hpp"
#include "usage_errors.hpp"
#include <apsis/core/counted.hpp>
#include <apsis/core/error.hpp>
#include <apsis/core/typed_command.hpp>
#include <apsis/core/units.hpp>
#include <apsis/initial/model.hpp>
#include <apsis/io/snapshot.hpp>
#include <apsis/version.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace apsis::cli {
namespace {

using Json = nlohmann::ordered_json;

struct InitOptions {
  std::string model;
  std::optional<std::uint64_t> bodies;
  std::uint64_t seed = 42;
  std::vector<std::string> assignments;
  std::map<std::string, std::string> named;  // --w0 9, as --set w0=9
  std::optional<std::string> units;
  std::optional<double> constant;
  std::string output;
  bool force = false;
  bool list = false;
  bool json = false;
};

OptionValue value_from(const std::string& text, const std::string& origin) {
  OptionValue option{text, origin};
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) option.value = number;
  return option;
}

ModelRequest request_from(const InitOptions& options) {
  ModelRequest request{options.model, options.bodies,  options.seed, {},
                       options.units, options.constant};
  for (const auto& assignment : options.assignments) {
    const auto equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw Error(ExitCode::wrong_usage, fmt::format("--set {} has no value", assignment),
                  fmt::format("write --set option=value; '{}' names the options",
                              typed_command("init --list")));
    }
    request.options[assignment.substr(0, equals)] =
        value_from(assignment.substr(equals + 1), "--set " + assignment);
  }
  for (const auto& [name, text] : options.named) {
    if (!text.empty()) {
      request.options[name] = value_from(text, fmt::format("--{} {}", name, text));
    }
  }
  return request;
}

Json json_of(const ModelOption& option) {
  Json json{{"name", option.name}};
  if (option.choices.empty()) {
    json["default"] = option.default_value;
    json["minimum"] = option.minimum;
    json["maximum"] = option.maximum;
  } else {
    json["default"] = option.choices.front();
    json["choices"] = option.choices;
  }
  json["description"] = option.description;
  return json;
}

Json json_of(const ModelInfo& model) {
  const RunDefaults& run = model.defaults;
  Json json{{"name", model.name},
            {"summary", model.summary},
            {"bodies", model.default_bodies},
            {"fixed_count", model.fixed_count},
            {"units", run.units},
            {"law", name_of(run.law)},
            {"softening", run.softening},
            {"step", run.step},
            {"until", run.until},
            {"precision", name_of(run.precision)},
            {"options", Json::array()}};
  for (const auto& option : model.options) json["options"].push_back(json_of(option));
  return json;
}

void print_model(const ModelInfo& model) {
  const RunDefaults& run = model.defaults;
  fmt::print("{}\n  {}\n  {}{}, {} units, law {}, softening {:g}, step {:g}, until {:g}, {}\n",
             model.name, model.summary, counted(model.default_bodies, "body"),
             model.fixed_count ? " (always)" : "", run.units, name_of(run.law), run.softening,
             run.step, run.until, name_of(run.precision));
  for (const auto& option : model.options) {
    const std::string range =
        option.choices.empty()
            ? fmt::format("{:g} ({:g} to {:g})", option.default_value, option.minimum,
                          option.maximum)
            : fmt::format("{} ({})", option.choices.front(), fmt::join(option.choices, " | "));
    fmt::print("    {:<16}{:<36}{}\n", option.name, range, option.description);
  }
  fmt::print("\n");
}

void print_list(const InitOptions& options) {
  const auto wanted =
      options.model.empty() ? models() : std::vector<ModelInfo>{model_info(options.model)};
  Json json = Json::array();
  for (const auto& model : wanted) {
    if (options.json) {
      json.push_back(json_of(model));
    } else {
      print_model(model);
    }
  }
  if (options.json) fmt::print("{}\n", json.dump(2));
}

// "disk_share=0.6 masses=kroupa"
std::string options_text(const ModelOptions& options) {
  std::string text;
  for (const auto& [name, option] : options) {
    const auto* number = std::get_if<double>(&option.value);
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name,
                        number ? fmt::format("{}", *number) : std::get<std::string>(option.value));
  }
  return text;
}

Snapshot snapshot_of(InitialState state, const InitOptions& options) {
  const Units units = units_named(state.defaults.units);
  const Law law = state.defaults.law;
  const double own = law == Law::gravity ? units.gravity : units.coulomb;
  Snapshot snapshot;
  snapshot.time = state.time;
  snapshot.units = units;
  snapshot.law = {law, options.constant.value_or(own), state.defaults.softening};
  snapshot.provenance = {{"version", std::string(version)},
                         {"commit", std::string(commit)},
                         {"model", options.model},
                         {"seed", std::to_string(options.seed)},
                         {"options", options_text(request_from(options).options)}};
  snapshot.bodies = std::move(state.bodies);
  return snapshot;
}

void write_model(const InitOptions& options) {
  const SnapshotFormat& format = format_by_ending(options.output);
  if (!options.force && std::filesystem::exists(options.output)) {
    throw file_error(fmt::format("{} exists already", options.output),
                     "choose another name or pass --force to replace it");
  }
  InitialState state = make_model(request_from(options));
  const RunDefaults run = state.defaults;
  const Snapshot snapshot = snapshot_of(std::move(state), options);
  for (const auto& loss : format.losses(snapshot)) say("apsis: note: {}", loss);
  write_snapshot(options.output, snapshot);
  say("{}: {} of {} ({} units, seed {})", options.output, counted(snapshot.bodies.size(), "body"),
      options.model, run.units, options.seed);
  say("run it: {} {} --softening {} --step {} --until {}", typed_command("run"),
      shell_word(options.output), run.softening, run.step, run.until);
}

void init(const InitOptions& options) {
  if (options.list) return print_list(options);
  if (options.model.empty()) {
    throw Error(ExitCode::wrong_usage, "init needs the name of a model",
                fmt::format("see '{}' for the models and '{}'", typed_command("init --list"),
                            typed_command("init --help")));
  }
  if (options.output.empty()) {
    throw Error(ExitCode::wrong_usage, "init needs a file to write",
                "add -o FILE; its ending is the format: " + written_endings());
  }
  write_model(options);
}

}  // namespace

namespace {

// Every option of every model under its own name; hidden, for --list describes them.
void add_model_options(CLI::App& command, InitOptions& options) {
  for (const auto& model : models()) {
    for (const auto& option : model.options) {
      const auto [place, is_new] = options.named.try_emplace(option.name);
      if (is_new) command.add_option("--" + option.name, place->second)->group("");
    }
  }
}

}  // namespace

void add_init(CLI::App& app, Outcome& outcome) {
  auto options = std::make_shared<InitOptions>();
  auto* command = app.add_subcommand("init", "Writes initial conditions to a file");
  command->add_option("MODEL", options->model, "Name of the model; --list describes all");
  command->add_option("-n,--bodies", options->bodies, "Number of bodies (default: the model's)")
      ->check(not_negative())
      ->type_name("N");
  command->add_option("--seed", options->seed, "Same seed, same bits")
      ->check(not_negative())
      ->type_name("S")
      ->capture_default_str();
  command->add_option("--set", options->assignments, "A model's option as option=value, repeatable")
      ->type_name("OPTION=VALUE")
      ->allow_extra_args(false);
  command->add_option("--units", options->units, "Unit system (default: the model's)")
      ->type_name("NAME");
  command->add_option("--constant", options->constant, "G or k (default: the unit system's)")
      ->type_name("VALUE");
  command
      ->add_option("-o,--output", options->output,
                   "File to write; its ending is the format: " + written_endings())
      ->type_name("FILE");
  command->add_flag("--force", options->force, "Replace an existing file");
  command->add_flag("--list", options->list, "Describe the models with their options");
  command->add_flag("--json", options->json, "The list as JSON");
  add_talk_options(*command, "Print warnings and errors only", "");
  add_model_options(*command, *options);
  command->footer(
      "A model's options also stand for themselves: apsis init king --w0 9 -o cluster.hdf5");
  command->callback([options, &outcome] {
    init(*options);
    outcome.exit_code = ExitCode::done;
  });
}

}  // namespace apsis::cli
