// SPDX-License-Identifier: MIT
// Barnes and Hut on an OpenCL device: the tree, multipoles and near pairs of fast multipoles there,
// with cells that act on bodies only.
#pragma once

#include <apsis/solvers/fmm/fmm_opencl.hpp>

#include <memory>

namespace apsis {

// Gives the potential on request, no jerk. f32 and mixed precision.
std::unique_ptr<Solver<Device>> make_tree_opencl(device::Context& context,
                                                 FmmOpenclSettings settings);

}  // namespace apsis
