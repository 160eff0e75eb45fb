// SPDX-License-Identifier: MIT
// apsis lab --compare: the results of a class, ranked.
#pragma once

#include "commands.hpp"

#include <string>
#include <vector>

namespace apsis::cli {

struct ClassArguments {
  std::vector<std::string> files;
  std::string page;  // empty: none
  bool force = false, json = false;
};

// What was left out is told, and is the exit code, after everything else is written.
void compare_class(const ClassArguments& arguments, Outcome& outcome);

}  // namespace apsis::cli
