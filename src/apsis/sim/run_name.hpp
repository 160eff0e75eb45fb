// SPDX-License-Identifier: MIT
#pragma once

#include <apsis/sim/run_spec.hpp>

#include <filesystem>
#include <string>

namespace apsis {

// What people call a run: its title, else its model, else the file that it began with.
inline std::string name_of_run(const RunSpec& spec) {
  if (!spec.title.empty()) return spec.title;
  if (spec.initial.file.empty()) return spec.initial.model;
  return std::filesystem::path(spec.initial.file).filename().string();
}

}  // namespace apsis
