// SPDX-License-Identifier: MIT
// The ladder of OpenCL kernels: what each rung buys, on every device there is.
#include <apsis/core/typed_command.hpp>
#include <apsis/lab/all_lessons.hpp>
#include <apsis/lab/charts.hpp>
#include <apsis/lab/findings.hpp>
#include <apsis/lab/forces.hpp>
#include <apsis/solvers/direct/direct_host.hpp>
#include <apsis/solvers/direct/direct_opencl.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace apsis::lab {
namespace {

// Rungs that read every body from global memory for every pair.
constexpr std::array<std::string_view, 3> without_reuse{"naive", "packed3", "float4"};
constexpr std::array<std::string_view, 3> unrolling{"unrolled", "rows", "symmetric"};
constexpr std::array<std::string_view, 3> grouped{"tiled", "unrolled", "rows"};

template <std::size_t size>
bool has(const std::array<std::string_view, size>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

const std::vector<Rung>& rungs() {
  static const std::vector<Rung> all{
      {"naive", "", "", "", ""},
      {"packed3", "naive", "three numbers a body instead of four",
       "three numbers a body straddle cache lines, and vector loads want four",
       "twelve bytes a body break the 16-byte loads that the memory system is built for"},
      {"float4", "naive", "a body arrives in one load of 16 bytes instead of four",
       "the compiler had joined the four loads already, and all bodies sit in a cache",
       "neighbours read the same body at once, so caches hide the four loads"},
      {"tiled", "float4", "a work-group loads a body once for all its work-items",
       "a CPU has no local memory of its own: the copy costs time and brings only what the cache "
       "gives anyway, and a barrier splits the loop",
       "the caches of this GPU share a body among neighbours as well as local memory does"},
      {"unrolled", "tiled", "pairs written out one behind the other",
       "the compiler unrolls by itself, or the longer loop runs out of registers", ""},
      {"rows", "unrolled", "a body from local memory serves several targets in registers",
       "several targets a work-item need more registers than there are, and spill",
       "more registers a work-item leave fewer of them to hide waits behind"},
      {"wide", "rows", "vectors of bodies that do not depend on the compiler",
       "the compiler fills the vector lanes as well by itself", "it is made for CPUs"},
      {"symmetric", "rows", "each pair is computed once and felt by both bodies",
       "the teams of this kernel meet at a barrier a step, which a CPU has to emulate by splitting "
       "the loop",
       "sums of both sides cost memory traffic, and few bodies leave most of the device idle"}};
  return all;
}

bool wanted(const LabOptions& options, const LessonPlace& place, const std::string& variant) {
  if (variant == "wide" && place.is_gpu()) return false;
  if (!options.reuse) return true;
  return has(without_reuse, variant) != *options.reuse;
}

DirectSizes sizes_for(const LabOptions& options, const std::string& variant) {
  DirectSizes sizes;
  if (!options.unroll.empty() && has(unrolling, variant)) {
    sizes.unroll = static_cast<int>(options.unroll.front());
  }
  if (options.group && has(grouped, variant)) sizes.group = static_cast<int>(*options.group);
  return sizes;
}

void add_ladder(const LabOptions& options, const LessonPlace& place, std::uint64_t bodies,
                const std::vector<std::string>& edited, ForceBench& rows) {
  std::string first;
  for (const DirectVariant& variant : direct_opencl_variants()) {
    if (!wanted(options, place, variant.name)) continue;
    if (first.empty()) first = variant.name;
    BenchOptions bench = usual_bench(options, place, bodies);
    bench.device.variant = variant.name;
    bench.sizes = to_string(sizes_for(options, variant.name));
    rows.add(place, bench, {.variant = variant.name, .compared_with = first});
    if (std::find(edited.begin(), edited.end(), variant.name) == edited.end()) continue;
    bench.device.kernel_dir = options.kernel_dir;
    rows.add(place, bench,
             {.variant = variant.name + " (edited)", .edited = true, .compared_with = first});
  }
}

void measure(const LabOptions& options, Recorder& recorder) {
  const auto edited = edited_variants(options.kernel_dir, recorder);
  const auto where = places(options, Wanted::everything, recorder);
  if (std::all_of(where.begin(), where.end(),
                  [](const LessonPlace& place) { return place.native; })) {
    recorder.notice(fmt::format("no OpenCL device: the native cpu alone; '{}' says what is missing",
                                typed_command("doctor")));
  }
  const std::size_t table = recorder.declare(force_table(
      "results", "All pairs on OpenCL devices, f32",
      {"device", "variant", "bodies", "seconds", "seconds_deviation", "seconds_kernel",
       "interactions_per_second", "interactions_per_second_kernel", "speedup", "error_max"}));
  ForceBench rows(options, recorder, table);
  for (const LessonPlace& place : where) {
    for (const std::uint64_t bodies : usual_bodies(options, place)) {
      if (place.native) {
        BenchOptions bench = usual_bench(options, place, bodies);
        bench.device.variant = default_direct_host_variant();
        rows.add(place, bench, {.variant = bench.device.variant});
      } else {
        add_ladder(options, place, bodies, edited, rows);
      }
    }
  }
}

std::vector<NamedChart> charts(const Results& results) {
  const ResultTable& table = results.table("results");
  Chart rates = rate_chart(table, "All pairs, one kernel after the other (f32)");
  Panel errors = panel_of(
      table,
      {.x = "bodies",
       .y = "error_max",
       .name = [](const Row& row) { return row.text("variant") + " " + row.text("device"); },
       .wanted = [](const Row& row) { return row.text("kind") != "native"; },
       .colours = text_of("variant"),
       .markers = text_of("device")},
      bodies_axis(table), {.label = "largest relative force error", .logarithmic = true});
  std::vector<NamedChart> all;
  all.push_back({"", std::move(rates)});
  if (!errors.series.empty()) {
    Chart accuracy{.title = "Largest relative force error of each kernel (f32)", .panels = {}};
    accuracy.panels.push_back(std::move(errors));
    all.push_back({"error", std::move(accuracy)});
  }
  return all;
}

std::vector<std::string> findings(const Results& results) {
  const ResultTable& table = results.table("results");
  std::vector<std::string> sentences = ladder_findings(table, rungs());
  // packed3 and float4 are two ways from the same rung
  for (const std::string& device : devices_in(table)) {
    const auto rows = largest(rows_of(table, device));
    const auto packed = row_with(rows, "variant", "packed3"),
               padded = row_with(rows, "variant", "float4");
    const auto step = packed && padded ? compared(*packed, *padded) : std::nullopt;
    if (!step) continue;
    sentences.push_back(fmt::format(
        "{}: padding three coordinates to four with the mass {} ({} the speed of packed3 end to "
        "end{}).",
        device,
        verdict_words(step->verdict, {"pays", "lost, it costs more than it brings",
                                      "makes no difference", "can't be judged from these times"}),
        times(*step), kernel_words(*packed, *padded)));
  }
  return sentences;
}

}  // namespace

Lesson direct_lesson() {
  return {.name = "direct",
          .title = "The ladder of OpenCL kernels",
          .summary =
              "all pairs on OpenCL devices, rung by rung: naive, packed3, float4, tiled, "
              "unrolled, rows, symmetric",
          .takes = {"bodies", "device", "reuse", "unroll", "group", "steps", "warmup", "threads",
                    "kernel-dir"},
          .measure = measure,
          .charts = charts,
          .findings = findings};
}

}  // namespace apsis::lab
