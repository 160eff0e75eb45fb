// SPDX-License-Identifier: MIT
// apsis forces: accelerations and potentials of the bodies in a file.
#include "commands.hpp"
#include "output_file.hpp"
#include "terminal.hpp"
#include "warning_text.hpp"
#include <apsis/core/counted.hpp>
#include <apsis/run/forces.hpp>

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace apsis::cli {
namespace {

struct Options {
  std::string file, out;
  std::string solver = "reference", device, precision;
  std::optional<double> accuracy, softening;
  std::vector<std::string> assignments;
  bool force = false;
};

// The reference is what others are compared with: in double, on the CPU.
RunSpec spec_from(const Options& options) {
  RunSpec spec;
  spec.initial.file = options.file;
  const bool reference = options.solver == "reference";
  spec.device.name = !options.device.empty() ? options.device : reference ? "cpu" : "auto";
  const auto set = [&](const char* key, const std::string& value) {
    set_key(spec, fmt::format("{}={}", key, value));
  };
  set("force.solver", options.solver);
  if (!options.precision.empty() || reference) {
    set("device.precision", options.precision.empty() ? "f64" : options.precision);
  }
  if (options.accuracy) set("force.accuracy", fmt::format("{}", *options.accuracy));
  if (options.softening) set("force.softening", fmt::format("{}", *options.softening));
  const auto given_twice = [&](const char* key, bool given, const std::string& assignment) {
    if (!given || !assignment.starts_with(std::string(key) + "=")) return;
    throw Error(ExitCode::wrong_usage,
                fmt::format("--set {} beside an option for {}", assignment, key),
                "give one of them");
  };
  for (const std::string& assignment : options.assignments) {
    given_twice("force.accuracy", options.accuracy.has_value(), assignment);
    given_twice("force.softening", options.softening.has_value(), assignment);
    given_twice("device.name", !options.device.empty(), assignment);
    given_twice("device.precision", !options.precision.empty(), assignment);
    set_key(spec, assignment);
  }
  if (spec.initial.file != options.file) {
    throw Error(ExitCode::wrong_usage, "--set initial.file beside a FILE", "give one of them");
  }
  return spec;
}

// Of a body with an acceleration it loses no more than of one without.
bool holds_forces(const SnapshotFormat& format) {
  Snapshot one;
  one.bodies = Bodies(1);
  const std::size_t lost = format.losses(one).size();
  one.accelerations.resize(1);
  return format.losses(one).size() == lost;
}

void write_forces(const Options& options) {
  const SnapshotFormat& format = format_by_ending(options.out);
  if (!holds_forces(format)) {
    throw Error(ExitCode::wrong_usage, fmt::format("{} has no place for forces", format.name),
                "give another ending: " + written_endings());
  }
  require_free_place(options.file, options.out, options.force);
  const ForcesOfFile forces = forces_of_file(spec_from(options));
  for (const std::string& notice : forces.notices) say("apsis: note: {}", notice);
  for (const Warning& warning : forces.warnings) warn("{}", text_of(warning));
  for (const std::string& loss : format.losses(forces.snapshot)) say("apsis: note: {}", loss);
  write_snapshot(options.out, forces.snapshot);
  const Resolution& engine = forces.engine;
  say("{}: forces between {} by {} {} ({}, {}, {}) in {:.3g} s, 99 % of a sample within "
      "{:.1e} of the reference",
      options.out, counted(engine.bodies, "body"), engine.solver, engine.variant(),
      name_of(engine.precision), engine.device(), engine.driver(), forces.seconds,
      forces.error.p99);
}

}  // namespace

void add_forces(CLI::App& app, Outcome& /*outcome*/) {
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("forces", "Writes accelerations and potentials of the bodies in a file");
  command->add_option("FILE", options->file, "Snapshot: " + snapshot_endings())->required();
  command
      ->add_option("-o,--out", options->out,
                   "New file with the bodies and their forces; its ending chooses the format")
      ->required();
  command->add_option("--solver", options->solver, "As force.solver of a run")
      ->capture_default_str();
  command->add_option("--device", options->device,
                      "As device.name of a run; the reference is computed on the CPU");
  command->add_option("--precision", options->precision,
                      "f32, mixed or f64; the reference's is f64");
  command->add_option("--accuracy", options->accuracy, "As force.accuracy: of tree and fmm");
  command->add_option("--softening", options->softening, "Instead of the file's");
  command->add_option("--set", options->assignments, "KEY=VALUE: any other key of a run");
  command->add_flag("--force", options->force, "Replace the output where it exists");
  add_talk_options(*command, "Print warnings and errors only", more_of_kernels);
  command->footer(
      "Example: apsis forces bodies.csv -o reference.csv\n"
      "         apsis forces bodies.csv -o tree.csv --solver tree --accuracy 1e-4\n"
      "         apsis compare reference.csv tree.csv --only acceleration,potential");
  command->callback([options] { write_forces(*options); });
}

}  // namespace apsis::cli
