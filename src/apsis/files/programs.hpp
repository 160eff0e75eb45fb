// SPDX-License-Identifier: MIT
// Other programs (gnuplot, ffmpeg), started by argument vector and never through a shell.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace apsis {

struct ProgramResult {
  int exit_status = 0;       // 128 + signal when one ended it
  std::string output;        // its stdout
  std::string errors;        // its stderr
  bool out_of_time = false;  // it was killed at its limit
};

// On PATH, or itself where `name` has a slash; nothing when it can't be run.
std::optional<std::filesystem::path> find_program(const std::string& name);

// Feeds `input`, waits for the end and collects both outputs. unavailable when it can't start.
ProgramResult run_program(std::span<const std::string> arguments, std::string_view input = {});

// The same for a program that may not come to its end: it is killed after so many seconds, or once
// `stopped` says so, which is asked several times a second.
struct ProgramLimits {
  double seconds = 0;
  std::function<bool()> stopped;  // may be empty
};
ProgramResult run_program(std::span<const std::string> arguments, std::string_view input,
                          const ProgramLimits& limits);

// The same with an input that is made while the program runs: `next` gives one piece after the
// other, which must last until the next call; an empty one is the end.
ProgramResult run_program(std::span<const std::string> arguments,
                          const std::function<std::string_view()>& next);

}  // namespace apsis
