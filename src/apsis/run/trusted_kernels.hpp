// SPDX-License-Identifier: MIT
// Whose kernels may run. A kernel is code: the driver compiles it, and on a CPU it can do all that
// this process can. So a folder of kernels counts only where the person who starts the program
// names it, never because a spec, a checkpoint or a snapshot does.
#pragma once

#include <apsis/sim/run_spec.hpp>

#include <map>
#include <string>

namespace apsis {

// bad_data with the command to type, where a file names kernels and the caller does not.
// `command` is what was called: "apsis run".
void require_kernels_from_caller(const RunSpec& spec, const std::string& command = "run");

// What to say of a run that starts from the spec of one with kernels of its own and has none; else
// empty.
std::string notice_of_kernels_left_out(const RunSpec& spec);

// What [resolved] says of the kernels of a run: folder and hash, for information and for the next
// function.
void record_kernels(const RunSpec& spec, std::map<std::string, std::string>& resolved);

// The kernels of a run that goes on, whose spec was read from its folder: those it began with,
// which the caller has to name again. bad_data where that is missing, or where they are others now.
void take_kernels_again(RunSpec& run, const std::string& named_by_caller,
                        const std::string& run_folder);

}  // namespace apsis
