// SPDX-License-Identifier: MIT
#include <apsis/core/counted.hpp>
#include <apsis/core/error.hpp>
#include <apsis/core/parallel.hpp>
#include <apsis/measure/machine_peak.hpp>
#include <apsis/measure/roofline.hpp>
#include <apsis/solvers/direct/direct_host.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace apsis {
namespace {

constexpr double operations_a_pair = 20;
// Ranges of this many bodies go over all their pairs twice in simd-symmetric, and fewer bodies than
// these are left to simd.
constexpr double smallest_range = 128;
constexpr std::uint64_t symmetric_from = 1024;

// Interactions for every source that is loaded, with the widest vectors.
double interactions_a_load(const std::string& variant, Precision precision) {
  if (variant == "tiled-i" || variant == "reproducible") return 16;
  // f32: four vectors of 16 targets, or two of them that feel and pull
  if (variant == "simd" || variant == "simd-symmetric")
    return precision == Precision::f32 ? 64 : 32;
  return 1;
}

// What the explicit vectors are made of here (direct_simd.cpp).
struct Vectors {
  explicit Vectors(Precision p) : precision(p) {
    const std::string set = direct_host_instruction_set();
    wide = set.starts_with("AVX3");
    bytes = wide ? 64 : set == "AVX2" ? 32 : 16;
  }
  double number() const { return precision == Precision::f64 ? 8 : 4; }  // bytes
  double lanes() const { return bytes / number(); }
  // coordinates in two floats of mixed precision
  double numbers_a_body() const { return precision == Precision::mixed ? 7 : 4; }
  bool mended_double() const { return precision == Precision::f64 && wide; }

  Precision precision;
  bool wide;  // 32 registers of 64 bytes
  double bytes;
};

// Differences 3 (mixed: 9), squares 6, root 1, its mending and cube, strength, three sums 6.
PairWork simd_work(Precision precision) {
  const Vectors v(precision);
  const double differences = precision == Precision::mixed ? 9 : 3;
  const double weight = precision != Precision::f64 ? 7 : v.mended_double() ? 14 : 4;
  const double targets =
      v.lanes() * (precision == Precision::mixed ? (v.wide ? 2 : 1) : (v.wide ? 4 : 2));
  return {differences + 6 + 1 + weight + 6, v.numbers_a_body() * v.number() / targets};
}

// The same cube for both sides, two products with strengths, six sums; the other side's three sums
// are loaded and stored for every source.
PairWork meeting_work(Precision precision) {
  const Vectors v(precision);
  const double differences = precision == Precision::mixed ? 9 : 3;
  const double cube = precision != Precision::f64 ? 5 : v.mended_double() ? 13 : 3;
  const double targets = v.lanes() * (v.wide && precision != Precision::mixed ? 2 : 1);
  const double sums = 6 * v.bytes;
  return {differences + 6 + 1 + cube + 2 + 12, (v.numbers_a_body() * v.number() + sums) / targets};
}

PairWork symmetric_work(Precision precision, std::uint64_t bodies) {
  const PairWork alone = simd_work(precision), met = meeting_work(precision);
  if (bodies < symmetric_from) return alone;
  const double twice = std::min(1.0, smallest_range / static_cast<double>(bodies));
  const double once = 0.5 * (1 - twice);
  return {twice * alone.operations + once * met.operations, twice * alone.bytes + once * met.bytes};
}

}  // namespace

PairWork work_of(const std::string& variant, Precision precision, std::uint64_t bodies) {
  if (variant == "simd") return simd_work(precision);
  if (variant == "simd-symmetric") return symmetric_work(precision, bodies);
  // differences 3, squares 6, power and quotient 2, sums 6; or root, quotient, cube and strength 5
  const double operations = variant.starts_with("aos-") ? 17 : 20;
  const double body = 4.0 * (precision == Precision::f32 ? 4 : 8);
  return {operations, body / interactions_a_load(variant, precision)};
}

PairWork work_with_jerk(Precision precision) {
  // beside those of soa: relative velocity 3, its product with the distance 5, rate 2, jerks 12;
  // velocities are read, too
  const PairWork forces = work_of("soa", precision, 1);
  return {forces.operations + 3 + 5 + 2 + 12, forces.bytes * 7 / 4};
}

double operations_a_body(const std::string& variant, Precision precision) {
  return operations_a_pair * interactions_a_load(variant, precision);
}

double intensity_of(const std::string& variant, Precision precision) {
  const double bytes = 4.0 * (precision == Precision::f32 ? 4 : 8);
  return operations_a_body(variant, precision) / bytes;
}

double Roofline::roof_at(double intensity) const {
  const double bytes = cache_bytes_a_second > 0 ? cache_bytes_a_second : memory_bytes_a_second;
  return bytes > 0 ? std::min(peak_gflops, 1e-9 * intensity * bytes) : peak_gflops;
}

bool Roofline::is_above(const RooflinePoint& point) const {
  return point.gflops > roof_at(point.intensity);
}

Roofline measured_roof(Precision precision, int threads) {
  return {.threads = thread_count(threads),
          .peak_gflops = 1e-9 * peak_flops(precision == Precision::f64, threads),
          .memory_bytes_a_second = memory_bandwidth(threads),
          .cache_bytes_a_second = cache_bandwidth(threads)};
}

void look_again(Roofline& roofline, Precision precision) {
  const Roofline again = measured_roof(precision, roofline.threads);
  for (const auto value : {&Roofline::peak_gflops, &Roofline::memory_bytes_a_second,
                           &Roofline::cache_bytes_a_second}) {
    roofline.*value = std::max(roofline.*value, again.*value);
  }
}

Roofline measure_roofline(const BenchOptions& options) {
  if (options.bodies.empty() || options.precisions.empty()) {
    throw Error(ExitCode::wrong_usage, "a roofline needs a number of bodies and a precision",
                "give --bodies and --precision");
  }
  const Precision precision = options.precisions.front();
  Roofline roofline = measured_roof(precision, options.device.threads);
  BenchOptions one = options;
  one.solvers = {"direct"};
  one.device.name = "cpu";
  one.bodies = {options.bodies.front()};
  one.precisions = {precision};
  for (const std::string& variant : direct_host_variants(precision)) {
    one.device.variant = variant;
    const BenchResult result = bench(one).front();
    const PairWork work = work_of(variant, precision, result.engine.bodies);
    roofline.points.push_back({variant, work.intensity(),
                               1e-9 * work.operations * result.interactions_per_second(),
                               result.gflops()});
  }
  look_again(roofline, precision);
  return roofline;
}

Chart roofline_chart(const Roofline& roofline) {
  const double low = 0.1, high = 1000;
  const auto roof = [&](const std::string& name, double bytes) {
    Series series{.name = name};
    for (const double x : {low, std::clamp(1e9 * roofline.peak_gflops / bytes, low, high), high}) {
      series.x.push_back(x);
      series.y.push_back(std::min(roofline.peak_gflops, 1e-9 * x * bytes));
    }
    return series;
  };
  Panel panel{{.label = "floating-point operations a byte moved",
               .logarithmic = true,
               .low = low,
               .high = high},
              {.label = "GFLOP/s", .logarithmic = true},
              {}};
  if (roofline.cache_bytes_a_second > 0) {
    panel.series.push_back(
        roof(fmt::format("first cache, {:.0f} GB/s", 1e-9 * roofline.cache_bytes_a_second),
             roofline.cache_bytes_a_second));
  }
  panel.series.push_back(
      roof(fmt::format("memory, {:.1f} GB/s", 1e-9 * roofline.memory_bytes_a_second),
           roofline.memory_bytes_a_second));
  panel.series.back().dashed = roofline.cache_bytes_a_second > 0;
  for (const RooflinePoint& point : roofline.points) {
    panel.series.push_back({.name = point.variant + (roofline.is_above(point) ? " (above)" : ""),
                            .x = {point.intensity},
                            .y = {point.gflops},
                            .look = Series::Look::points,
                            .marker = 0});
  }
  Chart chart;
  chart.title = fmt::format("Roofline of the native CPU, {}, {:.0f} GFLOP/s",
                            counted(roofline.threads, "thread"), roofline.peak_gflops);
  chart.panels.push_back(std::move(panel));
  return chart;
}

std::string roofline_caveats() {
  return "Operations are those that a rung does: a pair that is met once counts once, a root or a "
         "power is one, a multiply-add two. Bytes are those that its loops load and store, which "
         "the first cache serves while bodies fit into caches. Limits are the best of many rounds "
         "and still lower bounds: what stands above one was measured in a better moment.";
}

}  // namespace apsis
