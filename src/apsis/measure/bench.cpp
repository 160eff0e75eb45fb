// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/engines/engine_factory.hpp>
#include <apsis/measure/bench.hpp>
#include <apsis/measure/bench_input.hpp>
#include <apsis/measure/verdict.hpp>

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <memory>

namespace apsis {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_between(Clock::time_point begin, Clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

struct EvaluationTime {
  double whole, kernel;
};

// A drift of no length makes the accelerations stale without moving a body.
EvaluationTime evaluate_once(Engine& engine) {
  const auto begin = Clock::now();
  engine.drift(0);
  const auto inside = Clock::now();
  engine.accelerate();
  const auto end = Clock::now();
  return {seconds_between(begin, end), seconds_between(inside, end)};
}

void time_evaluations(Engine& engine, int warmup, int repeats, BenchResult& result) {
  for (int i = 0; i < warmup; ++i) {
    const EvaluationTime time = evaluate_once(engine);
    result.whole.warmup.push_back(time.whole);
    result.kernel.warmup.push_back(time.kernel);
  }
  for (int i = 0; i < repeats; ++i) {
    const EvaluationTime time = evaluate_once(engine);
    result.whole.seconds.push_back(time.whole);
    result.kernel.seconds.push_back(time.kernel);
  }
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
}

BenchResult measured(const BenchOptions& options, const std::string& solver, Precision precision,
                     const BenchInput& input, bool timed) {
  const auto engine = make_engine(engine_settings(options, solver, precision, input.law));
  engine->load(input.bodies);
  BenchResult result;
  result.engine = engine->describe();
  require_meaningful(options, result.engine);
  result.model = input.model;
  result.masses = input.masses;
  result.law = input.law;
  result.coincident = coincident_bodies(input.bodies);
  time_evaluations(*engine, timed ? options.warmup : 0, timed ? options.repeats : 1, result);
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
