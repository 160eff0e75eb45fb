// SPDX-License-Identifier: MIT
// Inside lab/: names of the user's own kernels, where several files of one name, or several kernels
// of one file, stand in one table.
#pragma once

#include <apsis/lab/options.hpp>
#include <apsis/lab/results.hpp>
#include <apsis/lab/step_trial.hpp>

#include <string>
#include <utility>
#include <vector>

namespace apsis::lab {

// Built-in whole-step kernels, which are measured where no file is given and are good to start
// from.
std::vector<std::string> starter_kernels();  // names of files

// As short as they can be and still tell all files apart: names, then with folders, then numbered.
std::vector<std::string> unique_names(const std::vector<std::string>& files);

// What a rung of ours is called beside them.
std::string ours(const std::string& variant);

// The lesson's sentences.
std::vector<std::string> own_findings(const Results& results);

// By `options`: in a process of its own where the program that does it is known.
StepReport trial(const StepTask& task, const LabOptions& options);

}  // namespace apsis::lab
