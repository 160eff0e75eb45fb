// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/solvers/tree/far_kernels.hpp>
#include <apsis/solvers/tree/far_settings.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string_view>

namespace apsis {
namespace far {
namespace {

constexpr std::string_view careful_text = " sums=careful";

constexpr int least_order = 3;
// Beyond them nothing gets cheaper: spheres have to be apart, and one cell may err by the whole
// force.
constexpr double most_angle = 0.95, most_tolerance = 1;

struct Row {
  double accuracy = 0;
  FarFieldChoice choice;
};

// Cheapest settings found for Plummer spheres and cubes (docs/adr/0009-native-far-field.md).
constexpr std::array<Row, 4> fmm_rows{{
    {1e-2, {4, 0.95, 3e-3, 32, 96, true}},
    {1e-3, {5, 0.78, 3.5e-4, 32, 96, true}},
    {1e-4, {6, 0.70, 4e-5, 48, 128, false}},
    {1e-5, {7, 0.60, 2.5e-6, 48, 128, false}},
}};
constexpr std::array<Row, 4> tree_rows{{
    {1e-2, {3, 0.95, 3e-3, 32, 96, true}},
    {1e-3, {4, 0.85, 4e-4, 32, 96, true}},
    {1e-4, {5, 0.75, 5e-5, 48, 128, false}},
    {1e-5, {6, 0.65, 5e-6, 64, 128, false}},
}};

// Between two rows: the order of the nearer, the rest on a straight line of logarithms.
FarFieldChoice interpolated(const std::array<Row, 4>& rows, double accuracy) {
  if (accuracy >= rows.front().accuracy) return rows.front().choice;
  std::size_t r = 0;
  while (r + 2 < rows.size() && accuracy < rows[r + 1].accuracy) ++r;
  const Row &loose = rows[r], &tight = rows[r + 1];
  const double share =
      std::log(loose.accuracy / accuracy) / std::log(loose.accuracy / tight.accuracy);
  const auto between = [share](double a, double b) { return a * std::pow(b / a, share); };
  FarFieldChoice choice = share < 0.5 ? loose.choice : tight.choice;
  choice.angle = between(loose.choice.angle, tight.choice.angle);
  choice.tolerance = between(loose.choice.tolerance, tight.choice.tolerance);
  return choice;
}

std::string list_of_orders() {
  std::string text;
  for (const int order : orders()) text += fmt::format("{}{}", text.empty() ? "" : ", ", order);
  return text;
}

}  // namespace

FarFieldChoice choice_for(const FarFieldSettings& options, bool bodies_only,
                          const std::string& solver) {
  if (!(options.accuracy >= best_accuracy)) {
    throw bad_data(
        fmt::format("solver {} reaches a 99 % force error of {:g} on the cpu, not {:g}", solver,
                    best_accuracy, options.accuracy),
        fmt::format("set accuracy = {:g} or more, or solver = \"direct\"", best_accuracy));
  }
  FarFieldChoice choice = interpolated(bodies_only ? tree_rows : fmm_rows, options.accuracy);
  if (options.order) {
    const auto known = orders();
    if (std::find(known.begin(), known.end(), *options.order) == known.end()) {
      throw bad_data(
          fmt::format("solver {} has no expansions of order {} on the cpu", solver, *options.order),
          "choose one of " + list_of_orders());
    }
    choice.order = *options.order;
  }
  if (options.opening_angle) {
    // beyond 1 a cell could act on a body inside it
    if (!(*options.opening_angle > 0 && *options.opening_angle <= 1)) {
      throw bad_data(fmt::format("opening angle {:g} of solver {} is not between 0 and 1",
                                 *options.opening_angle, solver),
                     "choose about 0.5; smaller is more accurate and slower");
    }
    choice.angle = *options.opening_angle, choice.tolerance = 0;
  }
  return choice;
}

bool serves(double error, double accuracy) { return error <= 0.75 * accuracy; }

double unless_confirmed(double error, double of_others, double accuracy) {
  return serves(error, accuracy) && of_others > accuracy ? of_others : error;
}

Error beyond_reach(const std::string& solver, double error, double accuracy) {
  // two digits, rounded up, with room for bodies that were not looked at
  const double unit = std::pow(10.0, std::floor(std::log10(error)) - 1);
  const double reached = std::ceil(1.25 * error / unit) * unit;
  return bad_data(fmt::format("solver {} reaches a 99 % force error of {:.2g} on these bodies, not "
                              "{:g}",
                              solver, reached, accuracy),
                  fmt::format("set accuracy = {:.2g} or more, or solver = \"direct\"", reached));
}

FarFieldChoice adjusted(const FarFieldChoice& choice, double error, double accuracy) {
  if (is_cheapest(choice) && error < 0.45 * accuracy) return choice;
  const double aim = 0.62 * accuracy, ratio = aim / std::max(error, 1e-3 * accuracy);
  FarFieldChoice next = choice;
  if (!serves(error, accuracy)) {
    // where near pairs cancel, the rough root's 2e-4 of each is felt
    if (next.rough_roots && ratio < 0.5) {
      next.rough_roots = false;
      return next;
    }
    next.tolerance *= std::clamp(ratio, 0.1, 0.85);
    next.angle = std::max(0.3, next.angle * (ratio < 0.5 ? 0.9 : 0.97));
  } else if (error < 0.45 * accuracy) {
    // where the angle alone decides, a lower order is the next cheaper thing
    const bool loosest = choice.angle >= most_angle && choice.tolerance >= most_tolerance;
    if (loosest && ratio > 3) next.order = std::max(least_order, choice.order - 1);
    next.tolerance = std::min(most_tolerance, next.tolerance * std::min(ratio, 8.0));
    next.angle = std::min(most_angle, next.angle * (ratio > 3 ? 1.1 : 1.04));
  }
  return next;
}

}  // namespace far

bool is_cheapest(const FarFieldChoice& choice) {
  return choice.order == far::least_order && choice.angle >= far::most_angle &&
         choice.tolerance >= far::most_tolerance;
}

std::string text_of(const FarFieldChoice& c) {
  return fmt::format("order={} angle={} tolerance={} leaf={}/{} roots={}{}", c.order, c.angle,
                     c.tolerance, c.source_leaf, c.target_leaf, c.rough_roots ? "rough" : "full",
                     c.careful_sums ? far::careful_text : "");
}

FarFieldChoice far_field_choice(const std::string& text) {
  FarFieldChoice c;
  int used = 0;
  const int read =
      std::sscanf(text.c_str(), "order=%d angle=%lf tolerance=%lf leaf=%d/%d roots=%n", &c.order,
                  &c.angle, &c.tolerance, &c.source_leaf, &c.target_leaf, &used);
  std::string roots = used > 0 ? text.substr(static_cast<std::size_t>(used)) : "";
  c.careful_sums = roots.ends_with(far::careful_text);
  if (c.careful_sums) roots.erase(roots.size() - far::careful_text.size());
  c.rough_roots = roots == "rough";
  const auto known = far::orders();
  const bool sound = read == 5 && (c.rough_roots || roots == "full") &&
                     std::find(known.begin(), known.end(), c.order) != known.end() && c.angle > 0 &&
                     c.angle <= 1 && c.tolerance >= 0 && c.source_leaf > 0 && c.target_leaf > 0;
  if (!sound) {
    throw bad_data(fmt::format("'{}' is not a choice of a far-field solver", text),
                   "write it as \"order=5 angle=0.75 tolerance=0.0004 leaf=32/96 roots=rough\"");
  }
  return c;
}

}  // namespace apsis
