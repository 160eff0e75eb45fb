// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/core/names.hpp>
#include <apsis/core/typed_command.hpp>
#include <apsis/files/file.hpp>
#include <apsis/initial/model.hpp>
#include <apsis/integrators/integrator.hpp>
#include <apsis/measure/bench_input.hpp>
#include <apsis/measure/bench_settings.hpp>
#include <apsis/measure/scaling.hpp>
#include <apsis/measure/verdict.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <set>

namespace apsis {
namespace {

using Clock = std::chrono::steady_clock;

// Short steps are taken several at a time, as a burst of a run does it.
constexpr double short_sample = 0.05;
constexpr int most_steps = 20;
// What engines and solvers hold of a body, at every worker that may hold all of them.
constexpr std::uint64_t bytes_per_body = 256;

WorkLaw law_of(const std::string& solver) {
  const SolverInfo& known = solver_named(solver);
  if (known.exact) return WorkLaw::pairs;
  if (known.name == "tree") return WorkLaw::bodies_log_bodies;
  if (known.takes_accuracy) return WorkLaw::bodies;
  const auto others = solvers_that([](const SolverInfo& s) { return s.exact || s.takes_accuracy; });
  throw Error(ExitCode::wrong_usage,
              fmt::format("solver {} does not say how its work grows with the bodies", solver),
              "use solver " + list_of(others));
}

// A point to be measured, and its engine.
struct Measurement {
  ScalingRow row;
  BenchInput input;
  std::unique_ptr<Engine> engine;
  std::vector<ScalingPoint::Parts> parts;  // of every sample
};

// Strong and weak rows of one solver; one worker is the beginning of both.
std::vector<ScalingRow> planned_rows(std::uint64_t bodies, WorkLaw law,
                                     const std::vector<int>& numbers, const Crew& crew) {
  std::vector<ScalingRow> rows;
  for (const int workers : numbers) {
    ScalingRow row;
    row.workers = workers, row.bodies = bodies, row.strong = true, row.weak = workers == 1;
    row.crowded = crew.crowded(workers);
    rows.push_back(row);
    if (workers == 1) continue;
    row.strong = false, row.weak = true;
    row.bodies = static_cast<std::size_t>(weak_bodies(law, static_cast<double>(bodies), workers));
    rows.push_back(row);
  }
  return rows;
}

void require_memory(const std::vector<ScalingRow>& rows, const Crew& crew) {
  double held = 0;
  for (const ScalingRow& row : rows) {
    const int holders = crew.kind == WorkerKind::threads ? 1 : row.workers;
    held += static_cast<double>(row.bodies) * (1 + holders) * bytes_per_body;
  }
  const auto memory = static_cast<double>(physical_memory());
  if (held <= memory) return;
  const double fits = std::floor(static_cast<double>(rows.front().bodies) * memory / held);
  throw bad_data(fmt::format("{} bodies on 1 to {} {} do not fit into this machine's memory",
                             rows.front().bodies, rows.back().workers, name_of(crew.kind)),
                 fmt::format("use at most {:.0f} with --bodies, or fewer --workers", fits));
}

// A leapfrog step of length zero: all that a step does, and the bodies stay where they are.
double seconds_a_step(Measurement& m) {
  const auto begin = Clock::now();
  const auto operations = integrator_named("leapfrog").step(0, 0);
  for (int i = 0; i < m.row.steps_a_sample; ++i) m.engine->apply(operations);
  m.engine->finish();
  return std::chrono::duration<double>(Clock::now() - begin).count() / m.row.steps_a_sample;
}

ScalingPoint::Parts parts_of(const std::vector<WorkerCost>& costs, double seconds) {
  ScalingPoint::Parts parts;
  double sum = 0, longest = 0;
  for (const WorkerCost& cost : costs) {
    sum += cost.computing, longest = std::max(longest, cost.computing);
    parts.messages = std::max(parts.messages, cost.messages);
    parts.bytes = std::max(parts.bytes, cost.bytes);
    parts.meetings = std::max(parts.meetings, cost.meetings);
  }
  parts.compute = sum / static_cast<double>(costs.size());
  parts.imbalance = parts.compute > 0 ? longest / parts.compute : 1;
  parts.exchange = std::max(0.0, seconds - longest);
  return parts;
}

double median_of(const std::vector<ScalingPoint::Parts>& all, double ScalingPoint::Parts::*part) {
  Timings values;
  for (const auto& one : all) values.seconds.push_back(one.*part);
  return values.median();
}

class ScalingBench {
 public:
  ScalingBench(const ScalingOptions& options, const Crew& crew, std::string solver,
               const ScalingProgress& progress)
      : options_(options.bench), crew_(crew), progress_(progress) {
    result_.solver = std::move(solver);
    result_.kind = crew.kind, result_.threads = crew.threads;
    result_.law = law_of(result_.solver);
    const auto rows = planned_rows(options_.bodies.front(), result_.law,
                                   numbers_of_workers(options, crew.kind, crew.all), crew);
    require_memory(rows, crew);
    looks_ = rows.size() * static_cast<std::size_t>(2 + options_.repeats);
    for (const ScalingRow& row : rows) measurements_.push_back({row, {}, nullptr, {}});
  }

  ScalingResult measured() {
    for (Measurement& m : measurements_) at_work(m, [&] { prepare(m); });
    rounds(false);
    if (crew_.costs_disturb) rounds(true);
    for (Measurement& m : measurements_) at_work(m, [&] { judge(m); });
    for (Measurement& m : measurements_) {
      if (!m.parts.empty()) m.row.parts = medians(m.parts);
      result_.rows.push_back(std::move(m.row));
    }
    return std::move(result_);
  }

 private:
  void at_work(Measurement& m, const std::function<void()>& work) {
    crew_.at_work(m.row.workers, static_cast<int>(&m - measurements_.data()), work);
    if (progress_) progress_(result_.solver, std::min(1.0, ++done_ / static_cast<double>(looks_)));
  }

  void prepare(Measurement& m) {
    m.input = bench_input(options_, m.row.bodies);
    m.row.bodies = m.input.bodies.size();
    if (m.row.bodies < static_cast<std::size_t>(m.row.workers)) {
      throw Error(ExitCode::wrong_usage,
                  fmt::format("{} bodies are too few for {} {}", m.row.bodies, m.row.workers,
                              name_of(crew_.kind)),
                  "give every one of them a body with --bodies");
    }
    const EngineSettings settings =
        engine_settings(options_, result_.solver, options_.precisions.front(), m.input.law);
    LoadedEngine made = crew_.engine(settings, m.input.bodies, m.row.workers);
    m.engine = std::move(made.engine);
    for (auto& notice : made.notices) result_.notices.push_back(std::move(notice));
    if (result_.model.empty()) {
      result_.model = m.input.model, result_.masses = m.input.masses;
      result_.softening = m.input.law.softening;
      if (solver_named(result_.solver).takes_accuracy) result_.accuracy = wanted_accuracy(options_);
    }
    warm_up(m);
  }

  // The first step builds, settles and allocates; the last one tells how long a step is.
  void warm_up(Measurement& m) {
    double seconds = 0;
    for (int i = 0; i < 1 + options_.warmup; ++i) seconds = seconds_a_step(m);
    m.row.steps_a_sample =
        std::clamp(static_cast<int>(short_sample / std::max(seconds, 1e-9)), 1, most_steps);
    m.row.engine = m.engine->describe();
    m.row.working = m.row.workers;
    if (crew_.kind == WorkerKind::devices) {
      m.row.working = static_cast<int>(m.row.engine.devices.size());
    }
  }

  // All in turn, so that what disturbs the machine for a while disturbs all of them.
  void rounds(bool for_costs) {
    for (int i = 0; i < options_.repeats; ++i) {
      for (Measurement& m : measurements_) at_work(m, [&] { sample(m, for_costs); });
    }
  }

  void sample(Measurement& m, bool for_costs) {
    const bool costs = crew_.costs && for_costs == crew_.costs_disturb;
    if (costs) crew_.costs(*m.engine, 1);  // what was before
    const double seconds = seconds_a_step(m);
    if (!for_costs) m.row.step.seconds.push_back(seconds);
    if (costs) {
      m.parts.push_back(parts_of(crew_.costs(*m.engine, m.row.steps_a_sample), seconds));
    }
  }

  static ScalingPoint::Parts medians(const std::vector<ScalingPoint::Parts>& all) {
    using P = ScalingPoint::Parts;
    return {median_of(all, &P::compute),  median_of(all, &P::imbalance),
            median_of(all, &P::exchange), median_of(all, &P::messages),
            median_of(all, &P::bytes),    median_of(all, &P::meetings)};
  }

  // Whether what was timed is right.
  void judge(Measurement& m) {
    BenchResult result;
    result.engine = m.row.engine;
    result.law = m.input.law;
    result.error = sample_force_error(*m.engine, m.input.law, options_.device.threads);
    m.row.error = result.error;
    m.row.complaint = complaint_about(*m.engine, m.input, result, result_.accuracy);
    m.engine.reset();
    m.input = {};
  }

  BenchOptions options_;
  const Crew& crew_;
  const ScalingProgress& progress_;
  ScalingResult result_;
  std::vector<Measurement> measurements_;
  std::size_t looks_ = 1;
  double done_ = 0;
};

}  // namespace

void require_valid(const ScalingOptions& options) {
  require_valid(options.bench);
  if (options.bench.bodies.size() != 1 || options.bench.bodies.front() == 0) {
    throw Error(ExitCode::wrong_usage,
                fmt::format("--bodies {}: one number of bodies is shared, or grows, by scaling",
                            fmt::join(options.bench.bodies, ",")),
                "give one number from 1 on");
  }
  if (model_info(options.bench.model).fixed_count) {
    throw Error(ExitCode::wrong_usage,
                fmt::format("model {} has its own number of bodies", options.bench.model),
                fmt::format("choose one of any number, see '{}'", typed_command("init --list")));
  }
  for (const std::string& solver : options.bench.solvers) law_of(solver);
}

std::vector<int> numbers_up_to(int all) {
  std::set<int> numbers{1, all};
  for (int power = 2; power <= all; power *= 2) {
    numbers.insert(power);
    if (power + power / 2 <= all) numbers.insert(power + power / 2);
  }
  return {numbers.begin(), numbers.end()};
}

std::vector<int> numbers_of_workers(const ScalingOptions& options, WorkerKind kind, int all) {
  std::set<int> numbers(options.workers.begin(), options.workers.end());
  if (numbers.empty()) return numbers_up_to(all);
  if (*numbers.begin() < 1) {
    throw Error(ExitCode::wrong_usage, fmt::format("--workers {}: nobody works", *numbers.begin()),
                "give numbers from 1 on");
  }
  constexpr int most_threads = 4096;
  const int most = kind == WorkerKind::threads ? most_threads : all;
  if (*numbers.rbegin() > most) {
    throw Error(
        ExitCode::wrong_usage,
        fmt::format("--workers {}: there are {} {}", *numbers.rbegin(), most, name_of(kind)),
        kind == WorkerKind::ranks ? "start more with mpirun -n, or ask for fewer"
                                  : "ask for fewer");
  }
  numbers.insert(1);
  return {numbers.begin(), numbers.end()};
}

double ScalingResult::speedup(const ScalingRow& row, bool weak) const {
  const double once = one().step.median(), here = row.step.median();
  return here > 0 ? (weak ? row.workers : 1) * once / here : 0;
}

std::vector<ScalingPoint> ScalingResult::points() const {
  std::vector<ScalingPoint> out;
  for (const ScalingRow& row : rows) {
    if (!row.counts()) continue;
    out.push_back({static_cast<double>(row.workers), static_cast<double>(row.bodies),
                   row.step.median(), row.parts});
  }
  return out;
}

std::vector<ScalingResult> measure_scaling(const ScalingOptions& options, const Crew& crew,
                                           const ScalingProgress& progress) {
  require_valid(options);
  std::vector<ScalingResult> results;
  for (const std::string& solver : options.bench.solvers) {
    results.push_back(ScalingBench(options, crew, solver, progress).measured());
  }
  return results;
}

}  // namespace apsis
