// SPDX-License-Identifier: MIT
// Inside engines/: the launches that move bodies on a device.
#pragma once

#include <apsis/device/context.hpp>
#include <apsis/engines/device_state.hpp>
#include <apsis/engines/operation.hpp>

#include <array>
#include <span>
#include <vector>

namespace apsis {

class DeviceMotion {
 public:
  static constexpr std::size_t operations_a_launch = 4;

  DeviceMotion(device::Context& context, Precision precision);

  // Applies kicks and drifts, with lengths in internal time, in their order. Where `field` is given
  // the acceleration is first taken from it, and kept.
  void move(DeviceState& state, const PartialSums* field, std::span<const Operation> operations);
  // The field times the coupling, into `result`.
  void couple(const DeviceState& state, const PartialSums& field, device::Buffer& result);
  // The field itself, with the potential, its parts added up.
  void add_up(const DeviceState& state, const PartialSums& field, device::Buffer& result);

  void save(DeviceState& state, int slot);
  // Coefficients in internal time; at most one term per slot.
  void combine(DeviceState& state, int base, std::span<const SlotTerm> terms);
  void predict(DeviceState& state, double h);
  void correct(DeviceState& state, double h);

 private:
  using Buffer = device::Buffer;
  using Scalar = device::Scalar;

  struct SlotKernels {
    device::Kernel<int, int, int, Buffer, Buffer, Buffer, Buffer> save;
    device::Kernel<int, int, int, Buffer, Buffer, Buffer, int, Buffer, Scalar, Buffer, Scalar,
                   Buffer, Scalar, Buffer, Scalar>
        combine;
  };
  struct HermiteKernels {
    device::Kernel<int, int, int, Buffer, Buffer, Buffer, Buffer, Buffer, Scalar, Scalar, Scalar>
        predict;
    device::Kernel<int, int, int, Buffer, Buffer, Buffer, Buffer, Buffer, Scalar, Scalar> correct;
  };
  // Built when first asked for.
  SlotKernels& slot_kernels();
  HermiteKernels& hermite_kernels();

  device::Context* context_;
  device::Defines defines_;
  device::Kernel<int, int, int, int, Buffer, Buffer, int, Buffer, Buffer, Buffer, int, int, Scalar,
                 Scalar, Scalar, Scalar>
      motion_;
  device::Kernel<int, int, int, int, Buffer, Buffer, int, Buffer> couple_;
  device::Buffer one_;
  SlotKernels slots_;
  HermiteKernels hermite_;
};

// A work-item for each body that the device advances.
device::Range over_bodies(const DeviceState& state, const DeviceInfo& device);
// PRECISION as the kernels know it.
device::Defines precision_define(Precision precision);

}  // namespace apsis
