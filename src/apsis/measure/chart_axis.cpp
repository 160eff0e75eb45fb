// SPDX-License-Identifier: MIT
#include <apsis/measure/chart_axis.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace apsis {
namespace {

constexpr std::size_t fewest_marks = 3, most_marks = 10;

bool is_within(double value, double low, double high) {
  return value >= low * (1 - 1e-12) && value <= high * (1 + 1e-12);
}

// These digits times every power of ten, or every few of them.
std::vector<double> digits_between(double low, double high, std::initializer_list<int> digits,
                                   int stride = 1) {
  const auto first = static_cast<int>(std::floor(std::log10(low)));
  const auto last = static_cast<int>(std::ceil(std::log10(high)));
  std::vector<double> values;
  for (int power = first; power <= last; ++power) {
    if (power % stride != 0) continue;
    for (const int digit : digits) {
      const double value = digit * std::pow(10.0, power);
      if (is_within(value, low, high)) values.push_back(value);
    }
  }
  return values;
}

// Evenly spaced, for less than an octave or so.
std::vector<double> steps_between(double low, double high) {
  const double rough = (high - low) / 4, power = std::pow(10.0, std::floor(std::log10(rough)));
  double step = power;
  for (const double factor : {2.0, 2.5, 5.0}) {
    if (factor * power <= rough) step = factor * power;
  }
  std::vector<double> values;
  for (double k = std::ceil(low / step); is_within(k * step, low, high); ++k) {
    values.push_back(k * step);
  }
  return values;
}

std::vector<double> labelled(double low, double high) {
  for (int stride = 1; stride < 400; ++stride) {
    auto powers = digits_between(low, high, {1}, stride);
    if (powers.size() < fewest_marks) break;
    if (powers.size() <= most_marks) return powers;
  }
  auto values = digits_between(low, high, {1, 3});
  if (values.size() < fewest_marks + 1) values = digits_between(low, high, {1, 2, 5});
  if (values.size() < fewest_marks + 1) values = digits_between(low, high, {1, 2, 3, 5, 7});
  return values.size() < fewest_marks + 1 ? steps_between(low, high) : values;
}

std::vector<double> finer(double low, double high) {
  const double decades = std::log10(high / low);
  if (decades < 5) return digits_between(low, high, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  if (decades < 10) return digits_between(low, high, {1, 2, 5});
  return decades < 60 ? digits_between(low, high, {1}) : std::vector<double>{};
}

}  // namespace

std::string compact_mark(double value) {
  if (value >= 0.01 && value < 1e4) return fmt::format("{:g}", value);
  const auto power = static_cast<int>(std::floor(std::log10(value) + 1e-9));
  return fmt::format("{:.4g}e{}", value / std::pow(10.0, power), power);
}

std::vector<Axis::Tick> logarithmic_ticks(double low, double high, std::string (*words)(double)) {
  std::vector<Axis::Tick> ticks;
  if (!(low > 0) || !(high > low) || !std::isfinite(high)) return ticks;
  for (const double value : labelled(low, high)) ticks.push_back({value, words(value)});
  const auto has_words = [&](double value) {
    return std::ranges::any_of(ticks, [&](const Axis::Tick& tick) {
      return !tick.minor && is_within(value, tick.at, tick.at);
    });
  };
  for (const double value : finer(low, high)) {
    if (!has_words(value)) ticks.push_back({value, "", true});
  }
  return ticks;
}

std::vector<Axis::Tick> linear_ticks(double low, double high) {
  std::vector<Axis::Tick> ticks;
  const double rough = (high - low) / 7;
  if (!(rough > 0) || !std::isfinite(rough)) return ticks;
  double step = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {2.0, 2.5, 2.0}) {  // 2, 5, 10 times a power of ten
    if (step < rough) step *= factor;
  }
  for (double k = std::ceil(low / step); k * step <= high; ++k) {
    // of offsets as large as this more digits would be needed than find room
    ticks.push_back({k * step, fmt::format("{:.6g}", k == 0 ? 0 : k * step)});
  }
  return ticks;
}

DataRange positive_range(const std::vector<Series>& series, std::vector<double> Series::*along) {
  DataRange range;
  const auto take = [&](double value) {
    if (!(value > 0) || !std::isfinite(value)) return;
    range.low = range.high > 0 ? std::min(range.low, value) : value;
    range.high = std::max(range.high, value);
  };
  for (const Series& one : series) {
    const std::vector<double>& values = one.*along;
    const bool barred = along == &Series::y && one.spread.size() == values.size();
    for (std::size_t i = 0; i < values.size(); ++i) {
      take(values[i]);
      if (!barred || !std::isfinite(one.spread[i])) continue;
      // a bar down to zero has no end on such an axis
      take(std::max(values[i] - one.spread[i], 0.1 * values[i]));
      take(values[i] + one.spread[i]);
    }
  }
  return range;
}

Axis completed(const Axis& axis, const std::vector<Series>& series,
               std::vector<double> Series::*along) {
  if (!axis.logarithmic || !axis.ticks.empty() || !axis.names.empty()) return axis;
  const DataRange range = positive_range(series, along);
  Axis full = axis;
  // room for the outermost points
  if (!full.low && range.high > 0) full.low = 0.8 * range.low;
  if (!full.high && range.high > 0) full.high = 1.25 * range.high;
  if (full.low && full.high) full.ticks = logarithmic_ticks(*full.low, *full.high, compact_mark);
  return full;
}

}  // namespace apsis
