// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/core/names.hpp>
#include <apsis/core/typed_command.hpp>
#include <apsis/engines/engine_factory.hpp>
#include <apsis/engines/evaluation_time.hpp>
#include <apsis/engines/tuned.hpp>
#include <apsis/measure/bench_input.hpp>
#include <apsis/measure/tune.hpp>
#include <apsis/measure/verdict.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace apsis {
namespace {

constexpr int most_evaluations = 5;
constexpr double enough_seconds = 0.3;
// What is this much slower than the best so far at its first try gets no second one.
constexpr double hopeless = 3;

std::vector<DeviceInfo> devices_to_tune(const std::string& wanted) {
  if (wanted != "all") return {chosen_device(wanted)};
  Discovery found = discover_devices();
  if (found.devices.empty()) {
    throw Error(ExitCode::unavailable,
                fmt::format("there is no OpenCL device to tune: {}", found.why_none),
                fmt::format("see '{}'", typed_command("doctor")));
  }
  return std::move(found.devices);
}

std::vector<std::uint64_t> sizes_for(const DeviceInfo& device, const TuneOptions& options) {
  if (!options.bodies.empty()) return options.bodies;
  if (device.kind == DeviceKind::cpu) return {2048, 16384};
  return {1024, 16384, 262144};
}

// Everything that a variant can be built with on this device; one way each for those that are
// never the fastest on such a device.
std::vector<TuneTrial> trials_for(const DeviceInfo& device, const TuneOptions& options,
                                  Precision precision, std::uint64_t bodies) {
  std::vector<TuneTrial> trials;
  const bool on_cpu = device.kind == DeviceKind::cpu;
  for (const DirectVariant& variant : direct_opencl_variants()) {
    const auto& asked = options.variants;
    const bool named = std::find(asked.begin(), asked.end(), variant.name) != asked.end();
    if ((!asked.empty() && !named) || !variant.ordered) continue;
    const bool promising = named || (variant.name == "wide") == on_cpu;
    if (promising) {
      for (const DirectSizes& sizes : candidate_direct_sizes(device, variant.name, precision)) {
        trials.push_back({variant.name, sizes});
      }
    } else {
      trials.push_back(
          {variant.name, default_direct_sizes(device, variant.name, precision, bodies)});
    }
  }
  return trials;
}

// Several behind each other where one is short, as in a run's burst.
double evaluation_seconds(Engine& engine) {
  return seconds_an_evaluation(engine, seconds_an_evaluation(engine) < 2e-3 ? 10 : 1);
}

double fastest_of(Engine& engine, double best_so_far) {
  evaluation_seconds(engine);  // builds kernels, wakes the device
  double fastest = std::numeric_limits<double>::infinity(), total = 0;
  for (int i = 0; i < most_evaluations && total < enough_seconds; ++i) {
    const double seconds = evaluation_seconds(engine);
    fastest = std::min(fastest, seconds);
    total += seconds;
    if (fastest > hopeless * best_so_far) break;
  }
  return fastest;
}

// Times one way of building the kernels, and holds its forces to the bounds of its precision.
void try_out(TuneTrial& trial, const TuneResult& result, const BenchInput& input,
             double best_so_far) {
  try {
    const auto engine =
        build(plan_on({.force = forces(input.law, "direct"),
                       .device = {.precision = result.precision, .variant = trial.variant},
                       .choice = trial.sizes},
                      {result.device}));
    engine->load(input.bodies);
    trial.seconds = fastest_of(*engine, best_so_far);
    BenchResult measured;
    measured.engine = engine->describe();
    measured.law = input.law;
    measured.error = sample_force_error(*engine, input.law);
    measured.error_double = sample_force_error(*engine, input.bodies, input.law);
    trial.complaint = complaint_about(*engine, input, measured, 1e-3);
  } catch (const Error& error) {
    // a device that can't build or run this is a reason to take another
    trial.complaint = error.what();
  }
  if (!trial.complaint.empty()) trial.seconds = 0;
}

double default_seconds(const TuneResult& result) {
  const std::string variant =
      default_direct_variant(result.device, result.precision, result.bodies);
  const DirectSizes sizes =
      default_direct_sizes(result.device, variant, result.precision, result.bodies);
  for (const TuneTrial& trial : result.trials) {
    if (trial.variant == variant && trial.sizes == sizes) return trial.seconds;
  }
  return 0;
}

TuneResult tuned(const DeviceInfo& device, Precision precision, std::uint64_t bodies,
                 const TuneOptions& options, const TuneProgress& progress) {
  TuneResult result{.device = device, .precision = precision, .bodies = bodies};
  const BenchInput input = bench_input({}, bodies);
  double best = std::numeric_limits<double>::infinity();
  for (TuneTrial& trial : trials_for(device, options, precision, bodies)) {
    if (progress) progress(result, trial);
    try_out(trial, result, input, best);
    if (trial.complaint.empty()) best = std::min(best, trial.seconds);
    result.trials.push_back(std::move(trial));
  }
  result.default_seconds = default_seconds(result);
  const auto rank = [](const TuneTrial& t) {
    return t.complaint.empty() ? t.seconds : std::numeric_limits<double>::infinity();
  };
  std::stable_sort(result.trials.begin(), result.trials.end(),
                   [&](const TuneTrial& a, const TuneTrial& b) { return rank(a) < rank(b); });
  if (options.remember && result.found()) {
    const TuneTrial& first = result.trials.front();
    remember_tuned(device, precision,
                   {first.variant, first.sizes, bodies, result.interactions_per_second()});
  }
  return result;
}

void require_known_variants(const std::vector<std::string>& variants) {
  const auto known = direct_opencl_variant_names();
  for (const std::string& variant : variants) {
    if (std::find(known.begin(), known.end(), variant) != known.end()) continue;
    throw Error(ExitCode::wrong_usage,
                fmt::format("no variant '{}'{}", variant, did_you_mean(variant, known)),
                "choose " + list_of(known));
  }
}

}  // namespace

double TuneResult::interactions_per_second() const {
  if (!found()) return 0;
  const auto n = static_cast<double>(bodies);
  return n * n / trials.front().seconds;
}

std::vector<TuneResult> tune(const TuneOptions& options, const TuneProgress& progress) {
  require_known_variants(options.variants);
  std::vector<TuneResult> results;
  for (const DeviceInfo& device : devices_to_tune(options.device)) {
    for (const Precision precision : options.precisions) {
      if (precision != Precision::f32 && !device.has_double) continue;
      for (const std::uint64_t bodies : sizes_for(device, options)) {
        results.push_back(tuned(device, precision, bodies, options, progress));
      }
    }
  }
  return results;
}

}  // namespace apsis
