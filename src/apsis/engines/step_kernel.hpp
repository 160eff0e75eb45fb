// SPDX-License-Identifier: MIT
// A whole-step kernel of the user's own with its arrays on a device: loaded, launched with old and
// new arrays swapped after every step, and watched for what it should not do.
#pragma once

#include <apsis/core/bodies.hpp>
#include <apsis/device/user_program.hpp>
#include <apsis/engines/step_form.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace apsis {

// As such kernels hold them, whatever their layout: x, y, z, m of each body, and vx, vy, vz, 0.
struct StepBodies {
  std::vector<float> places, velocities;

  std::size_t size() const { return places.size() / 4; }
  friend bool operator==(const StepBodies&, const StepBodies&) = default;
};
StepBodies step_bodies(const Bodies& bodies);
void store(const StepBodies& from, Bodies& bodies);  // positions and velocities

struct StepNumbers {
  double step = 0;       // dt
  double softening = 0;  // as the kernel takes it: a length, or its square
  double constant = 1;   // G
  double mass = 1;       // of each body, where the kernel takes one for all
};

// What lies in the arrays behind the last body, where a kernel has nothing to look for.
enum class BehindLast : unsigned char { nonsense, massless_bodies };

// What one step left behind besides its result.
struct StepTrace {
  StepBodies before, after;
  std::optional<std::size_t> unwritten_position, unwritten_velocity;  // first such body
  std::size_t unwritten_positions = 0;
  std::optional<std::size_t> changed_old;  // first body whose old position was overwritten
  std::optional<std::size_t> behind_last;  // first place behind the last body that was written
  std::string behind_array;                // of which array
};

class StepKernel {
 public:
  // `group`: work-items a work-group that are wanted; the device and the kernel may want others. A
  // kernel without n is launched with exactly one work-item a body, so its groups divide their
  // number. bad_data where that can't be.
  StepKernel(device::Context& context, const device::UserProgram& program, const StepForm& form,
             std::size_t bodies, std::size_t group);

  std::size_t bodies() const { return bodies_; }
  std::size_t group() const { return group_; }

  void load(const StepBodies& bodies, BehindLast behind = BehindLast::nonsense);
  void step(const StepNumbers& numbers);  // enqueued
  StepBodies state() const;               // waits
  StepTrace traced_step(const StepNumbers& numbers);

 private:
  struct Array {
    std::string name;
    bool packed = false;
    device::Buffer buffer;
  };
  Array made(StepRole role, std::size_t floats_a_body) const;
  std::vector<float> filled(const Array& array, const std::vector<float>& wide) const;
  void write(Array& array, const std::vector<float>& wide) const;
  void spoil(Array& array) const;
  std::vector<float> read(const Array& array) const;
  std::vector<float> wide(const Array& array, const std::vector<float>& raw) const;
  void set_arguments(const StepNumbers& numbers);
  void set_argument(unsigned index, const StepNumbers& numbers);
  const Array& old_velocities() const { return velocities_[in_place_ ? 0 : current_]; }
  const Array& new_velocities() const { return velocities_[in_place_ ? 0 : 1 - current_]; }

  device::Context& context_;
  StepForm form_;
  std::vector<std::string> names_;
  device::UserKernel kernel_;
  std::size_t bodies_, group_ = 1, global_ = 1, capacity_ = 0;
  bool in_place_ = true;  // velocities
  BehindLast behind_ = BehindLast::nonsense;
  std::vector<float> masses_;  // where arrays of positions hold none
  std::array<Array, 2> places_, velocities_;
  Array mass_array_;
  std::size_t current_ = 0;  // which of two arrays is the old one
};

}  // namespace apsis
