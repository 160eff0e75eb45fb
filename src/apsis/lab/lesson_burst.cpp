// SPDX-License-Identifier: MIT
// Steps a second against the length of a burst: how often the device is waited for and read.
#include <apsis/core/error.hpp>
#include <apsis/engines/engine_factory.hpp>
#include <apsis/initial/model.hpp>
#include <apsis/integrators/integrator.hpp>
#include <apsis/lab/all_lessons.hpp>
#include <apsis/lab/charts.hpp>
#include <apsis/lab/findings.hpp>
#include <apsis/lab/places.hpp>
#include <apsis/sim/simulation.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace apsis::lab {
namespace {

constexpr std::uint64_t bursts[] = {1, 2, 5, 10, 20, 50, 100};
constexpr std::uint64_t quick_bursts[] = {1, 5, 20};
// As the tutorial has it.
constexpr double step = 1e-4, softening = 0.01;
// How long the steps of one row shall take where their number is ours to choose.
constexpr double usual_row = 1, quick_row = 0.1;
constexpr std::uint64_t fewest_steps = 100, most_steps = 20000;

// Steps in bursts with the positions read behind each; seconds, end to end.
double run_steps(Engine& engine, std::uint64_t steps, std::uint64_t burst) {
  const auto integrator = make_integrator("taylor2");
  const SimulationPlan plan{.step = step, .last_step = steps, .burst = burst};
  const auto begin = std::chrono::steady_clock::now();
  simulate(engine, *integrator, plan, {}, [](const Frame& frame) {
    return frame.bodies().empty() ? apsis::Verdict::stop : apsis::Verdict::go_on;
  });
  engine.finish();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

std::unique_ptr<Engine> loaded_engine(const LabOptions& options, const Place& place,
                                      std::uint64_t bodies) {
  InitialState state = make_model({.model = "tutorial", .bodies = bodies});
  EngineSettings settings;
  settings.law = {Law::gravity, 1, softening};
  settings.solver = "direct";
  settings.device = place.choice;
  settings.precision = Precision::f32;
  settings.threads = options.threads;
  LoadedEngine made = make_loaded_engine(settings, state.bodies);
  made.engine->warm_up();
  return std::move(made.engine);
}

std::uint64_t steps_for(const LabOptions& options, Engine& engine) {
  // the first steps wake threads and build kernels
  const std::uint64_t trial = 20;
  run_steps(engine, static_cast<std::uint64_t>(options.warmup) + trial, 1);
  if (options.steps) return static_cast<std::uint64_t>(*options.steps);
  const double seconds = run_steps(engine, trial, 1) / trial;
  const double fitting = (options.quick ? quick_row : usual_row) / std::max(seconds, 1e-9);
  const auto whole = static_cast<std::uint64_t>(std::min(fitting, 1e9));
  return std::clamp<std::uint64_t>(whole / 100 * 100, options.quick ? 20 : fewest_steps,
                                   most_steps);
}

void add_rows(const LabOptions& options, Recorder& recorder, std::size_t table, const Place& place,
              std::uint64_t bodies) {
  recorder.measuring(fmt::format("{}, {} bodies", place.name, bodies));
  const auto engine = loaded_engine(options, place, bodies);
  const std::uint64_t steps = steps_for(options, *engine);
  const auto lengths = options.quick ? std::span<const std::uint64_t>(quick_bursts)
                                     : std::span<const std::uint64_t>(bursts);
  // the device's clock costs a little, so it is asked in a pass of its own
  std::vector<double> whole, kernel;
  for (const std::uint64_t burst : lengths) {
    recorder.measuring(fmt::format("{}, {} bodies, bursts of {}", place.name, bodies, burst));
    whole.push_back(run_steps(*engine, steps, burst));
  }
  const bool clocked = engine->kernel_seconds().has_value();
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    if (clocked) {
      engine->kernel_seconds();
      run_steps(*engine, steps, lengths[i]);
      kernel.push_back(*engine->kernel_seconds());
    }
    const double a_step = whole[i] / static_cast<double>(steps);
    const Cell a_step_kernel = clocked ? Cell(kernel.back() / static_cast<double>(steps)) : Cell();
    recorder.add(table, {{"device", place.name},
                         {"kind", place.kind()},
                         {"bodies", static_cast<double>(bodies)},
                         {"burst", static_cast<double>(lengths[i])},
                         {"steps", static_cast<double>(steps)},
                         {"seconds", a_step},
                         {"seconds_kernel", a_step_kernel},
                         {"steps_per_second", 1 / a_step},
                         {"computing", clocked ? Cell(kernel.back() / whole[i]) : Cell()}});
  }
}

std::vector<std::uint64_t> sizes_for(const LabOptions& options) {
  if (!options.bodies.empty()) return options.bodies;
  if (options.quick) return {256};
  return {256, 2048, 8192};
}

void measure(const LabOptions& options, Recorder& recorder) {
  const auto where = places(options, Wanted::everything, recorder);
  const std::size_t table = recorder.declare(
      {"results",
       "Steps of taylor2 (f32), positions read back behind every burst",
       {{"device", "device", "where it ran", Look::text},
        {"kind", "", "native, or an OpenCL device's: cpu, gpu", Look::text},
        {"bodies", "bodies", "number of bodies", Look::whole},
        {"burst", "burst", "steps enqueued before the positions are read", Look::whole},
        {"steps", "steps", "that were taken", Look::whole},
        {"seconds", "end to end", "seconds a step, end to end", Look::seconds},
        {"seconds_kernel", "kernels", "seconds a step of kernels by the device's clock",
         Look::seconds},
        {"steps_per_second", "steps/s", "steps a second, end to end", Look::rate},
        {"computing", "computing", "kernel time as a share of the end-to-end time", Look::ratio}}});
  for (const Place& place : where) {
    for (const std::uint64_t bodies : sizes_for(options)) {
      add_rows(options, recorder, table, place, bodies);
    }
  }
}

std::string name_with_bodies(const Row& row) {
  return fmt::format("{}, {}", row.text("device"), with_commas(row.value("bodies")));
}

std::vector<NamedChart> charts(const Results& results) {
  const ResultTable& table = results.table("results");
  const Axis x = axis_with_marks("steps a burst", values_of(table, "burst"));
  std::vector<Series> rates =
      series_of(table, {.x = "burst", .y = "steps_per_second", .name = name_with_bodies});
  // all series, so that a device keeps its colour; those without a clock have no points
  std::vector<Series> shares =
      series_of(table, {.x = "burst", .y = "computing", .name = name_with_bodies});
  for (Series& series : shares) series.name.clear();
  const bool clocked = !values_of(table, "computing").empty();
  Chart chart{.title = "Compute against communication: steps in bursts", .panels = {}};
  chart.panels.push_back({x, logarithmic_axis("steps/s, end to end", rates), rates, 1.4});
  if (clocked) {
    chart.panels.push_back({x, {.label = "share of kernels", .low = 0.0, .high = 1.05}, shares});
  }
  return {{"", std::move(chart)}};
}

std::string sentence(const Row& shortest, const Row& longest) {
  const double gain = longest.value("steps_per_second") / shortest.value("steps_per_second");
  const std::string begin = fmt::format(
      "{} bodies: bursts of {:.0f} instead of {:.0f} steps are {} as fast",
      name_with_bodies(longest), longest.value("burst"), shortest.value("burst"), times(gain));
  if (shortest.text("kind") == "native") {
    return begin + (gain > 1.05 ? ": reading the positions costs a copy even on the native cpu."
                                : ": on the native cpu there is no device to wait for.");
  }
  const auto share = shortest.number("computing"), later = longest.number("computing");
  const std::string shares =
      share && later
          ? fmt::format(
                " Kernels are {:.0f} % of the time with bursts of {:.0f} and "
                "{:.0f} % with bursts of {:.0f}.",
                100 * *share, shortest.value("burst"), 100 * *later, longest.value("burst"))
          : std::string();
  if (gain > 1.05) {
    return begin + ": fewer waits and copies between launches." + shares;
  }
  return begin +
         (gain < 0.95 ? ": they lost. That can be: nothing in a longer burst "
                        "takes time, so something else on this machine did."
                      : ". No difference: a step takes so long that the wait and the copy "
                        "behind it do not matter.") +
         shares;
}

std::vector<std::string> findings(const Results& results) {
  const ResultTable& table = results.table("results");
  std::vector<std::string> sentences;
  for (const std::string& device : devices_in(table)) {
    for (const double bodies : values_of(table, "bodies")) {
      const auto rows = with_bodies(rows_of(table, device), bodies);
      if (rows.size() > 1) sentences.push_back(sentence(rows.front(), rows.back()));
    }
  }
  return sentences;
}

}  // namespace

Lesson burst_lesson() {
  return {.name = "burst",
          .title = "Bursts: compute against communication",
          .summary = "steps a second against the number of steps enqueued between looks",
          .takes = {"bodies", "device", "steps", "warmup", "threads"},
          .measure = measure,
          .charts = charts,
          .findings = findings};
}

}  // namespace apsis::lab
