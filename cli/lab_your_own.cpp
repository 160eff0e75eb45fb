// SPDX-License-Identifier: MIT
#include "lab_your_own.hpp"

#include "serving.hpp"
#include "signals.hpp"
#include "spec_source.hpp"
#include "terminal.hpp"
#include <apsis/core/error.hpp>
#include <apsis/core/typed_command.hpp>
#include <apsis/lab/kernel_copies.hpp>
#include <apsis/lab/own_run.hpp>
#include <apsis/lab/step_trial.hpp>
#include <apsis/viewer/stage.hpp>

#include <fmt/format.h>

#include <cstdio>
#include <iostream>
#include <iterator>

namespace apsis::cli {
namespace {

constexpr const char* trial_command = "step-trial";
constexpr std::uint64_t usual_view_bodies = 2048;

}  // namespace

void add_kernel_options(CLI::App& command, lab::LabOptions& options, const std::string& what) {
  command.add_option("--kernel", options.kernels, what)->allow_extra_args(false)->type_name("FILE");
  command
      .add_option("--time-limit", options.time_limit,
                  "Seconds that a trial of such a kernel may take before it is ended")
      ->type_name("SECONDS")
      ->capture_default_str();
}

void let_trials_run_apart(lab::LabOptions& options) {
  options.trial_program = {"/proc/self/exe", trial_command};
  options.stop_requested = [] { return stop_signal() != 0; };
}

viewer::Audience audience_of(const lab::LabOptions& options) {
  return {.stop = [] { return stop_signal() != 0; },
          .notice = [](const std::string& text) { say("{}", text); },
          .prepared = [options](PreparedRun& run) { lab::take_own_kernel(run, options); }};
}

void view_your_own(lab::LabOptions options, const ServingOptions& serving) {
  if (options.kernels.size() != 1) {
    throw Error(ExitCode::wrong_usage,
                fmt::format("--view shows one kernel, not {}", options.kernels.size()),
                "give one --kernel FILE");
  }
  if (options.bodies.size() > 1 || options.devices.size() > 1) {
    throw Error(ExitCode::wrong_usage, "--view shows one number of bodies on one device",
                "give one each of --bodies and --device");
  }
  listen_for_stop();
  let_trials_run_apart(options);
  RunSpec spec = spec_from({.what = "plummer"});
  spec.initial.bodies = options.bodies.empty() ? usual_view_bodies : options.bodies.front();
  spec.device.name = "cpu";  // of the engine that judges
  spec.force.solver = "direct";
  viewer::Stage stage;
  const Serving served(stage, serving);
  viewer::show_run(spec, stage, audience_of(options));
}

void copy_kernels(const std::string& folder) {
  const auto files = lab::copy_kernels(folder);
  fmt::print("{}/: {} files\n", folder, files.size());
  fmt::print(
      "Start from one of step_float4.cl, step_packed.cl, step_tiled.cl, which are whole steps:\n"
      "  {1} {0}/step_float4.cl\n"
      "The others are the program's own; edited ones take their place:\n"
      "  {2} {0}\n",
      folder, typed_command("lab your-own --kernel"), typed_command("lab direct --kernel-dir"));
}

void add_step_trial(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      trial_command, "Tries a whole-step kernel for 'apsis lab your-own', which reads the answer");
  command->group("");
  command->callback([] {
    const std::string task{std::istreambuf_iterator<char>(std::cin),
                           std::istreambuf_iterator<char>()};
    lab::answer_task(task, [](const std::string& piece) {
      fmt::print("{}", piece);
      std::fflush(stdout);
    });
  });
}

}  // namespace apsis::cli
