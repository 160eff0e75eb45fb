// SPDX-License-Identifier: MIT
// Bins, trees and multipoles beside all pairs, in the box of a course on performance.
#include <apsis/lab/all_lessons.hpp>
#include <apsis/lab/charts.hpp>
#include <apsis/lab/far_field_bins.hpp>
#include <apsis/lab/far_field_box.hpp>
#include <apsis/lab/findings.hpp>
#include <apsis/lab/forces.hpp>
#include <apsis/solvers/bins/bins_variants.hpp>
#include <apsis/solvers/registry.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace apsis::lab {
namespace {

constexpr double accuracy = 1e-3;

struct Published {
  const char* solver;
  double bodies, seconds;
};
constexpr Published published[] = {{"direct", 32000, 0.182},
                                   {"direct", 320000, 6.131},
                                   {"bins", 32000, 0.168},
                                   {"bins", 320000, 3.506}};
constexpr const char* published_name = "published 2017";

BenchOptions bench_of(const LabOptions& options, const LessonPlace& place, std::uint64_t bodies,
                      const SolverInfo& solver) {
  BenchOptions bench = usual_bench(options, place, bodies);
  bench.solvers = {solver.name};
  bench.model = "bins-box";
  bench.masses = Masses::equal;  // points of mass 1
  bench.force.softening = box_softening;
  if (solver.takes_accuracy) bench.force.far_field.accuracy = accuracy;
  if (solver.takes_bins) {
    bench.force.bins.bins = bins_a_side;
    bench.force.bins.box = Box{0, box_side, 0, box_side, 0, box_side};
  }
  return bench;
}

bool runs_on(const SolverInfo& solver, const LessonPlace& place) {
  return place.native ? runs_on_cpu(solver, Precision::f32)
                      : runs_on_device(solver, Precision::f32);
}

// Evaluated once more for its digits after all are timed, so that the table of times comes whole.
struct WayAt {
  LessonPlace place;
  BenchOptions bench;
};

// The usual way to sum over bins, and the others beside it.
void add_ways(const LessonPlace& place, BenchOptions bench, ForceBench& rows,
              std::vector<WayAt>& measured, Recorder& recorder) {
  for (const BinsVariant& variant : bins_variants) {
    bench.device.variant = variant.name;
    const std::string name = name_of_way(bench.device.variant);
    if (place.native && !variant.on_cpu) {
      recorder.notice(fmt::format("{} does not run on {}", name, place.name));
      continue;
    }
    rows.add(place, bench, {.variant = name, .compared_with = "direct"});
    measured.push_back({place, bench});
  }
}

void measure(const LabOptions& options, Recorder& recorder) {
  const auto where = places(options, Wanted::everything, recorder);
  const std::size_t table = recorder.declare(
      force_table("results", "Points in the box [0,1000]^3 (f32; tree and fmm at 1e-3 of error)",
                  {"device", "variant", "bodies", "steps", "seconds", "seconds_deviation",
                   "seconds_kernel", "speedup", "error_median", "error_p99", "error_max"}));
  BinsDigits digits(recorder, options.threads);
  for (const Published& row : published) {
    recorder.add(table, {{"device", published_name},
                         {"kind", "published"},
                         {"solver", row.solver},
                         {"variant", row.solver},
                         {"bodies", row.bodies},
                         {"seconds", row.seconds}});
  }
  ForceBench rows(options, recorder, table);
  std::vector<WayAt> ways;
  std::vector<std::uint64_t> sizes = options.bodies;
  if (sizes.empty())
    sizes = options.quick
                ? std::vector<std::uint64_t>{2000, 8000}
                : std::vector<std::uint64_t>(std::begin(course_sizes), std::end(course_sizes));
  for (const LessonPlace& place : where) {
    for (const std::uint64_t bodies : sizes) {
      for (const SolverInfo& solver : solver_table()) {
        if (solver.name == "reference" || !solver.acts) continue;
        if (!runs_on(solver, place)) {
          recorder.notice(fmt::format("solver {} does not run on {}", solver.name, place.name));
          continue;
        }
        const BenchOptions bench = bench_of(options, place, bodies, solver);
        if (solver.takes_bins) {
          add_ways(place, bench, rows, ways, recorder);
        } else {
          rows.add(place, bench, {.variant = solver.name, .compared_with = "direct"});
        }
      }
    }
  }
  for (const WayAt& way : ways) digits.add(way.place, way.bench);
}

std::string name_of_series(const Row& row) {
  return fmt::format("{}, {}", row.text("solver"), row.text("device"));
}

// Of each solver one row; other ways to sum over bins have a chart of their own.
bool is_usual(const Row& row) {
  const std::string variant = row.text("variant");
  return variant.empty() || variant == row.text("solver");
}

std::vector<NamedChart> charts(const Results& results) {
  const ResultTable& table = results.table("results");
  SeriesBy by{
      .x = "bodies",
      .y = "seconds",
      .name = name_of_series,
      .wanted = is_usual,
      .colours = text_of("solver"),
      .markers = text_of("device"),
      .spread = spread_of("seconds"),
      .dashed = [](const Row& row) { return name_of_series(row).ends_with(published_name); }};
  const Axis seconds{.label = "seconds, end to end", .logarithmic = true};
  Chart against_bodies{.title = "A force evaluation in the box of 1000^3, end to end (f32)",
                       .panels = {}};
  against_bodies.panels.push_back(panel_of(table, by, bodies_axis(table), seconds));

  double most = 0;  // of those whose error is known
  for (const Row& row : table.rows()) {
    if (row.number("error_p99")) most = std::max(most, row.value("bodies"));
  }
  by.x = "error_p99";
  by.wanted = [=](const Row& row) {
    return row.number("error_p99") && row.value("bodies") == most && is_usual(row);
  };
  Panel errors = panel_of(
      table, by, {.label = "relative force error that 99 % stay below", .logarithmic = true},
      seconds);
  for (Series& series : errors.series) {
    if (!series.key_only) series.look = Series::Look::points;
  }
  Chart against_error{.title = fmt::format("Time beside error, {}", bodies_in_words(most)),
                      .panels = {}};
  against_error.panels.push_back(std::move(errors));
  std::vector<NamedChart> all{{"", std::move(against_bodies)}, {"error", std::move(against_error)}};
  if (auto ways = way_chart(table, results.table(digits_table))) {
    all.push_back({"bins", std::move(*ways)});
  }
  return all;
}

void add_device_sentences(std::vector<std::string>& sentences, const std::string& device,
                          const std::vector<Row>& rows) {
  const auto direct = row_with(rows, "solver", "direct");
  const double bodies = rows.front().value("bodies");
  for (const Row& row : rows) {
    const std::string solver = row.text("solver");
    if (!direct || solver == "direct" || !is_usual(row)) continue;
    const auto step = compared(*direct, row, "seconds");
    if (!step) continue;
    sentences.push_back(fmt::format(
        "{}, {}: {} {} all pairs ({} the speed end to end) at a 99 % force error of {}{}.", device,
        bodies_in_words(bodies), solver,
        verdict_words(step->verdict,
                      {"beats", "lost against", "is as fast as", "can't be told apart from"}),
        times(*step), shown(row.cell("error_p99"), Look::error),
        step->verdict == Verdict::lost ? "; what it builds and walks through costs more here than "
                                         "the pairs it saves"
                                       : ""));
  }
}

// Direct summation and bins against what was published, at the same number of points.
void add_published_sentences(std::vector<std::string>& sentences, const ResultTable& table) {
  for (const Row& old : rows_of(table, published_name)) {
    for (const std::string& device : devices_in(table)) {
      if (device == published_name) continue;
      const auto rows = with_bodies(rows_of(table, device), old.value("bodies"));
      const auto now = row_with(rows, "solver", old.text("solver"));
      if (!now) continue;
      const double ratio = old.value("seconds") / now->value("seconds");
      sentences.push_back(
          fmt::format("{} points by {}: {} on {} now, {} published in 2017 ({}).",
                      with_commas(old.value("bodies")), old.text("solver"),
                      shown(now->cell("seconds"), Look::seconds), device,
                      shown(old.cell("seconds"), Look::seconds),
                      ratio >= 1 ? times(ratio) + " as fast" : times(1 / ratio) + " slower here"));
    }
  }
}

std::vector<std::string> findings(const Results& results) {
  const ResultTable& table = results.table("results");
  std::vector<std::string> sentences;
  for (const std::string& device : devices_in(table)) {
    if (device == published_name) continue;
    const auto rows = largest(rows_of(table, device));
    add_device_sentences(sentences, device, rows);
    for (std::string& ways : way_findings(results.table(digits_table), rows)) {
      sentences.push_back(std::move(ways));
    }
  }
  add_published_sentences(sentences, table);
  for (std::string& busy : busy_findings(table)) sentences.push_back(std::move(busy));
  for (std::string& wrong : complaint_findings(table)) sentences.push_back(std::move(wrong));
  return sentences;
}

}  // namespace

Lesson far_field_lesson() {
  return {.name = "far-field",
          .title = "The far field: bins, tree, multipoles",
          .summary = "direct, bins, tree and fmm at 32,000 and 320,000 points, time beside error",
          .takes = {"bodies", "device", "steps", "warmup", "threads"},
          .measure = measure,
          .charts = charts,
          .findings = findings};
}

}  // namespace apsis::lab
