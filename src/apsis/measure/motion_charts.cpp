// SPDX-License-Identifier: MIT
// Where a system is, how it moves, and what of it is bound.
#include <apsis/core/counted.hpp>
#include <apsis/measure/analysis_chart_parts.hpp>
#include <apsis/measure/chart_axis.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace apsis {
namespace {

constexpr std::size_t few_states = 30;

Series::Look look_of(std::size_t states) {
  return states <= few_states ? Series::Look::lines_and_points : Series::Look::lines;
}

Panel path_panel(const ChartSubject& subject, std::span<const analysis::DensityCentre> centres) {
  Panel panel = projection(subject, {0, 1});
  Series path{.name = "path", .look = look_of(centres.size()), .colour = 0, .marker = 0};
  for (const auto& [centre, core, density] : centres) {
    path.x.push_back(centre.position.x), path.y.push_back(centre.position.y);
  }
  set(panel.x, window_of(path.x)), set(panel.y, window_of(path.y));
  if (!path.x.empty()) {
    const Series::Look points = Series::Look::points;
    const Series begin{.name = "begin",
                       .x = {path.x.front()},
                       .y = {path.y.front()},
                       .look = points,
                       .colour = 2,
                       .marker = 1};
    const Series end{.name = "end",
                     .x = {path.x.back()},
                     .y = {path.y.back()},
                     .look = points,
                     .colour = 1,
                     .marker = 2};
    panel.series = {path, begin, end};
  }
  return panel;
}

// Of the bodies that the panel shows as many as can be told apart.
void add_dots(Panel& panel, const Bodies& bodies) {
  std::vector<std::size_t> inside;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Vec3 place = bodies.position(i);
    // what the scale makes wider than it is high is filled, too
    const double x = (place.x - *panel.x.low) / (*panel.x.high - *panel.x.low);
    const double y = (place.y - *panel.y.low) / (*panel.y.high - *panel.y.low);
    if (std::abs(x - 0.5) < 1 && std::abs(y - 0.5) < 1) inside.push_back(i);
  }
  Series series = dots(bodies, some_of(inside), {0, 1});
  series.name = "bodies", series.colour = 6;
  panel.series.push_back(std::move(series));
}

// Steps of a histogram over so many bins.
Series histogram(std::span<const double> values, double low, double high) {
  constexpr std::size_t bins = 60;
  std::vector<double> counts(bins);
  const double width = (high - low) / bins;
  for (const double value : values) {
    if (value >= low && value < high) {
      counts[std::min(static_cast<std::size_t>((value - low) / width), bins - 1)] += 1;
    }
  }
  Series steps;
  for (std::size_t k = 0; k < bins; ++k) {
    const double begin = low + width * static_cast<double>(k);
    steps.x.insert(steps.x.end(), {begin, begin + width});
    steps.y.insert(steps.y.end(), {counts[k], counts[k]});
  }
  return steps;
}

std::string energy_unit(const Units& units, bool per_mass) {
  if (units.velocity_name.empty()) return "";
  const std::string square = "(" + units.velocity_name + ")²";
  return per_mass ? square : units.mass_name + " " + square;
}

}  // namespace

Chart centre_path_chart(const ChartSubject& subject, const std::string& about,
                        std::span<const double> times,
                        std::span<const analysis::DensityCentre> centres) {
  Chart chart = titled(subject, "path of the " + about);
  chart.side_by_side = true;
  const bool has_core = std::ranges::any_of(
      centres, [](const analysis::DensityCentre& one) { return one.core_radius > 0; });
  Panel second{
      .x = time_axis(subject),
      .y = length_axis(subject, has_core ? "core radius" : "distance from its first place"),
      .series = {}};
  second.y.low = 0;
  Series series{.name = has_core ? "core radius" : "distance", .look = look_of(times.size())};
  series.colour = 3, series.marker = 0;
  for (std::size_t k = 0; k < centres.size(); ++k) {
    const Vec3 way = centres[k].centre.position - centres.front().centre.position;
    series.x.push_back(times[k]);
    series.y.push_back(has_core ? centres[k].core_radius : norm(way));
  }
  if (std::ranges::all_of(series.y, [](double y) { return y == 0; })) second.y.high = 1;
  second.series.push_back(std::move(series));
  chart.panels = {path_panel(subject, centres), std::move(second)};
  return chart;
}

Chart centre_chart(const ChartSubject& subject, const Bodies& bodies,
                   std::span<const NamedPlace> places, double core_radius) {
  Chart chart = titled(subject, "centres");
  chart.side_by_side = true;
  Panel all = projection(subject, {0, 1});
  if (!bodies.empty()) set_window(all, bodies, {0, 1});
  Panel near = all;
  if (!places.empty()) {  // all centres and the core
    const Vec3 middle = places.front().place;
    double half = core_radius;
    for (const NamedPlace& one : places) half = std::max(half, norm(one.place - middle));
    half = half > 0 ? 1.4 * half : (*all.x.high - *all.x.low) / 20;
    set(near.x, {middle.x - half, middle.x + half});
    set(near.y, {middle.y - half, middle.y + half});
  }
  for (Panel* panel : {&all, &near}) {
    add_dots(*panel, bodies);
    if (core_radius > 0) {
      Series core{.name = "core radius", .look = Series::Look::circles, .colour = 1};
      core.x = {places.front().place.x}, core.y = {places.front().place.y};
      core.radius = {core_radius};
      panel->series.push_back(std::move(core));
    }
    for (std::size_t k = 0; k < places.size(); ++k) {
      Series mark{.name = places[k].name, .look = Series::Look::points};
      mark.colour = k == 0 ? 1 : k == 1 ? 10 : 11;
      mark.marker = k == 0 ? 1 : k + 2;
      mark.x = {places[k].place.x}, mark.y = {places[k].place.y};
      panel->series.push_back(std::move(mark));
    }
  }
  chart.panels = {std::move(all), std::move(near)};
  return chart;
}

Chart bound_history_chart(const ChartSubject& subject, std::span<const BoundAt> rows) {
  Chart chart = titled(subject, "what is bound");
  const Series::Look look = look_of(rows.size());
  Series share{.name = "bound", .look = look, .colour = 2, .marker = 0};
  Series kinetic{.name = "kinetic", .look = look, .colour = 0, .marker = 0};
  Series potential{.name = "potential", .look = look, .colour = 1, .marker = 0};
  Series total{.name = "total", .look = look, .colour = 11, .marker = 0};
  for (const BoundAt& row : rows) {
    for (Series* one : {&share, &kinetic, &potential, &total}) one->x.push_back(row.time);
    share.y.push_back(row.share_of_mass);
    kinetic.y.push_back(row.kinetic);
    potential.y.push_back(row.potential);
    total.y.push_back(row.kinetic + row.potential);
  }
  const Axis time = time_axis(subject);
  chart.panels.push_back(
      {time, {.label = "share of the mass", .low = 0, .high = 1.05}, {share}, 0.8});
  chart.panels.push_back(
      {time,
       {.label = with_unit("energy of the bound part", energy_unit(subject.units, false))},
       {kinetic, potential, total}});
  return chart;
}

Chart binding_chart(const ChartSubject& subject, const Bodies& bodies,
                    const analysis::BoundPart& part) {
  const std::vector<double>& energies = part.energies;
  Chart chart = titled(
      subject, part.bodies == bodies.size()
                   ? "all bodies are bound"
                   : fmt::format("{} of {} bound", part.bodies, counted(bodies.size(), "body")));
  chart.side_by_side = true;
  const Axis energy{
      .label = with_unit("energy for each unit of mass", energy_unit(subject.units, true))};
  Panel places{.x = length_axis(subject, "distance from the bound part's centre"),
               .y = energy,
               .series = {}};
  Panel numbers{.x = energy, .y = {.label = "bodies", .low = 0}, .series = {}};
  places.x.logarithmic = true;
  std::vector<double> held, free;
  for (std::size_t i = 0; i < energies.size(); ++i) {
    (part.is_bound[i] != 0 ? held : free).push_back(energies[i]);
  }
  Window window = window_of({energies.begin(), energies.end()});
  // the zero that divides is to be seen, and what is bound is no thin line below the fast ones
  if (!held.empty()) window.low = window_of(held).low;
  window.low = std::min(window.low, 0.0);
  window.high = std::max(window.high, -0.05 * window.low);
  if (!held.empty()) window.high = std::min(window.high, -2 * window.low);
  const auto above = std::ranges::count_if(energies, [&](double e) { return e > window.high; });
  if (above > 0) chart.subtitle += fmt::format(" · {} above the picture", counted(above, "body"));
  set(places.y, window), set(numbers.x, window);
  for (const bool bound : {true, false}) {
    Series one{.name = bound ? "bound" : "not bound", .look = Series::Look::dots};
    one.colour = bound ? 0 : 1;
    for (const std::size_t i : every_kth(bodies.size())) {
      if ((part.is_bound[i] != 0) != bound) continue;
      one.x.push_back(norm(bodies.position(i) - part.position));
      one.y.push_back(energies[i]);
    }
    Series steps = histogram(bound ? held : free, window.low, window.high);
    steps.name = one.name, steps.colour = one.colour;
    if (!one.x.empty()) {
      places.series.push_back(std::move(one));
      numbers.series.push_back(std::move(steps));
    }
  }
  if (!places.series.empty()) {
    const DataRange radii = positive_range(places.series, &Series::x);
    if (radii.high > 0) {
      places.x.low = 0.8 * radii.low, places.x.high = 1.25 * radii.high;
      places.series.push_back({.x = {*places.x.low, *places.x.high},
                               .y = {0, 0},
                               .dashed = true,
                               .colour = 11,
                               .width = 1.5});
    }
  }
  chart.panels = {std::move(places), std::move(numbers)};
  return chart;
}

}  // namespace apsis
