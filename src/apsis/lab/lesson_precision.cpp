// SPDX-License-Identifier: MIT
// What digits cost: f32, mixed and f64; and what one running sum loses against sums of sums.
#include <apsis/lab/all_lessons.hpp>
#include <apsis/lab/charts.hpp>
#include <apsis/lab/findings.hpp>
#include <apsis/lab/forces.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace apsis::lab {
namespace {

constexpr const char* running = "one running sum";
constexpr const char* blocked = "sums in blocks";

std::vector<Precision> precisions_of(const LessonPlace& place) {
  if (place.native || place.info.has_double) {
    return {Precision::f32, Precision::mixed, Precision::f64};
  }
  return {Precision::f32};
}

void measure_speed(const LabOptions& options, Recorder& recorder, std::size_t table,
                   const std::vector<LessonPlace>& where) {
  ForceBench rows(options, recorder, table);
  for (const LessonPlace& place : where) {
    if (precisions_of(place).size() == 1) {
      recorder.notice(fmt::format("{} has no double precision: f32 alone", place.name));
    }
    for (const std::uint64_t bodies : usual_bodies(options, place)) {
      for (const Precision precision : precisions_of(place)) {
        BenchOptions bench = usual_bench(options, place, bodies);
        bench.precisions = {precision};
        rows.add(place, bench, {});
      }
    }
  }
}

// The float4 kernel in f32, with its sums cut into chunks and without.
void measure_sums(const LabOptions& options, Recorder& recorder, std::size_t table,
                  const std::vector<LessonPlace>& where) {
  ForceBench rows(options, recorder, table);
  for (const LessonPlace& place : where) {
    if (place.native) continue;
    for (const std::uint64_t bodies : usual_bodies(options, place)) {
      for (const bool cut : {false, true}) {
        BenchOptions bench = usual_bench(options, place, bodies);
        bench.device.variant = "float4";
        bench.sizes = cut ? "" : "chunk=1";
        rows.add(place, bench,
                 {.variant = cut ? blocked : running, .judged = cut, .compared_with = running});
      }
    }
  }
}

void measure(const LabOptions& options, Recorder& recorder) {
  const auto where = places(options, Wanted::everything, recorder);
  const std::size_t speed = recorder.declare(force_table(
      "results", "All pairs in three precisions, the fastest variant of each",
      {"device", "precision", "variant", "bodies", "seconds", "seconds_deviation", "seconds_kernel",
       "interactions_per_second", "error_median", "error_max", "error_max_double_inputs"}));
  const std::size_t sums = recorder.declare(force_table(
      "sums", "float4 in f32: one running sum, and sums of 32 terms, of 32 such, of those",
      {"device", "variant", "bodies", "seconds", "seconds_kernel", "error_median", "error_max"}));
  measure_speed(options, recorder, speed, where);
  measure_sums(options, recorder, sums, where);
}

std::string name_of_series(const Row& row) {
  return fmt::format("{}, {}", row.text("precision"), row.text("device"));
}

std::vector<NamedChart> charts(const Results& results) {
  const ResultTable &table = results.table("results"), &sums = results.table("sums");
  const SeriesBy rates{.x = "bodies",
                       .y = "interactions_per_second",
                       .name = name_of_series,
                       .colours = text_of("precision"),
                       .markers = text_of("device"),
                       .spread = spread_of("interactions_per_second")};
  SeriesBy errors = rates;
  errors.y = "error_max_double_inputs", errors.spread = {};
  Chart chart{.title = "Speed and error of three precisions", .panels = {}, .height = 960};
  const Axis x = bodies_axis(table);
  chart.panels.push_back(
      panel_of(table, rates, x, {.label = "interactions/s, end to end", .logarithmic = true}));
  chart.panels.push_back(
      panel_of(table, errors, x, {.label = "largest relative force error", .logarithmic = true}));
  std::vector<NamedChart> all;
  all.push_back({"", std::move(chart)});
  if (sums.size() > 0) {
    Chart chart_of_sums{.title = "What a running float sum loses", .panels = {}};
    chart_of_sums.panels.push_back(panel_of(
        sums,
        {.x = "bodies",
         .y = "error_max",
         .name =
             [](const Row& row) {
               return fmt::format("{}, {}", row.text("variant"), row.text("device"));
             },
         .colours = text_of("variant"),
         .markers = text_of("device")},
        bodies_axis(sums), {.label = "largest relative force error", .logarithmic = true}));
    all.push_back({"sums", std::move(chart_of_sums)});
  }
  return all;
}

void add_precision_sentence(std::vector<std::string>& sentences, const std::string& device,
                            const std::vector<Row>& rows, const std::string& precision) {
  const auto f32 = row_with(rows, "precision", "f32"),
             other = row_with(rows, "precision", precision);
  if (!f32 || !other) return;
  const auto step = compared(*f32, *other, "seconds");
  if (!step) return;
  const double before = f32->value("error_max_double_inputs");
  const double after = other->value("error_max_double_inputs");
  const std::string gain =
      after > 0 && after < before
          ? fmt::format("{} smaller error ({:.1e} instead of {:.1e}, against inputs in double)",
                        times(before / after), after, before)
          : fmt::format("no smaller error ({:.1e} against {:.1e})", after, before);
  // the same comparison the other way round
  const Comparison cost{.ratio = 1 / step->ratio,
                        .spread = step->spread / (step->ratio * step->ratio)};
  sentences.push_back(fmt::format(
      "{}, {}: {} takes {} the time of f32 end to end{}, for {}.", device,
      bodies_in_words(f32->value("bodies")), precision, times(cost),
      step->verdict == Verdict::unclear ? fmt::format(" ({})", doubt(*step)) : "", gain));
}

void add_sums_sentence(std::vector<std::string>& sentences, const std::string& device,
                       const std::vector<Row>& rows) {
  const auto one = row_with(rows, "variant", running), many = row_with(rows, "variant", blocked);
  if (!one || !many || !(many->value("error_max") > 0)) return;
  const double loss = one->value("error_max") / many->value("error_max");
  const std::string begin = fmt::format(
      "{}, {}: the largest error of one running float sum is {:.1e}, of sums in blocks "
      "{:.1e}",
      device, bodies_in_words(one->value("bodies")), one->value("error_max"),
      many->value("error_max"));
  if (loss < 1.2) {
    sentences.push_back(begin + ": no difference yet; try more bodies, whose sums are longer.");
    return;
  }
  const auto cost = compared(*one, *many);
  std::string blocks = cost ? fmt::format(" ({} the speed end to end)", times(*cost)) : "";
  if (cost) {
    blocks =
        verdict_words(cost->verdict, {" Blocks are even faster here", " Blocks cost time here",
                                      " Blocks cost no time", " What blocks cost is unclear"}) +
        blocks + ".";
  }
  sentences.push_back(
      begin + fmt::format(": {} as much; every term is rounded to the digits of the sum so far.{}",
                          times(loss), blocks));
}

std::vector<std::string> findings(const Results& results) {
  std::vector<std::string> sentences;
  const ResultTable &table = results.table("results"), &sums = results.table("sums");
  for (const std::string& device : devices_in(table)) {
    const auto rows = largest(rows_of(table, device));
    add_precision_sentence(sentences, device, rows, "mixed");
    add_precision_sentence(sentences, device, rows, "f64");
  }
  for (const std::string& device : devices_in(sums)) {
    add_sums_sentence(sentences, device, largest(rows_of(sums, device)));
  }
  for (std::string& busy : busy_findings(table)) sentences.push_back(std::move(busy));
  for (std::string& wrong : complaint_findings(table)) sentences.push_back(std::move(wrong));
  return sentences;
}

}  // namespace

Lesson precision_lesson() {
  return {.name = "precision",
          .title = "Precision: what digits cost",
          .summary = "f32, mixed and f64: error and speed; one running sum against blocked sums",
          .takes = {"bodies", "device", "steps", "warmup", "threads"},
          .measure = measure,
          .charts = charts,
          .findings = findings};
}

}  // namespace apsis::lab
