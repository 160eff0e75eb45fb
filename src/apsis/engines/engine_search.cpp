// SPDX-License-Identifier: MIT
// The search behind device = "auto" and solver = "auto": candidates are timed on a sample.
#include <apsis/core/error.hpp>
#include <apsis/core/parallel.hpp>
#include <apsis/engines/engine_search.hpp>
#include <apsis/engines/opencl_engine.hpp>
#include <apsis/engines/sampled_timing.hpp>
#include <apsis/engines/solver_times.hpp>
#include <apsis/solvers/direct/direct_host.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

namespace apsis {
namespace {

// The native cpu is left for a device only where that is clearly faster.
constexpr double clearly_faster = 1.05;

// Somewhere that forces can be evaluated, and the solvers to try there.
struct Place {
  std::string name;
  std::optional<DeviceInfo> device;  // none: the native cpu
  std::vector<std::string> solvers;
  std::string why;  // of the solver that was taken there
};

struct Candidate {
  const Place* place = nullptr;
  std::string solver;
  std::unique_ptr<Engine> engine;
  // one evaluation of all bodies, from that of a sample
  double seconds = std::numeric_limits<double>::infinity();
};

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

std::string times_as_fast(double ratio) {
  if (ratio < 1 / clearly_faster) return fmt::format("{:.2g} times as fast", ratio);
  if (ratio < clearly_faster) return "about as fast";
  return ratio < 9.95 ? fmt::format("{:.1f} times as fast", ratio)
                      : fmt::format("{:.0f} times as fast", ratio);
}

// The search for the fastest engine for these bodies.
class Search {
 public:
  Search(const EngineSettings& settings, const Bodies& bodies, const SolversInQuestion& question,
         bool device_wanted)
      : settings_(settings), bodies_(bodies), question_(question), device_wanted_(device_wanted) {}

  LoadedEngine anywhere();
  LoadedEngine at_named_place();

 private:
  void add_place(std::string name, std::optional<DeviceInfo> device);
  TimedTask task_at(const Place& place) const;
  EngineSettings settings_on_cpu(const SolverInfo& solver) const;
  std::unique_ptr<Engine> engine_at(const Place& place, const std::string& solver) const;
  void measure_all(const std::string& solver);
  void measure(Candidate candidate, const Accelerations* expected);
  void time(Candidate& candidate) const;
  void leave_out(const Place& place, const std::string& solver, const Error& error);
  void settle_solver(Place& place);
  void measure_places();
  void explain_place();
  void explain_solver();
  std::string compared(double first, double second) const;
  LoadedEngine winner();

  const EngineSettings& settings_;
  const Bodies& bodies_;
  const SolversInQuestion& question_;
  const bool device_wanted_;
  std::vector<Place> places_;
  std::vector<Candidate> candidates_;
  std::vector<std::string> notices_;
};

std::string Search::compared(double first, double second) const {
  return fmt::format("{:.3g} against {:.3g} ms for {} bodies", 1e3 * first, 1e3 * second,
                     bodies_.size());
}

TimedTask Search::task_at(const Place& place) const {
  TimedTask task{.device = "cpu",
                 .driver = std::string(direct_host_instruction_set()),
                 .threads = thread_count(settings_.threads),
                 .precision = settings_.precision,
                 .law = settings_.law.law,
                 .far_field = settings_.far_field};
  if (place.device) {
    task.device = place.device->name, task.driver = place.device->driver, task.threads = 0;
  }
  return task;
}

// What the cpu needs to know to give the forces that a device is compared with.
EngineSettings Search::settings_on_cpu(const SolverInfo& solver) const {
  EngineSettings settings = settings_;
  settings.solver = solver.name, settings.device = "cpu";
  if (device_wanted_) settings.variant.clear(), settings.kernel_folder.clear(), settings.sizes = {};
  if (!runs_on_cpu(solver, settings.precision)) {
    settings.solver = "direct", settings.far_field = {}, settings.bins = {};
  }
  return settings;
}

std::unique_ptr<Engine> Search::engine_at(const Place& place, const std::string& solver) const {
  EngineSettings settings = settings_;
  settings.solver = solver;
  if (place.device) return make_engine(settings, *place.device);
  settings.device = "cpu";
  return make_engine(settings);
}

void Search::add_place(std::string name, std::optional<DeviceInfo> device) {
  Place place{std::move(name), std::move(device), {}};
  for (const std::string& solver : question_.names) {
    const SolverInfo& info = solver_named(solver);
    const bool runs = place.device ? runs_on_device(info, settings_.precision)
                                   : runs_on_cpu(info, settings_.precision);
    if (runs) place.solvers.push_back(solver);
  }
  if (place.solvers.size() > 1) {
    const auto known = fmm_pays(known_solver_times(task_at(place)), bodies_.size());
    if (known) {
      place.solvers = {*known ? "fmm" : "direct"};
      place.why = fmt::format("{}, as found by earlier measurements", place.solvers.front());
    }
  }
  places_.push_back(std::move(place));
}

void Search::leave_out(const Place& place, const std::string& solver, const Error& error) {
  notices_.push_back(
      question_.names.size() > 1
          ? fmt::format("solver auto: {} on {} is left out: {}", solver, place.name, error.what())
          : fmt::format("device auto: {} is left out: {}", place.name, error.what()));
}

// Far beyond what rounding does to the sums of either precision, and approximations where they
// keep what they promise.
double most_disagreement(const EngineSettings& settings, const SolverInfo& solver) {
  const double by_rounding = settings.precision == Precision::f64 ? 1e-9 : 1e-3;
  return solver.takes_accuracy ? by_rounding + 10 * settings.far_field.accuracy : by_rounding;
}

void Search::time(Candidate& candidate) const {
  const double seconds = evaluation_seconds(*candidate.engine);
  candidate.seconds = std::min(
      candidate.seconds, seconds_for_all(seconds, candidate.engine->describe(), bodies_.size()));
}

// An engine that a sample was loaded into.
void Search::measure(Candidate candidate, const Accelerations* expected) {
  time(candidate);
  if (expected != nullptr) {
    const double error = disagreement(candidate.engine->accelerations(), *expected);
    if (!(error < most_disagreement(settings_, solver_named(candidate.solver)))) {
      throw Error(ExitCode::unavailable,
                  fmt::format("its forces differ from the cpu's by {:.1e}", error));
    }
  }
  candidates_.push_back(std::move(candidate));
}

// The native cpu first: what a device gives is compared with its forces.
void Search::measure_all(const std::string& solver) {
  std::vector<const Place*> tried;
  for (const Place& place : places_) {
    const auto& there = place.solvers;
    if (std::find(there.begin(), there.end(), solver) != there.end()) tried.push_back(&place);
  }
  if (tried.empty()) return;
  const SolverInfo& info = solver_named(solver);
  std::unique_ptr<Engine> cpu;
  Bodies sample;
  try {
    cpu = make_engine(settings_on_cpu(info));
    sample = load_sample(*cpu, info.exact, bodies_);
  } catch (const Error& error) {
    if (solver == question_.names.front()) throw;
    leave_out(*tried.front(), solver, error);  // a wish that only direct sums meet
    return;
  }
  const Accelerations expected = cpu->accelerations();
  for (const Place* place : tried) {
    try {
      if (!place->device) {
        measure({place, solver, std::move(cpu)}, nullptr);
        continue;
      }
      require_device_memory(*place->device, settings_.precision, bodies_.size(), entries_at_least);
      Candidate candidate{place, solver, engine_at(*place, solver)};
      candidate.engine->load(sample);
      measure(std::move(candidate), &expected);
    } catch (const Error& error) {
      // what the user wrote must not fail quietly, nor what nothing can stand in for
      if (device_wanted_ && error.code() == ExitCode::bad_data) throw;
      if (places_.size() == 1 && !device_wanted_ && solver == question_.names.front()) throw;
      leave_out(*place, solver, error);
    }
  }
}

// Of direct and fmm at one place the one that pays, and why.
void Search::settle_solver(Place& place) {
  const auto found = [&](const char* solver) {
    return std::find_if(candidates_.begin(), candidates_.end(), [&](const Candidate& candidate) {
      return candidate.place == &place && candidate.solver == solver;
    });
  };
  const auto direct = found("direct"), fmm = found("fmm");
  if (direct == candidates_.end() || fmm == candidates_.end()) return;
  const SolverTimes times{bodies_.size(), direct->seconds, fmm->seconds};
  const bool pays = fmm_pays(times);
  place.why =
      fmt::format("{}; fmm is {} as direct ({})", pays ? "fmm" : "direct",
                  times_as_fast(times.direct / times.fmm), compared(fmm->seconds, direct->seconds));
  try {
    remember_solver_times(task_at(place), times);
  } catch (const Error&) {
    // a cache that can't be written costs a second measurement and nothing else
  }
  candidates_.erase(pays ? direct : fmm);
}

void Search::explain_place() {
  const Candidate& first = candidates_.front();
  if (candidates_.size() == 1) {
    notices_.push_back(fmt::format("device auto: {}", first.place->name));
    return;
  }
  const Candidate& second = candidates_[1];
  notices_.push_back(fmt::format("device auto: {} is {} as {} ({})", first.place->name,
                                 times_as_fast(second.seconds / first.seconds), second.place->name,
                                 compared(first.seconds, second.seconds)));
}

void Search::explain_solver() {
  const Place& place = *candidates_.front().place;
  const std::string& solver = candidates_.front().solver;
  if (!question_.why_one.empty()) {
    notices_.push_back(fmt::format("solver auto: {}, as {}", solver, question_.why_one));
  } else if (!place.why.empty()) {
    notices_.push_back("solver auto: " + place.why);
  }
}

// The fastest first.
void Search::measure_places() {
  for (const std::string& solver : question_.names) measure_all(solver);
  // a second look some moments later: another program may have disturbed one of them alone
  if (candidates_.size() > 1) {
    for (Candidate& candidate : candidates_) time(candidate);
  }
  for (Place& place : places_) settle_solver(place);
  const auto weight = [](const Candidate& candidate) {
    return candidate.seconds * (candidate.place->device ? clearly_faster : 1);
  };
  std::stable_sort(candidates_.begin(), candidates_.end(),
                   [&](const Candidate& a, const Candidate& b) { return weight(a) < weight(b); });
}

LoadedEngine Search::winner() {
  LoadedEngine made{std::move(candidates_.front().engine), std::move(notices_)};
  made.engine->load(bodies_);
  return made;
}

LoadedEngine Search::anywhere() {
  const Discovery discovery = discover_devices();
  if (discovery.devices.empty() && !device_wanted_) {
    notices_.push_back(
        fmt::format("device auto: the native cpu; no OpenCL device ({})", discovery.why_none));
    return at_named_place();
  }
  if (!device_wanted_) add_place("the native cpu", std::nullopt);
  for (const DeviceInfo& device : discovery.devices) {
    if (is_simulator(device) || has_twin_before(device, discovery)) continue;
    add_place(device.name, device);
    // the same silicon as the native cpu, whose fmm needs no kernels to be built
    if (device.kind == DeviceKind::cpu && question_.names.size() > 1) {
      places_.back().solvers = {"direct"};
      places_.back().why = "direct; no other is tried on a device that is the cpu itself";
    }
  }
  measure_places();
  if (candidates_.empty()) {
    const std::string why = discovery.devices.empty() ? discovery.why_none
                            : notices_.empty()        ? "only a simulator"
                                                      : notices_.back();
    throw Error(ExitCode::unavailable, fmt::format("no OpenCL device to run on: {}", why),
                "leave variant, sizes and kernel_dir out, or install a driver ('apsis doctor')");
  }
  explain_place();
  explain_solver();
  return winner();
}

LoadedEngine Search::at_named_place() {
  if (settings_.device == "cpu" || settings_.device == "auto") {
    add_place("the native cpu", std::nullopt);
  } else {
    const DeviceInfo device = chosen_device(settings_.device);
    add_place(device.name, device);
  }
  const Place& place = places_.front();
  if (place.solvers.size() == 1) {
    candidates_.push_back({&place, place.solvers.front(), engine_at(place, place.solvers.front())});
  } else {
    measure_places();
  }
  explain_solver();
  return winner();
}

}  // namespace

LoadedEngine fastest_engine(const EngineSettings& settings, const Bodies& bodies,
                            const SolversInQuestion& question, bool device_wanted) {
  return Search(settings, bodies, question, device_wanted).anywhere();
}

LoadedEngine fastest_engine_there(const EngineSettings& settings, const Bodies& bodies,
                                  const SolversInQuestion& question) {
  return Search(settings, bodies, question, false).at_named_place();
}

}  // namespace apsis
