// SPDX-License-Identifier: MIT
// apsis bench --curve: what accuracy costs.
#include "accuracy_cost.hpp"

#include "bench_options.hpp"
#include "picture.hpp"
#include "table.hpp"
#include "terminal.hpp"
#include <apsis/measure/accuracy_cost.hpp>

#include <fmt/format.h>

#include <string>

namespace apsis::cli {
namespace {

constexpr const char* picture = "curve.png";

void print_table(const AccuracyCost& cost) {
  Table table{{"solver", "precision", "bodies", "wanted", "99 % error", "seconds", "bodies/s",
               "settled for"},
              {}};
  for (const BenchResult& result : cost.results) {
    const Resolution& engine = result.engine;
    table.rows.push_back(
        {engine.solver, std::string(name_of(engine.precision)), fmt::format("{}", engine.bodies),
         result.accuracy ? fmt::format("{:.0e}", *result.accuracy) : "",
         fmt::format("{:.1e}", result.error.p99), fmt::format("{:.6f}", result.whole.median()),
         fmt::format("{:.3e}", result.bodies_per_second()), engine.sizes()});
  }
  fmt::print("{}", aligned(table));
}

}  // namespace

void run_accuracy_cost(const BenchOptions& options, bool json) {
  const AccuracyCost cost = measure_accuracy_cost(options);
  print_notices(cost.results);
  for (const auto& notice : cost.notices) say("{}", notice);
  if (json) {
    fmt::print("{}", to_json(cost.results, Report::bench));
  } else {
    print_table(cost);
  }
  draw_picture(accuracy_cost_chart(cost.results), picture);
  require_good(cost.results);
}

}  // namespace apsis::cli
