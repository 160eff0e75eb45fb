// SPDX-License-Identifier: MIT
#include "bench_options.hpp"
#include "commands.hpp"
#include "table.hpp"
#include "terminal.hpp"
#include <apsis/measure/bench.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace apsis::cli {
namespace {

std::vector<std::string> error_row(const BenchResult& result, const char* inputs,
                                   const ForceError& error) {
  std::vector<std::string> row{result.engine.solver, result.engine.variant(),
                               std::string(name_of(result.engine.precision)),
                               fmt::format("{}", result.engine.bodies), inputs};
  for (const double value : {error.median, error.rms, error.p90, error.p99, error.p999, error.max,
                             error.rms_normalized}) {
    row.push_back(fmt::format("{:.1e}", value));
  }
  return row;
}

void print(std::span<const BenchResult> results) {
  Table table{{"solver", "variant", "precision", "bodies", "inputs", "median", "rms", "90 %",
               "99 %", "99.9 %", "max", "rms/rms"},
              {}};
  const bool devices = std::ranges::any_of(results, [&](const BenchResult& result) {
    return result.device_label() != results.front().device_label();
  });
  if (devices) table.header.insert(table.header.begin(), "device");
  const auto add = [&](const BenchResult& result, const char* inputs, const ForceError& error) {
    auto row = error_row(result, inputs, error);
    if (devices) row.insert(row.begin(), result.device_label());
    table.rows.push_back(std::move(row));
  };
  for (const BenchResult& result : results) {
    if (result.engine.precision == Precision::f32) add(result, "float", result.error);
    add(result, "double", result.error_double);
  }
  const BenchResult& first = results.front();
  fmt::print("force error against double direct summation ({}, masses {}, softening {:g})\n{}",
             first.model, first.masses, first.law.softening, aligned(table));
  for (const BenchResult& result : results) {
    if (result.coincident > 0) {
      fmt::print("{} of {} bodies share their place with another\n", result.coincident,
                 result.engine.bodies);
      break;
    }
  }
}

void run(const BenchArguments& arguments) {
  std::vector<BenchResult> results;
  for (const BenchOptions& options : each_options_from(arguments)) {
    for (BenchResult& result : check(options)) results.push_back(std::move(result));
  }
  tell_devices_apart(results);
  print_notices(results);
  if (arguments.json) {
    fmt::print("{}", to_json(results, Report::check));
  } else {
    print(results);
  }
  require_good(results);
}

}  // namespace

void add_check(CLI::App& app, Outcome& outcome) {
  auto arguments = std::make_shared<BenchArguments>();
  CLI::App* command =
      app.add_subcommand("check", "Compares the forces of solvers with the reference");
  add_bench_options(*command, *arguments);
  add_file_option(*command, *arguments);
  add_talk_options(*command, "Print results, warnings and errors only", more_of_kernels);
  command->footer(
      "Example: apsis check direct --bodies 16384 --precision f32,mixed,f64\n"
      "Exit code 76 when a result is not finite, when a direct solver exceeds the bound of its\n"
      "precision, or when tree or fmm miss the accuracy that was asked for.");
  command->callback([arguments, &outcome] {
    run(*arguments);
    outcome.exit_code = ExitCode::done;
  });
}

}  // namespace apsis::cli
