// SPDX-License-Identifier: MIT
// Inside engines/: the launches that add external fields on a device.
#pragma once

#include <apsis/core/external_fields.hpp>
#include <apsis/device/context.hpp>
#include <apsis/engines/device_state.hpp>

#include <vector>

namespace apsis {

class DeviceExternal {
 public:
  // Builds the kernels of those that act.
  DeviceExternal(device::Context& context, Precision precision, const ExternalFields& fields);

  // To accelerations, and jerks where there are some, of the bodies that the device advances.
  void add(DeviceState& state, double time, const ExternalUnits& units, bool with_jerk);

 private:
  using Buffer = device::Buffer;
  using Scalar = device::Scalar;
  using AddKernel = device::Kernel<int, int, Buffer, Buffer, Buffer, int, Buffer, Scalar, Scalar,
                                   Scalar, Scalar, Scalar, Scalar>;

  device::Context* context_;
  ExternalFields fields_;
  std::vector<AddKernel> kernels_;  // of those that act, in their order
};

}  // namespace apsis
