// SPDX-License-Identifier: MIT
#include <apsis/measure/energy_chart.hpp>

namespace apsis {

namespace {

// Few rows are points with a line, so that a single one is seen.
constexpr std::size_t few_rows = 12;

// The first wide, the last with gaps, which shows those below: curves may lie on each other, as
// kinetic and total energy do without forces.
std::vector<Series> energy_series(std::span<const EnergyRow> rows) {
  Series kinetic{.name = "kinetic", .colour = 0}, potential{.name = "potential", .colour = 1},
      total{.name = "total", .dashed = true, .colour = 11},
      lost{.name = "lost in contacts", .colour = 5},
      kept{.name = "total + lost", .dashed = true, .colour = 2};
  bool any_lost = false;
  for (const EnergyRow& row : rows) {
    const double energy = row.energies.total();
    kinetic.y.push_back(row.energies.kinetic);
    potential.y.push_back(row.energies.potential);
    total.y.push_back(energy);
    lost.y.push_back(row.lost);
    kept.y.push_back(energy + row.lost);
    any_lost = any_lost || row.lost != 0;
  }
  kinetic.width = 4, potential.width = 2;
  std::vector<Series> all{kinetic, potential, total};
  if (any_lost) all.insert(all.end(), {lost, kept});
  for (Series& series : all) {
    for (const EnergyRow& row : rows) series.x.push_back(row.time);
    if (rows.size() <= few_rows) series.look = Series::Look::lines_and_points;
  }
  return all;
}

Series error_series(std::span<const EnergyRow> rows) {
  Series error{.name = "error", .colour = 3};
  std::size_t above = 0;
  for (const EnergyRow& row : rows) {
    error.x.push_back(row.time);
    error.y.push_back(row.error);
    above += row.error > 0 ? 1 : 0;
  }
  if (above <= few_rows) error.look = Series::Look::lines_and_points;
  return error;
}

}  // namespace

Chart energy_chart(std::span<const EnergyRow> rows, const std::string& title,
                   const std::string& time_unit) {
  Axis time{.label = time_unit.empty() ? "time" : "time [" + time_unit + "]"};
  if (!rows.empty() && rows.back().time > rows.front().time) {
    time.low = rows.front().time;
    time.high = rows.back().time;
  }
  Chart chart;
  chart.title = title.empty() ? "Energy" : title + ": energy";
  chart.panels.push_back({time, {.label = "energy"}, energy_series(rows), 1.25});
  chart.panels.push_back(
      {time, {.label = "energy error", .logarithmic = true}, {error_series(rows)}});
  return chart;
}

}  // namespace apsis
