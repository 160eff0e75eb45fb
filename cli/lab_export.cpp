// SPDX-License-Identifier: MIT
#include "lab_export.hpp"

#include "signals.hpp"
#include "terminal.hpp"
#include <apsis/core/error.hpp>
#include <apsis/core/printable.hpp>
#include <apsis/lab/hand_out.hpp>
#include <apsis/lab/lesson.hpp>

#include <fmt/format.h>

namespace apsis::cli {
namespace {

void require_useful(const ExportArguments& arguments, const lab::LabOptions& options) {
  if (arguments.lessons != std::vector<std::string>{"far-field"}) {
    if (arguments.lessons.size() == 1) lab::lesson_named(arguments.lessons.front());
    throw Error(ExitCode::wrong_usage, "--export is the hand-out of lesson far-field",
                "give that lesson alone: apsis lab far-field --export DIR");
  }
  if (arguments.folder.empty()) {
    throw Error(ExitCode::wrong_usage, "--export needs a folder",
                "give it a name: apsis lab far-field --export assignment");
  }
  std::vector<std::string> given = options.given;
  if (options.quick) given.emplace_back("quick");
  if (arguments.json) given.emplace_back("json");
  for (const std::string& name : given) {
    if (name == "bodies" || name == "threads") continue;
    throw Error(ExitCode::wrong_usage,
                fmt::format("--{} means nothing to --export, which measures nothing", name),
                "leave it out");
  }
  const lab::Lesson& lesson = lab::lesson_named(arguments.lessons.front());
  const lab::Lesson* const wanted[] = {&lesson};
  lab::require_valid(options, wanted);
}

}  // namespace

void export_hand_out(const ExportArguments& arguments, const lab::LabOptions& options) {
  require_useful(arguments, options);
  lab::HandOutOptions wanted{.bodies = options.bodies, .threads = options.threads};
  if (arguments.seed) wanted.seed = *arguments.seed;
  if (!arguments.force) {
    lab::require_free_folder(arguments.folder, lab::hand_out_names(wanted));
  }
  const auto files =
      lab::far_field_hand_out(wanted, [](const std::string& what) { say("{} ...", what); });
  // until here a Ctrl-C leaves nothing, and from here on all
  listen_for_stop();
  lab::write_hand_out(arguments.folder, files);
  for (const lab::HandOutFile& file : files) {
    fmt::print("{}/{}\n", printable(arguments.folder), file.name);
  }
}

}  // namespace apsis::cli
