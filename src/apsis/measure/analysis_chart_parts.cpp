// SPDX-License-Identifier: MIT
#include <apsis/core/counted.hpp>
#include <apsis/core/printable.hpp>
#include <apsis/measure/analysis_chart_parts.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace apsis {
namespace {

constexpr const char* axis_names = "xyz";

// The end of a long name says more than its beginning. Bytes of one letter stay together.
std::string shortened(const std::string& name) {
  constexpr std::size_t longest = 60;
  if (name.size() <= longest) return name;
  std::size_t begin = name.size() - longest;
  while (begin < name.size() && (static_cast<unsigned char>(name[begin]) & 0xC0) == 0x80) ++begin;
  return "…" + name.substr(begin);
}

std::string bodies_of(const ChartSubject& subject) {
  if (subject.fewest_bodies == subject.most_bodies) return counted(subject.most_bodies, "body");
  return fmt::format("{} to {}", subject.fewest_bodies, counted(subject.most_bodies, "body"));
}

std::string time_of(const ChartSubject& subject) {
  const std::string& name = subject.units.time_name;
  const std::string unit = name.empty() ? "" : fmt::format(" {}", name.substr(0, name.find(" = ")));
  if (subject.states == 1) return fmt::format("time {:.6g}{}", subject.end, unit);
  return fmt::format("time {:.6g} to {:.6g}{} in {}", subject.begin, subject.end, unit,
                     counted(subject.states, "snapshot"));
}

}  // namespace

void ChartSubject::add(std::size_t bodies, double time) {
  const bool first = states == 0;
  fewest_bodies = first ? bodies : std::min(fewest_bodies, bodies);
  most_bodies = std::max(most_bodies, bodies);
  if (first) begin = time;
  end = time;
  ++states;
}

Chart titled(const ChartSubject& subject, const std::string& title) {
  Chart chart;
  chart.title = shortened(printable(subject.file)) + ": " + title;
  chart.subtitle =
      fmt::format("{} · {} · units: {}{}", bodies_of(subject), time_of(subject),
                  printable(subject.units.name), subject.units_assumed ? " (assumed)" : "");
  chart.height = 720;
  return chart;
}

std::string with_unit(const std::string& quantity, const std::string& unit) {
  return unit.empty() ? quantity : fmt::format("{} [{}]", quantity, unit);
}

Axis length_axis(const ChartSubject& subject, const std::string& quantity) {
  return {.label = with_unit(quantity, subject.units.length_name)};
}

Axis time_axis(const ChartSubject& subject) {
  Axis axis{.label = with_unit("time", subject.units.time_name)};
  if (subject.end > subject.begin) axis.low = subject.begin, axis.high = subject.end;
  return axis;
}

std::vector<std::size_t> every_kth(std::size_t count, std::size_t most) {
  std::vector<std::size_t> numbers;
  const std::size_t step = std::max<std::size_t>(1, (count + most - 1) / most);
  for (std::size_t i = 0; i < count; i += step) numbers.push_back(i);
  return numbers;
}

std::vector<std::size_t> some_of(std::span<const std::size_t> numbers, std::size_t most) {
  std::vector<std::size_t> some = every_kth(numbers.size(), most);
  for (std::size_t& k : some) k = numbers[k];
  return some;
}

Window window_of(std::vector<double> values) {
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  if (values.empty()) return {};
  const std::size_t outermost = values.size() / 100;
  const auto at = [&](std::size_t k) {
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(k);
    std::ranges::nth_element(values, place);
    return *place;
  };
  const double low = at(outermost), high = at(values.size() - 1 - outermost);
  const double margin = 0.08 * (high - low);
  // in one place: as far about it as its own size, or 1
  const double least = low == 0 ? 1 : std::abs(low) * 0.1;
  return high > low ? Window{low - margin, high + margin} : Window{low - least, high + least};
}

void set(Axis& axis, Window window) { axis.low = window.low, axis.high = window.high; }

double component(Vec3 v, std::size_t k) { return k == 0 ? v.x : k == 1 ? v.y : v.z; }

Panel projection(const ChartSubject& subject, Side side) {
  Panel panel;
  panel.x = length_axis(subject, std::string(1, axis_names[side[0]]));
  panel.y = length_axis(subject, std::string(1, axis_names[side[1]]));
  set(panel.x, {}), set(panel.y, {});
  panel.equal_scale = true;
  return panel;
}

void set_window(Panel& panel, const Bodies& bodies, Side side) {
  const auto along = [&](std::size_t k) {
    const auto values = bodies.positions.component(k);
    return window_of({values.begin(), values.end()});
  };
  set(panel.x, along(side[0])), set(panel.y, along(side[1]));
}

Series dots(const Bodies& bodies, std::span<const std::size_t> numbers, Side side) {
  Series series{.look = Series::Look::dots};
  for (const std::size_t i : numbers) {
    const Vec3 place = bodies.position(i);
    series.x.push_back(component(place, side[0]));
    series.y.push_back(component(place, side[1]));
  }
  return series;
}

}  // namespace apsis
