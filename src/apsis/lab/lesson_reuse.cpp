// SPDX-License-Identifier: MIT
// Local memory on and off: the same loads and the same loop, read for every pair or once a group.
#include <apsis/lab/all_lessons.hpp>
#include <apsis/lab/charts.hpp>
#include <apsis/lab/findings.hpp>
#include <apsis/lab/forces.hpp>

#include <fmt/format.h>

namespace apsis::lab {
namespace {

// Two variants of the table that differ in nothing but where a body is read from.
constexpr const char* off = "float4";
constexpr const char* on = "tiled";

void measure(const LabOptions& options, Recorder& recorder) {
  const auto where = places(options, Wanted::opencl, recorder);
  const std::size_t table = recorder.declare(
      force_table("results", "Local-memory reuse off (float4) and on (tiled), f32",
                  {"device", "variant", "bodies", "seconds", "seconds_deviation", "seconds_kernel",
                   "interactions_per_second", "interactions_per_second_kernel", "speedup",
                   "speedup_kernel", "error_max"}));
  ForceBench rows(options, recorder, table);
  for (const LessonPlace& place : where) {
    for (const std::uint64_t bodies : usual_bodies(options, place)) {
      for (const bool reuse : {false, true}) {
        if (options.reuse && *options.reuse != reuse) continue;
        BenchOptions bench = usual_bench(options, place, bodies);
        bench.device.variant = reuse ? on : off;
        if (reuse) {
          bench.unroll = options.unroll.empty() ? 1 : options.unroll.front();
          bench.group = options.group;
        }
        rows.add(place, bench, {.variant = bench.device.variant, .compared_with = off});
      }
    }
  }
}

std::vector<NamedChart> charts(const Results& results) {
  const ResultTable& table = results.table("results");
  Chart chart = rate_chart(table, "Reuse through local memory: off (float4), on (tiled)");
  std::vector<Series> gains =
      series_of(table, {.x = "bodies",
                        .y = "speedup",
                        .name = [](const Row& row) { return row.text("device"); },
                        .wanted = [](const Row& row) { return row.text("variant") == on; },
                        .colours = text_of("variant"),
                        .markers = text_of("device")});
  NamedChart gain{"gain", {.title = "How many times as fast with reuse, end to end", .panels = {}}};
  gain.chart.panels.push_back(
      {bodies_axis(table), {.label = "times as fast as without", .low = 0.0}, std::move(gains)});
  return {{"", std::move(chart)}, std::move(gain)};
}

// What reuse brought at one number of bodies.
struct Gain {
  Row without, with;
  Comparison step;
};
std::optional<Gain> gain_at(const std::vector<Row>& rows, double bodies) {
  const auto same = with_bodies(rows, bodies);
  const auto without = row_with(same, "variant", off), with = row_with(same, "variant", on);
  const auto step = without && with ? compared(*without, *with) : std::nullopt;
  return step ? std::optional(Gain{*without, *with, *step}) : std::nullopt;
}

std::string sentence(const std::string& device, double bodies, const Gain& gain) {
  const std::string why_not =
      gain.with.text("kind") == "gpu"
          ? "the caches of this GPU give all work-items of a group the same body already"
          : "a CPU has no local memory of its own, so a tile is one more copy of what its "
            "cache holds anyway, and the barriers around it split the loop";
  const std::string no_cause = why_no_cause(gain.without, gain.with, gain.step);
  const std::string amount = fmt::format("{} the speed end to end{}", times(gain.step),
                                         kernel_words(gain.without, gain.with));
  return fmt::format("{}, {}: ", device, bodies_in_words(bodies)) +
         verdict_words(
             gain.step.verdict,
             {fmt::format("reuse pays, {}; {}.", amount,
                          no_cause.empty() ? "the change: a work-group asks global memory for a "
                                             "body once instead of once a work-item"
                                           : no_cause),
              fmt::format("reuse lost, {}{}.", amount,
                          no_cause.empty() ? ". That can be: " + why_not : "; " + no_cause),
              fmt::format("reuse makes no difference ({}).", amount),
              fmt::format("unclear, {}, {}.", amount, doubt(gain.step))});
}

std::vector<std::string> findings(const Results& results) {
  const ResultTable& table = results.table("results");
  std::vector<std::string> sentences;
  for (const std::string& device : devices_in(table)) {
    const auto rows = rows_of(table, device), last = largest(rows);
    const double most = last.front().value("bodies");
    const auto gain = gain_at(rows, most);
    if (!gain) {
      if (last.size() < 2) {
        sentences.push_back(fmt::format(
            "{}: only one side was measured, so there is nothing to compare; leave out --reuse.",
            device));
      }
      continue;
    }
    sentences.push_back(sentence(device, most, *gain));
    const auto sizes = values_of(table, "bodies");
    const auto first = sizes.empty() ? std::nullopt : gain_at(rows, sizes.front());
    if (!first || sizes.front() == most) continue;
    sentences.push_back(
        fmt::format("{}: with {} it is {} the speed end to end{}.", device,
                    bodies_in_words(sizes.front()), times(first->step),
                    verdict_words(first->step.verdict, {"", "", "", ", " + doubt(first->step)})));
  }
  for (std::string& busy : busy_findings(table)) sentences.push_back(std::move(busy));
  for (std::string& wrong : complaint_findings(table)) sentences.push_back(std::move(wrong));
  return sentences;
}

}  // namespace

Lesson reuse_lesson() {
  return {.name = "reuse",
          .title = "Reuse through local memory",
          .summary = "local-memory reuse off and on against the number of bodies",
          .takes = {"bodies", "device", "reuse", "unroll", "group", "steps", "warmup"},
          .measure = measure,
          .charts = charts,
          .findings = findings};
}

}  // namespace apsis::lab
