// SPDX-License-Identifier: MIT
// From a wished accuracy to order, angle and tolerance.
#include <apsis/core/error.hpp>
#include <apsis/solvers/fmm/fmm_opencl.hpp>
#include <apsis/solvers/fmm/fmm_opencl_expansion.hpp>
#include <apsis/solvers/fmm/fmm_opencl_tree.hpp>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdio>
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

// Cells that act on bodies: a term of a moment is met so often that low orders are cheapest.
constexpr std::array tree_rungs{Rung{5e-4, 3, 0.4}, Rung{5e-5, 4, 0.4}, Rung{2e-5, 5, 0.4},
                                Rung{0, 6, 0.4}};

template <std::size_t size>
const Rung& rung_for(double accuracy, const std::array<Rung, size>& table) {
  std::size_t rung = 0;
  while (accuracy < table[rung].accuracy) ++rung;
  return table[rung];
}

void require_reachable(const FmmOpenclSettings& settings) {
  const auto require = [](bool good, const std::string& what, const std::string& remedy) {
    if (!good) throw bad_data(what, remedy);
  };
  const FarFieldSettings& wish = settings.far_field;
  const std::string name = solver_name(settings.bodies_only);
  require(settings.precision != Precision::f64,
          name + " on OpenCL devices sums in float, not in f64",
          fmt::format("use precision f32 or mixed (accuracy down to {:g}), or solver direct",
                      best_accuracy));
  require(wish.accuracy >= best_accuracy,
          fmt::format("accuracy {:g} is beyond {} on OpenCL devices", wish.accuracy, name),
          fmt::format("{:g} can be reached; use solver direct for more", best_accuracy));
  require(!wish.order || (*wish.order >= lowest_order && *wish.order <= highest_order),
          fmt::format("order {} is beyond {} on OpenCL devices", wish.order.value_or(0), name),
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
  if (settings.chosen) return *settings.chosen;
  const FarFieldSettings& wish = settings.far_field;
  const Rung& rung =
      settings.bodies_only ? rung_for(wish.accuracy, tree_rungs) : rung_for(wish.accuracy, rungs);
  FmmOpenclChoice choice{.order = wish.order.value_or(rung.order),
                         .angle = usual_angle,
                         .tolerance = rung.tolerance * wish.accuracy,
                         .leaf = settings.leaf > 0 ? settings.leaf : 64};
  if (wish.opening_angle) {
    choice.angle = *wish.opening_angle;
    choice.tolerance = std::numeric_limits<double>::infinity();
  }
  if (settings.tolerance) choice.tolerance = *settings.tolerance;
  return choice;
}

// Every digit: a resumed run goes on with the same bits.
std::string text_of(const FmmOpenclChoice& choice) {
  const auto tolerance =
      std::isinf(choice.tolerance) ? "" : fmt::format(" tolerance={}", choice.tolerance);
  return fmt::format("order={} angle={}{} leaf={}", choice.order, choice.angle, tolerance,
                     choice.leaf);
}

FmmOpenclChoice fmm_opencl_choice_from(const std::string& text) {
  FmmOpenclChoice c;
  const char* const from = text.c_str();
  const bool bare =
      std::sscanf(from, "order=%d angle=%lf leaf=%d", &c.order, &c.angle, &c.leaf) == 3;
  if (bare) c.tolerance = std::numeric_limits<double>::infinity();
  const bool read = bare || std::sscanf(from, "order=%d angle=%lf tolerance=%lf leaf=%d", &c.order,
                                        &c.angle, &c.tolerance, &c.leaf) == 4;
  if (!read || c.order < lowest_order || c.order > highest_order || !(c.angle > 0) || c.angle > 1 ||
      !(c.tolerance > 0) || c.leaf < 1 || c.leaf > fmm_opencl::largest_leaf) {
    throw bad_data(fmt::format("'{}' is not a choice of fmm on OpenCL devices", text),
                   "write it as \"order=5 angle=0.8 tolerance=0.002 leaf=64\"");
  }
  return c;
}

}  // namespace apsis
