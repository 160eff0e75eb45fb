// SPDX-License-Identifier: MIT
// apsis bench --roofline: the machine's limits, and the native solver's rungs under them.
#include "roofline.hpp"

#include "picture.hpp"
#include "table.hpp"
#include <apsis/core/counted.hpp>
#include <apsis/core/error.hpp>
#include <apsis/measure/roofline.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <string>

namespace apsis::cli {
namespace {

constexpr const char* picture = "roofline.png";

void print_json(const Roofline& roofline, Precision precision) {
  nlohmann::ordered_json points = nlohmann::ordered_json::array();
  for (const RooflinePoint& point : roofline.points) {
    points.push_back({{"variant", point.variant},
                      {"operations_per_byte", intensity_of(point.variant, precision)},
                      {"gflops", point.nominal_gflops},
                      {"operations_per_byte_done", point.intensity},
                      {"gflops_done", point.gflops},
                      {"above_roof", roofline.is_above(point)}});
  }
  const nlohmann::ordered_json json{{"threads", roofline.threads},
                                    {"peak_gflops", roofline.peak_gflops},
                                    {"memory_bytes_per_second", roofline.memory_bytes_a_second},
                                    {"cache_bytes_per_second", roofline.cache_bytes_a_second},
                                    {"ridge", roofline.ridge()},
                                    {"cache_ridge", roofline.cache_ridge()},
                                    {"points", points}};
  fmt::print("{}\n", json.dump(2));
}

void print_table(const Roofline& roofline) {
  fmt::print(
      "{}: {:.1f} GFLOP/s of multiply-adds, {:.1f} GB/s from the first cache, {:.1f} GB/s "
      "from memory;\nthey meet at {:.2f} and {:.2f} operations a byte\n",
      counted(roofline.threads, "thread"), roofline.peak_gflops,
      1e-9 * roofline.cache_bytes_a_second, 1e-9 * roofline.memory_bytes_a_second,
      roofline.cache_ridge(), roofline.ridge());
  Table table{{"variant", "operations/byte", "GFLOP/s", "of the peak"}, {}};
  for (const RooflinePoint& point : roofline.points) {
    table.rows.push_back(
        {point.variant, fmt::format("{:.2f}", point.intensity), fmt::format("{:.1f}", point.gflops),
         roofline.is_above(point)
             ? "above what was measured of it"
             : fmt::format("{:.1f} %", 100 * point.gflops / roofline.peak_gflops)});
  }
  fmt::print("{}{}\n", aligned(table), roofline_caveats());
}

}  // namespace

void run_roofline(const BenchOptions& options, bool json) {
  if (options.device.name != "cpu" && options.device.name != "auto") {
    throw Error(ExitCode::wrong_usage,
                fmt::format("--roofline is about the native cpu, not '{}'", options.device.name),
                "use --device cpu");
  }
  const Roofline roofline = measure_roofline(options);
  json ? print_json(roofline, options.precisions.front()) : print_table(roofline);
  draw_picture(roofline_chart(roofline), picture);
}

}  // namespace apsis::cli
