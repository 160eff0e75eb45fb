// SPDX-License-Identifier: MIT
// Inside engines/: global figures of a state on a device, which only a few numbers leave.
#pragma once

#include <apsis/core/vec3.hpp>
#include <apsis/device/context.hpp>
#include <apsis/engines/device_state.hpp>
#include <apsis/solvers/device_views.hpp>

namespace apsis {

// Sums over all bodies in internal units, in the user's order: the same on every device.
struct MotionTotals {
  double mass = 0, kinetic = 0;
  double strength_potential = 0;  // Σ s φ
  Vec3 momentum, angular_momentum, moment;
};

class DeviceSums {
 public:
  DeviceSums(device::Context& context, Precision precision);

  // `sums` hold potentials in w, in parts of `padded` entries. Of all bodies that there are. Waits.
  MotionTotals totals(const DeviceState& state, const device::Buffer& sums, std::size_t padded,
                      int parts);
  bool finite(const DeviceState& state);  // of the bodies that the device advances

 private:
  using Buffer = device::Buffer;
  template <class Number>
  MotionTotals read_totals() const;

  bool wide_;  // sums in double
  Buffer figures_, bad_;
  device::Kernel<int, int, int, Buffer, Buffer, Buffer, int, Buffer, Buffer> sum_energies_;
  device::Kernel<int, int, Buffer, Buffer, Buffer> count_bad_;
};

}  // namespace apsis
