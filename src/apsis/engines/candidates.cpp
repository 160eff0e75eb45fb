// SPDX-License-Identifier: MIT
#include <apsis/core/counted.hpp>
#include <apsis/core/error.hpp>
#include <apsis/core/parallel.hpp>
#include <apsis/engines/candidates.hpp>
#include <apsis/engines/opencl_engine.hpp>
#include <apsis/engines/sampled_timing.hpp>
#include <apsis/solvers/direct/direct_host.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace apsis {
namespace {

// The native cpu is left for a device only where that is clearly faster.
constexpr double device_pays_from = 1.05;
constexpr int rounds_to_measure = 5;

// Far beyond what rounding does to the sums of either precision, and approximations where they
// keep what they promise.
double most_disagreement(const EngineSettings& settings, const SolverInfo& solver) {
  const double by_rounding = settings.precision() == Precision::f64 ? 1e-9 : 1e-3;
  return solver.takes_accuracy ? by_rounding + 10 * settings.force.far_field.accuracy : by_rounding;
}

}  // namespace

std::string times_as_fast(double ratio) {
  if (ratio < 1 / device_pays_from) return fmt::format("{:.2g} times as fast", ratio);
  if (ratio < device_pays_from) return "about as fast";
  return ratio < 9.95 ? fmt::format("{:.1f} times as fast", ratio)
                      : fmt::format("{:.0f} times as fast", ratio);
}

TimedTask SearchTask::timed_at(const CandidatePlace& place) const {
  TimedTask task{.device = "cpu",
                 .driver = std::string(direct_host_instruction_set()),
                 .threads = thread_count(settings.device.threads),
                 .precision = settings.precision(),
                 .law = law_of(settings.force).law,
                 .far_field = settings.force.far_field};
  if (place.device) {
    task.device = place.device->name, task.driver = place.device->driver, task.threads = 0;
  }
  return task;
}

std::unique_ptr<Engine> SearchTask::engine_at(const CandidatePlace& place,
                                              const std::string& solver) const {
  EngineSettings there = settings;
  there.force.solver = solver;
  if (!place.device) {
    there.device.name = "cpu";
    return build(plan_on_cpu(there));
  }
  require_device_memory(*place.device, settings.precision(), bodies.size(), entries_at_least);
  return build(plan_on(there, {*place.device}));
}

std::string Candidates::compared(double first, double second) const {
  return fmt::format("{:.3g} against {:.3g} ms for {}", 1e3 * first, 1e3 * second,
                     counted(task_.bodies.size(), "body"));
}

// What the cpu needs to know to give the forces that a device is compared with.
EngineSettings Candidates::settings_on_cpu(const SolverInfo& solver) const {
  EngineSettings settings = task_.settings;
  settings.force.solver = solver.name, settings.device.name = "cpu";
  if (task_.device_wanted) {
    settings.device.variant.clear(), settings.device.kernel_dir.clear(), settings.choice = {};
  }
  if (!runs_on_cpu(solver, settings.precision())) {
    settings.force.solver = "direct", settings.force.far_field = {}, settings.force.bins = {};
  }
  return settings;
}

std::string Candidates::left_out(const CandidatePlace& place, const std::string& solver,
                                 const Error& error) const {
  return task_.question.names.size() > 1
             ? fmt::format("solver auto: {} on {} is left out: {}", solver, place.name,
                           error.what())
             : fmt::format("device auto: {} is left out: {}", place.name, error.what());
}

void Candidates::check(const Candidate& candidate, const Accelerations& expected) const {
  const double error = disagreement(candidate.engine->pair_accelerations(), expected);
  if (error < most_disagreement(task_.settings, solver_named(candidate.solver))) return;
  throw Error(ExitCode::unavailable,
              fmt::format("its forces differ from the cpu's by {:.1e}", error));
}

void Candidates::load(const std::vector<CandidatePlace>& places,
                      std::vector<std::string>& notices) {
  for (const std::string& solver : task_.question.names) {
    std::vector<const CandidatePlace*> there;
    for (const CandidatePlace& place : places) {
      if (std::ranges::count(place.solvers, solver) > 0) there.push_back(&place);
    }
    if (!there.empty()) load_at(there, solver, notices);
  }
}

// The native cpu first: what a device gives is compared with its forces.
void Candidates::load_at(const std::vector<const CandidatePlace*>& places,
                         const std::string& solver, std::vector<std::string>& notices) {
  const SolverInfo& info = solver_named(solver);
  const bool is_first = solver == task_.question.names.front();
  std::unique_ptr<Engine> cpu;
  Bodies sample;
  try {
    cpu = make_engine(settings_on_cpu(info));
    sample = load_sample(*cpu, info.exact, task_.bodies);
  } catch (const Error& error) {
    if (is_first) throw;
    notices.push_back(left_out(*places.front(), solver, error));  // only direct sums meet the wish
    return;
  }
  const Accelerations expected = cpu->pair_accelerations();
  for (const CandidatePlace* place : places) {
    try {
      if (!place->device) {
        add({place, solver, std::move(cpu), {}});
        continue;
      }
      Candidate candidate{place, solver, task_.engine_at(*place, solver), {}};
      candidate.engine->load(sample);
      // kernels of the user's own may be meant to give other forces
      if (task_.settings.device.kernel_dir.empty()) check(candidate, expected);
      add(std::move(candidate));
    } catch (const Error& error) {
      // what the user wrote must not fail quietly, nor what nothing can stand in for
      if (task_.device_wanted && error.code() == ExitCode::bad_data) throw;
      if (places.size() == 1 && !task_.device_wanted && is_first) throw;
      notices.push_back(left_out(*place, solver, error));
    }
  }
}

void Candidates::time_all() {
  if (all_.size() < 2) return;
  std::vector<std::function<double()>> turns;
  for (const Candidate& candidate : all_) {
    evaluation_seconds(*candidate.engine);  // builds kernels and wakes threads
    turns.emplace_back([this, &candidate] {
      return seconds_for_all(short_evaluation_seconds(*candidate.engine),
                             candidate.engine->describe(), task_.bodies.size());
    });
  }
  const auto times = taken_in_turns(turns, rounds_to_measure);
  for (std::size_t c = 0; c < all_.size(); ++c) all_[c].rounds = times[c];
}

const Candidate* Candidates::find(const PlaceAndSolver& choice) const {
  const auto found = std::ranges::find(all_, choice, &Candidate::choice);
  return found == all_.end() ? nullptr : &*found;
}

const Candidate* Candidates::best_at(CandidatePlace& place) const {
  const Candidate* direct = find({place.name, "direct"});
  const Candidate* fmm = find({place.name, "fmm"});
  if (direct == nullptr || fmm == nullptr) {
    const auto only = std::ranges::find(all_, &place, &Candidate::place);
    return only == all_.end() ? nullptr : &*only;
  }
  const SolverTimes times{task_.bodies.size(), direct->seconds(), fmm->seconds()};
  const bool pays = surely_faster(fmm->rounds, direct->rounds, fmm_pays_from);
  place.times = times;
  place.why =
      fmt::format("{}; fmm is {} as direct ({}){}", pays ? "fmm" : "direct",
                  times_as_fast(times.direct / times.fmm), compared(times.fmm, times.direct),
                  pays || !fmm_pays(times) ? "" : ", but not every time");
  return pays ? fmm : direct;
}

const Candidate* Candidates::best_of(std::vector<CandidatePlace>& places) const {
  const Candidate* taken = nullptr;
  for (CandidatePlace& place : places) {
    const Candidate* here = best_at(place);
    if (here == nullptr) continue;
    if (taken == nullptr || surely_faster(here->rounds, taken->rounds, device_pays_from)) {
      taken = here;
    }
  }
  return taken;
}

std::unique_ptr<Engine> Candidates::take(const Candidate& candidate) {
  return std::move(all_[static_cast<std::size_t>(&candidate - all_.data())].engine);
}

}  // namespace apsis
