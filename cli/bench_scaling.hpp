// SPDX-License-Identifier: MIT
// apsis bench scaling: strong and weak scaling over threads, devices or ranks.
#pragma once

#include "commands.hpp"
#include <apsis/measure/scaling_report.hpp>

#include <span>

namespace apsis::cli {

// Declares it as a command of `bench`.
void add_bench_scaling(CLI::App& bench, Outcome& outcome);

// Tables, the fit with its error, and what it predicts.
void print_scaling(std::span<const ScalingStudy> studies);

}  // namespace apsis::cli
