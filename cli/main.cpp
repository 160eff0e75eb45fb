// SPDX-License-Identifier: MIT
// The program: declares the commands, and is the one place that catches errors, prints them and
// sets the exit code.
#include "about.hpp"
#include "commands.hpp"
#include "help.hpp"
#include "lab_your_own.hpp"
#include "manual.hpp"
#include "ranks.hpp"
#include "run_report.hpp"
#include "terminal.hpp"
#include "usage_errors.hpp"
#include <apsis/core/printable.hpp>
#include <apsis/core/thread_team.hpp>
#include <apsis/core/typed_command.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/files/programs.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace apsis::cli {
namespace {

void declare(CLI::App& app, Outcome& outcome) {
  app.formatter(std::make_shared<HelpFormat>());
  app.set_help_flag("-h,--help", "Print this help");
  app.require_subcommand(0, 1);
  app.set_version_flag("--version", version_text, "Version, commit and what is built in");
  app.add_flag_callback(
      "--licenses", [] { throw CLI::CallForVersion(std::string(licenses_text), 0); },
      "Notices of the libraries that are linked");
  add_colour_option(app);
  app.footer("Start with 'apsis run': two galaxies collide, in about half a minute.");
  add_run(app, outcome);
  add_init(app, outcome);
  add_info(app, outcome);
  add_convert(app, outcome);
  add_forces(app, outcome);
  add_compare(app, outcome);
  add_analyse(app, outcome);
  add_check(app, outcome);
  add_bench(app, outcome);
  add_devices(app, outcome);
  add_doctor(app, outcome);
  add_tune(app, outcome);
  add_view(app, outcome);
  add_render(app, outcome);
  add_lab(app, outcome);
  for (CLI::App* command : app.get_subcommands({})) {
    command->group("Commands");
    add_colour_option(*command);
    const std::string name = command->get_name();
    if (name != "run" && name != "bench")  // which ask by themselves
      command->preparse_callback([name](std::size_t) { require_one_process(name); });
  }
  add_manual(app);
  add_step_trial(app);
}

// As programs with OpenMP have it; further numbers of a list are for teams inside of teams.
void take_thread_count() {
  const char* given = std::getenv("OMP_NUM_THREADS");
  if (given == nullptr || *given == '\0') return;
  const std::string_view text(given);
  const std::string_view first = text.substr(0, text.find(','));
  int threads = 0;
  const auto read = std::from_chars(first.data(), first.data() + first.size(), threads);
  if (read.ec == std::errc() && read.ptr == first.data() + first.size() && threads > 0) {
    set_default_threads(threads);
  } else if (launch().rank == 0) {
    say("apsis: note: OMP_NUM_THREADS = '{}' is no number of threads: all cores are used", text);
  }
}

// How messages name this program in commands to be typed. A script that starts it says its own
// name, for this process alone.
void name_program(const char* started_as) {
  const char* script = std::getenv("APSIS_STARTED_AS");
  if (script != nullptr && *script != '\0') {
    set_typed_program(printable(script));
    ::unsetenv("APSIS_STARTED_AS");
    return;
  }
  const std::string path = started_as != nullptr ? started_as : "";
  if (path.find('/') == std::string::npos) return set_typed_program(path);
  std::error_code ignored;
  const std::string name = std::filesystem::path(path).filename().string();
  const auto found = find_program(name);
  const bool on_path = found && std::filesystem::equivalent(*found, path, ignored);
  set_typed_program(printable(shell_word(on_path ? name : path)));
}

// Of several ranks one speaks.
void print_once(const std::string& text) {
  if (launch().rank == 0) fmt::print("{}", text);
}

// `apsis help run` is what some type for `apsis run --help`. The parser wants the last one first.
std::vector<std::string> arguments_from(int argc, char** argv) {
  std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  if (!arguments.empty() && arguments.front() == "help") {
    arguments.erase(arguments.begin());
    arguments.emplace_back("--help");
  }
  std::reverse(arguments.begin(), arguments.end());
  return arguments;
}

void parse_and_run(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(arguments_from(argc, argv));
    if (app.get_subcommands().empty()) print_once(app.help());
  } catch (const CLI::CallForHelp&) {
    print_once(app.help());
  } catch (const CLI::CallForVersion& text) {
    print_once(text.what());
  } catch (const CLI::ParseError& error) {
    throw usage_error(app, error);
  }
}

// With --verbose, of commands that did not tell it themselves while they ran.
void tell_the_rest(const CLI::App& app) {
  if (talk() != Talk::verbose) return;
  if (!app.got_subcommand("run")) tell_program();
  tell_builds();
}

ExitCode report(ExitCode code, std::string_view what, std::string_view remedy) {
  warn("apsis: error: {}{}{}", what, remedy.empty() ? "" : "; ", remedy);
  return code;
}

ExitCode report(const Outcome& outcome, const Error& error) {
  return outcome.speaks ? report(error.code(), error.what(), error.remedy()) : error.code();
}

// Results that could not be written are an error, unless the reader simply had enough (`| head`).
ExitCode after_flush(ExitCode code) {
  if (std::fflush(stdout) == 0 || errno == EPIPE) return code;
  return report(ExitCode::file_error,
                fmt::format("cannot write to standard output: {}", std::strerror(errno)),
                "free space or write elsewhere");
}

ExitCode run_program(int argc, char** argv) {
  Outcome outcome;  // leaves the other ranks behind the last word
  outcome.speaks = launch().rank == 0;
  try {
    CLI::App app{"Simulates bodies that attract or repel each other.", "apsis"};
    declare(app, outcome);
    take_thread_count();
    if (const std::string why = why_not_wanted_cache(); !why.empty() && launch().rank == 0) {
      say("apsis: note: {}", why);
    }
    parse_and_run(app, argc, argv);
    tell_the_rest(app);
    return after_flush(outcome.exit_code);
  } catch (const Error& error) {
    return report(outcome, error);
  } catch (const std::bad_alloc&) {
    return report(ExitCode::bad_data, "not enough memory", "use fewer bodies or a larger machine");
  } catch (const std::system_error& error) {
    if (error.code().value() == EPIPE) return outcome.exit_code;
    return report(ExitCode::file_error, error.what(), "check the disk and the file's permissions");
  } catch (const std::exception& error) {
    return report(ExitCode::internal_error, fmt::format("internal error: {}", error.what()),
                  fmt::format("this is a bug in Apsis: please report it with the command, its "
                              "input files and the output of '{}'",
                              typed_command("--version")));
  }
}

// A closed standard descriptor would be given to the next file that is opened, and what is said to
// the person would end in it.
void fill_standard_descriptors() {
  for (int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) == -1 && errno == EBADF) (void)::open("/dev/null", O_RDWR);
  }
}

}  // namespace
}  // namespace apsis::cli

int main(int argc, char** argv) {
  apsis::cli::fill_standard_descriptors();
  apsis::cli::name_program(argc > 0 ? argv[0] : nullptr);
  // A closed pipe is an error code where it is written to, not the death of a long run.
  std::signal(SIGPIPE, SIG_IGN);
  return static_cast<int>(apsis::cli::run_program(argc, argv));
}
