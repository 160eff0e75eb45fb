// SPDX-License-Identifier: MIT
// apsis view: a run, a recorded run or a state in the browser.
#include "commands.hpp"
#include "lab_your_own.hpp"
#include "serving.hpp"
#include "signals.hpp"
#include "spec_source.hpp"
#include "terminal.hpp"
#include <apsis/core/typed_command.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/run/trusted_kernels.hpp>
#include <apsis/viewer/recording.hpp>
#include <apsis/viewer/show.hpp>

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

namespace apsis::cli {
namespace {

struct ViewOptions {
  SpecSource source;
  ServingOptions serving;
  lab::LabOptions own;  // a kernel of the user's own that takes the steps
};

// Where the spec names no device of OpenCL, its kernel runs on the first.
viewer::Audience audience_with_kernel(lab::LabOptions own, const RunSpec& spec) {
  if (own.kernels.size() > 1) {
    throw Error(ExitCode::wrong_usage, "--kernel is given twice, and one takes the steps",
                fmt::format("give one; '{}' compares several", typed_command("lab your-own")));
  }
  const std::string& device = spec.device.name;
  if (device != "auto" && device != "cpu") own.devices = {device};
  let_trials_run_apart(own);
  return audience_of(own);
}

void view(const ViewOptions& options) {
  listen_for_stop();
  const viewer::Audience audience{.stop = [] { return stop_signal() != 0; },
                                  .notice = [](const std::string& text) { say("{}", text); }};
  viewer::Stage stage;
  const SpecSource& source = options.source;
  if (is_computed(source.what)) {
    const RunSpec spec = spec_from(source);
    tell_left_out(source);
    require_kernels_from_caller(spec, "view");
    const viewer::Audience own = audience_with_kernel(options.own, spec);
    const Serving serving(stage, options.serving);
    viewer::show_run(spec, stage, options.own.kernels.empty() ? audience : own);
    return;
  }
  const auto refuse = [&](const std::string& option) {
    throw Error(ExitCode::wrong_usage, fmt::format("{} has no meaning for {}", option, source.what),
                "give a spec, a model or nothing, to compute a run");
  };
  if (!source.kernel_dir.empty()) refuse("--kernel-dir");
  if (!options.own.kernels.empty()) refuse("--kernel");
  if (!source.assignments.empty()) refuse("--set " + source.assignments[0]);
  if (!source.shortcuts.empty()) refuse(source.shortcuts[0].option);
  Recording recording(source.what, Recording::Unreadable::left_out);
  const Serving serving(stage, options.serving);
  viewer::show_recording(recording, source.what, stage, audience);
}

}  // namespace

void add_view(CLI::App& app, Outcome& /*outcome*/) {
  auto options = std::make_shared<ViewOptions>();
  CLI::App* command =
      app.add_subcommand("view", "Shows a run, a recorded run or a snapshot live in the browser");
  command->add_option(
      "WHAT", options->source.what,
      "A spec or a model to compute (leaves no files), the folder of a run, or a snapshot; without "
      "it two galaxies collide");
  add_spec_options(*command, options->source);
  add_kernel_options(*command, options->own,
                     "A whole-step kernel of your own takes the steps (docs/lessons)");
  add_serving_options(*command, options->serving);
  add_talk_options(*command, "Print the link, warnings and errors only", more_of_kernels);
  command->footer(
      "Prints one link, whose token lets in whoever has it. Only this machine reaches it unless "
      "--bind\n"
      "says otherwise. On a remote machine: ssh -L 8017:127.0.0.1:8017 HOST, then apsis view "
      "there.\n"
      "APSIS_VIEW_TOKEN sets a token of your own, so that open pages survive a restart.");
  command->callback([options] { view(*options); });
}

}  // namespace apsis::cli
