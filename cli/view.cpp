// SPDX-License-Identifier: MIT
// apsis view: a run, a recorded run or a state in the browser.
#include "commands.hpp"
#include "serving.hpp"
#include "signals.hpp"
#include "terminal.hpp"
#include <apsis/files/file.hpp>
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
  std::string what;
  std::vector<std::string> assignments;
  std::string kernel_dir;
  ServingOptions serving;
};

bool is_spec(const std::string& what) {
  return what.empty() || (what.ends_with(".toml") && !folder_exists(what));
}

void view(const ViewOptions& options) {
  listen_for_stop();
  const viewer::Audience audience{.stop = [] { return stop_signal() != 0; },
                                  .notice = [](const std::string& text) { say("{}", text); }};
  viewer::Stage stage;
  if (is_spec(options.what)) {
    RunSpec spec =
        options.what.empty() ? RunSpec{} : parse_run_spec(read_text(options.what), options.what);
    for (const auto& assignment : options.assignments) set_key(spec, assignment);
    if (!options.kernel_dir.empty()) spec.device.kernel_dir = options.kernel_dir;
    require_kernels_from_caller(spec, "apsis view");
    const Serving serving(stage, options.serving);
    viewer::show_run(spec, stage, audience);
    return;
  }
  if (!options.kernel_dir.empty()) {
    throw Error(ExitCode::wrong_usage,
                fmt::format("--kernel-dir has no meaning for {}", options.what),
                "give a spec, or nothing, to compute a run");
  }
  if (!options.assignments.empty()) {
    throw Error(ExitCode::wrong_usage,
                fmt::format("--set {} has no meaning for {}", options.assignments[0], options.what),
                "give a spec, or nothing, to compute a run");
  }
  Recording recording(options.what, Recording::Unreadable::left_out);
  const Serving serving(stage, options.serving);
  viewer::show_recording(recording, options.what, stage, audience);
}

}  // namespace

void add_view(CLI::App& app, Outcome& /*outcome*/) {
  auto options = std::make_shared<ViewOptions>();
  CLI::App* command =
      app.add_subcommand("view", "Shows a run, a recorded run or a snapshot live in the browser");
  command->add_option(
      "WHAT", options->what,
      "A spec to compute (leaves no files), the folder of a run, or a snapshot; without "
      "it two galaxies collide");
  command->add_option("--set", options->assignments, "Sets any key of the spec")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command
      ->add_option("--kernel-dir", options->kernel_dir,
                   "Kernel files in this folder come before the built-in ones; they are code that "
                   "runs with your rights")
      ->type_name("DIR");
  add_serving_options(*command, options->serving);
  command->footer(
      "Prints one link, whose token lets in whoever has it. Only this machine reaches it unless "
      "--bind\n"
      "says otherwise. On a remote machine: ssh -L 8017:127.0.0.1:8017 HOST, then apsis view "
      "there.\n"
      "APSIS_VIEW_TOKEN sets a token of your own, so that open pages survive a restart.");
  command->callback([options] { view(*options); });
}

}  // namespace apsis::cli
