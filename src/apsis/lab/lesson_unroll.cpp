// SPDX-License-Identifier: MIT
// The tiled kernel with more and more pairs written out one behind the other.
#include <apsis/lab/all_lessons.hpp>
#include <apsis/lab/charts.hpp>
#include <apsis/lab/findings.hpp>
#include <apsis/lab/forces.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace apsis::lab {
namespace {

std::string name_of_factor(std::int64_t factor) { return fmt::format("unroll {}", factor); }

void measure(const LabOptions& options, Recorder& recorder) {
  const auto where = places(options, Wanted::opencl, recorder);
  std::vector<std::int64_t> factors =
      options.unroll.empty() ? std::vector<std::int64_t>{1, 2, 4, 8, 16} : options.unroll;
  std::sort(factors.begin(), factors.end());
  factors.erase(std::unique(factors.begin(), factors.end()), factors.end());
  const std::size_t table = recorder.declare(
      force_table("results", "The tiled kernel, unrolled more and more, f32",
                  {"device", "variant", "bodies", "seconds", "seconds_deviation", "seconds_kernel",
                   "interactions_per_second", "interactions_per_second_kernel", "speedup",
                   "speedup_kernel", "error_max"}));
  ForceBench rows(options, recorder, table);
  for (const LessonPlace& place : where) {
    for (const std::uint64_t bodies : usual_bodies(options, place)) {
      for (const std::int64_t factor : factors) {
        BenchOptions bench = usual_bench(options, place, bodies);
        bench.device.variant = "unrolled";
        bench.unroll = factor;
        bench.group = options.group;
        rows.add(
            place, bench,
            {.variant = name_of_factor(factor), .compared_with = name_of_factor(factors.front())});
      }
    }
  }
}

std::vector<NamedChart> charts(const Results& results) {
  return {{"", rate_chart(results.table("results"), "Unrolling the loop over a tile (f32)")}};
}

std::string factors_sentence(const std::string& device, const std::vector<Row>& rows) {
  const Row& first = rows.front();
  const Row* best = nullptr;
  for (const Row& row : rows) {
    if (is_wrong(row)) continue;
    if (best == nullptr || row.value("seconds") < best->value("seconds")) best = &row;
  }
  const std::string begin = fmt::format("{}, {}: ", device, bodies_in_words(first.value("bodies")));
  if (rows.size() == 1) return begin + "only one factor was measured, so nothing is compared.";
  const auto step = best == nullptr ? std::nullopt : compared(first, *best);
  if (!step) return begin + "nothing is compared, because forces are wrong.";
  if (best == &first) {
    return begin + fmt::format("unrolling did not help, {} is the fastest end to end.",
                               first.text("variant"));
  }
  const std::string no_cause = why_no_cause(first, *best, *step);
  return begin +
         verdict_words(
             step->verdict,
             {fmt::format("{} is the fastest, {} the speed of {} end to end{}; {}.",
                          best->text("variant"), times(*step), first.text("variant"),
                          kernel_words(first, *best),
                          no_cause.empty() ? "the change: fewer tests and jumps a pair" : no_cause),
              "",
              fmt::format("unrolling made no difference ({} at best, end to end).", times(*step)),
              fmt::format("unclear: {} at best, {}.", times(*step), doubt(*step))});
}

// Where the largest factor is worse than a smaller one, registers run out.
void add_too_much(std::vector<std::string>& sentences, const std::string& device,
                  const std::vector<Row>& rows) {
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const auto step = compared(rows[i - 1], rows[i]);
    if (!step || step->verdict != Verdict::lost) continue;
    const std::string no_cause = why_no_cause(rows[i - 1], rows[i], *step);
    sentences.push_back(fmt::format(
        "{}: {} lost against {} ({} the speed end to end){}.", device, rows[i].text("variant"),
        rows[i - 1].text("variant"), times(*step),
        no_cause.empty() ? ". That can be: so many pairs in flight need more registers than there "
                           "are, or more instructions than the cache for them holds"
                         : "; " + no_cause));
  }
}

std::vector<std::string> findings(const Results& results) {
  const ResultTable& table = results.table("results");
  std::vector<std::string> sentences;
  for (const std::string& device : devices_in(table)) {
    const auto rows = largest(rows_of(table, device));
    sentences.push_back(factors_sentence(device, rows));
    add_too_much(sentences, device, rows);
  }
  for (std::string& busy : busy_findings(table)) sentences.push_back(std::move(busy));
  for (std::string& wrong : complaint_findings(table)) sentences.push_back(std::move(wrong));
  return sentences;
}

}  // namespace

Lesson unroll_lesson() {
  return {.name = "unroll",
          .title = "Unrolling",
          .summary =
              "the tiled kernel with 1, 2, 4, 8, 16 pairs written out, against the number "
              "of bodies",
          .takes = {"bodies", "device", "unroll", "group", "steps", "warmup"},
          .measure = measure,
          .charts = charts,
          .findings = findings};
}

}  // namespace apsis::lab
