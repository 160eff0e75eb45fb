// SPDX-License-Identifier: MIT
// Steps a second against the length of a burst: how often the device is waited for and read.
#include <apsis/core/error.hpp>
#include <apsis/engines/engine_factory.hpp>
#include <apsis/files/cores.hpp>
#include <apsis/initial/model.hpp>
#include <apsis/integrators/integrator.hpp>
#include <apsis/lab/all_lessons.hpp>
#include <apsis/lab/charts.hpp>
#include <apsis/lab/findings.hpp>
#include <apsis/lab/places.hpp>
#include <apsis/measure/timing.hpp>
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
// How long the steps of one round shall take where their number is ours to choose.
constexpr double usual_row = 0.3, quick_row = 0.05;
// In turn over all lengths: whether they agree tells what a difference is worth.
constexpr int rounds = 3;
// What the device's clock may cost without a word.
constexpr double notable_cost = 1.03;
constexpr std::uint64_t fewest_steps = 100, most_steps = 20000;

// Steps in bursts with the positions read behind each; seconds, end to end.
double run_steps(Engine& engine, std::uint64_t steps, std::uint64_t burst) {
  const Integrator& integrator = integrator_named("taylor2");
  const SimulationPlan plan{.step = step, .last_step = steps, .burst = burst};
  const auto begin = std::chrono::steady_clock::now();
  simulate(engine, integrator, plan, {}, [](const Frame& frame) {
    return frame.bodies().empty() ? LoopControl::stop() : LoopControl::go_on();
  });
  engine.finish();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

std::unique_ptr<Engine> loaded_engine(const LabOptions& options, const LessonPlace& place,
                                      std::uint64_t bodies) {
  InitialState state = make_model({.model = "tutorial", .bodies = bodies});
  EngineSettings settings;
  settings.force = forces({Law::gravity, 1, softening}, "direct");
  settings.device.name = place.choice;
  settings.device.precision = Precision::f32;
  settings.device.threads = options.threads;
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

void add_rows(const LabOptions& options, Recorder& recorder, std::size_t table,
              const LessonPlace& place, std::uint64_t bodies) {
  recorder.measuring(fmt::format("{}, {}", place.name, bodies_in_words(bodies)));
  const auto engine = loaded_engine(options, place, bodies);
  const std::uint64_t steps = steps_for(options, *engine);
  const auto lengths = options.quick ? std::span<const std::uint64_t>(quick_bursts)
                                     : std::span<const std::uint64_t>(bursts);
  // both clocks run over the same steps; what the device's costs, steps before it starts tell
  const double unclocked = run_steps(*engine, steps, lengths.front());
  const auto kernel_seconds = engine->instruments().kernel_seconds;
  if (kernel_seconds) kernel_seconds();  // counts from here on
  std::vector<Timings> whole(lengths.size()), kernel(lengths.size());
  std::vector<double> waited(lengths.size());
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      recorder.measuring(
          fmt::format("{}, {}, bursts of {}", place.name, bodies_in_words(bodies), lengths[i]));
      const double before = seconds_waited_for_cores().value_or(0);
      whole[i].seconds.push_back(run_steps(*engine, steps, lengths[i]));
      waited[i] += std::max(0.0, seconds_waited_for_cores().value_or(0) - before);
      if (kernel_seconds) kernel[i].seconds.push_back(kernel_seconds());
    }
  }
  const double cost = whole.front().min() / unclocked;
  if (kernel_seconds && cost > notable_cost) {
    recorder.notice(fmt::format("{}, {}: the device's clock makes a step {:.0f} % longer",
                                place.name, bodies_in_words(bodies), 100 * (cost - 1)));
  }
  const auto each = static_cast<double>(steps);
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const double a_step = whole[i].median() / each, a_step_kernel = kernel[i].median() / each;
    recorder.add(table, {{"device", place.name},
                         {"kind", place.kind()},
                         {"bodies", static_cast<double>(bodies)},
                         {"burst", static_cast<double>(lengths[i])},
                         {"steps", rounds * each},
                         {"seconds", a_step},
                         {"seconds_deviation", whole[i].deviation() / each},
                         {"seconds_kernel", kernel_seconds ? Cell(a_step_kernel) : Cell()},
                         {"steps_per_second", 1 / a_step},
                         {"waited", waited[i] / (rounds * whole[i].mean())},
                         {"computing", kernel_seconds ? Cell(a_step_kernel / a_step) : Cell()}});
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
        {"steps", "steps", "that were taken, in three rounds", Look::whole},
        {"seconds", "end to end", "seconds a step, end to end, median of the rounds",
         Look::seconds},
        {"seconds_deviation", "±", "seconds, standard deviation of the former", Look::seconds},
        {"seconds_kernel", "kernels",
         "seconds a step of the same steps' kernels by the device's clock", Look::seconds},
        {"steps_per_second", "steps/s", "steps a second, end to end", Look::rate},
        {"waited", "", "seconds that threads waited for a core for every second of the row",
         Look::ratio},
        {"computing", "computing", "kernel time as a share of the end-to-end time", Look::ratio}}});
  for (const LessonPlace& place : where) {
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
  const SeriesBy rates{
      .x = "burst",
      .y = "steps_per_second",
      .name = name_with_bodies,
      .colours = [](const Row& row) { return bodies_in_words(row.value("bodies")); },
      .markers = text_of("device")};
  Chart chart{.title = "Compute against communication: steps in bursts", .panels = {}};
  chart.panels.push_back(
      panel_of(table, rates, x, {.label = "steps/s, end to end", .logarithmic = true}));
  chart.panels.back().height = 1.4;
  if (!values_of(table, "computing").empty()) {
    SeriesBy shares = rates;  // those without a clock have no points
    shares.y = "computing";
    Panel panel =
        panel_of(table, shares, x, {.label = "share of kernels", .low = 0.0, .high = 1.05});
    std::erase_if(panel.series, [](const Series& series) { return series.key_only; });
    chart.panels.push_back(std::move(panel));
  }
  return {{"", std::move(chart)}};
}

std::string sentence(const Row& shortest, const Row& longest, const Comparison& gain) {
  const bool native = shortest.text("kind") == "native";
  std::string shares;
  const auto share = shortest.number("computing"), later = longest.number("computing");
  if (share && later && kernels_are_part(shortest) && kernels_are_part(longest)) {
    shares = fmt::format(
        " Kernels are {:.0f} % of the time with bursts of {:.0f} and {:.0f} % with bursts of "
        "{:.0f}.",
        100 * std::min(1.0, *share), shortest.value("burst"), 100 * std::min(1.0, *later),
        longest.value("burst"));
  }
  return fmt::format("{}: bursts of {:.0f} instead of {:.0f} steps are {} as fast",
                     fmt::format("{}, {}", longest.text("device"),
                                 bodies_in_words(longest.value("bodies"))),
                     longest.value("burst"), shortest.value("burst"), times(gain)) +
         verdict_words(gain.verdict,
                       {native ? "; the change: positions are copied less often."
                               : "; the change: fewer waits and copies between launches.",
                        ": they lost. Nothing in a longer burst takes time, so something else on "
                        "this machine did.",
                        ". No difference.",
                        gain.busy ? ", which is unclear: the machine was busy."
                                  : ", which is unclear: the rounds disagreed by as much."}) +
         shares;
}

std::vector<std::string> findings(const Results& results) {
  const ResultTable& table = results.table("results");
  std::vector<std::string> sentences;
  for (const std::string& device : devices_in(table)) {
    for (const double bodies : values_of(table, "bodies")) {
      const auto rows = with_bodies(rows_of(table, device), bodies);
      if (rows.size() < 2) continue;
      const auto gain = compared(rows.front(), rows.back());
      if (gain) sentences.push_back(sentence(rows.front(), rows.back(), *gain));
    }
  }
  for (std::string& busy : busy_findings(table)) sentences.push_back(std::move(busy));
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
