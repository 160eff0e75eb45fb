// SPDX-License-Identifier: MIT
// Lagrangian radii and profiles.
#include <apsis/measure/analysis_chart_parts.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace apsis {
namespace {

// Fewer are shown as points too, so that it is seen where the snapshots are.
constexpr std::size_t few_states = 30;
constexpr std::size_t most_names = 20;  // that find room beside the panels

std::string share_name(double share) { return fmt::format("{:.4g} %", 100 * share); }

// Of many names every k-th, so that the key does not leave the picture.
bool is_named(std::size_t k, std::size_t count) {
  return k % ((count + most_names - 1) / most_names) == 0;
}

// Where a step of a thousandth of the picture is passed, and at both ends.
Series cumulative(const Bodies& bodies, std::span<const analysis::AtDistance> sorted) {
  Series curve{.colour = 4};
  const bool massless = analysis::is_massless(bodies);
  double all = 0, within = 0, last_share = -1, last_radius = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) all += analysis::weight_of(bodies, massless, i);
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    const auto& [radius, number] = sorted[k];
    within += analysis::weight_of(bodies, massless, number);
    const double share = all > 0 ? within / all : 0;
    const bool last = k + 1 == sorted.size();
    if (!last && share - last_share < 1e-3 && radius < 1.01 * last_radius) continue;
    curve.x.push_back(radius), curve.y.push_back(share);
    last_share = share, last_radius = radius;
  }
  return curve;
}

// The radius within which half of the shell's volume lies.
double middle_of(const analysis::Shell& shell) {
  return std::cbrt((std::pow(shell.inner, 3) + std::pow(shell.outer, 3)) / 2);
}

std::string density_unit(const Units& units) {
  return units.mass_name.empty() ? "" : units.mass_name + "/" + units.length_name + "³";
}

}  // namespace

Chart lagrangian_chart(const ChartSubject& subject, const std::string& about,
                       std::span<const double> times, std::span<const double> shares,
                       const std::vector<std::vector<double>>& radii) {
  Chart chart = titled(subject, "Lagrangian radii about the " + about);
  Panel panel{.x = time_axis(subject), .y = length_axis(subject, "radius"), .series = {}};
  panel.y.logarithmic = true;
  for (std::size_t k = shares.size(); k-- > 0;) {  // names in the order of the curves
    Series series{.name = is_named(k, shares.size()) ? share_name(shares[k]) : "", .colour = k};
    if (times.size() <= few_states) series.look = Series::Look::lines_and_points;
    series.marker = 0;
    for (std::size_t row = 0; row < radii.size(); ++row) {
      series.x.push_back(times[row]), series.y.push_back(radii[row][k]);
    }
    panel.series.push_back(std::move(series));
  }
  chart.panels.push_back(std::move(panel));
  return chart;
}

Chart cumulative_mass_chart(const ChartSubject& subject, const std::string& about,
                            const Bodies& bodies, std::span<const analysis::AtDistance> sorted,
                            std::span<const double> shares, std::span<const double> radii) {
  Chart chart = titled(subject, "mass within a radius about the " + about);
  Panel panel{.x = length_axis(subject, "radius"),
              .y = {.label = "share of the mass", .low = 0, .high = 1.04},
              .series = {}};
  panel.x.logarithmic = true;
  panel.series.push_back(cumulative(bodies, sorted));
  for (std::size_t k = shares.size(); k-- > 0;) {
    const std::vector<double> x{radii[k], radii[k]};
    panel.series.push_back(
        {.x = x, .y = {0, shares[k]}, .dashed = true, .colour = k, .width = 1.5});
    Series mark{.x = {radii[k]}, .y = {shares[k]}, .look = Series::Look::points};
    mark.colour = k, mark.marker = 0;
    if (is_named(k, shares.size())) {
      mark.name = fmt::format("{}: {:.4g}", share_name(shares[k]), radii[k]);
    }
    panel.series.push_back(std::move(mark));
  }
  chart.panels.push_back(std::move(panel));
  return chart;
}

Chart profile_chart(const ChartSubject& subject, const std::string& about,
                    std::span<const analysis::Shell> shells) {
  Chart chart = titled(subject, "profile about the " + about);
  Axis radius = length_axis(subject, "radius");
  radius.logarithmic = true;
  Series density{.name = "density", .look = Series::Look::lines_and_points, .colour = 0};
  Series radial{.name = "σ along r", .look = Series::Look::lines_and_points, .colour = 0};
  Series tangential{.name = "σ across", .look = Series::Look::lines_and_points, .colour = 1};
  Series rotation{.name = "rotation", .look = Series::Look::lines_and_points, .colour = 2};
  density.marker = radial.marker = 0, tangential.marker = 1, rotation.marker = 2;
  for (const analysis::Shell& shell : shells) {
    const double r = middle_of(shell);
    density.x.push_back(r), density.y.push_back(shell.density);
    density.spread.push_back(shell.density_error);
    if (shell.bodies < 2) continue;  // one body has no dispersion
    // a dispersion of k values is good to a share 1/√(2k), that of two directions to 1/√(4k)
    const double noise = 1 / std::sqrt(2 * static_cast<double>(shell.bodies));
    radial.x.push_back(r), radial.y.push_back(shell.radial_dispersion);
    radial.spread.push_back(noise * shell.radial_dispersion);
    tangential.x.push_back(r), tangential.y.push_back(shell.tangential_dispersion);
    tangential.spread.push_back(noise / std::sqrt(2.0) * shell.tangential_dispersion);
    rotation.x.push_back(r), rotation.y.push_back(shell.rotation);
  }
  const auto low = std::ranges::min_element(density.x), high = std::ranges::max_element(density.x);
  if (low != density.x.end() && *low > 0) radius.low = 0.8 * *low, radius.high = 1.25 * *high;
  chart.panels.push_back(
      {radius,
       {.label = with_unit("density", density_unit(subject.units)), .logarithmic = true},
       {density},
       1.2});
  chart.panels.push_back({radius,
                          {.label = with_unit("speed", subject.units.velocity_name), .low = 0},
                          {radial, tangential, rotation}});
  return chart;
}

}  // namespace apsis
