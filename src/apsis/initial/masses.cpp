// SPDX-License-Identifier: MIT
// Salpeter (1955): dN/dm ∝ m^-2.35. Kroupa (2001): m^-0.3, m^-1.3, m^-2.3 with breaks at 0.08 and
// 0.5 solar masses. Only ratios matter: the sum is scaled to the model's mass.
#include <apsis/core/error.hpp>
#include <apsis/core/parallel.hpp>
#include <apsis/core/random.hpp>
#include <apsis/initial/masses.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace apsis::initial {
namespace {

// ∫ m^-slope dm; slopes here are never 1.
double power_law_count(double slope, double low, double high) {
  return (std::pow(high, 1 - slope) - std::pow(low, 1 - slope)) / (1 - slope);
}

struct Segment {
  double low, high, slope, count;
};

std::vector<Segment> kroupa_segments(double low, double high) {
  constexpr std::array<double, 4> breaks{0, 0.08, 0.5, 1e300};
  constexpr std::array<double, 3> slopes{0.3, 1.3, 2.3};
  // factors that make the pieces meet at the breaks
  const std::array<double, 3> factors{1, 0.08, 0.08 * 0.5};
  std::vector<Segment> segments;
  for (std::size_t k = 0; k < slopes.size(); ++k) {
    const double from = std::max(low, breaks[k]);
    const double to = std::min(high, breaks[k + 1]);
    if (from < to) {
      segments.push_back({from, to, slopes[k], factors[k] * power_law_count(slopes[k], from, to)});
    }
  }
  return segments;
}

double mass_from(const std::vector<Segment>& segments, BodyRandom random) {
  double total = 0;
  for (const auto& segment : segments) total += segment.count;
  double left = total * random.uniform();
  std::size_t k = 0;
  while (k + 1 < segments.size() && left > segments[k].count) left -= segments[k++].count;
  return power_law_mass(random.uniform(), segments[k].slope, segments[k].low, segments[k].high);
}

}  // namespace

std::vector<ModelOption> mass_options() {
  return {
      word_option("masses", {"equal", "salpeter", "kroupa"}, "how mass is shared among the bodies"),
      number_option("mass_min", 0.1, 1e-3, 1e3,
                    "lightest body of a mass spectrum (solar masses; only ratios matter)"),
      number_option("mass_max", 20, 1e-3, 1e3, "heaviest body of a mass spectrum")};
}

double power_law_mass(double u, double slope, double low, double high) {
  const double a = std::pow(low, 1 - slope);
  const double b = std::pow(high, 1 - slope);
  return std::pow(a + u * (b - a), 1 / (1 - slope));
}

void share_mass(const ModelInput& input, double total, Bodies& bodies) {
  const std::size_t n = bodies.size();
  if (n == 0) return;
  if (input.word("masses") == "equal") {
    std::fill(bodies.mass.begin(), bodies.mass.end(), total / static_cast<double>(n));
    return;
  }
  const double low = input.number("mass_min");
  const double high = input.number("mass_max");
  if (!(low < high)) {
    throw bad_data(fmt::format("mass_min {} is not below mass_max {}", low, high),
                   "a mass spectrum needs mass_min < mass_max; or choose masses = \"equal\"");
  }
  const auto segments = input.word("masses") == "kroupa"
                            ? kroupa_segments(low, high)
                            : std::vector<Segment>{{low, high, 2.35, 1}};
  const int threads = thread_count(0);
  parallel_for(n, threads, [&](std::size_t i) {
    bodies.mass[i] = mass_from(segments, BodyRandom(input.seed, i, mass_stream));
  });
  const double sum = ordered_sum<double>(n, threads, [&](std::size_t i) { return bodies.mass[i]; });
  for (double& mass : bodies.mass) mass *= total / sum;
}

}  // namespace apsis::initial
