// SPDX-License-Identifier: MIT
#include <apsis/measure/timing.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace apsis {

double Timings::min() const {
  return seconds.empty() ? 0 : *std::min_element(seconds.begin(), seconds.end());
}

double Timings::max() const {
  return seconds.empty() ? 0 : *std::max_element(seconds.begin(), seconds.end());
}

double Timings::median() const {
  if (seconds.empty()) return 0;
  std::vector<double> sorted = seconds;
  std::sort(sorted.begin(), sorted.end());
  const std::size_t n = sorted.size();
  return 0.5 * (sorted[(n - 1) / 2] + sorted[n / 2]);
}

double Timings::mean() const {
  if (seconds.empty()) return 0;
  return std::accumulate(seconds.begin(), seconds.end(), 0.0) / static_cast<double>(seconds.size());
}

double Timings::deviation() const {
  if (seconds.size() < 2) return 0;
  const double average = mean();
  double sum = 0;
  for (const double s : seconds) sum += (s - average) * (s - average);
  return std::sqrt(sum / static_cast<double>(seconds.size() - 1));
}

}  // namespace apsis
