// SPDX-License-Identifier: MIT
// The ladder of the native cpu, how it scales with threads, and how near it comes to the machine's
// limits.
#include <apsis/core/parallel.hpp>
#include <apsis/lab/all_lessons.hpp>
#include <apsis/lab/charts.hpp>
#include <apsis/lab/findings.hpp>
#include <apsis/lab/forces.hpp>
#include <apsis/measure/machine_peak.hpp>
#include <apsis/measure/roofline.hpp>
#include <apsis/solvers/direct/direct_host.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace apsis::lab {
namespace {

constexpr double operations_a_pair = 20;

const std::vector<Rung>& rungs() {
  static const std::vector<Rung> all{
      {"aos-serial", "", "", "", ""},
      {"aos-openmp", "aos-serial", "all cores share the bodies",
       "few bodies, or cores that somebody else keeps busy", ""},
      {"reduced", "aos-openmp", "a root and a quotient instead of a power of 3/2",
       "the compiler had replaced the power already", ""},
      {"soa", "reduced", "coordinates lie in a row, so that one instruction works on many",
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
        {"intensity", "operations/byte", "floating-point operations a byte of sources loaded",
         Look::ratio},
        {"gflops", "GFLOP/s", "1e9 floating-point operations a second", Look::rate},
        {"bandwidth", "GB/s", "1e9 bytes a second from memory", Look::rate},
        {"share", "% of peak", "percent of the peak of multiply-adds", Look::rate}}});
  return tables;
}

void add_steps(Recorder& recorder, std::size_t table, const BenchResult& result) {
  const auto n = static_cast<double>(result.engine.bodies);
  std::size_t number = 0;
  const auto add = [&](double seconds, bool warmup) {
    recorder.add(table, {{"variant", result.engine.variant},
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

void measure_machine(const LabOptions& options, Recorder& recorder, const Tables& tables) {
  recorder.measuring("the machine's limits");
  const int threads = thread_count(options.threads);
  const double peak = 1e-9 * peak_flops(false, threads);
  recorder.add(tables.machine,
               {{"what", "peak of multiply-adds"}, {"gflops", peak}, {"share", 100.0}});
  recorder.add(tables.machine,
               {{"what", "memory"}, {"bandwidth", 1e-9 * memory_bandwidth(threads)}});
  for (const Row& row : largest(recorder.results().tables[tables.rungs].rows())) {
    recorder.add(tables.machine, {{"what", row.text("variant")},
                                  {"intensity", intensity_of(row.text("variant"), Precision::f32)},
                                  {"gflops", row.value("gflops")},
                                  {"share", 100 * row.value("gflops") / peak}});
  }
}

void measure_threads(const LabOptions& options, Recorder& recorder, const Tables& tables,
                     const Place& place, std::uint64_t bodies) {
  ForceBench rows(options, recorder, tables.threads);
  const int most = thread_count(options.threads);
  std::vector<int> counts;
  for (int threads = 1; threads < most; threads *= 2) counts.push_back(threads);
  counts.push_back(most);
  for (const int threads : counts) {
    BenchOptions bench = usual_bench(options, place, bodies);
    bench.variant = default_direct_host_variant();
    bench.threads = threads;
    rows.add(place, bench, {.variant = bench.variant, .compared_with = bench.variant});
  }
}

void measure(const LabOptions& options, Recorder& recorder) {
  LabOptions native = options;
  native.devices = {"cpu"};
  const Place place = places(native, Wanted::everything, recorder).front();
  const Tables tables = declared(recorder);
  ForceBench rows(options, recorder, tables.rungs);
  const std::vector<std::uint64_t> sizes = usual_bodies(options, place);
  std::vector<BenchResult> last;  // of the largest number of bodies
  for (const std::uint64_t bodies : sizes) {
    for (const std::string& variant : direct_host_variants(Precision::f32)) {
      BenchOptions bench = usual_bench(options, place, bodies);
      bench.variant = variant;
      const auto results =
          rows.add(place, bench, {.variant = variant, .compared_with = "aos-serial"});
      if (bodies == sizes.back()) last.insert(last.end(), results.begin(), results.end());
    }
  }
  for (const BenchResult& result : last) add_steps(recorder, tables.steps, result);
  measure_threads(options, recorder, tables, place, sizes.back());
  measure_machine(options, recorder, tables);
}

Roofline roofline_in(const Results& results) {
  Roofline roofline;
  for (const Row& row : results.table("roofline").rows()) {
    if (row.text("what") == "peak of multiply-adds") {
      roofline.peak_gflops = row.value("gflops");
    } else if (row.text("what") == "memory") {
      roofline.memory_bytes_a_second = 1e9 * row.value("bandwidth");
    } else {
      roofline.points.push_back({row.text("what"), row.value("intensity"), row.value("gflops")});
    }
  }
  for (const Row& row : results.table("results").rows()) {
    roofline.threads = std::max(roofline.threads, static_cast<int>(row.value("threads")));
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

void add_thread_sentence(std::vector<std::string>& sentences, const ResultTable& table) {
  const auto rows = largest(table.rows());
  if (rows.size() < 2) return;
  const Row &one = rows.front(), &all = rows.back();
  const double gain = one.value("seconds") / all.value("seconds");
  const double threads = all.value("threads") / one.value("threads");
  if (!(threads > 1)) return;
  // Waiting threads sleep: that more of them take longer, or now this long and now that, is what
  // other programs do to them.
  const auto spread_of = [](const Row& row) {
    return row.number("seconds_deviation").value_or(0) / row.value("seconds");
  };
  const double spread = std::max(spread_of(one), spread_of(all));
  if (gain < 0.9 || spread > 0.2) {
    sentences.push_back(fmt::format(
        "Threads: the machine was busy with something else while they were measured ({:.0f} seemed "
        "{} as fast as {:.0f}, and times varied by {:.0f} %), so nothing can be said.",
        all.value("threads"), times(gain), one.value("threads"), 100 * spread));
    return;
  }
  sentences.push_back(fmt::format(
      "Threads: {:.0f} are {} as fast as {:.0f}, which is {:.0f} % of what they could be{}.",
      all.value("threads"), times(gain), one.value("threads"), 100 * gain / threads,
      gain < 1.05 ? ": they share a core or its vector unit, or somebody else uses the others"
                  : ""));
}

void add_roofline_sentence(std::vector<std::string>& sentences, const Roofline& roofline) {
  if (!(roofline.peak_gflops > 0) || roofline.points.empty()) return;
  const auto best =
      std::max_element(roofline.points.begin(), roofline.points.end(),
                       [](const auto& a, const auto& b) { return a.gflops < b.gflops; });
  if (best->gflops > roofline.peak_gflops) {
    sentences.push_back(fmt::format(
        "{} seems to do {:.0f} GFLOP/s where multiply-adds alone do {:.0f}: the machine was busy "
        "with something else while one of them was measured, so nothing can be said.",
        best->variant, best->gflops, roofline.peak_gflops));
    return;
  }
  std::string text = fmt::format(
      "{} reaches {:.0f} of {:.0f} GFLOP/s that multiply-adds alone would do here ({:.0f} %)",
      best->variant, best->gflops, roofline.peak_gflops, 100 * best->gflops / roofline.peak_gflops);
  if (roofline.memory_bytes_a_second > 0) {
    const bool computes = best->intensity > roofline.ridge();
    text += fmt::format(
        "; at {:.3g} operations a byte it stands {} the ridge of the roofline ({:.2g}), so {} is "
        "the limit",
        best->intensity, computes ? "right of" : "left of", roofline.ridge(),
        computes ? "arithmetic" : "memory");
  }
  sentences.push_back(text + ".");
}

std::vector<std::string> findings(const Results& results) {
  std::vector<std::string> sentences = ladder_findings(results.table("results"), rungs());
  add_thread_sentence(sentences, results.table("threads"));
  add_roofline_sentence(sentences, roofline_in(results));
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
