// SPDX-License-Identifier: MIT
// Fast multipoles on an OpenCL device: the tree is built, walked and summed there. Accuracy is an
// input; what it took is in chosen().
#pragma once

#include <apsis/core/choices.hpp>
#include <apsis/core/settings.hpp>
#include <apsis/device/context.hpp>
#include <apsis/solvers/device_views.hpp>
#include <apsis/solvers/solver_choice.hpp>

#include <memory>
#include <optional>
#include <string>

namespace apsis {

struct FmmOpenclSettings {
  // Barnes and Hut: cells act on bodies, never on cells. See tree/tree_opencl.hpp.
  bool bodies_only = false;
  FarFieldSettings far_field;
  double softening = 0;  // in the units of the state
  Precision precision = Precision::f32;
  // Strengths of both signs: their expansions have one more degree, and their fields cancel.
  bool signed_strengths = false;
  std::size_t bodies = 0;           // for the choice of sizes
  std::optional<double> tolerance;  // of the walk; empty: from the accuracy
  int leaf = 0;                     // bodies a leaf; 0: as is usually fastest
  // The first field of `bodies` bodies is checked by direct summation at a thousand of them, and
  // the tolerance follows from the error seen; without, it has a margin for the worst data known.
  bool calibrate = false;
  std::optional<FmmOpenclChoice> chosen;  // by an earlier run: taken as it is, nothing is measured
  std::optional<bool> warps;              // teams in lockstep; empty: where the device has them
};

inline std::string solver_name(bool bodies_only) { return bodies_only ? "tree" : "fmm"; }

// What a wish comes to. bad_data, naming what can be reached, where it is beyond the solver or the
// precision.
FmmOpenclChoice fmm_opencl_choice(const FmmOpenclSettings& settings);
// "order=5 angle=0.8 tolerance=0.002 leaf=64", and back; bad_data for other text.
std::string text_of(const FmmOpenclChoice& choice);
FmmOpenclChoice fmm_opencl_choice_from(const std::string& text);

// Gives the potential on request, no jerk. f32 and mixed precision.
std::unique_ptr<Solver<Device>> make_fmm_opencl(device::Context& context,
                                                const FmmOpenclSettings& settings);

}  // namespace apsis
