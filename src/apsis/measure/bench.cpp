// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/engines/engine_factory.hpp>
#include <apsis/engines/evaluation_time.hpp>
#include <apsis/measure/bench.hpp>
#include <apsis/measure/bench_input.hpp>
#include <apsis/measure/verdict.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

namespace apsis {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_between(Clock::time_point begin, Clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

// Below this an evaluation on a device is mostly the wait for its end, which a run does not have
// between the steps of a burst.
constexpr double short_evaluation = 2e-3, short_sample = 10e-3;
constexpr int most_evaluations = 500;

struct EvaluationTime {
  double whole, kernel;
};

EvaluationTime host_evaluation(Engine& engine) {
  const auto begin = Clock::now();
  engine.drift(0);
  const auto inside = Clock::now();
  engine.accelerate();
  const auto end = Clock::now();
  return {seconds_between(begin, end), seconds_between(inside, end)};
}

void time_on_host(Engine& engine, int warmup, int repeats, BenchResult& result) {
  for (int i = 0; i < warmup + repeats; ++i) {
    const EvaluationTime time = host_evaluation(engine);
    (i < warmup ? result.whole.warmup : result.whole.seconds).push_back(time.whole);
    (i < warmup ? result.kernel.warmup : result.kernel.seconds).push_back(time.kernel);
  }
}

// First without the device's clock, whose events cost a little; then with it.
void time_on_device(Engine& engine, int warmup, int repeats, BenchResult& result) {
  for (int i = 0; i < warmup; ++i) result.whole.warmup.push_back(seconds_an_evaluation(engine, 1));
  const double once = warmup > 0 ? result.whole.warmup.back() : seconds_an_evaluation(engine, 1);
  if (once < short_evaluation) {
    result.evaluations_a_sample =
        std::clamp(static_cast<int>(short_sample / once), 1, most_evaluations);
    seconds_an_evaluation(engine, result.evaluations_a_sample);
  }
  for (int i = 0; i < repeats; ++i) {
    result.whole.seconds.push_back(seconds_an_evaluation(engine, result.evaluations_a_sample));
  }
  engine.kernel_seconds();
  for (int i = 0; i < repeats; ++i) {
    seconds_an_evaluation(engine, result.evaluations_a_sample);
    result.kernel.seconds.push_back(*engine.kernel_seconds() / result.evaluations_a_sample);
  }
}

void time_evaluations(Engine& engine, int warmup, int repeats, BenchResult& result) {
  engine.finish();
  if (result.engine.device == "cpu") {
    time_on_host(engine, warmup, repeats, result);
  } else {
    time_on_device(engine, warmup, repeats, result);
  }
}

int size_option(const char* name, std::int64_t value) {
  if (value >= 1 && value <= 4096) return static_cast<int>(value);
  throw Error(ExitCode::wrong_usage, fmt::format("--{} {} is no size", name, value),
              "give a whole number from 1 to 4096");
}

EngineSettings engine_settings(const BenchOptions& options, const std::string& solver,
                               Precision precision, const ForceLaw& law) {
  EngineSettings settings;
  settings.law = law;
  settings.solver = solver;
  settings.device = options.device;
  settings.variant = options.variant;
  settings.precision = precision;
  settings.threads = options.threads;
  settings.sizes = sizes_from(options.sizes);
  if (options.unroll) settings.sizes.unroll = size_option("unroll", *options.unroll);
  if (options.group) settings.sizes.group = size_option("group", *options.group);
  settings.reproducible = options.reproducible;
  settings.kernel_folder = options.kernel_dir;
  return settings;
}

// An option that would do nothing is a mistake that the user should hear of.
void require_meaningful(const BenchOptions& options, const EngineDescription& engine) {
  const auto refuse = [&](const char* name, bool given) {
    if (!given) return;
    throw Error(
        ExitCode::wrong_usage,
        fmt::format("--{} means nothing to solver {} on {}", name, engine.solver, engine.device),
        fmt::format("leave out --{}", name));
  };
  if (!engine.exact_sums) return;
  refuse("opening-angle", options.opening_angle.has_value());
  refuse("order", options.order.has_value());
  if (engine.device != "cpu") return;
  refuse("unroll", options.unroll.has_value());
  refuse("group", options.group.has_value());
  refuse("sizes", !options.sizes.empty());
}

// The same evaluations in the default mode, on the same device.
double default_mode_seconds(const BenchOptions& options, EngineSettings settings,
                            const BenchInput& input, const EngineDescription& engine) {
  settings.reproducible = false;
  settings.device = engine.device;
  const auto other = make_engine(settings);
  other->load(input.bodies);
  BenchResult result;
  result.engine = other->describe();
  time_evaluations(*other, options.warmup, options.repeats, result);
  return result.whole.median();
}

BenchResult measured(const BenchOptions& options, const std::string& solver, Precision precision,
                     const BenchInput& input, bool timed) {
  const EngineSettings settings = engine_settings(options, solver, precision, input.law);
  LoadedEngine made = make_loaded_engine(settings, input.bodies);
  Engine* const engine = made.engine.get();
  BenchResult result;
  result.notices = std::move(made.notices);
  result.engine = engine->describe();
  require_meaningful(options, result.engine);
  result.model = input.model;
  result.masses = input.masses;
  result.law = input.law;
  result.coincident = coincident_bodies(input.bodies);
  time_evaluations(*engine, timed ? options.warmup : 0, timed ? options.repeats : 1, result);
  if (timed && options.reproducible) {
    const double usual = default_mode_seconds(options, settings, input, result.engine);
    result.reproducible_cost = usual > 0 ? result.whole.median() / usual : 1;
  }
  result.error = sample_force_error(*engine, input.law, options.threads);
  result.error_double = sample_force_error(*engine, input.bodies, input.law, options.threads);
  result.complaint = complaint_about(*engine, input, result, options.accuracy);
  return result;
}

void require_valid(const BenchOptions& options) {
  const auto demand = [](bool holds, const std::string& what, const char* remedy) {
    if (!holds) throw Error(ExitCode::wrong_usage, what, remedy);
  };
  demand(options.repeats >= 1, fmt::format("--repeats {} times nothing", options.repeats),
         "give at least 1");
  demand(options.warmup >= 0, fmt::format("--warmup {} is below zero", options.warmup),
         "give 0 or more");
  demand(options.threads >= 0, fmt::format("--threads {} is below zero", options.threads),
         "give 0 for all, or a number");
  demand(options.accuracy > 0 && std::isfinite(options.accuracy),
         fmt::format("--accuracy {} is no error", options.accuracy), "give a number above 0");
}

std::vector<BenchResult> all_results(const BenchOptions& options, bool timed) {
  require_valid(options);
  std::vector<BenchResult> results;
  // a file brings its own number of bodies
  const std::vector<std::uint64_t> sizes =
      options.file.empty() ? options.bodies : std::vector<std::uint64_t>{0};
  for (const std::uint64_t bodies : sizes) {
    const BenchInput input = bench_input(options, bodies);
    for (const std::string& solver : options.solvers) {
      for (const Precision precision : options.precisions) {
        results.push_back(measured(options, solver, precision, input, timed));
      }
    }
  }
  return results;
}

}  // namespace

double BenchResult::interactions_per_second() const {
  const double n = static_cast<double>(engine.bodies), seconds = whole.median();
  return engine.exact_sums && seconds > 0 ? n * n / seconds : 0;
}

double BenchResult::bodies_per_second() const {
  const double seconds = whole.median();
  return seconds > 0 ? static_cast<double>(engine.bodies) / seconds : 0;
}

double BenchResult::gflops() const { return 20e-9 * interactions_per_second(); }

std::vector<BenchResult> bench(const BenchOptions& options) { return all_results(options, true); }

std::vector<BenchResult> check(const BenchOptions& options) { return all_results(options, false); }

}  // namespace apsis
