// SPDX-License-Identifier: MIT
// From a wished accuracy to order, angle and tolerance.
#include <apsis/core/error.hpp>
#include <apsis/solvers/fmm/fmm_opencl.hpp>
#include <apsis/solvers/fmm/fmm_opencl_expansion.hpp>
#include <apsis/solvers/fmm/fmm_opencl_tree.hpp>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

namespace apsis {
namespace {

using fmm_opencl::highest_order;
using fmm_opencl::lowest_order;

constexpr double best_accuracy = 1e-5;  // where rounding in float begins to show
constexpr double usual_angle = 0.8;

// Tolerance over the wished 99 % error. Errors are 0.3 to 0.5 of the tolerance for spheres and
// boxes and 1.2 to 2 for thin disks, the worst data known.
struct Rung {
  double accuracy;  // down to this one
  int order;
  double tolerance;
};
constexpr std::array rungs{Rung{5e-3, 3, 0.3}, Rung{2e-3, 4, 0.4}, Rung{3e-4, 5, 0.5},
                           Rung{5e-5, 6, 0.6}, Rung{2e-5, 7, 0.5}, Rung{0, 8, 0.5}};

void require_reachable(const FmmOpenclSettings& settings) {
  const auto require = [](bool good, const std::string& what, const std::string& remedy) {
    if (!good) throw bad_data(what, remedy);
  };
  const FarFieldOptions& wish = settings.far_field;
  require(settings.precision != Precision::f64, "fmm on OpenCL devices sums in float, not in f64",
          fmt::format("use precision f32 or mixed (accuracy down to {:g}), or solver direct",
                      best_accuracy));
  require(wish.accuracy >= best_accuracy,
          fmt::format("accuracy {:g} is beyond fmm on OpenCL devices", wish.accuracy),
          fmt::format("{:g} can be reached; use solver direct for more", best_accuracy));
  require(!wish.order || (*wish.order >= lowest_order && *wish.order <= highest_order),
          fmt::format("order {} is beyond fmm on OpenCL devices", wish.order.value_or(0)),
          fmt::format("give {} to {}", lowest_order, highest_order));
  require(!wish.opening_angle || (*wish.opening_angle > 0 && *wish.opening_angle <= 1),
          fmt::format("opening angle {:g} is not in (0, 1]", wish.opening_angle.value_or(0)),
          "give 0.3 (accurate) to 1 (fast)");
  require(settings.leaf >= 0 && settings.leaf <= fmm_opencl::largest_leaf,
          fmt::format("leaves of {} bodies", settings.leaf),
          fmt::format("give 1 to {}", fmm_opencl::largest_leaf));
}

}  // namespace

FmmOpenclChoice fmm_opencl_choice(const FmmOpenclSettings& settings) {
  require_reachable(settings);
  const FarFieldOptions& wish = settings.far_field;
  std::size_t rung = 0;
  while (wish.accuracy < rungs[rung].accuracy) ++rung;
  FmmOpenclChoice choice{.order = wish.order.value_or(rungs[rung].order),
                         .angle = usual_angle,
                         .tolerance = rungs[rung].tolerance * wish.accuracy,
                         .leaf = settings.leaf > 0 ? settings.leaf : 64};
  if (wish.opening_angle) {
    choice.angle = *wish.opening_angle;
    choice.tolerance = std::numeric_limits<double>::infinity();
  }
  if (settings.tolerance) choice.tolerance = *settings.tolerance;
  return choice;
}

std::string to_string(const FmmOpenclChoice& choice) {
  const auto tolerance =
      std::isinf(choice.tolerance) ? "" : fmt::format(" tolerance={:.3g}", choice.tolerance);
  return fmt::format("order={} angle={:g}{} leaf={}", choice.order, choice.angle, tolerance,
                     choice.leaf);
}

}  // namespace apsis
