// SPDX-License-Identifier: MIT
// Inside engines/: the state of OpenclEngine in the memory of its device, and the way there and
// back. Buffers hold four numbers a body in float (f32) or double (mixed, f64).
#pragma once

#include <apsis/core/choices.hpp>
#include <apsis/device/context.hpp>
#include <apsis/engines/engine.hpp>
#include <apsis/solvers/device_views.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace apsis {

struct DeviceState {
  Precision precision = Precision::f32;
  std::size_t count = 0;
  std::size_t padded = 0;  // at least one block, so that there always are buffers
  // Bodies that this device advances: all, or its share where there are others.
  std::size_t first = 0, end = 0;

  device::Buffer place;         // w: strength
  device::Buffer velocity;      // w: mass, which the energies need
  device::Buffer acceleration;  // w: nothing
  device::Buffer order;         // see BodiesView<Device>; none where it is the user's
  device::Buffer coupling;      // field to acceleration; one value, or one per charge
  int coupling_stride = 0;      // 0: one for all

  // Made when first asked for.
  device::Buffer jerk;
  device::Buffer scratch;
  device::Buffer base;                           // Hermite's accepted state, in four planes
  std::array<device::Buffer, slot_count> slots;  // three planes each

  bool wide() const { return precision != Precision::f32; }
  std::size_t entry_bytes() const { return 4 * state_bytes(precision); }
  device::Scalar scalar(double value) const { return {value, wide()}; }
};

// bad_data with the largest number that fits when `bodies` with `entries` of four numbers each do
// not fit the device's memory. Solvers' own memory is counted with them.
void require_device_memory(const DeviceInfo& device, Precision precision, std::size_t bodies,
                           std::size_t entries);
// What every run needs: place, velocity, acceleration, and the solver's sums.
inline constexpr std::size_t entries_at_least = 5;

// Buffers for that many bodies; what was there before is gone.
void allocate(DeviceState& state, device::Context& context, std::size_t bodies);

// One of the buffers that only some integrators need, made at the first call.
device::Buffer& made(device::Buffer& buffer, const DeviceState& state, device::Context& context,
                     std::size_t planes, const char* what);

// Host and device exchange vectors in double, which holds what a float held exactly.
// Values beyond the bodies' are zero; `w` may be empty.
void write_columns(const DeviceState& state, device::Buffer& buffer, const Vectors& columns,
                   const std::vector<double>& w = {});
// Padding gets strength 0 and the place that device_views.hpp says.
void write_places(DeviceState& state, const Vectors& columns, const std::vector<double>& strength);
void write_coupling(DeviceState& state, device::Context& context,
                    const std::vector<double>& values);
// The user's k-th body is number at[k] here.
void write_order(DeviceState& state, device::Context& context, const std::vector<std::int32_t>& at);
Vectors read_columns(const DeviceState& state, const device::Buffer& buffer);
// The fourth component of each entry.
std::vector<double> read_fourth(const DeviceState& state, const device::Buffer& buffer);
// Only of the bodies that the device advances, into columns that have room for all.
void read_own(const DeviceState& state, const device::Buffer& buffer, Vectors& columns);

// As arrays of a saved state, in native precision.
void add_columns(EngineState& saved, const DeviceState& state, const Vectors& columns,
                 const std::array<const char*, 3>& names);
Vectors taken_columns(const EngineState& saved, const DeviceState& state,
                      const std::array<const char*, 3>& names);

}  // namespace apsis
