// SPDX-License-Identifier: MIT
// What device = "auto" means: the fastest engine that there is, measured and not guessed.
#include <apsis/core/error.hpp>
#include <apsis/core/names.hpp>
#include <apsis/engines/engine_factory.hpp>
#include <apsis/engines/evaluation_time.hpp>
#include <apsis/engines/opencl_engine.hpp>
#include <apsis/solvers/bins/bins_grid.hpp>
#include <apsis/solvers/direct/direct_host.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace apsis {
namespace {

// Fewer bodies take the cpu less time than opening a device does.
constexpr std::size_t measured_from = 2048;
// As many as a GPU needs to show what it can, fewer where the cpu would take longer than this.
constexpr std::size_t largest_sample = 16384, smallest_sample = 4096;
constexpr double sample_seconds = 0.1;
// Solvers that do not meet all pairs show at such numbers what they do at larger ones.
constexpr std::size_t largest_far_field_sample = 262'144;
constexpr double seconds_to_measure = 0.2;  // each
constexpr int most_evaluations = 5;

struct Candidate {
  std::string name;
  std::unique_ptr<Engine> engine;
  double seconds = 0;  // one evaluation of the sample
};

// Bodies evenly spaced over all.
Bodies sample_of(const Bodies& bodies, std::size_t size) {
  if (bodies.size() <= size) return bodies;
  Bodies sample(size, bodies.charged());
  for (std::size_t k = 0; k < size; ++k) {
    const std::size_t i = k * bodies.size() / size;
    sample.set_position(k, bodies.position(i));
    sample.set_velocity(k, bodies.velocity(i));
    sample.mass[k] = bodies.mass[i], sample.id[k] = bodies.id[i];
    if (bodies.charged()) sample.charge[k] = bodies.charge[i];
  }
  return sample;
}

double evaluation_seconds(Engine& engine) {
  seconds_an_evaluation(engine);  // builds kernels and wakes threads
  double fastest = std::numeric_limits<double>::infinity(), total = 0;
  for (int i = 0; i < most_evaluations && total < seconds_to_measure; ++i) {
    const double seconds = seconds_an_evaluation(engine);
    fastest = std::min(fastest, seconds);
    total += seconds;
  }
  return fastest;
}

// Few enough for the cpu, from what a smaller number takes.
Bodies loaded_sample(Engine& cpu, const Bodies& bodies, const SolverInfo& solver) {
  if (!solver.exact) {
    Bodies sample = sample_of(bodies, largest_far_field_sample);
    cpu.load(sample);
    return sample;
  }
  if (bodies.size() > smallest_sample) {
    cpu.load(sample_of(bodies, measured_from));
    const double factor = std::sqrt(sample_seconds / evaluation_seconds(cpu));
    const double size = factor * static_cast<double>(measured_from);
    const auto bounded =
        std::clamp(size, static_cast<double>(smallest_sample), static_cast<double>(largest_sample));
    Bodies sample = sample_of(bodies, static_cast<std::size_t>(bounded));
    cpu.load(sample);
    return sample;
  }
  cpu.load(bodies);
  return bodies;
}

// rms|a - b| / rms|b|
double disagreement(const Accelerations& a, const Accelerations& b) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const Vec3 d = a.at(i) - b.at(i);
    difference += dot(d, d);
    size += dot(b.at(i), b.at(i));
  }
  if (difference == 0) return 0;
  return std::sqrt(difference / size);  // not finite where one of them is not
}

// Far beyond what rounding does to the sums of either precision, and approximations where they
// keep what they promise.
double most_disagreement(const EngineSettings& settings, const SolverInfo& solver) {
  const double by_rounding = settings.precision == Precision::f64 ? 1e-9 : 1e-3;
  return solver.takes_accuracy ? by_rounding + 10 * settings.far_field.accuracy : by_rounding;
}

Candidate measured(const EngineSettings& settings, const DeviceInfo& device, const Bodies& sample,
                   const Accelerations& expected) {
  Candidate candidate{device.name, make_engine(settings, device)};
  candidate.engine->load(sample);
  candidate.seconds = evaluation_seconds(*candidate.engine);
  const double error = disagreement(candidate.engine->accelerations(), expected);
  if (!(error < most_disagreement(settings, chosen_solver(settings)))) {
    throw Error(ExitCode::unavailable,
                fmt::format("its forces differ from the cpu's by {:.1e}", error));
  }
  return candidate;
}

bool is_simulator(const DeviceInfo& device) {
  return device.name.find("Oclgrind") != std::string::npos;
}

// One of several equal cards stands for all.
bool has_twin_before(const DeviceInfo& device, const Discovery& discovery) {
  return std::any_of(discovery.devices.begin(), discovery.devices.end(),
                     [&](const DeviceInfo& other) {
                       return other.index < device.index && other.name == device.name &&
                              other.driver == device.driver;
                     });
}

// What only a device can be meant by.
bool asks_for_a_device(const EngineSettings& settings) {
  const SolverInfo& solver = chosen_solver(settings);
  const auto host = direct_host_variants();
  const bool of_host = solver.name != "direct" || settings.variant.empty() ||
                       std::find(host.begin(), host.end(), settings.variant) != host.end();
  return !of_host || !runs_on_cpu(solver, settings.precision) || settings.sizes != DirectSizes{} ||
         !settings.kernel_folder.empty();
}

void require_known_variant(const std::string& variant) {
  auto known = direct_opencl_variant_names();
  for (const auto& name : direct_host_variants()) known.push_back(name);
  if (variant.empty() || std::find(known.begin(), known.end(), variant) != known.end()) return;
  throw bad_data(
      fmt::format("solver direct has no variant '{}'{}", variant, did_you_mean(variant, known)),
      "choose " + list_of(known));
}

// Solvers with one implementation take no other name than its own.
void require_variant_taken(const Engine& engine, const std::string& asked) {
  const EngineDescription made = engine.describe();
  if (asked.empty() || made.variant == asked) return;
  throw bad_data(
      fmt::format("solver {} has no variant '{}' on {}", made.solver, asked, made.device),
      fmt::format("leave it out: there is only {}", made.variant));
}

std::string times_as_fast(double ratio) {
  if (ratio < 1.05) return "about as fast";
  return ratio < 9.95 ? fmt::format("{:.1f} times as fast", ratio)
                      : fmt::format("{:.0f} times as fast", ratio);
}

std::string explanation(const std::vector<Candidate>& candidates, std::size_t bodies) {
  const Candidate& first = candidates[0];
  const auto milliseconds = [](double seconds) { return fmt::format("{:.3g}", 1e3 * seconds); };
  if (candidates.size() == 1) return fmt::format("device auto: {}", first.name);
  const Candidate& second = candidates[1];
  return fmt::format("device auto: {} is {} as {} ({} against {} ms for {} bodies)", first.name,
                     times_as_fast(second.seconds / first.seconds), second.name,
                     milliseconds(first.seconds), milliseconds(second.seconds), bodies);
}

// All that can do it, the fastest first.
std::vector<Candidate> ranked(const EngineSettings& settings, const Bodies& bodies,
                              const Discovery& discovery, std::vector<std::string>& notices) {
  const bool device_wanted = asks_for_a_device(settings);
  EngineSettings on_cpu = settings;
  on_cpu.device = "cpu";
  if (device_wanted) on_cpu.variant.clear(), on_cpu.kernel_folder.clear(), on_cpu.sizes = {};
  const SolverInfo& solver = chosen_solver(settings);
  if (!runs_on_cpu(solver, settings.precision)) {
    on_cpu.solver = "direct", on_cpu.far_field = {}, on_cpu.bins = {};
  }
  Candidate cpu{"the native cpu", make_engine(on_cpu)};
  const Bodies sample = loaded_sample(*cpu.engine, bodies, chosen_solver(on_cpu));
  if (!device_wanted) cpu.seconds = evaluation_seconds(*cpu.engine);
  const Accelerations expected = cpu.engine->accelerations();

  std::vector<Candidate> candidates;
  if (!device_wanted) candidates.push_back(std::move(cpu));
  for (const DeviceInfo& device : discovery.devices) {
    if (is_simulator(device) || has_twin_before(device, discovery)) continue;
    try {
      require_device_memory(device, settings.precision, bodies.size(), entries_at_least);
      candidates.push_back(measured(settings, device, sample, expected));
    } catch (const Error& error) {
      // what the user wrote must not fail quietly
      if (device_wanted && error.code() == ExitCode::bad_data) throw;
      notices.push_back(fmt::format("device auto: {} is left out: {}", device.name, error.what()));
    }
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.seconds < b.seconds; });
  return candidates;
}

LoadedEngine fastest(const EngineSettings& settings, const Bodies& bodies) {
  LoadedEngine made;
  const bool device_wanted = asks_for_a_device(settings);
  const Discovery discovery = discover_devices();
  if (discovery.devices.empty() && !device_wanted) {
    made.notices.push_back(
        fmt::format("device auto: the native cpu; no OpenCL device ({})", discovery.why_none));
    made.engine = make_engine(settings);
    made.engine->load(bodies);
    return made;
  }
  auto candidates = ranked(settings, bodies, discovery, made.notices);
  if (candidates.empty()) {
    const std::string why = discovery.devices.empty() ? discovery.why_none
                            : made.notices.empty()    ? "only a simulator"
                                                      : made.notices.back();
    throw Error(ExitCode::unavailable, fmt::format("no OpenCL device to run on: {}", why),
                "leave variant, sizes and kernel_dir out, or install a driver ('apsis doctor')");
  }
  const Candidate& winner = candidates.front();
  made.notices.push_back(explanation(candidates, winner.engine->describe().bodies));
  made.engine = std::move(candidates.front().engine);
  made.engine->load(bodies);
  return made;
}

LoadedEngine loaded_engine(const EngineSettings& settings, const Bodies& bodies) {
  const SolverInfo& solver = chosen_solver(settings);
  if (settings.device == "auto" && runs_on_device(solver, settings.precision)) {
    if (solver.name == "direct") require_known_variant(settings.variant);
    if (bodies.size() >= measured_from || asks_for_a_device(settings)) {
      return fastest(settings, bodies);
    }
  }
  LoadedEngine made{make_engine(settings), {}};
  made.engine->load(bodies);
  return made;
}

// What a user should know of the bodies that the solver got.
void add_notices(LoadedEngine& made, const EngineSettings& settings, const Bodies& bodies) {
  if (!settings.bins.box) return;
  if (const std::size_t outside = bodies_outside(bodies, *settings.bins.box); outside > 0) {
    made.notices.push_back(outside_notice(outside));
  }
}

}  // namespace

LoadedEngine make_loaded_engine(const EngineSettings& settings, const Bodies& bodies) {
  LoadedEngine made = loaded_engine(settings, bodies);
  require_variant_taken(*made.engine, settings.variant);
  add_notices(made, settings, bodies);
  return made;
}

}  // namespace apsis
