// SPDX-License-Identifier: MIT
// What `apsis run` says of a run: at its start, at its end, and more of both with --verbose.
#pragma once

#include <apsis/run/run.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace apsis::cli {

void describe_start(const RunSpec& spec, const Resolution& engine);
// With --verbose: what was decided, and by whom. `asked`: the spec before anything was.
void describe_choices(const RunSpec& asked, const RunSpec& spec, const Resolution& engine);

// With --verbose: the program, and builds of kernels that were not told yet.
void tell_program();
void tell_builds();

// On stdout; the model that was run is not the one to go on with.
void print_result(const RunResult& result, const std::string& model);
// With --verbose: bursts, of at most so many steps, and files.
void describe_end(const RunResult& result, std::uint64_t most_steps);
// Of warnings that were told when they happened.
void remind_of(const std::vector<Warning>& warnings);

}  // namespace apsis::cli
