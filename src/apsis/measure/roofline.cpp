// SPDX-License-Identifier: MIT
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

// Interactions for every source that is loaded, with the widest vectors.
double interactions_a_load(const std::string& variant, Precision precision) {
  if (variant == "tiled-i" || variant == "reproducible") return 16;
  // f32: four vectors of 16 targets, or two of them that feel and pull
  if (variant == "simd" || variant == "simd-symmetric")
    return precision == Precision::f32 ? 64 : 32;
  return 1;
}

}  // namespace

double intensity_of(const std::string& variant, Precision precision) {
  const double bytes = 4.0 * (precision == Precision::f32 ? 4 : 8);
  return operations_a_pair * interactions_a_load(variant, precision) / bytes;
}

Roofline measure_roofline(const BenchOptions& options) {
  if (options.bodies.empty() || options.precisions.empty()) {
    throw Error(ExitCode::wrong_usage, "a roofline needs a number of bodies and a precision",
                "give --bodies and --precision");
  }
  const Precision precision = options.precisions.front();
  Roofline roofline;
  roofline.threads = thread_count(options.threads);
  roofline.peak_gflops = 1e-9 * peak_flops(precision == Precision::f64, roofline.threads);
  roofline.memory_bytes_a_second = memory_bandwidth(roofline.threads);
  BenchOptions one = options;
  one.solvers = {"direct"};
  one.device = "cpu";
  one.bodies = {options.bodies.front()};
  one.precisions = {precision};
  for (const std::string& variant : direct_host_variants(precision)) {
    one.variant = variant;
    roofline.points.push_back(
        {variant, intensity_of(variant, precision), bench(one).front().gflops()});
  }
  return roofline;
}

Chart roofline_chart(const Roofline& roofline) {
  Series roof{.name = fmt::format("{:.0f} GFLOP/s, {:.1f} GB/s", roofline.peak_gflops,
                                  1e-9 * roofline.memory_bytes_a_second)};
  const double low = 0.1, high = 1000;
  for (const double x : {low, roofline.ridge(), high}) {
    roof.x.push_back(x);
    roof.y.push_back(std::min(roofline.peak_gflops, 1e-9 * x * roofline.memory_bytes_a_second));
  }
  Panel panel{{.label = "floating-point operations a byte loaded",
               .logarithmic = true,
               .low = low,
               .high = high},
              {.label = "GFLOP/s", .logarithmic = true},
              {roof}};
  for (const RooflinePoint& point : roofline.points) {
    panel.series.push_back({.name = point.variant,
                            .x = {point.intensity},
                            .y = {point.gflops},
                            .look = Series::Look::points});
  }
  Chart chart;
  chart.title = fmt::format("Roofline of the native CPU, {} threads", roofline.threads);
  chart.panels.push_back(std::move(panel));
  return chart;
}

}  // namespace apsis
