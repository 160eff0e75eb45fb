// SPDX-License-Identifier: MIT
// What the arguments of a whole-step kernel stand for: a kernel of the user's own that takes old
// positions and gives new ones, with velocities, as courses have it (docs/lessons/your-own-kernel).
// Types tell most of it, names the rest, their order what is left.
#pragma once

#include <apsis/device/user_program.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace apsis {

enum class StepRole : unsigned char {
  positions,
  new_positions,
  velocities,  // also where they are changed in place
  new_velocities,
  masses,
  tile,       // local memory
  count,      // n
  group,      // work-items a work-group
  step,       // dt
  softening,  // eps
  constant,   // G
  mass        // one for all bodies
};

struct StepForm {
  std::string kernel;
  std::vector<StepRole> roles;     // one an argument
  std::vector<std::string> types;  // of the arguments, without the star
  bool packed = false;             // x, y, z one after the other; otherwise float4
  std::size_t fixed_group = 0;     // that the kernel asks for

  std::optional<std::size_t> place_of(StepRole role) const;
  bool takes(StepRole role) const { return place_of(role).has_value(); }
  // "eps2" and "eps_sq" are squares already; otherwise the name does not say.
  std::optional<bool> softening_is_squared;
  // "float4: pos_old, pos_new, vel; dt, eps", for people
  std::string words;
};

// The forms that are understood, for messages.
extern const char* const step_forms;

// bad_data with the argument that can't be told, and the forms.
StepForm step_form(const device::KernelOutline& outline);

// The kernels of a program that are whole steps. bad_data where there is none; `left_out` hears why
// each of the others is none.
std::vector<StepForm> step_forms_in(const std::vector<device::KernelOutline>& kernels,
                                    const std::string& file, std::vector<std::string>& left_out);

}  // namespace apsis
