// SPDX-License-Identifier: MIT
#include <apsis/measure/energy_chart.hpp>

namespace apsis {

Chart energy_chart(std::span<const EnergyRow> rows, const std::string& title,
                   const std::string& time_unit) {
  Series kinetic{.name = "kinetic"}, potential{.name = "potential"}, total{.name = "total"};
  Series error{.name = "error"};
  for (const EnergyRow& row : rows) {
    for (Series* series : {&kinetic, &potential, &total, &error}) series->x.push_back(row.time);
    kinetic.y.push_back(row.energies.kinetic);
    potential.y.push_back(row.energies.potential);
    total.y.push_back(row.energies.total());
    error.y.push_back(row.error);
  }
  Axis time{.label = time_unit.empty() ? "time" : "time [" + time_unit + "]"};
  if (!rows.empty() && rows.back().time > rows.front().time) {
    time.low = rows.front().time;
    time.high = rows.back().time;
  }
  Chart chart;
  chart.title = title.empty() ? "Energy" : title + ": energy";
  chart.panels.push_back({time, {.label = "energy"}, {kinetic, potential, total}, 1.25});
  chart.panels.push_back({time, {.label = "|E - E0| / scale", .logarithmic = true}, {error}});
  return chart;
}

}  // namespace apsis
