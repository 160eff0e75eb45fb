// SPDX-License-Identifier: MIT
// One function per subcommand: it declares the options, and its callback calls one function of
// the library, prints, and sets the exit code. Errors are thrown, never printed here.
#pragma once

#include <apsis/core/error.hpp>
#include <apsis/mpi/communicator.hpp>

#include <CLI/CLI.hpp>

#include <memory>

namespace apsis::cli {

struct Outcome {
  ExitCode exit_code = ExitCode::done;
  bool speaks = true;                        // of several ranks one prints errors
  std::unique_ptr<mpi::Communicator> ranks;  // where a run is one of several
};

void add_run(CLI::App& app, Outcome& outcome);
void add_init(CLI::App& app, Outcome& outcome);
void add_info(CLI::App& app, Outcome& outcome);
void add_convert(CLI::App& app, Outcome& outcome);
void add_compare(CLI::App& app, Outcome& outcome);
void add_forces(CLI::App& app, Outcome& outcome);
void add_analyse(CLI::App& app, Outcome& outcome);
void add_check(CLI::App& app, Outcome& outcome);
void add_bench(CLI::App& app, Outcome& outcome);
void add_devices(CLI::App& app, Outcome& outcome);
void add_doctor(CLI::App& app, Outcome& outcome);
void add_tune(CLI::App& app, Outcome& outcome);
void add_view(CLI::App& app, Outcome& outcome);
void add_render(CLI::App& app, Outcome& outcome);
void add_lab(CLI::App& app, Outcome& outcome);

}  // namespace apsis::cli
