// SPDX-License-Identifier: MIT
// The ladder of the native cpu, how it scales with threads, and how near it comes to the machine's
// limits.
#include <apsis/core/parallel.hpp>
#include <apsis/lab/all_lessons.hpp>
#include <apsis/lab/charts.hpp>
#include <apsis/lab/findings.hpp>
#include <apsis/lab/forces.hpp>
#include <apsis/measure/roofline.hpp>
#include <apsis/solvers/direct/direct_host.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace apsis::lab {
namespace {

constexpr double operations_a_pair = 20;
constexpr double bytes_a_body = 16;  // f32
constexpr const char* peak_row = "peak of multiply-adds";
constexpr const char* cache_row = "first cache";
constexpr const char* memory_row = "memory";

const std::vector<Rung>& rungs() {
  static const std::vector<Rung> all{
      {"aos-serial", "", "", "", ""},
      {"aos-openmp", "aos-serial", "all cores share the bodies",
       "few bodies, or cores that somebody else keeps busy", ""},
      {"reduced", "aos-openmp", "a root and a quotient instead of a power of 3/2",
       "the compiler had replaced the power already", ""},
      {"soa", "reduced", "coordinates lie in a row, as vectors take them",
       "with few bodies the loops are too short for vectors", ""},
      {"tiled-i", "soa",
       "vectors run over targets: no sums across lanes, and a source serves 16 of them",
       "the compiler did not vectorise the small loop, or spills its buffers", ""},
      {"simd", "tiled-i", "explicit vectors, registers instead of buffers, a fast reciprocal root",
       "the compiler's vectors are as wide", ""},
      {"simd-symmetric", "simd", "each pair is computed once and felt by both bodies",
       "the sums of the other side cost more memory than the saved pairs", ""}};
  return all;
}

struct Tables {
  std::size_t rungs, steps, threads, machine;
};

Tables declared(Recorder& recorder) {
  Tables tables{};
  tables.rungs = recorder.declare(
      force_table("results", "All pairs on the native cpu, f32",
                  {"variant", "bodies", "threads", "steps", "seconds", "seconds_deviation",
                   "interactions_per_second", "gflops", "speedup", "error_max"}));
  tables.steps = recorder.declare(
      {"steps",
       "Every step; those marked * woke the machine and do not count",
       {{"variant", "variant", "rung of the ladder", Look::text},
        {"bodies", "bodies", "number of bodies", Look::whole},
        {"step", "step", "number of the step; * marks warm-up", Look::text},
        {"seconds", "time", "seconds of the force evaluation", Look::seconds},
        {"interactions_per_second", "inter./s", "interactions a second", Look::rate},
        {"gflops", "GFLOP/s", "1e9 operations a second, 20 an interaction", Look::rate},
        {"warmup", "", "yes: does not count", Look::text}}});
  tables.threads =
      recorder.declare(force_table("threads", "The fastest rung on more and more threads",
                                   {"variant", "bodies", "threads", "seconds", "seconds_deviation",
                                    "interactions_per_second", "speedup"}));
  tables.machine = recorder.declare(
      {"roofline",
       "What the machine can do, and what the rungs do of it",
       {{"what", "what", "a limit of the machine, or a rung", Look::text},
        {"operations", "operations", "floating-point operations that the rung does an interaction",
         Look::ratio},
        {"intensity", "operations/byte",
         "floating-point operations that it does a byte that its loops load and store",
         Look::ratio},
        {"operations_a_body", "by the lab",
         "20 operations an interaction for every body that is loaded; of a limit, how many make "
         "the loads as long as the arithmetic (the ridge point)",
         Look::rate},
        {"gflops", "GFLOP/s", "1e9 floating-point operations a second that are done", Look::rate},
        {"bandwidth", "GB/s", "1e9 bytes a second", Look::rate},
        {"share", "% of peak", "percent of the peak; empty above it", Look::rate},
        {"note", "note", "where it stands above a measured limit", Look::text}}});
  return tables;
}

void add_steps(Recorder& recorder, std::size_t table, const BenchResult& result) {
  const auto n = static_cast<double>(result.engine.bodies);
  std::size_t number = 0;
  const auto add = [&](double seconds, bool warmup) {
    recorder.add(table, {{"variant", result.engine.variant()},
                         {"bodies", n},
                         {"step", fmt::format("{}{}", ++number, warmup ? "*" : "")},
                         {"seconds", seconds},
                         {"interactions_per_second", n * n / seconds},
                         {"gflops", 1e-9 * operations_a_pair * n * n / seconds},
                         {"warmup", warmup ? Cell("yes") : Cell()}});
  };
  for (const double seconds : result.whole.warmup) add(seconds, true);
  for (const double seconds : result.whole.seconds) add(seconds, false);
}

// The machine's limits are looked at before the rungs and after them: `roof` is the former.
void measure_machine(Recorder& recorder, const Tables& tables, Roofline roof) {
  recorder.measuring("the machine's limits");
  look_again(roof, Precision::f32);
  recorder.add(tables.machine,
               {{"what", peak_row}, {"gflops", roof.peak_gflops}, {"share", 100.0}});
  recorder.add(tables.machine, {{"what", cache_row},
                                {"operations_a_body", roof.cache_ridge() * bytes_a_body},
                                {"bandwidth", 1e-9 * roof.cache_bytes_a_second}});
  recorder.add(tables.machine, {{"what", memory_row},
                                {"operations_a_body", roof.ridge() * bytes_a_body},
                                {"bandwidth", 1e-9 * roof.memory_bytes_a_second}});
  for (const Row& row : largest(recorder.results().tables[tables.rungs].rows())) {
    const std::string variant = row.text("variant");
    const PairWork work =
        work_of(variant, Precision::f32, static_cast<std::uint64_t>(row.value("bodies")));
    const double done = row.value("gflops") * work.operations / operations_a_pair;
    const bool above = roof.is_above({variant, work.intensity(), done});
    recorder.add(tables.machine,
                 {{"what", variant},
                  {"operations", work.operations},
                  {"intensity", work.intensity()},
                  {"operations_a_body", operations_a_body(variant, Precision::f32)},
                  {"gflops", done},
                  {"share", above ? Cell() : Cell(100 * done / roof.peak_gflops)},
                  {"note", above ? Cell("above what was measured of the machine") : Cell()}});
  }
}

void measure_threads(const LabOptions& options, Recorder& recorder, const Tables& tables,
                     const LessonPlace& place, std::uint64_t bodies) {
  ForceBench rows(options, recorder, tables.threads);
  const int most = thread_count(options.threads);
  std::vector<int> counts;
  for (int threads = 1; threads < most; threads *= 2) counts.push_back(threads);
  counts.push_back(most);
  for (const int threads : counts) {
    BenchOptions bench = usual_bench(options, place, bodies);
    bench.device.variant = default_direct_host_variant();
    bench.device.threads = threads;
    rows.add(place, bench,
             {.variant = bench.device.variant, .compared_with = bench.device.variant});
  }
}

void measure(const LabOptions& options, Recorder& recorder) {
  LabOptions native = options;
  native.devices = {"cpu"};
  const LessonPlace place = places(native, Wanted::everything, recorder).front();
  const Tables tables = declared(recorder);
  recorder.measuring("the machine's limits");
  const Roofline roof = measured_roof(Precision::f32, options.threads);
  ForceBench rows(options, recorder, tables.rungs);
  const std::vector<std::uint64_t> sizes = usual_bodies(options, place);
  std::vector<BenchResult> last;  // of the largest number of bodies
  for (const std::uint64_t bodies : sizes) {
    for (const std::string& variant : direct_host_variants(Precision::f32)) {
      BenchOptions bench = usual_bench(options, place, bodies);
      bench.device.variant = variant;
      const auto results =
          rows.add(place, bench, {.variant = variant, .compared_with = "aos-serial"});
      if (bodies == sizes.back()) last.insert(last.end(), results.begin(), results.end());
    }
  }
  for (const BenchResult& result : last) add_steps(recorder, tables.steps, result);
  measure_threads(options, recorder, tables, place, sizes.back());
  measure_machine(recorder, tables, roof);
}

// Results without counted operations have 20 an interaction, whatever was done.
RooflinePoint point_of(const Row& row, double bodies) {
  const std::string variant = row.text("what");
  if (row.number("operations")) return {variant, row.value("intensity"), row.value("gflops")};
  const PairWork work = work_of(variant, Precision::f32, static_cast<std::uint64_t>(bodies));
  return {variant, work.intensity(), row.value("gflops") * work.operations / operations_a_pair};
}

Roofline roofline_in(const Results& results) {
  Roofline roofline;
  double bodies = 0;
  for (const Row& row : results.table("results").rows()) {
    bodies = std::max(bodies, row.value("bodies"));
  }
  for (const Row& row : results.table("roofline").rows()) {
    if (row.text("what") == peak_row) {
      roofline.peak_gflops = row.value("gflops");
    } else if (row.text("what") == memory_row) {
      roofline.memory_bytes_a_second = 1e9 * row.value("bandwidth");
    } else if (row.text("what") == cache_row) {
      roofline.cache_bytes_a_second = 1e9 * row.value("bandwidth");
    } else {
      roofline.points.push_back(point_of(row, bodies));
    }
  }
  for (const Row& row : results.table("results").rows()) {
    const double threads = row.value("threads");  // older results have none
    if (threads > roofline.threads) roofline.threads = static_cast<int>(threads);
  }
  return roofline;
}

std::vector<NamedChart> charts(const Results& results) {
  std::vector<NamedChart> all;
  all.push_back({"", rate_chart(results.table("results"), "All pairs on the native CPU (f32)")});
  const Roofline roofline = roofline_in(results);
  if (roofline.peak_gflops > 0 && roofline.memory_bytes_a_second > 0) {
    all.push_back({"roofline", roofline_chart(roofline)});
  }
  return all;
}

// More threads that take longer are no property of the processor: somebody else had its cores.
void add_thread_sentence(std::vector<std::string>& sentences, const ResultTable& table) {
  const auto rows = largest(table.rows());
  if (rows.size() < 2) return;
  const Row &one = rows.front(), &all = rows.back();
  const auto step = compared(one, all);
  const double threads = all.value("threads") / one.value("threads");
  if (!step || !(threads > 1)) return;
  const std::string counts = fmt::format("{:.0f} are {} as fast as {:.0f}", all.value("threads"),
                                         times(*step), one.value("threads"));
  const std::string begin = "Threads: ",
                    again = " Measure again on a machine that does nothing else.";
  sentences.push_back(
      begin +
      verdict_words(
          step->verdict,
          {fmt::format("{}, which is {:.0f} % of what they could be.", counts,
                       100 * step->ratio / threads),
           fmt::format(
               "in these rounds {:.0f} took {} as long as {:.0f}. The machine was busy with "
               "something else, or has fewer free cores than threads: this says nothing of "
               "the rung.",
               all.value("threads"), times(1 / step->ratio), one.value("threads")) +
               again,
           fmt::format("{}, which is {:.0f} % of what they could be: they share a core or its "
                       "vector unit, or somebody else uses the others.",
                       counts, 100 * step->ratio / threads),
           fmt::format("{} ({:.0f} took {}, {:.0f} took {}): this says nothing of threads.",
                       step->busy ? "the machine was busy while they were measured"
                                  : "the rounds disagreed",
                       one.value("threads"), shown(one.cell("seconds"), Look::seconds),
                       all.value("threads"), shown(all.cell("seconds"), Look::seconds)) +
               again}));
}

void add_roofline_sentence(std::vector<std::string>& sentences, const Roofline& roofline) {
  if (!(roofline.peak_gflops > 0) || roofline.points.empty()) return;
  const auto best =
      std::max_element(roofline.points.begin(), roofline.points.end(),
                       [](const auto& a, const auto& b) { return a.gflops < b.gflops; });
  if (best->gflops > roofline.peak_gflops) {
    sentences.push_back(fmt::format(
        "{} does {:.0f} GFLOP/s, above the {:.0f} that multiply-adds alone were seen to do: that "
        "limit is a lower bound, measured in a worse moment, so nothing can be said of how near it "
        "is.",
        best->variant, best->gflops, roofline.peak_gflops));
    return;
  }
  std::string text = fmt::format(
      "{} does {:.0f} of {:.0f} GFLOP/s that multiply-adds alone were seen to do here ({:.0f} %)",
      best->variant, best->gflops, roofline.peak_gflops, 100 * best->gflops / roofline.peak_gflops);
  if (roofline.cache_bytes_a_second > 0) {
    const bool computes = best->intensity > roofline.cache_ridge();
    text += fmt::format(
        "; at {:.3g} operations a byte moved it stands {} of the ridge ({:.2g}), so the loads of "
        "the first cache {}",
        best->intensity, computes ? "right" : "left", roofline.cache_ridge(),
        computes ? "are not its limit" : "can be its limit");
  }
  sentences.push_back(text + ". " + roofline_caveats());
}

// The line that the OpenMP lab's programs end with, of the steps that count: for every rung, the
// last one first.
void add_average_sentence(std::vector<std::string>& sentences, const ResultTable& steps) {
  std::vector<std::pair<std::string, Timings>> rates;
  bool left_out = false;
  for (const Row& row : steps.rows()) {
    const std::string variant = row.text("variant");
    if (rates.empty() || rates.front().first != variant) rates.insert(rates.begin(), {variant, {}});
    if (row.text("warmup").empty()) {
      rates.front().second.seconds.push_back(row.value("gflops"));
    } else {
      left_out = true;
    }
  }
  std::string text;
  for (const auto& [variant, rate] : rates) {
    if (rate.seconds.empty()) continue;
    text += fmt::format("{}{:.3g} ± {:.2g} GFLOP/s by {}", text.empty() ? "" : ", ", rate.mean(),
                        rate.deviation(), variant);
  }
  if (text.empty()) return;
  sentences.push_back(fmt::format("Average performance: {} (20 operations an interaction{}).", text,
                                  left_out ? "; steps marked * are left out" : ""));
}

// Where the lab's own count places the rungs under the limits of the machine.
void add_lab_count_sentence(std::vector<std::string>& sentences, const ResultTable& table) {
  std::string counts, limits;
  double before = 0;
  for (const Row& row : table.rows()) {
    const auto count = row.number("operations_a_body");
    if (!count) continue;
    const std::string what = row.text("what");
    if (what == cache_row || what == memory_row) {
      limits += fmt::format("{}{:.3g} for the {}", limits.empty() ? "" : " and ", *count, what);
    } else if (*count != before) {
      counts += fmt::format("{}{:.0f} from {} on", counts.empty() ? "" : ", ", *count, what);
      before = *count;
    }
  }
  if (counts.empty() || limits.empty()) return;
  sentences.push_back(
      fmt::format("Intensity as the OpenMP lab counts it, 20 operations an "
                  "interaction for each body that is loaded: {}. Its ridge point "
                  "is {}.",
                  counts, limits));
}

std::vector<std::string> findings(const Results& results) {
  std::vector<std::string> sentences = ladder_findings(results.table("results"), rungs());
  add_average_sentence(sentences, results.table("steps"));
  add_thread_sentence(sentences, results.table("threads"));
  add_roofline_sentence(sentences, roofline_in(results));
  add_lab_count_sentence(sentences, results.table("roofline"));
  return sentences;
}

}  // namespace

Lesson cpu_lesson() {
  return {.name = "cpu",
          .title = "The ladder of the native CPU",
          .summary =
              "all pairs on this CPU: aos-serial, openmp, reduced, soa, tiled-i, simd; "
              "threads and roofline",
          .takes = {"bodies", "steps", "warmup", "threads"},
          .measure = measure,
          .charts = charts,
          .findings = findings};
}

}  // namespace apsis::lab
