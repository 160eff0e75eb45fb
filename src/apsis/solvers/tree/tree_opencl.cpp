// SPDX-License-Identifier: MIT
#include <apsis/solvers/tree/tree_opencl.hpp>

namespace apsis {

std::unique_ptr<Solver<Device>> make_tree_opencl(device::Context& context,
                                                 FmmOpenclSettings settings) {
  settings.bodies_only = true;
  return make_fmm_opencl(context, settings);
}

}  // namespace apsis
