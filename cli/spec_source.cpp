// SPDX-License-Identifier: MIT
#include "spec_source.hpp"

#include "terminal.hpp"
#include <apsis/core/error.hpp>
#include <apsis/core/names.hpp>
#include <apsis/core/typed_command.hpp>
#include <apsis/files/file.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/initial/model.hpp>
#include <apsis/io/snapshot.hpp>
#include <apsis/solvers/registry.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace apsis::cli {
namespace {

struct Shortcut {
  const char *option, *key, *type, *help;
  bool takes_word() const { return std::string_view(type) == "NAME"; }
};

// A word also where it looks like a number, and anything else as TOML has it.
std::string value_for(const Shortcut& shortcut, const std::string& given) {
  const bool plain = given.find('\'') == std::string::npos;
  return shortcut.takes_word() && plain ? "'" + given + "'" : given;
}

constexpr Shortcut shortcuts[] = {
    {"--bodies", "initial.bodies", "N", "Number of bodies"},
    {"--seed", "seed", "N", "Seed of the random numbers"},
    {"--step", "time.step", "TIME", "Step"},
    {"--until", "time.until", "TIME", "End of the run"},
    {"--integrator", "time.integrator", "NAME", "Integrator"},
    {"--solver", "force.solver", "NAME", "Solver of the forces"},
    {"--softening", "force.softening", "LENGTH", "Softening length"},
    {"--accuracy", "force.accuracy", "NUMBER", "Force error that tree and fmm keep"},
    {"--device", "device.name", "NAME", "Device; apsis devices lists them"},
    {"--threads", "device.threads", "N", "Threads of the CPU"},
    {"--precision", "device.precision", "NAME", "f32, mixed or f64"}};

bool is_model(const std::string& word) {
  return std::ranges::any_of(models(), [&](const ModelInfo& model) { return model.name == word; });
}

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const ModelInfo& model : models()) names.push_back(model.name);
  return names;
}

bool ends_as_bodies(const std::string& what) {
  return std::ranges::any_of(snapshot_formats(), [&](const SnapshotFormat& format) {
    return format.read != nullptr &&
           std::ranges::any_of(format.endings,
                               [&](std::string_view ending) { return what.ends_with(ending); });
  });
}

RunSpec started_from(const std::string& what) {
  RunSpec spec;
  if (what.empty()) return spec;
  if (is_model(what) && !file_exists(what)) {
    spec.initial.model = what;
    return spec;
  }
  // programs of GADGET's family name their files without an ending
  if (ends_as_bodies(what) || holds_bytes_of_snapshot(what)) {
    spec.initial.file = what;
    return spec;
  }
  if (folder_exists(what)) {
    throw Error(
        ExitCode::wrong_usage, fmt::format("{} is a folder", what),
        fmt::format("{} {} goes on with a run, {} {} shows it", typed_command("run --resume"),
                    shell_word(what), typed_command("view"), shell_word(what)));
  }
  if (file_exists(what)) return parse_run_spec(read_text(what), what);
  // a word without an ending or a folder was meant for a model
  if (what.find_first_of("./") == std::string::npos) {
    throw bad_data(
        fmt::format("'{}' is no file and no model{}", what, did_you_mean(what, model_names())),
        fmt::format("{} describes the models", typed_command("init --list")));
  }
  return parse_run_spec(read_text(what), what);
}

void require_once(const SpecSource& source) {
  for (const auto& [key, value, option] : source.shortcuts) {
    for (const std::string& assignment : source.assignments) {
      if (!assignment.starts_with(key + "=")) continue;
      throw Error(ExitCode::wrong_usage,
                  fmt::format("{} {} and --set {}", option, value, assignment), "give one of them");
    }
  }
}

// The solver that is given beside a spec, where that has another.
const SolverInfo* other_solver(const SpecSource& source, const RunSpec& spec) {
  for (const std::string& assignment : assignments_of(source)) {
    if (!assignment.starts_with("force.solver=")) continue;
    RunSpec with = spec;
    set_key(with, assignment);
    return with.force.solver == spec.force.solver ? nullptr : find_solver(with.force.solver);
  }
  return nullptr;
}

template <class Family>
void forget_all(Family& family, std::vector<std::string>& names) {
  for_each_field(family, [&]<class T>(const FieldInfo& field, T& value) {
    if constexpr (IsOptional<T>::value) {
      if (value) names.emplace_back(field.name);
      value.reset();
    }
  });
}

// The names of the keys that were given.
std::vector<std::string> forget_keys_of_others(ForceSettings& force, const SolverInfo& solver) {
  std::vector<std::string> names;
  if (!solver.takes_accuracy) forget_all(force.far_field, names);
  if (!solver.takes_bins) forget_all(force.bins, names);
  return names;
}

}  // namespace

void add_spec_options(CLI::App& command, SpecSource& source) {
  command
      .add_option("--set", source.assignments,
                  "Sets any key of the spec, for example --set time.step=0.01")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  for (const Shortcut& shortcut : shortcuts) {
    command
        .add_option_function<std::string>(
            shortcut.option,
            [&source, &shortcut](const std::string& value) {
              source.shortcuts.push_back(
                  {shortcut.key, value_for(shortcut, value), shortcut.option});
            },
            fmt::format("{} ({})", shortcut.help, shortcut.key))
        ->type_name(shortcut.type)
        ->group("Common keys");
  }
  command
      .add_option("--kernel-dir", source.kernel_dir,
                  "Kernel files in this folder come before the built-in ones; they are code that "
                  "runs with your rights")
      ->type_name("DIR");
}

bool is_computed(const std::string& what) {
  if (what.empty()) return true;
  if (folder_exists(what)) return false;
  return what.ends_with(".toml") || (!file_exists(what) && is_model(what));
}

std::vector<std::string> assignments_of(const SpecSource& source) {
  require_once(source);
  std::vector<std::string> all = source.assignments;
  for (const auto& [key, value, option] : source.shortcuts) all.push_back(key + "=" + value);
  return all;
}

RunSpec spec_from(const SpecSource& source) {
  RunSpec spec = started_from(source.what);
  require_once(source);
  if (const SolverInfo* solver = other_solver(source, spec)) {
    forget_keys_of_others(spec.force, *solver);
  }
  for (const auto& assignment : source.assignments) set_key(spec, assignment);
  for (const auto& [key, value, option] : source.shortcuts) {
    set_key(spec, key + "=" + value, option + " " + value);
  }
  if (!source.kernel_dir.empty()) spec.device.kernel_dir = source.kernel_dir;
  return spec;
}

void tell_left_out(const SpecSource& source) {
  RunSpec spec = started_from(source.what);
  const SolverInfo* solver = other_solver(source, spec);
  if (solver == nullptr) return;
  for (const std::string& key : forget_keys_of_others(spec.force, *solver)) {
    say("force.{} of {} is left out: it means nothing to solver {}", key, source.what,
        solver->name);
  }
}

}  // namespace apsis::cli
