// SPDX-License-Identifier: MIT
// The force error of a field on the device, sampled: direct summation for a thousand bodies.
#pragma once

#include <apsis/solvers/fmm/fmm_opencl_passes.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace apsis::fmm_opencl {

struct SampledError {
  double p99 = 0;              // 99 % of the sampled bodies have a smaller one
  double beyond_rounding = 0;  // the same without what rounding of large forces explains
};

class SampledCheck {
 public:
  explicit SampledCheck(const PassSettings& settings);

  // Of `field` (its last part). Waits.
  SampledError error(const BodiesView<Device>& bodies, const PartialSums& field);
  // The tolerance to try next for a wished accuracy, where one gave an error; nothing where the
  // error is as near below the wish as sampling can tell.
  std::optional<double> next_tolerance(double tolerance, double error, double wish) const;
  bool serves(double error, double wish) const { return promise(error) <= wish; }
  // The wish that such an error would serve.
  double promise(double error) const;

 private:
  using Four = std::array<double, 4>;
  std::vector<Four> sampled(const device::Buffer& from, std::size_t count, std::size_t samples);

  const PassSettings& settings_;
  device::Kernel<device::Buffer, int, int, device::Buffer> sample_;
  std::unique_ptr<Solver<Device>> direct_;
  device::Buffer samples_;
};

}  // namespace apsis::fmm_opencl
