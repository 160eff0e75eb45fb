// SPDX-License-Identifier: MIT
// Energy error against work for every integrator, and how the error drifts over many orbits.
#include <apsis/core/energies.hpp>
#include <apsis/engines/engine_factory.hpp>
#include <apsis/initial/model.hpp>
#include <apsis/integrators/integrator.hpp>
#include <apsis/lab/all_lessons.hpp>
#include <apsis/lab/charts.hpp>
#include <apsis/lab/findings.hpp>
#include <apsis/lab/jerk_cost.hpp>
#include <apsis/lab/orbit_parts.hpp>
#include <apsis/lab/places.hpp>
#include <apsis/sim/simulation.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <numbers>
#include <utility>

namespace apsis::lab {
namespace {

constexpr double eccentricity = 0.5, orbit_time = 2 * std::numbers::pi;
// Beyond this the orbit is another one.
constexpr double orbit_lost = 0.03;
// A power of the step that is this much above the order wants a reason.
constexpr double steeper = 0.3;

struct Problem {
  std::string name;
  Bodies bodies;
  double softening = 0;
  double time = 1;      // from start to end
  double smallest = 1;  // steps a unit of time that are tried first
};

Problem kepler(bool quick) {
  ModelRequest request{.model = "kepler"};
  request.options["eccentricity"].value = eccentricity;
  InitialState state = make_model(request);
  const double orbits = quick ? 2 : 10;
  return {"kepler", std::move(state.bodies), 0, orbits * orbit_time, 10};
}

Problem plummer(const LabOptions& options) {
  const std::uint64_t bodies = !options.bodies.empty() ? options.bodies.front()
                               : options.quick         ? 64
                                                       : 256;
  InitialState state = make_model({.model = "plummer", .bodies = bodies});
  return {"plummer", std::move(state.bodies), state.defaults.softening, options.quick ? 0.5 : 2.0,
          20};
}

std::unique_ptr<Engine> engine_for(const LabOptions& options, const Problem& problem) {
  EngineSettings settings;
  settings.force = forces({Law::gravity, 1, problem.softening}, "direct");
  settings.device.name = "cpu";
  settings.device.precision = Precision::f64;
  settings.device.threads = options.threads;
  auto engine = make_engine(settings);
  engine->load(problem.bodies);
  return engine;
}

struct Trip {
  double error = 0;    // largest on the way
  double seconds = 0;  // without the looks at the energy
  bool finite = true;
};

// Walks `steps` steps and looks at the energy now and then; `on_look` gets the time and the error.
Trip travel(const LabOptions& options, const Problem& problem, const Integrator& integrator,
            std::uint64_t steps, std::uint64_t looks,
            const std::function<void(double, double)>& on_look) {
  const auto engine = engine_for(options, problem);
  const Energies start = engine->energies(0);
  const double dt = problem.time / static_cast<double>(steps);
  Trip trip;
  std::vector<Operation> operations;
  const std::uint64_t stride = std::max<std::uint64_t>(1, steps / looks);
  for (std::uint64_t done = 0; done < steps && trip.finite;) {
    const std::uint64_t end = std::min(steps, done + stride);
    const auto begin = std::chrono::steady_clock::now();
    for (; done < end; ++done) {
      operations.clear();
      integrator.add_step(static_cast<double>(done) * dt, dt, operations);
      engine->apply(operations);
    }
    trip.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const double error = energy_error(engine->energies(static_cast<double>(done) * dt), start);
    trip.finite = std::isfinite(error);
    trip.error = trip.finite ? std::max(trip.error, error) : INFINITY;
    if (trip.finite && on_look) on_look(static_cast<double>(done) * dt, error);
  }
  return trip;
}

void measure_work(const LabOptions& options, Recorder& recorder, std::size_t table,
                  const Problem& problem) {
  const int doublings = options.quick ? 3 : 6;
  for (const Integrator& integrator : integrator_table()) {
    recorder.measuring(fmt::format("{} on {}", integrator.name, problem.name));
    for (int k = 0; k < doublings; ++k) {
      // the same work for all: schemes of several evaluations take fewer steps
      const double wanted = problem.smallest * problem.time * std::pow(2, k + 1);
      const auto steps = static_cast<std::uint64_t>(
          std::max(4.0, std::rint(wanted / integrator.force_evaluations)));
      const Trip trip = travel(options, problem, integrator, steps, 200, {});
      recorder.add(table,
                   {{"problem", problem.name},
                    {"integrator", integrator.name},
                    {"order", static_cast<double>(integrator.order)},
                    {"bodies", static_cast<double>(problem.bodies.size())},
                    {"steps", static_cast<double>(steps)},
                    {"step", problem.time / static_cast<double>(steps)},
                    {"evaluations", static_cast<double>(steps) * integrator.force_evaluations},
                    {"error", trip.finite ? Cell(trip.error) : Cell()},
                    {"seconds", trip.seconds}});
    }
  }
}

// The largest error of an orbit, so that what swings within one is not taken for a drift; a row
// where the number of orbits has grown by a tenth, and at the end.
void measure_drift(const LabOptions& options, Recorder& recorder, std::size_t table) {
  Problem problem = kepler(options.quick);
  const double orbits = options.quick ? 20 : 1000, evaluations = 400, looks = 16;
  problem.time = orbits * orbit_time;
  for (const Integrator& integrator : integrator_table()) {
    recorder.measuring(fmt::format("{} over {:.0f} orbits", integrator.name, orbits));
    const double an_orbit = std::rint(evaluations / integrator.force_evaluations);
    double last_shown = 0, last_orbit = 0, largest_error = 0;
    travel(options, problem, integrator, static_cast<std::uint64_t>(an_orbit * orbits),
           static_cast<std::uint64_t>(looks * orbits), [&](double time, double error) {
             const double orbit = time / orbit_time;
             largest_error = std::max(largest_error, error);
             if (orbit < last_orbit + 1 - 1e-9) return;
             last_orbit = std::floor(orbit + 1e-9);
             const double of_orbit = std::exchange(largest_error, 0.0);
             if (last_orbit < 1.1 * last_shown && last_orbit < orbits) return;
             last_shown = last_orbit;
             recorder.add(table, {{"integrator", integrator.name},
                                  {"orbits", last_orbit},
                                  {"error", of_orbit},
                                  {"evaluations_an_orbit", evaluations}});
           });
  }
}

void measure(const LabOptions& options, Recorder& recorder) {
  LabOptions native = options;
  native.devices = {"cpu"};
  places(native, Wanted::everything, recorder);
  const std::size_t work = recorder.declare(
      {"results",
       "Energy error against work (f64, native cpu)",
       {{"problem", "problem", "kepler: e = 0.5; plummer: a sphere in equilibrium", Look::text},
        {"integrator", "integrator", "scheme", Look::text},
        {"order", "order", "of its error", Look::whole},
        {"bodies", "bodies", "number of bodies", Look::whole},
        {"steps", "steps", "that were taken", Look::whole},
        {"step", "", "length of a step in time", Look::ratio},
        {"evaluations", "forces", "force evaluations", Look::whole},
        {"error", "energy error", "largest relative energy error on the way", Look::error},
        {"seconds", "time", "seconds of the steps", Look::seconds}}});
  const std::size_t drift =
      recorder.declare({"drift",
                        "Largest energy error of an orbit of kepler, 400 force evaluations each",
                        {{"integrator", "", "scheme", Look::text},
                         {"orbits", "", "since the start", Look::whole},
                         {"error", "", "largest relative energy error of that orbit", Look::error},
                         {"evaluations_an_orbit", "", "force evaluations an orbit", Look::whole}}});
  const std::size_t orbit = recorder.declare(orbit_table());
  const std::size_t jerk = recorder.declare(jerk_table());
  measure_work(options, recorder, work, kepler(options.quick));
  measure_work(options, recorder, work, plummer(options));
  measure_orbits(options, recorder, orbit);
  measure_jerk(options, recorder, jerk);
  measure_drift(options, recorder, drift);
}

Panel work_panel(const ResultTable& table, const std::string& problem) {
  const auto errors =
      series_of(table, {.x = "evaluations",
                        .y = "error",
                        .name = [](const Row& row) { return row.text("integrator"); },
                        .wanted = [=](const Row& row) { return row.text("problem") == problem; }});
  return {logarithmic_axis("force evaluations", errors, &Series::x),
          logarithmic_axis(problem + ": largest energy error", errors), errors};
}

std::vector<NamedChart> charts(const Results& results) {
  const ResultTable& table = results.table("results");
  Chart work{.title = "Energy error against work", .panels = {}, .height = 1000};
  work.panels.push_back(work_panel(table, "kepler"));
  work.panels.push_back(work_panel(table, "plummer"));
  const auto drifts = series_of(
      results.table("drift"),
      {.x = "orbits", .y = "error", .name = [](const Row& row) { return row.text("integrator"); }});
  Chart drift{.title = "Drift of the energy at equal work, Kepler orbit with e = 0.5",
              .panels = {}};
  drift.panels.push_back({logarithmic_axis("orbits", drifts, &Series::x),
                          logarithmic_axis("largest energy error of an orbit", drifts), drifts});
  std::vector<NamedChart> all;
  all.push_back({"", std::move(work)});
  all.push_back({"drift", std::move(drift)});
  // results of older versions have no such table
  const ResultTable& orbit = results.table("orbit");
  if (orbit.size() > 0) all.push_back({"orbit", orbit_chart(orbit)});
  return all;
}

// Rows of an integrator on a problem, by rising work.
std::vector<Row> rows_with(const ResultTable& table, const std::string& problem,
                           const std::string& integrator) {
  std::vector<Row> rows;
  for (const Row& row : table.rows()) {
    if (row.text("problem") == problem && row.text("integrator") == integrator &&
        row.number("error")) {
      rows.push_back(row);
    }
  }
  return rows;
}

std::vector<std::string> names_in(const ResultTable& table) {
  std::vector<std::string> names;
  for (const Row& row : table.rows()) {
    if (std::find(names.begin(), names.end(), row.text("integrator")) == names.end()) {
      names.push_back(row.text("integrator"));
    }
  }
  return names;
}

void add_best_sentence(std::vector<std::string>& sentences, const ResultTable& table,
                       const std::string& problem) {
  std::optional<Row> best, worst;
  for (const std::string& name : names_in(table)) {
    const auto rows = rows_with(table, problem, name);
    if (rows.empty()) continue;
    const Row& row = rows.back();
    if (!best || row.value("error") < best->value("error")) best = row;
    if (!worst || row.value("error") > worst->value("error")) worst = row;
  }
  if (!best || best->text("integrator") == worst->text("integrator")) return;
  sentences.push_back(fmt::format(
      "{}: for about {} force evaluations {} (order {:.0f}) keeps the energy best, within {:.1e}; "
      "{} is worst with {:.1e}.",
      problem, with_commas(best->value("evaluations")), best->text("integrator"),
      best->value("order"), best->value("error"), worst->text("integrator"),
      worst->value("error")));
}

// The slope between the two largest amounts of work, against the promised order.
void add_order_sentences(std::vector<std::string>& sentences, const ResultTable& table,
                         const ResultTable& orbit) {
  std::string text;
  std::vector<std::string> reasons;
  for (const std::string& name : names_in(table)) {
    const auto rows = rows_with(table, "kepler", name);
    if (rows.size() < 2) continue;
    const Row &before = rows[rows.size() - 2], &last = rows.back();
    if (!(last.value("error") > 1e-13)) continue;  // rounding, not the scheme
    const double slope = std::log(before.value("error") / last.value("error")) /
                         std::log(last.value("steps") / before.value("steps"));
    text += fmt::format("{}{} {:.1f} (order {:.0f})", text.empty() ? "" : ", ", name, slope,
                        last.value("order"));
    if (slope < last.value("order") + steeper) continue;
    const double orbits = last.value("steps") * last.value("step") / orbit_time;
    std::string reason = reason_for({name, last.value("order"), slope, orbits,
                                     before.value("steps") / orbits, last.value("steps") / orbits},
                                    orbit);
    if (!reason.empty()) reasons.push_back(std::move(reason));
  }
  if (!text.empty()) {
    sentences.push_back("kepler: with half the step the error falls by 2 to the power of: " + text +
                        ".");
  }
  for (std::string& reason : reasons) sentences.push_back(std::move(reason));
}

struct Drift {
  double early = 0, late = 0, orbits = 0;  // largest errors of the first tenth and of the rest
};
Drift drift_of(const ResultTable& table, const std::string& integrator) {
  Drift drift;
  for (const Row& row : table.rows()) {
    if (row.text("integrator") == integrator) {
      drift.orbits = std::max(drift.orbits, row.value("orbits"));
    }
  }
  for (const Row& row : table.rows()) {
    if (row.text("integrator") != integrator) continue;
    double& part = row.value("orbits") <= 0.1 * drift.orbits ? drift.early : drift.late;
    part = std::max(part, row.value("error"));
  }
  return drift;
}

void add_drift_sentences(std::vector<std::string>& sentences, const ResultTable& table) {
  std::vector<std::string> bounded, drifting, lost;
  double orbits = 0;
  for (const std::string& name : names_in(table)) {
    const Drift drift = drift_of(table, name);
    orbits = std::max(orbits, drift.orbits);
    if (!(drift.late > 0) || !(drift.early > 0)) continue;
    auto& kind = drift.late > orbit_lost ? lost : drift.late > 2 * drift.early ? drifting : bounded;
    kind.push_back(fmt::format("{} ({:.1e})", name, drift.late));
  }
  if (!bounded.empty()) {
    sentences.push_back(
        fmt::format("Over {:.0f} orbits the energy error stays within twice that of the first "
                    "tenth of them for "
                    "{}.",
                    orbits, fmt::join(bounded, ", ")));
  }
  if (!drifting.empty()) {
    sentences.push_back(
        fmt::format("It grows from orbit to orbit for {}: such a scheme loses or gains a little "
                    "energy on each.",
                    fmt::join(drifting, ", ")));
  }
  if (!lost.empty()) {
    sentences.push_back(fmt::format("The orbit itself is lost by {}.", fmt::join(lost, ", ")));
  }
}

std::vector<std::string> findings(const Results& results) {
  std::vector<std::string> sentences;
  add_best_sentence(sentences, results.table("results"), "kepler");
  add_best_sentence(sentences, results.table("results"), "plummer");
  add_order_sentences(sentences, results.table("results"), results.table("orbit"));
  for (std::string& said : jerk_findings(results.table("jerk"), results.table("results"))) {
    sentences.push_back(std::move(said));
  }
  add_drift_sentences(sentences, results.table("drift"));
  return sentences;
}

}  // namespace

Lesson integrators_lesson() {
  return {.name = "integrators",
          .title = "Integrators: error against work",
          .summary = "energy error against work for every integrator, and the drift of long runs",
          .takes = {"bodies", "threads"},
          .measure = measure,
          .charts = charts,
          .findings = findings};
}

}  // namespace apsis::lab
