// SPDX-License-Identifier: MIT
// apsis bench --timeline: who works when, and who waits.
#include "timeline.hpp"

#include "picture.hpp"
#include "table.hpp"
#include "terminal.hpp"
#include <apsis/measure/timeline.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <vector>

namespace apsis::cli {
namespace {

void print_json(const StepTimeline& timeline) {
  nlohmann::ordered_json out = nlohmann::ordered_json::array();
  for (std::size_t d = 0; d < timeline.devices.size(); ++d) {
    nlohmann::ordered_json commands = nlohmann::ordered_json::array();
    for (const auto& entry : timeline.devices[d].entries) {
      commands.push_back({{"what", entry.what},
                          {"transfer", entry.transfer},
                          {"start", entry.start - timeline.begin()},
                          {"end", entry.end - timeline.begin()}});
    }
    const DeviceUse use = timeline.use()[d];
    out.push_back({{"device", use.device},
                   {"bodies", use.bodies},
                   {"steps", timeline.steps},
                   {"seconds", timeline.seconds()},
                   {"seconds_kernels", use.kernels},
                   {"seconds_transfers", use.transfers},
                   {"step_over_kernels", timeline.step_over_kernels()},
                   {"commands", commands}});
  }
  fmt::print("{}\n", out.dump(2));
}

void print_table(const StepTimeline& timeline) {
  Table table{{"device", "bodies", "kernels", "transfers", "no kernel", "name"}, {}};
  const auto uses = timeline.use();
  for (std::size_t d = 0; d < uses.size(); ++d) {
    const auto milliseconds = [](double seconds) {
      return fmt::format("{:.3f} ms", 1e3 * seconds);
    };
    table.rows.push_back({fmt::format("{}", d), fmt::format("{}", uses[d].bodies),
                          milliseconds(uses[d].kernels), milliseconds(uses[d].transfers),
                          fmt::format("{:.1f} %", 100 * uses[d].idle / timeline.seconds()),
                          uses[d].device});
  }
  fmt::print("{}{} steps in {:.3f} ms\n", aligned(table), timeline.steps, 1e3 * timeline.seconds());
  const auto& steps = timeline.measured;
  const std::vector<double> ratios = timeline.measured_ratios();
  for (std::size_t s = 0; s < static_cast<std::size_t>(timeline.steps); ++s) {
    fmt::print("step {}: {:.3f} ms, {:.3f} x the kernels of device {}, which has the most\n", s + 1,
               1e3 * steps[s].seconds, ratios[s], steps[s].device);
  }
  const auto [least, most] = std::ranges::minmax(ratios);
  fmt::print("over {} steps: {:.3f} x in the middle, {:.3f} to {:.3f}\n", ratios.size(),
             timeline.step_over_kernels(), least, most);
}

}  // namespace

void run_timeline(const BenchOptions& options, const std::string& file, bool json) {
  const StepTimeline timeline = measure_timeline(options);
  for (const auto& notice : timeline.notices) say("{}", notice);
  json ? print_json(timeline) : print_table(timeline);
  draw_picture(timeline_chart(timeline), file.c_str());
}

}  // namespace apsis::cli
