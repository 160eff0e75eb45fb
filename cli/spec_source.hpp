// SPDX-License-Identifier: MIT
// What run and view compute: a spec, a model or a file of bodies, with the keys given beside it.
#pragma once

#include <apsis/sim/run_spec.hpp>

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace apsis::cli {

struct SpecSource {
  std::string what;                      // empty: the default spec
  std::vector<std::string> assignments;  // of --set
  struct Shortcut {
    std::string key, value, option;  // "time.until", "5", "--until"
  };
  std::vector<Shortcut> shortcuts;
  std::string kernel_dir;

  bool has_keys() const { return !assignments.empty() || !shortcuts.empty(); }
};

// --set, --kernel-dir and an option for each of the keys that everyone sets.
void add_spec_options(CLI::App& command, SpecSource& source);

// Whether it is something to compute, and not a folder of a run.
bool is_computed(const std::string& what);

RunSpec spec_from(const SpecSource& source);
// Says what the file has for its own solver, and is left out since another is given beside it.
void tell_left_out(const SpecSource& source);
// All keys as --set has them. wrong_usage where one is given twice in different ways.
std::vector<std::string> assignments_of(const SpecSource& source);

}  // namespace apsis::cli
