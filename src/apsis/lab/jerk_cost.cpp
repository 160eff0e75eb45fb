// SPDX-License-Identifier: MIT
#include <apsis/core/parallel.hpp>
#include <apsis/engines/engine_factory.hpp>
#include <apsis/files/cores.hpp>
#include <apsis/initial/model.hpp>
#include <apsis/lab/comparison.hpp>
#include <apsis/lab/findings.hpp>
#include <apsis/lab/jerk_cost.hpp>
#include <apsis/measure/roofline.hpp>
#include <apsis/measure/timing.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

namespace apsis::lab {
namespace {

// Short rounds that take turns, so that other programs get in between and not into them.
constexpr int usual_rounds = 41, quick_rounds = 11;
constexpr double round_time = 0.004;  // seconds

struct Contender {
  std::string what, variant;  // variant: of the native direct solver; empty: its fastest
  bool jerk = false;
  Timings timings = {};
  double waited = 0;
  std::unique_ptr<Engine> engine = nullptr;
};

// On one thread: it is the loops that are compared.
std::unique_ptr<Engine> engine_with(const std::string& variant, const InitialState& state) {
  EngineSettings settings;
  settings.force = forces({Law::gravity, 1, state.defaults.softening}, "direct");
  settings.device.name = "cpu";
  settings.device.variant = variant;
  settings.device.precision = Precision::f64;
  settings.device.threads = 1;
  auto engine = make_engine(settings);
  engine->load(state.bodies);
  return engine;
}

// Seconds of an evaluation; a drift of next to nothing keeps it from being fresh.
double evaluation_of(Engine& engine, bool jerk, int evaluations) {
  const std::vector<Operation> operations{
      Operation::drift(1e-12),
      jerk ? Operation::accelerate_with_jerk(0) : Operation::accelerate(0)};
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < evaluations; ++i) engine.apply(operations);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() /
         evaluations;
}

double operations_of(const Contender& contender, const std::string& variant, std::uint64_t bodies) {
  return contender.jerk ? work_with_jerk(Precision::f64).operations
                        : work_of(variant, Precision::f64, bodies).operations;
}

// With the most work up to `evaluations`; of hermite4, or the best of all others.
std::optional<Row> best_row(const ResultTable& work, const std::string& problem, bool hermite,
                            double evaluations, double highest_order = 1e9) {
  std::optional<Row> best;
  for (const Row& row : work.rows()) {
    const bool wanted = (row.text("integrator") == "hermite4") == hermite &&
                        row.text("problem") == problem && row.number("error") &&
                        row.value("evaluations") <= evaluations &&
                        !(row.value("order") > highest_order);
    if (wanted && (!best || row.value("error") < best->value("error"))) best = row;
  }
  return best;
}

double most_evaluations(const ResultTable& work, const std::string& problem) {
  double most = 0;
  for (const Row& row : work.rows()) {
    if (row.text("problem") == problem && row.text("integrator") != "hermite4") {
      most = std::max(most, row.value("evaluations"));
    }
  }
  return most;
}

void add_equal_work(std::vector<std::string>& sentences, const ResultTable& work, double cost) {
  for (const char* problem : {"kepler", "plummer"}) {
    const double most = most_evaluations(work, problem);
    const auto other = best_row(work, problem, false, most);
    // a tenth more than fits, as schemes of several evaluations do not hit a number
    const auto hermite = best_row(work, problem, true, 1.1 * most / cost);
    if (!other || !hermite) continue;
    const auto alike = best_row(work, problem, false, most, hermite->value("order"));
    const double ratio = other->value("error") / hermite->value("error");
    sentences.push_back(fmt::format(
        "{}, at about equal operations: hermite4 {} within {:.1e} for {} evaluations "
        "with jerk, and {} "
        "within {:.1e} for {} without{}.",
        problem,
        ratio > 1.5       ? "is ahead,"
        : ratio < 1 / 1.5 ? "is behind,"
                          : "is as good,",
        hermite->value("error"), with_commas(hermite->value("evaluations")),
        other->text("integrator"), other->value("error"), with_commas(other->value("evaluations")),
        alike && alike->text("integrator") != other->text("integrator")
            ? fmt::format("; the best of the same order or below is {} within {:.1e}",
                          alike->text("integrator"), alike->value("error"))
            : ""));
  }
}

}  // namespace

ResultTable jerk_table() {
  return {"jerk",
          "What jerks cost: an evaluation of all pairs (f64, one thread of the native cpu)",
          {{"what", "what", "forces alone, or with their change in time", Look::text},
           {"variant", "loop", "of the native direct solver", Look::text},
           {"bodies", "bodies", "number of bodies", Look::whole},
           {"operations", "operations",
            "that the loop does for a pair, counted in its source: a root is one", Look::ratio},
           {"seconds", "time", "seconds of an evaluation, median", Look::seconds},
           {"seconds_deviation", "±", "seconds, standard deviation of the former", Look::seconds},
           {"gflops", "GFLOP/s", "1e9 operations done a second", Look::rate},
           {"waited", "", "seconds that threads waited for a core for every second of the row",
            Look::ratio}}};
}

void measure_jerk(const LabOptions& options, Recorder& recorder, std::size_t table) {
  constexpr std::uint64_t bodies = 1024;
  const InitialState state = make_model({.model = "plummer", .bodies = bodies});
  std::vector<Contender> all;
  all.push_back({.what = "forces", .variant = "soa"});
  all.push_back({.what = "forces and jerks", .variant = "soa", .jerk = true});
  all.push_back({.what = "forces, fastest loop", .variant = ""});
  recorder.measuring(fmt::format("{}, forces with and without jerks", bodies_in_words(bodies)));
  for (Contender& one : all) one.engine = engine_with(one.variant, state);
  const double trial = evaluation_of(*all.front().engine, false, 3);
  const auto evaluations =
      static_cast<int>(std::clamp(round_time / std::max(trial, 1e-9), 1.0, 1e4));
  const int rounds = options.quick ? quick_rounds : usual_rounds;
  for (int round = 0; round < rounds; ++round) {
    for (Contender& one : all) {
      const double before = seconds_waited_for_cores().value_or(0);
      one.timings.seconds.push_back(evaluation_of(*one.engine, one.jerk, evaluations));
      one.waited += std::max(0.0, seconds_waited_for_cores().value_or(0) - before);
    }
  }
  for (const Contender& one : all) {
    const auto number = static_cast<double>(bodies);
    const std::string variant = one.engine->describe().variant();
    const double operations = operations_of(one, variant, bodies), seconds = one.timings.median();
    recorder.add(table, {{"what", one.what},
                         {"variant", variant},
                         {"bodies", number},
                         {"operations", operations},
                         {"seconds", seconds},
                         {"seconds_deviation", one.timings.deviation()},
                         {"gflops", 1e-9 * operations * number * number / seconds},
                         {"waited", one.waited / (one.timings.mean() * evaluations * rounds)}});
  }
}

std::vector<std::string> jerk_findings(const ResultTable& jerk, const ResultTable& work) {
  std::optional<Row> forces, both, fastest;
  for (const Row& row : jerk.rows()) {
    const std::string what = row.text("what");
    (what == "forces" ? forces : what == "forces and jerks" ? both : fastest) = row;
  }
  if (!forces || !both) return {};
  const double counted = both->value("operations") / forces->value("operations");
  if (!(counted > 0)) return {};
  // how many times as long an evaluation with jerks takes
  const auto words = [&](const Row& without) {
    const auto step = compared(*both, without);
    if (!step) return std::string("a time that was not measured");
    return times(*step) + " the time" +
           (step->verdict == Verdict::unclear ? " (" + doubt(*step) + ")" : "");
  };
  std::string text = fmt::format(
      "Jerks: a pair takes {:g} operations instead of {:g}, {}, and an evaluation of {} {} "
      "in "
      "the same loop",
      both->value("operations"), forces->value("operations"), times(counted),
      bodies_in_words(both->value("bodies")), words(*forces));
  if (fastest) {
    text += fmt::format("; beside the fastest loop without jerks ({}) {}", fastest->text("variant"),
                        words(*fastest));
  }
  std::vector<std::string> sentences{text + "."};
  add_equal_work(sentences, work, counted);
  return sentences;
}

}  // namespace apsis::lab
