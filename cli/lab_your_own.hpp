// SPDX-License-Identifier: MIT
// Kernels of the user's own on the command line: of the lesson, of the live view, and the process
// that tries them.
#pragma once

#include <apsis/lab/options.hpp>
#include <apsis/viewer/show.hpp>

#include <CLI/CLI.hpp>

#include <string>

namespace apsis::cli {

// --kernel and --time-limit.
void add_kernel_options(CLI::App& command, lab::LabOptions& options, const std::string& what);

// So that trials run in processes of their own, and end with this one.
void let_trials_run_apart(lab::LabOptions& options);

// The audience of a live view whose steps are those of the first of options.kernels.
viewer::Audience audience_of(const lab::LabOptions& options);

// apsis lab your-own --view. wrong_usage unless there is exactly one kernel.
struct ServingOptions;
void view_your_own(lab::LabOptions options, const ServingOptions& serving);

// apsis lab --copy-kernels: prints what was copied.
void copy_kernels(const std::string& folder);

// The hidden command that makes a trial.
void add_step_trial(CLI::App& app);

}  // namespace apsis::cli
