// SPDX-License-Identifier: MIT
#include "accuracy_cost.hpp"
#include "bench_options.hpp"
#include "bench_scaling.hpp"
#include "commands.hpp"
#include "picture.hpp"
#include "ranks.hpp"
#include "roofline.hpp"
#include "table.hpp"
#include "terminal.hpp"
#include "timeline.hpp"
#include <apsis/core/counted.hpp>
#include <apsis/measure/bench.hpp>
#include <apsis/measure/bench_chart.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace apsis::cli {
namespace {

// What the device's clock may cost without a word.
constexpr double notable_cost = 1.03;

// One line per force evaluation; those marked * came first, to wake the machine, and do not count.
Table evaluations(const BenchResult& result) {
  const bool exact = result.engine.sums_all_pairs();
  const auto n = static_cast<double>(result.engine.bodies);
  Table table{exact ? std::vector<std::string>{"step", "seconds", "interactions/s", "GFLOP/s"}
                    : std::vector<std::string>{"step", "seconds", "bodies/s"},
              {}};
  const auto add = [&](std::size_t step, double seconds, const char* mark) {
    std::vector<std::string> row{fmt::format("{}{}", step, mark), fmt::format("{:.6f}", seconds)};
    if (exact) {
      row.push_back(fmt::format("{:.3e}", n * n / seconds));
      row.push_back(fmt::format("{:.1f}", 20e-9 * n * n / seconds));
    } else {
      row.push_back(fmt::format("{:.3e}", n / seconds));
    }
    table.rows.push_back(std::move(row));
  };
  std::size_t step = 0;
  for (const double seconds : result.whole.warmup) add(++step, seconds, "*");
  for (const double seconds : result.whole.seconds) add(++step, seconds, " ");
  return table;
}

void print(const BenchResult& result) {
  fmt::print("{}\n{}", heading(result), aligned(evaluations(result)));
  const Timings& time = result.whole;
  fmt::print("mean {:.6f} ± {:.6f} s, median {:.6f} s, {:.3e} bodies/s", time.mean(),
             time.deviation(), time.median(), result.bodies_per_second());
  if (result.engine.sums_all_pairs()) {
    fmt::print(", {:.3e} interactions/s, {:.1f} GFLOP/s", result.interactions_per_second(),
               result.gflops());
  }
  if (!result.engine.on_cpu()) {
    fmt::print("\nkernels alone: {:.6f} s of the same evaluations by the device's clock",
               result.kernel.median());
    if (const double cost = result.clock_cost().value_or(1); cost > notable_cost) {
      fmt::print(", whose events make them {:.0f} % longer ({:.6f} s without)", 100 * (cost - 1),
                 result.unclocked.median());
    }
  }
  if (result.parts) {
    fmt::print("\nbuild {:.6f} s, forces {:.6f} s, each waited for", result.parts->build,
               result.parts->force);
  }
  if (result.evaluations_a_sample > 1) {
    fmt::print("\neach time is the mean of {} evaluations enqueued behind each other",
               result.evaluations_a_sample);
  }
  if (result.reproducible_cost) {
    fmt::print("\nreproducible: {:.2f} times the time of the default mode",
               *result.reproducible_cost);
  }
  fmt::print("\nforce error of {}: median {:.1e}, 99 % {:.1e}, max {:.1e}\n\n",
             counted(result.error.samples, "body"), result.error.median, result.error.p99,
             result.error.max);
}

// All results in one table: what each step of a ladder brings, and how threads scale.
// Devices and sizes of kernels have columns where they differ.
void print_ladder(std::span<const BenchResult> results) {
  const auto differ = [&](const auto& text) {
    return std::ranges::any_of(
        results, [&](const BenchResult& result) { return text(result) != text(results.front()); });
  };
  const bool devices = differ([](const BenchResult& r) { return r.device_label(); });
  const bool sizes = differ([](const BenchResult& r) { return r.engine.sizes(); });
  Table table{{"solver", "variant", "precision", "bodies", "threads", "seconds", "±",
               "interactions/s", "GFLOP/s", "speed-up", "max error"},
              {}};
  if (sizes) table.header.insert(table.header.begin() + 2, "sizes");
  if (devices) table.header.insert(table.header.begin(), "device");
  const double first = results.front().bodies_per_second();
  for (const BenchResult& result : results) {
    const Resolution& e = result.engine;
    std::vector<std::string> row{
        e.solver,
        e.variant(),
        std::string(name_of(e.precision)),
        fmt::format("{}", e.bodies),
        e.on_cpu() ? fmt::format("{}", e.threads) : "",
        fmt::format("{:.6f}", result.whole.median()),
        fmt::format("{:.6f}", result.whole.deviation()),
        e.sums_all_pairs() ? fmt::format("{:.3e}", result.interactions_per_second()) : "",
        e.sums_all_pairs() ? fmt::format("{:.1f}", result.gflops()) : "",
        fmt::format("{:.2f}", result.bodies_per_second() / first),
        fmt::format("{:.1e}", result.error.max)};
    if (sizes) row.insert(row.begin() + 2, e.sizes());
    if (devices) row.insert(row.begin(), result.device_label());
    table.rows.push_back(std::move(row));
  }
  fmt::print("{}seconds: median ± deviation; speed-up: bodies/s against the first line\n\n",
             aligned(table));
}

void run(const BenchArguments& arguments, const std::string& picture) {
  std::vector<BenchResult> results;
  for (const BenchOptions& options : each_options_from(arguments)) {
    for (BenchResult& result : bench(options)) results.push_back(std::move(result));
  }
  tell_devices_apart(results);
  print_notices(results);
  if (arguments.json) {
    fmt::print("{}", to_json(results, Report::bench));
  } else {
    for (const BenchResult& result : results) print(result);
    if (results.size() > 1) print_ladder(results);
    fmt::print("* warm-up, not counted; 20 floating-point operations an interaction\n");
  }
  if (!picture.empty()) draw_picture(bench_chart(results), picture.c_str());
  require_good(results);
}

}  // namespace

void add_bench(CLI::App& app, Outcome& outcome) {
  auto arguments = std::make_shared<BenchArguments>();
  CLI::App* command =
      app.add_subcommand("bench", "Times force evaluations and checks what they computed");
  add_bench_options(*command, *arguments);
  add_file_option(*command, *arguments);
  add_talk_options(*command, "Print results, warnings and errors only", more_of_kernels);
  auto roofline = std::make_shared<bool>(false), curve = std::make_shared<bool>(false);
  auto* under_roof =
      command->add_flag("--roofline", *roofline,
                        "All rungs of the native cpu under the limits of this machine, and a "
                        "picture");
  auto* along_curve = command->add_flag(
      "--curve", *curve,
      "Time against error over several accuracies (bins: over more and more of them), and a "
      "picture");
  along_curve->excludes(under_roof);
  auto timeline = std::make_shared<std::string>();
  command
      ->add_option("--timeline", *timeline,
                   "What each OpenCL device does in two steps, as a table and as a picture in this "
                   "file")
      ->type_name("FILE")
      ->excludes(under_roof)
      ->excludes(along_curve);
  auto chart = std::make_shared<std::string>();
  command
      ->add_option(
          "--chart", *chart,
          "A picture of all results in this file: one colour a variant, one marker a device")
      ->type_name("FILE")
      ->excludes(under_roof)
      ->excludes(along_curve);
  command->footer(
      "Examples: apsis bench direct --bodies 16384,65536 --precision f32,f64\n"
      "          apsis bench direct --device cpu --variant all\n"
      "          apsis bench direct --device cpu --threads 1,2,4\n"
      "          apsis bench direct --device opencl --reuse on,off --unroll 1,2,4,8 --chart "
      "reuse.png\n"
      "          apsis bench direct --device opencl:0,opencl:1 --timeline steps.png");
  add_bench_scaling(*command, outcome);
  command->callback([arguments, roofline, curve, timeline, chart, command, &outcome] {
    if (!command->get_subcommands().empty()) return;
    require_one_process("bench");
    if (*roofline) {
      run_roofline(single_options_from(*arguments, "--roofline"), arguments->json);
    } else if (*curve) {
      run_accuracy_cost(single_options_from(*arguments, "--curve"), arguments->json);
    } else if (!timeline->empty()) {
      run_timeline(single_options_from(*arguments, "--timeline"), *timeline, arguments->json);
    } else {
      run(*arguments, *chart);
    }
    outcome.exit_code = ExitCode::done;
  });
}

}  // namespace apsis::cli
