// SPDX-License-Identifier: MIT
#include <apsis/core/counted.hpp>
#include <apsis/core/error.hpp>
#include <apsis/engines/engine_factory.hpp>
#include <apsis/engines/evaluation_time.hpp>
#include <apsis/engines/split.hpp>
#include <apsis/measure/bench_input.hpp>
#include <apsis/measure/bench_settings.hpp>
#include <apsis/measure/timeline.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

namespace apsis {
namespace {

constexpr int steps_shown = 2, run_up = 1;
// Short steps differ by what disturbs them, so more of them are measured than shown.
constexpr int most_steps = 50;
constexpr double enough_seconds = 1;

using device::TimelineEntry;

std::vector<TimelineEntry> all_entries(const StepTimeline& timeline) {
  std::vector<TimelineEntry> all;
  for (const DeviceTimeline& device : timeline.devices) {
    all.insert(all.end(), device.entries.begin(), device.entries.end());
  }
  return all;
}

// Time in which at least one of them runs; they may overlap.
double covered(const std::vector<TimelineEntry>& entries, bool transfers) {
  double sum = 0, until = -std::numeric_limits<double>::infinity();
  for (const TimelineEntry& entry : entries) {  // by their starts
    if (entry.transfer != transfers) continue;
    sum += std::max(0.0, entry.end - std::max(until, entry.start));
    until = std::max(until, entry.end);
  }
  return sum;
}

// What a device does from each motion of its bodies to the next.
std::vector<std::vector<TimelineEntry>> by_step(const std::vector<TimelineEntry>& entries) {
  std::vector<std::vector<TimelineEntry>> steps;
  for (const TimelineEntry& entry : entries) {
    if (entry.what == "motion" || steps.empty()) steps.emplace_back();
    steps.back().push_back(entry);
  }
  return steps;
}

}  // namespace

double StepTimeline::begin() const {
  double first = std::numeric_limits<double>::infinity();
  for (const TimelineEntry& entry : all_entries(*this)) first = std::min(first, entry.start);
  return first;
}

double StepTimeline::seconds() const {
  double last = -std::numeric_limits<double>::infinity();
  for (const TimelineEntry& entry : all_entries(*this)) last = std::max(last, entry.end);
  return std::max(0.0, last - begin());
}

std::vector<DeviceUse> StepTimeline::use() const {
  const Shares shares = shares_of(engine);
  std::vector<DeviceUse> use;
  for (std::size_t d = 0; d < devices.size(); ++d) {
    const double kernels = covered(devices[d].entries, false);
    use.push_back({devices[d].device, shares[d], kernels, covered(devices[d].entries, true),
                   std::max(0.0, seconds() - kernels)});
  }
  return use;
}

std::vector<StepUse> StepTimeline::use_by_step() const {
  std::vector<StepUse> out(static_cast<std::size_t>(steps));
  std::vector<double> ends(out.size(), begin());
  for (std::size_t d = 0; d < devices.size(); ++d) {
    const auto parts = by_step(devices[d].entries);
    for (std::size_t s = 0; s < std::min(parts.size(), out.size()); ++s) {
      const double kernels = covered(parts[s], false);
      if (kernels > out[s].kernels) out[s].kernels = kernels, out[s].device = d;
      for (const TimelineEntry& entry : parts[s]) {
        if (!entry.transfer) ends[s] = std::max(ends[s], entry.end);
      }
    }
  }
  for (std::size_t s = 0; s < out.size(); ++s) {
    out[s].seconds = ends[s] - (s == 0 ? begin() : ends[s - 1]);
  }
  return out;
}

double StepTimeline::step_over_kernels() const {
  std::vector<double> ratios = measured_ratios();
  if (ratios.empty()) return 0;
  std::ranges::sort(ratios);
  const std::size_t half = ratios.size() / 2;
  return ratios.size() % 2 == 1 ? ratios[half] : (ratios[half - 1] + ratios[half]) / 2;
}

std::vector<double> StepTimeline::measured_ratios() const {
  std::vector<double> ratios(measured.size());
  std::ranges::transform(measured, ratios.begin(),
                         [](const StepUse& step) { return step.seconds / step.kernels; });
  return ratios;
}

StepTimeline StepTimeline::part(int first, int count) const {
  StepTimeline out{engine, model, count, {}, notices, {}};
  for (const DeviceTimeline& device : devices) {
    const auto parts = by_step(device.entries);
    const auto at = std::min(parts.size(), static_cast<std::size_t>(first));
    const auto end = std::min(parts.size(), static_cast<std::size_t>(first + count));
    out.devices.push_back({device.device, {}});
    for (std::size_t s = at; s < end; ++s) {
      auto& entries = out.devices.back().entries;
      entries.insert(entries.end(), parts[s].begin(), parts[s].end());
    }
  }
  return out;
}

StepTimeline measure_timeline(const BenchOptions& options) {
  require_valid(options);
  const BenchInput input = bench_input(options, options.bodies.front());
  LoadedEngine made = make_loaded_engine(
      engine_settings(options, options.solvers.front(), options.precisions.front(), input.law),
      input.bodies);
  Engine& engine = *made.engine;
  const Instruments instruments = engine.instruments();
  if (!instruments.timeline) {
    throw bad_data(fmt::format("there is no timeline of {}", engine.describe().device()),
                   "name OpenCL devices, for example --device opencl:0,opencl:1");
  }
  seconds_an_evaluation(engine, std::max(1, options.warmup));
  const double step = seconds_an_evaluation(engine);
  const double enough = std::min<double>(most_steps, enough_seconds / std::max(step, 1e-9));
  const int steps = run_up + std::max(steps_shown, static_cast<int>(enough));
  instruments.record_timeline();
  instruments.timeline();
  seconds_an_evaluation(engine, steps);
  const StepTimeline all{engine.describe(),       input.model, steps, instruments.timeline(),
                         std::move(made.notices), {}};
  StepTimeline out = all.part(run_up, steps_shown);
  out.measured = all.use_by_step();
  out.measured.erase(out.measured.begin(), out.measured.begin() + run_up);
  return out;
}

Chart timeline_chart(const StepTimeline& timeline) {
  const double begin = timeline.begin();
  std::map<std::string, Series> series;
  Axis lanes{
      .label = "", .low = -0.6, .high = 2 * static_cast<double>(timeline.devices.size()) - 0.4};
  for (std::size_t d = 0; d < timeline.devices.size(); ++d) {
    // the first device on top, its transfers under its kernels
    const double kernels = 2 * static_cast<double>(timeline.devices.size() - d) - 1;
    lanes.ticks.push_back({kernels, fmt::format("{}: kernels", d)});
    lanes.ticks.push_back({kernels - 1, "transfers"});
    for (const TimelineEntry& entry : timeline.devices[d].entries) {
      Series& one = series[entry.what];
      one.look = Series::Look::spans;
      one.x.push_back(1e3 * (entry.start - begin));
      one.until.push_back(1e3 * (entry.end - begin));
      one.y.push_back(entry.transfer ? kernels - 1 : kernels);
    }
  }
  Panel panel{.x = {.label = "milliseconds", .low = 0}, .y = lanes, .series = {}};
  for (auto& [name, one] : series) {
    one.name = name;
    panel.series.push_back(std::move(one));
  }
  const Resolution& engine = timeline.engine;
  return {.title = fmt::format("{} of {}, {}, {}", counted(timeline.steps, "step"), engine.solver,
                               counted(engine.bodies, "body"), name_of(engine.precision)),
          .panels = {std::move(panel)},
          .height = 240 + 160 * static_cast<int>(timeline.devices.size())};
}

}  // namespace apsis
