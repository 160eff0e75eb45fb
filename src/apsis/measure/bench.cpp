// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/device/devices.hpp>
#include <apsis/engines/engine_factory.hpp>
#include <apsis/engines/evaluation_time.hpp>
#include <apsis/files/cores.hpp>
#include <apsis/measure/bench.hpp>
#include <apsis/measure/bench_input.hpp>
#include <apsis/measure/bench_settings.hpp>
#include <apsis/measure/verdict.hpp>
#include <apsis/solvers/bins/bins_grid.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <string_view>

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
  engine.apply({Operation::drift(0)});
  const auto inside = Clock::now();
  engine.apply({Operation::accelerate(0)});
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

// Both clocks run over the same evaluations: the device's is read behind each sample of the host's.
// Its events cost a little; how much, samples without them tell.
void time_on_device(Engine& engine, int warmup, int repeats, BenchResult& result) {
  for (int i = 0; i < warmup; ++i) result.whole.warmup.push_back(seconds_an_evaluation(engine, 1));
  const double once = warmup > 0 ? result.whole.warmup.back() : seconds_an_evaluation(engine, 1);
  if (once < short_evaluation) {
    result.evaluations_a_sample =
        std::clamp(static_cast<int>(short_sample / once), 1, most_evaluations);
    seconds_an_evaluation(engine, result.evaluations_a_sample);
  }
  for (int i = 0; i < repeats; ++i) {
    result.unclocked.seconds.push_back(seconds_an_evaluation(engine, result.evaluations_a_sample));
  }
  const auto kernel_seconds = engine.instruments().kernel_seconds;
  kernel_seconds();  // counts from here on
  for (int i = 0; i < repeats; ++i) {
    result.whole.seconds.push_back(seconds_an_evaluation(engine, result.evaluations_a_sample));
    result.kernel.seconds.push_back(kernel_seconds() / result.evaluations_a_sample);
  }
}

void time_evaluations(Engine& engine, int warmup, int repeats, BenchResult& result) {
  engine.finish();
  const auto waited = seconds_waited_for_cores();
  const auto begin = Clock::now();
  if (result.engine.on_cpu()) {
    time_on_host(engine, warmup, repeats, result);
  } else {
    time_on_device(engine, warmup, repeats, result);
  }
  const double elapsed = seconds_between(begin, Clock::now());
  const auto waited_then = seconds_waited_for_cores();
  if (waited && waited_then && elapsed > 0) {
    result.waited = std::max(0.0, *waited_then - *waited) / elapsed;
  }
}

// The same evaluations in the default mode, on the same device.
double default_mode_seconds(const BenchOptions& options, EngineSettings settings,
                            const BenchInput& input, const Resolution& engine) {
  settings.device.reproducible = false;
  if (engine.devices.size() == 1) settings.device.name = engine.device();
  const auto other = make_engine(settings);
  other->load(input.bodies);
  BenchResult result;
  result.engine = other->describe();
  time_evaluations(*other, options.warmup, options.repeats, result);
  return result.whole.median();
}

std::optional<EvaluationParts> timed_parts(Engine& engine, int repeats) {
  const auto evaluation_parts = engine.instruments().evaluation_parts;
  if (!evaluation_parts) return std::nullopt;
  Timings build, force;
  for (int i = 0; i < repeats; ++i) {
    const auto parts = evaluation_parts();
    if (!parts) return std::nullopt;
    build.seconds.push_back(parts->build), force.seconds.push_back(parts->force);
  }
  return EvaluationParts{build.median(), force.median()};
}

// Devices that share the bodies are numbered by what was asked for.
std::string place_of(const std::string& wanted, const Resolution& engine) {
  if (engine.on_cpu()) return "cpu";
  if (names_several(wanted)) return wanted;
  // auto took the only one of its name, or the first
  if (wanted == "auto" || wanted.empty()) {
    const auto found = discover_devices().devices;
    const auto same = std::ranges::find(found, engine.device(), &DeviceInfo::name);
    return same == found.end() ? "" : word_for(*same);
  }
  return word_for(chosen_device(wanted));
}

BenchResult measured(const BenchOptions& options, const std::string& solver, Precision precision,
                     const BenchInput& input, bool timed) {
  const EngineSettings settings = engine_settings(options, solver, precision, input.law);
  LoadedEngine made = make_loaded_engine(settings, input.bodies);
  Engine* const engine = made.engine.get();
  BenchResult result;
  result.notices = std::move(made.notices);
  if (settings.force.bins.box) {
    const std::size_t outside = bodies_outside(input.bodies, *settings.force.bins.box);
    if (outside > 0) result.notices.push_back(outside_notice(outside));
  }
  result.engine = engine->describe();
  result.place = place_of(options.device.name, result.engine);
  require_meaningful(options, result.engine);
  result.model = input.model;
  result.masses = input.masses;
  result.law = input.law;
  result.coincident = coincident_bodies(input.bodies);
  time_evaluations(*engine, timed ? options.warmup : 0, timed ? options.repeats : 1, result);
  if (timed) result.parts = timed_parts(*engine, options.repeats);
  result.engine = engine->describe();  // with what it chose
  if (const auto bytes = engine->instruments().device_bytes) result.device_bytes = bytes();
  if (timed && options.device.reproducible) {
    const double usual = default_mode_seconds(options, settings, input, result.engine);
    result.reproducible_cost = usual > 0 ? result.whole.median() / usual : 1;
  }
  result.error = sample_force_error(*engine, input.law, options.device.threads);
  result.error_double =
      sample_force_error(*engine, input.bodies, input.law, options.device.threads);
  result.order = expansion_order(engine->describe().devices.front().choice);
  const SolverInfo* known = find_solver(result.engine.solver);
  if (known != nullptr && known->takes_accuracy) result.accuracy = wanted_accuracy(options);
  result.complaint = complaint_about(*engine, input, result, result.accuracy);
  return result;
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

std::string BenchResult::device_label() const {
  if (!shares_its_name) return engine.device();
  const std::string_view number = std::string_view(place).substr(place.find(':') + 1);
  return fmt::format("{} #{}", engine.device(), number);
}

void tell_devices_apart(std::span<BenchResult> results) {
  for (BenchResult& result : results) {
    result.shares_its_name = std::ranges::any_of(results, [&](const BenchResult& other) {
      return other.engine.device() == result.engine.device() && other.place != result.place;
    });
  }
}

double BenchResult::interactions_per_second() const {
  const double n = static_cast<double>(engine.bodies), seconds = whole.median();
  return engine.sums_all_pairs() && seconds > 0 ? n * n / seconds : 0;
}

double BenchResult::bodies_per_second() const {
  const double seconds = whole.median();
  return seconds > 0 ? static_cast<double>(engine.bodies) / seconds : 0;
}

std::optional<double> BenchResult::clock_cost() const {
  if (!(unclocked.min() > 0)) return std::nullopt;
  return whole.min() / unclocked.min();
}

double BenchResult::gflops() const { return 20e-9 * interactions_per_second(); }

std::vector<BenchResult> bench(const BenchOptions& options) { return all_results(options, true); }

std::vector<BenchResult> check(const BenchOptions& options) { return all_results(options, false); }

}  // namespace apsis
