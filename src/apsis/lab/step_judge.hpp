// SPDX-License-Identifier: MIT
// Inside lab/: whether a step of a kernel of the user's own is right, by which scheme, and where it
// is not, what it did instead as far as its numbers show. Pure: a trace in, words out.
#pragma once

#include <apsis/engines/step_form.hpp>
#include <apsis/engines/step_kernel.hpp>

#include <cstddef>
#include <optional>
#include <string>

namespace apsis::lab {

struct StepJudgement {
  bool right = false;
  std::string scheme;     // symplectic-euler or taylor2, where it is one of them
  std::string softening;  // what the kernel makes of eps, for people
  bool softening_is_squared = true;
  double under_root = 0;  // what it adds to r², where it is right
  double error = 0;       // largest relative error of an acceleration, from the velocities
  std::string cause;      // of what is wrong: a sentence without its full stop; empty where right
  std::optional<std::size_t> first_wrong;  // body
};

// What the step was given.
struct StepConditions {
  const StepForm& form;
  StepNumbers numbers;
  std::size_t group = 1;
};

StepJudgement judged(const StepTrace& trace, const StepConditions& conditions);

}  // namespace apsis::lab
