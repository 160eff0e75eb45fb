// SPDX-License-Identifier: MIT
// The solver `bins` on an OpenCL device, where everything stays: contents of the bins, their
// centres, forces (kernels/bins_*.cl).
#pragma once

#include <apsis/core/choices.hpp>
#include <apsis/core/settings.hpp>
#include <apsis/solvers/bins/bins_variants.hpp>
#include <apsis/solvers/device_views.hpp>

#include <memory>

namespace apsis {

struct BinsOpenclSettings {
  BinsSettings bins;     // with a number of bins
  double softening = 0;  // in the state's lengths, like the box
  Precision precision = Precision::f32;
  bool signed_strengths = true;  // false: dipoles are zero and left out
  BinsSum sum = BinsSum::skipping;
  std::size_t targets_a_launch = 0;  // of a bin, where a work-item is one; 0: by the device
};

std::unique_ptr<Solver<Device>> make_bins_opencl(device::Context& context,
                                                 const BinsOpenclSettings& settings);

}  // namespace apsis
