// SPDX-License-Identifier: MIT
// What the direct solver on a device is made of: one class per schedule of pairs.
#pragma once

#include <apsis/device/kernel_folder.hpp>
#include <apsis/solvers/direct/direct_opencl.hpp>

#include <array>
#include <cstddef>

namespace apsis::direct_opencl {

using Bodies = BodiesView<Device>;
using FieldView = Field<Device>;

// A target's number among the sources, less its number among the targets.
inline constexpr int no_body_in_common = -(1 << 30);

// What all kernels of a solver have in common.
class Settings {
 public:
  Settings(device::Context& context, const DirectOpenclSettings& settings);

  device::Context& context() const { return *context_; }
  const DeviceInfo& device() const { return context_->device(); }
  const DirectOpenclSettings& asked() const { return asked_; }
  device::Scalar real(double value) const { return {value, asked_.precision == Precision::f64}; }
  device::Scalar eps2() const { return real(asked_.softening * asked_.softening); }
  bool softened() const { return asked_.softening > 0; }
  const KernelFolder& kernel_folder() const { return folder_; }

  // Precision, law and roots; sizes are the schedule's.
  device::Defines defines(bool potential) const;
  // A file of kernels/ with these, and with the radial law where it includes newton's.
  device::Program program(const std::string& file, const device::Defines& defines) const;

  // Room for `parts` more behind those that are there.
  void reserve(PartialSums& sums, int parts) const;

 private:
  device::Context* context_;
  DirectOpenclSettings asked_;
  KernelFolder folder_;
};

// Every target adds all sources by itself: naive, packed3, float4, tiled, unrolled, rows, wide.
class OneSided {
 public:
  OneSided(const Settings& settings, std::string variant, DirectSizes sizes);
  void add(const Bodies& sources, const Bodies& targets, const FieldView& field, int own_offset);

 private:
  using Direct = device::Kernel<device::Buffer, int, int, device::Buffer, int, int, int,
                                device::Scalar, device::Buffer, int, int>;
  using DirectPacked = device::Kernel<device::Buffer, device::Buffer, int, int, device::Buffer, int,
                                      int, int, device::Scalar, device::Buffer, int, int>;
  struct Kernels {
    bool built = false;
    Direct direct;
    DirectPacked packed;
  };
  void build(Kernels& kernels, bool potential);
  void pack(const Bodies& sources);

  const Settings& settings_;
  std::string variant_;
  DirectSizes sizes_;
  std::array<Kernels, 2> kernels_;  // without potential and with it
  device::Kernel<device::Buffer, device::Buffer, device::Buffer> pack_;
  device::Buffer packed_places_, packed_strengths_;
};

// Field and jerk together.
class WithJerk {
 public:
  explicit WithJerk(const Settings& settings) : settings_(settings) {}
  void add(const Bodies& sources, const Bodies& targets, const FieldView& field, int own_offset);

 private:
  using Kernel =
      device::Kernel<device::Buffer, device::Buffer, int, int, device::Buffer, device::Buffer, int,
                     int, int, device::Scalar, device::Buffer, device::Buffer, int, int>;
  const Settings& settings_;
  std::array<Kernel, 2> kernels_;
};

// Each pair of a set once.
class Symmetric {
 public:
  Symmetric(const Settings& settings, DirectSizes sizes);
  void add(const Bodies& bodies, const FieldView& field);

 private:
  struct Kernels {
    bool built = false;
    device::Kernel<device::Buffer, int, int, device::Scalar, device::Buffer> meet;
    device::Kernel<device::Buffer, int, int, int, device::Scalar, device::Buffer, int> gather;
  };
  void build(Kernels& kernels, bool potential) const;
  int teams_packed() const;  // crews a work-group

  const Settings& settings_;
  DirectSizes sizes_;
  bool equal_strengths_;
  std::array<Kernels, 2> kernels_;
  device::Buffer hop_sums_;
};

}  // namespace apsis::direct_opencl
