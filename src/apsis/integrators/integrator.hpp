// SPDX-License-Identifier: MIT
// Seam 3 of 4: an integrator turns a step into operations. It is a row of one table; schemes have
// files of their own.
#pragma once

#include <apsis/engines/operation.hpp>

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace apsis {

struct Integrator {
  std::string name;
  std::string summary;  // one line for tables and help
  int order = 1;
  int force_evaluations = 1;  // per step, once running
  bool needs_jerk = false;
  // Adds the operations of the step of length dt that begins at `time`. A loop over steps empties
  // the vector in between, so that its memory is used again.
  std::function<void(double time, double dt, std::vector<Operation>& operations)> add_step;

  std::vector<Operation> step(double time, double dt) const {
    std::vector<Operation> operations;
    add_step(time, dt, operations);
    return operations;
  }
};

std::span<const Integrator> integrator_table();
std::vector<std::string> integrator_names();
// bad_data with the nearest name and the list.
const Integrator& integrator_named(std::string_view name);

}  // namespace apsis
