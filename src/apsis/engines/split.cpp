// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/engines/split.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

namespace apsis {
namespace {

// Shares that are whole vectors and work-groups leave no lane idle; few bodies can't be choosy.
constexpr std::size_t granule = 64, coarse_from = 4096;
constexpr double least_share = 0.01;  // of an equal one
constexpr double least_time = 1e-15;  // of a body, where it takes none

// Boundaries at whole granules where there are many.
Shares rounded_shares(std::size_t bodies, const std::vector<double>& fractions) {
  const std::size_t unit = bodies >= coarse_from ? granule : 1;
  Shares shares;
  std::size_t given = 0;
  double sum = 0;
  for (const double fraction : fractions) {
    sum += fraction;
    const double until = std::round(sum * static_cast<double>(bodies) / static_cast<double>(unit));
    const std::size_t end =
        fraction == 0 ? given : std::clamp(static_cast<std::size_t>(until) * unit, given, bodies);
    shares.push_back(end - given);
    given = end;
  }
  // rounding leaves what is left to the last that works at all
  for (std::size_t i = shares.size(); i-- > 0;) {
    if (fractions[i] == 0) continue;
    shares[i] += bodies - given;
    break;
  }
  return shares;
}

}  // namespace

Shares even_shares(std::size_t bodies, std::size_t devices) {
  return rounded_shares(bodies, std::vector<double>(devices, 1.0 / static_cast<double>(devices)));
}

DeviceSpeed speed_from(std::size_t few, double seconds_few, std::size_t many, double seconds_many) {
  const double whole = seconds_many / static_cast<double>(std::max<std::size_t>(1, many));
  if (many <= few) return {0, whole};
  const double per_body = (seconds_many - seconds_few) / static_cast<double>(many - few);
  // a clock that ran backwards, or a device that had other things to do
  if (per_body <= 0) return {0, whole};
  return {std::max(0.0, seconds_few - per_body * static_cast<double>(few)), per_body};
}

Shares shares_by_speed(std::size_t bodies, std::span<const DeviceSpeed> measured) {
  std::vector<DeviceSpeed> speeds(measured.begin(), measured.end());
  for (DeviceSpeed& speed : speeds) speed.per_body = std::max(speed.per_body, least_time);
  std::vector<double> fractions(speeds.size(), 0.0);
  std::vector<bool> works(speeds.size(), true);
  const auto n = static_cast<double>(bodies);
  for (bool changed = true; changed;) {
    changed = false;
    // all end at `end`: n = Σ (end - fixed) / per_body
    double rate = 0, late = n;
    for (std::size_t i = 0; i < speeds.size(); ++i) {
      if (!works[i]) continue;
      rate += 1 / speeds[i].per_body;
      late += speeds[i].fixed / speeds[i].per_body;
    }
    const double end = late / rate;
    const auto working = static_cast<double>(std::count(works.begin(), works.end(), true));
    for (std::size_t i = 0; i < speeds.size(); ++i) {
      fractions[i] =
          works[i] && n > 0 ? std::max(0.0, (end - speeds[i].fixed) / speeds[i].per_body / n) : 0;
      if (!works[i] || working <= 1 || fractions[i] * working >= least_share) continue;
      works[i] = false, changed = true;
      break;
    }
  }
  if (bodies == 0) return Shares(speeds.size(), 0);
  const double sum = std::accumulate(fractions.begin(), fractions.end(), 0.0);
  for (double& fraction : fractions) fraction /= sum;
  return rounded_shares(bodies, fractions);
}

std::string to_string(const Shares& shares) { return fmt::format("{}", fmt::join(shares, " ")); }

Shares shares_from(const std::string& text, std::size_t bodies, std::size_t devices) {
  Shares shares;
  bool good = true;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    std::size_t share = 0;
    const char* last = text.data() + end;
    good = good && std::from_chars(text.data() + begin, last, share).ptr == last && share <= bodies;
    shares.push_back(share);
    begin = end + 1;
  }
  const std::size_t sum = std::accumulate(shares.begin(), shares.end(), std::size_t{0});
  if (good && shares.size() == devices && sum == bodies) return shares;
  throw bad_data(
      fmt::format("split '{}' is not one of {} bodies over {} devices", text, bodies, devices),
      "leave resolved.split out, and it is measured again");
}

}  // namespace apsis
