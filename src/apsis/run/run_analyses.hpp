// SPDX-License-Identifier: MIT
// Inside run/: what output.analyse asks for, as files that grow with the run, each a table of
// analysis/tables.hpp.
#pragma once

#include <apsis/analysis/tables.hpp>
#include <apsis/run/prepare.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace apsis {

const analysis::Analysis& analysis_of(AnalysisName name);
std::string log_name(AnalysisName name);  // "lagrangian.csv"

// Comments and the names of the columns, for the beginning of the file.
std::string log_header(const analysis::Analysis& analysis, const RunSpec& spec);
// The rows of one state. One that it cannot be said of has a row with nothing behind the time, and
// `problem` says why.
std::string log_rows(const analysis::Analysis& analysis, const Frame& frame, const RunSpec& spec,
                     std::string& problem);

// bad_data for an analysis that says nothing under the law of the run.
void require_possible_analyses(const RunSpec& spec);
// file_error where the folder holds something else under a name that the run would write to.
void require_free_logs(const RunSpec& spec);
// Whether a run wrote that file for output.analyse: users have tables of such names, too.
bool is_analysis_log(const std::filesystem::path& file);

// About as many bytes as all of them will have.
double analyses_size(const RunSpec& spec, const SimulationPlan& plan, std::uint64_t bodies);

}  // namespace apsis
