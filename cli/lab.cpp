// SPDX-License-Identifier: MIT
// apsis lab: lessons that are measured on the machine in front of you.
#include "commands.hpp"
#include "lab_class.hpp"
#include "lab_export.hpp"
#include "lab_printer.hpp"
#include "lab_your_own.hpp"
#include "serving.hpp"
#include "signals.hpp"
#include "terminal.hpp"
#include "usage_errors.hpp"
#include <apsis/core/typed_command.hpp>
#include <apsis/lab/lesson.hpp>
#include <apsis/lab/report.hpp>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace apsis::cli {
namespace {

using lab::LabOptions;
using lab::Lesson;

struct LabArguments {
  std::vector<std::string> names;
  LabOptions options;
  std::string reuse, out = "lab", redraw, left, right, name, page;
  std::vector<std::string> shapes, compare;
  std::optional<std::string> export_to;
  std::optional<std::uint64_t> seed;
  std::string command;  // as it was typed
  bool force = false, json = false;
  std::string copy_to;  // of --copy-kernels
  bool view = false;
  ServingOptions serving;
};

void print_list() {
  for (const Lesson& lesson : lab::lessons()) {
    fmt::print("{:<12} {}\n", lesson.name, lesson.summary);
  }
  fmt::print(
      "\n{} measures one on this machine and writes lab/LESSON/report.html;\n"
      "{} takes them all, and --quick makes them short.\n",
      typed_command("lab LESSON"), typed_command("lab all"));
}

std::vector<const Lesson*> wanted_lessons(const LabArguments& arguments) {
  std::vector<const Lesson*> wanted;
  const bool all = arguments.names.empty() || arguments.names == std::vector<std::string>{"all"};
  for (const Lesson& lesson : lab::lessons()) {
    if (all) wanted.push_back(&lesson);
  }
  if (all) return wanted;
  for (const std::string& name : arguments.names) wanted.push_back(&lab::lesson_named(name));
  return wanted;
}

LabOptions options_from(const LabArguments& arguments) {
  LabOptions options = arguments.options;
  if (!arguments.reuse.empty()) options.reuse = arguments.reuse == "on";
  for (const std::string& shape : arguments.shapes)
    options.shapes.push_back(lab::shape_from(shape));
  if (arguments.left.empty() != arguments.right.empty()) {
    throw Error(ExitCode::wrong_usage, "a product needs two matrices",
                "give --left and --right, for example --left 3x2 --right 2x5");
  }
  if (options.left_file.empty() != options.right_file.empty()) {
    throw Error(ExitCode::wrong_usage, "a product needs two matrices",
                "give --a and --b, files with a row of numbers a line");
  }
  if (!options.left_file.empty() && (!options.shapes.empty() || !arguments.left.empty())) {
    throw Error(ExitCode::wrong_usage, "the files of --a and --b have shapes of their own",
                "leave out --shapes, --left and --right");
  }
  if (!arguments.left.empty()) {
    options.shapes.push_back(lab::shape_of_product(arguments.left, arguments.right));
  }
  return options;
}

// Forces or products that are wrong are named in the lesson's sentences, and are the exit code.
void note_outcome(const lab::Results& results, Outcome& outcome) {
  for (const lab::ResultTable& table : results.tables) {
    for (const lab::Row& row : table.rows()) {
      if (!row.text("complaint").empty()) outcome.exit_code = ExitCode::numbers_went_bad;
    }
  }
}

void finish(const Lesson& lesson, const lab::Results& results, const std::filesystem::path& folder,
            LabPrinter& printer) {
  const lab::WrittenLesson written = lab::write_lesson(lesson, results, folder);
  printer.end(results, written);
}

// What --json prints of one lesson, and of several.
void print_json(std::vector<std::string> documents) {
  if (documents.size() == 1) return fmt::print("{}", documents.front());
  for (std::string& document : documents) document.pop_back();  // its line end
  fmt::print("[\n{}\n]\n", fmt::join(documents, ",\n"));
}

void redraw(const LabArguments& arguments) {
  if (!arguments.names.empty()) {
    throw Error(ExitCode::wrong_usage, "--redraw measures nothing, so it takes no lesson",
                fmt::format("give the folder alone: {} lab/direct", typed_command("lab --redraw")));
  }
  const lab::Results results = lab::read_results(arguments.redraw);
  const std::filesystem::path place(arguments.redraw);
  LabPrinter printer(arguments.json);
  finish(lab::lesson_named(results.lesson), results,
         std::filesystem::is_directory(place) ? place : place.parent_path(), printer);
  if (arguments.json) print_json({lab::to_json(results)});
}

std::string now() { return fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(std::time(nullptr))); }

std::filesystem::path folder_of(const LabArguments& arguments, const Lesson& lesson) {
  return std::filesystem::path(arguments.out) / lesson.name;
}

// The results that were written. Of several lessons, one that has nothing to measure here is left
// out with its reason.
std::optional<lab::Results> measure(const Lesson& lesson, const LabOptions& options,
                                    const LabArguments& arguments, bool alone, Outcome& outcome) {
  LabPrinter printer(arguments.json);
  printer.begin(lesson);
  try {
    lab::LessonRun run =
        lab::run_lesson(lesson, options, printer.listener([] { return stop_signal() != 0; }));
    run.results.about.insert(run.results.about.begin(),
                             {{"command", arguments.command}, {"measured", now()}});
    if (!arguments.name.empty()) run.results.about.emplace_back("name", arguments.name);
    note_outcome(run.results, outcome);
    finish(lesson, run.results, folder_of(arguments, lesson), printer);
    if (run.failure) throw *run.failure;
    return std::move(run.results);
  } catch (const Error& error) {
    const bool not_here =
        error.code() == ExitCode::unavailable || error.code() == ExitCode::wrong_usage;
    if (alone || !not_here) throw;
    warn("{} left out: {}; {}", lesson.name, error.what(), error.remedy());
    return std::nullopt;
  }
}

void rank(const LabArguments& arguments, Outcome& outcome) {
  if (!arguments.names.empty() || !arguments.redraw.empty()) {
    throw Error(ExitCode::wrong_usage, "--compare measures nothing, so it takes no lesson",
                "give the files alone: apsis lab --compare class/*.json -o class.html");
  }
  compare_class({arguments.compare, arguments.page, arguments.force, arguments.json}, outcome);
}

void run(const LabArguments& arguments, Outcome& outcome) {
  if (!arguments.compare.empty()) return rank(arguments, outcome);
  if (!arguments.page.empty()) {
    throw Error(ExitCode::wrong_usage, "-o is the page of --compare",
                "say with --out where lessons write, or give --compare FILE...");
  }
  if (!arguments.redraw.empty()) return redraw(arguments);
  if (!arguments.copy_to.empty()) {
    if (arguments.names.empty()) return copy_kernels(arguments.copy_to);
    throw Error(
        ExitCode::wrong_usage, "--copy-kernels measures nothing, so it takes no lesson",
        fmt::format("give the folder alone: {} my_kernels", typed_command("lab --copy-kernels")));
  }
  LabOptions options = options_from(arguments);
  if (arguments.export_to) {
    return export_hand_out(
        {arguments.names, *arguments.export_to, arguments.seed, arguments.force, arguments.json},
        options);
  }
  if (arguments.seed) {
    throw Error(ExitCode::wrong_usage, "--seed is that of the points of --export",
                "leave it out, or give --export DIR");
  }
  if (arguments.names.empty() && !options.quick) return print_list();
  const auto wanted = wanted_lessons(arguments);
  lab::require_valid(options, wanted);
  if (arguments.view) return view_your_own(options, arguments.serving);
  let_trials_run_apart(options);
  for (const Lesson* lesson : wanted) {
    lab::require_own(folder_of(arguments, *lesson), arguments.force);
  }
  listen_for_stop();
  std::vector<std::string> documents;
  for (const Lesson* lesson : wanted) {
    const auto results = measure(*lesson, options, arguments, wanted.size() == 1, outcome);
    if (results) documents.push_back(lab::to_json(*results));
    if (stop_signal() == 0) continue;
    outcome.exit_code = ExitCode::stopped;
    break;
  }
  if (documents.empty()) {
    throw Error(ExitCode::unavailable, "no lesson could be measured here",
                fmt::format("'{}' says what is missing", typed_command("doctor")));
  }
  if (arguments.json) print_json(std::move(documents));
}

void add_options(CLI::App& command, LabArguments& arguments) {
  LabOptions& o = arguments.options;
  command.add_option("LESSON", arguments.names,
                     "Lessons to measure, or all; without one they are "
                     "listed");
  command.add_option("--bodies", o.bodies, "Numbers of bodies, separated by commas")
      ->delimiter(',')
      ->check(not_negative())
      ->allow_extra_args(false)
      ->type_name("N");
  command
      .add_option("--device", o.devices,
                  "Where to measure, several with commas (default: the native cpu and every OpenCL "
                  "device)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME");
  command.add_option("--reuse", arguments.reuse, "Kernels with local memory only, or without only")
      ->check(CLI::IsMember({"on", "off"}))
      ->type_name("on|off");
  command.add_option("--unroll", o.unroll, "Unroll factors, separated by commas")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("K");
  command.add_option("--group", o.group, "Work-items a work-group")->type_name("N");
  command
      .add_option("--steps", o.steps, "Steps that count (default: 10, fewer where each takes long)")
      ->type_name("N");
  command.add_option("--warmup", o.warmup, "Steps before those")
      ->type_name("N")
      ->capture_default_str();
  command.add_option("--threads", o.threads, "Threads of the native cpu; 0: all")
      ->type_name("N")
      ->capture_default_str();
  command
      .add_option("--shapes", arguments.shapes,
                  "matmul: products as ROWSxINNERxCOLUMNS, separated by commas")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("SHAPE");
  command.add_option("--left", arguments.left, "matmul: the left matrix as ROWSxCOLUMNS")
      ->type_name("SHAPE");
  command.add_option("--right", arguments.right, "matmul: the right matrix as ROWSxCOLUMNS")
      ->type_name("SHAPE");
  command.add_option("--a", o.left_file, "matmul: a file with the left matrix, a row a line")
      ->type_name("FILE");
  command.add_option("--b", o.right_file, "matmul: a file with the right matrix")
      ->type_name("FILE");
  command
      .add_option("--kernel-dir", o.kernel_dir,
                  "Edited kernels in this folder are measured beside the built-in ones")
      ->type_name("DIR");
  add_kernel_options(command, o,
                     "your-own: a file with a whole-step kernel of yours; may be given again");
  CLI::Option* view = command.add_flag("--view", arguments.view,
                                       "your-own: show the kernel's motion live in the browser");
  add_serving_options(command, arguments.serving, view);
  command
      .add_option("--copy-kernels", arguments.copy_to,
                  "Measure nothing: copy the program's kernels, and some to start from, into a new "
                  "folder")
      ->type_name("DIR");
  command.add_flag("--quick", o.quick, "Small and short: all lessons in less than a minute");
  command.add_option("--out", arguments.out, "Folder that the lessons' folders go into")
      ->type_name("DIR")
      ->capture_default_str();
  command.add_flag("--force", arguments.force,
                   "Replace files that no lesson wrote, and a page that exists");
  command
      .add_option("--redraw", arguments.redraw,
                  "Measure nothing: charts, sentences and report anew from the results in this "
                  "folder")
      ->type_name("DIR");
  command
      .add_option(
          "--compare", arguments.compare,
          "Measure nothing: rank the results of a class, files that lessons or --json wrote, "
          "or folders with them")
      ->expected(1, -1)
      ->type_name("FILE...");
  command.add_option("-o", arguments.page, "--compare: write the ranking as a page, too")
      ->type_name("PAGE.html");
  command.add_option("--name", arguments.name, "Whose results these are, for --compare")
      ->type_name("NAME");
  command
      .add_option("--export", arguments.export_to,
                  "far-field: measure nothing, write the assignment into this folder: points, what "
                  "their forces are, and a script that checks a student's")
      ->type_name("DIR");
  command.add_option("--seed", arguments.seed, "--export: seed of the points (default: 42)")
      ->check(not_negative())
      ->type_name("N");
  command.add_flag("--json", arguments.json, "Print the results as JSON");
  add_talk_options(command, "Print warnings and errors only; the files are written",
                   more_of_kernels);
}

// Options that not every lesson has a use for, as lesson.takes names them.
std::vector<std::string> given_options(const CLI::App& command) {
  std::vector<std::string> given;
  for (const char* name :
       {"bodies", "device", "reuse", "unroll", "group", "steps", "warmup", "threads", "shapes",
        "left", "right", "a", "b", "kernel-dir", "kernel", "time-limit", "view"}) {
    if (command.get_option(std::string("--") + name)->count() > 0) given.emplace_back(name);
  }
  return given;
}

// The command as it could be typed again.
std::string typed(const CLI::App& command) {
  std::string text = "apsis lab";
  std::vector<const CLI::Option*> seen;
  for (const CLI::Option* option : command.parse_order()) {
    if (std::find(seen.begin(), seen.end(), option) != seen.end()) continue;
    seen.push_back(option);
    const bool is_flag = option->get_items_expected_max() == 0;
    if (!option->get_positional()) text += " " + option->get_name();
    if (!is_flag) {
      text +=
          fmt::format(" {}", fmt::join(option->results(), option->get_positional() ? " " : ","));
    }
  }
  return text;
}

}  // namespace

void add_lab(CLI::App& app, Outcome& outcome) {
  const auto arguments = std::make_shared<LabArguments>();
  CLI::App* command =
      app.add_subcommand("lab", "Lessons: what every optimisation buys, measured on this machine");
  add_options(*command, *arguments);
  command->footer(
      "Examples: apsis lab cpu\n"
      "          apsis lab direct --device opencl:0,opencl:1 --bodies 4096,65536\n"
      "          apsis lab direct --kernel-dir my_kernels\n"
      "          apsis lab your-own --kernel nbody.cl --kernel nbody_tiled.cl\n"
      "          apsis lab matmul --left 3x2 --right 2x5\n"
      "          apsis lab far-field --export assignment\n"
      "          apsis lab --compare class/*.json -o class.html\n"
      "Ctrl-C ends a lesson behind the present measurement; what was measured is kept.");
  command->callback([arguments, command, &outcome] {
    arguments->options.given = given_options(*command);
    arguments->command = typed(*command);
    run(*arguments, outcome);
  });
}

}  // namespace apsis::cli
