// SPDX-License-Identifier: MIT
// Inside lab/: what jerks cost beside forces alone, in operations and in time.
#pragma once

#include <apsis/lab/lesson.hpp>

#include <string>
#include <vector>

namespace apsis::lab {

ResultTable jerk_table();
void measure_jerk(const LabOptions& options, Recorder& recorder, std::size_t table);

// What they cost, and whether hermite4 is still ahead when its evaluations count for what they do.
// `work` is the table of errors against work.
std::vector<std::string> jerk_findings(const ResultTable& jerk, const ResultTable& work);

}  // namespace apsis::lab
