// SPDX-License-Identifier: MIT
// The force error of a field on the device, sampled: direct summation for a thousand bodies that a
// choice is made on, and for four thousand others that confirm it.
#pragma once

#include <apsis/solvers/fmm/fmm_opencl_passes.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace apsis::fmm_opencl {

struct SampledError {
  double p99 = 0;              // 99 % of the sampled bodies have a smaller one
  double beyond_rounding = 0;  // the same without what rounding of large forces explains
};

// Bodies by their numbers, with their fields by direct summation.
struct FieldSample {
  std::vector<std::int32_t> numbers;
  std::vector<std::array<double, 4>> expected;
  double typical = 0;      // root mean square of the field
  bool confident = false;  // some bodies of many, and none that a choice was made on
};

class SampledCheck {
 public:
  // Waits for the direct sums.
  SampledCheck(const PassSettings& settings, const BodiesView<Device>& bodies);

  // Of `field` (its last part): on the bodies that a choice is made on, or, where it serves there
  // and others do not confirm that, what they say. Waits.
  SampledError error(const PartialSums& field, double wish);
  // The tolerance to try next for a wished accuracy, where one gave an error; nothing where the
  // error is as near below the wish as sampling can tell.
  std::optional<double> next_tolerance(double tolerance, double error, double wish) const;
  bool serves(double error, double wish) const { return promise(error) <= wish; }
  // The wish that such an error would serve.
  double promise(double error) const;

 private:
  using Four = std::array<double, 4>;
  FieldSample sample(const BodiesView<Device>& bodies, std::vector<std::int32_t> numbers);
  std::vector<Four> sampled(const device::Buffer& from, const std::vector<std::int32_t>& numbers);
  SampledError error(const PartialSums& field, const FieldSample& sample);

  const PassSettings& settings_;
  device::Kernel<device::Buffer, device::Buffer, int, device::Buffer> sample_;
  std::unique_ptr<Solver<Device>> direct_;
  device::Buffer numbers_, samples_;
  FieldSample chosen_on_, others_;
};

}  // namespace apsis::fmm_opencl
