// SPDX-License-Identifier: MIT
#include "bench_options.hpp"
#include "commands.hpp"
#include "curve.hpp"
#include "roofline.hpp"
#include "table.hpp"
#include "terminal.hpp"
#include <apsis/core/error.hpp>
#include <apsis/measure/bench.hpp>

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace apsis::cli {
namespace {

// One line per force evaluation; those marked * came first, to wake the machine, and do not count.
Table evaluations(const BenchResult& result) {
  const bool exact = result.engine.exact_sums;
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
  if (result.engine.exact_sums) {
    fmt::print(", {:.3e} interactions/s, {:.1f} GFLOP/s", result.interactions_per_second(),
               result.gflops());
  }
  if (result.engine.device != "cpu") {
    fmt::print("\nkernels alone: {:.6f} s by the device's clock", result.kernel.median());
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
  fmt::print("\nforce error of {} bodies: median {:.1e}, 99 % {:.1e}, max {:.1e}\n\n",
             result.error.samples, result.error.median, result.error.p99, result.error.max);
}

void run(const BenchArguments& arguments) {
  const std::vector<BenchResult> results = bench(options_from(arguments));
  print_notices(results);
  if (arguments.json) {
    fmt::print("{}", to_json(results, Report::bench));
  } else {
    for (const BenchResult& result : results) print(result);
    fmt::print("* warm-up, not counted; 20 floating-point operations an interaction\n");
  }
  require_good(results);
}

}  // namespace

namespace {

void add_far_field_options(CLI::App& command, BenchOptions& o) {
  command
      .add_option("--accuracy", o.accuracy, "tree, fmm: wanted 99 % force error (default: 0.001)")
      ->type_name("ERROR");
  command
      .add_option("--opening-angle", o.opening_angle,
                  "tree, fmm: a bare opening angle instead of the estimated error")
      ->type_name("ANGLE");
  command
      .add_option("--order", o.order, "tree, fmm: order of the expansions (default: by accuracy)")
      ->type_name("N");
  command.add_option("--bins", o.bins, "bins: along each side (default: by the number of bodies)")
      ->type_name("N");
  command.add_option("--box", o.box, "bins: x0,x1,y0,y1,z0,z1 (default: that of the bodies)")
      ->delimiter(',')
      ->expected(1, 6)
      ->type_name("BOX");
}

}  // namespace

void add_bench_options(CLI::App& command, BenchArguments& arguments) {
  BenchOptions& o = arguments.options;
  command.add_option("SOLVER", o.solvers, "Solvers to look at")->capture_default_str();
  command.add_option("--bodies", o.bodies, "Numbers of bodies, separated by commas")
      ->delimiter(',')
      ->type_name("N")
      ->capture_default_str();
  command
      .add_option("--device", o.device,
                  "Where to run: auto (the fastest, measured), cpu (the native one), opencl, "
                  "opencl:1, gpu, or part of a name")
      ->type_name("NAME")
      ->capture_default_str();
  command.add_option("--threads", o.threads, "Threads of the CPU; 0: all")
      ->type_name("N")
      ->capture_default_str();
  command.add_option("--precision", arguments.precisions, "f32, mixed or f64, separated by commas")
      ->delimiter(',')
      ->type_name("WORD")
      ->capture_default_str();
  command.add_option("--variant", o.variant, "Variant of the solver (default: the fastest known)")
      ->type_name("NAME");
  command.add_option("--model", o.model, "Where the bodies are; 'apsis init --list' names them")
      ->type_name("NAME")
      ->capture_default_str();
  command.add_option("--masses", arguments.masses, "spread: masses differ by up to a factor of 3")
      ->check(CLI::IsMember(choice_names<Masses>()))
      ->capture_default_str();
  auto* softening =
      command
          .add_option("--softening", o.softening, "Plummer length (default: 0.01, or the file's)")
          ->type_name("LENGTH");
  command
      .add_option("--softening-squared", arguments.softening_squared,
                  "The same squared, as the tutorials give it")
      ->type_name("LENGTH2")
      ->excludes(softening);
  add_far_field_options(command, o);
  command.add_option("--unroll", o.unroll, "Unroll factor of device kernels")->type_name("N");
  command.add_option("--group", o.group, "Work-group size of device kernels")->type_name("N");
  command.add_option("--sizes", o.sizes, "Sizes of device kernels, for example \"rows=8 teams=4\"")
      ->type_name("TEXT");
  command.add_flag(
      "--reproducible", o.reproducible,
      "Same bits for any number of threads and any work-group size; says what it costs");
  command
      .add_option("--kernel-dir", o.kernel_dir,
                  "Kernel files in this folder come before the built-in ones")
      ->type_name("DIR");
  command.add_option("--repeats", o.repeats, "Force evaluations that count")
      ->type_name("N")
      ->capture_default_str();
  command.add_option("--warmup", o.warmup, "Force evaluations before those")
      ->type_name("N")
      ->capture_default_str();
  command.add_option("--seed", o.seed, "Same seed, same bodies")
      ->type_name("S")
      ->capture_default_str();
  command.add_flag("--json", arguments.json, "Print the results as JSON");
}

BenchOptions options_from(const BenchArguments& arguments) {
  BenchOptions options = arguments.options;
  options.precisions.clear();
  for (const auto& word : arguments.precisions) {
    options.precisions.push_back(choice_from<Precision>(word));
  }
  options.masses = choice_from<Masses>(arguments.masses);
  if (arguments.softening_squared) {
    if (!(*arguments.softening_squared >= 0)) {
      throw Error(ExitCode::wrong_usage,
                  fmt::format("--softening-squared {} is no square", *arguments.softening_squared),
                  "give 0 or more");
    }
    options.softening = std::sqrt(*arguments.softening_squared);
  }
  return options;
}

std::string heading(const BenchResult& result) {
  const EngineDescription& e = result.engine;
  const std::string with = (e.device == "cpu" ? fmt::format(", {} threads", e.threads) : "") +
                           (e.sizes.empty() ? "" : ", " + e.sizes);
  return fmt::format("{} {} {} on {} ({}){}; {} bodies ({}, masses {}), softening {:g}", e.solver,
                     e.variant, name_of(e.precision), e.device, e.driver, with, e.bodies,
                     result.model, result.masses, result.law.softening);
}

void print_notices(std::span<const BenchResult> results) {
  for (const BenchResult& result : results) {
    for (const auto& notice : result.notices) say("{}", notice);
  }
}

void require_good(std::span<const BenchResult> results) {
  for (const BenchResult& result : results) {
    if (result.complaint.empty()) continue;
    throw Error(
        ExitCode::numbers_went_bad,
        fmt::format("{} {} with {} bodies: {}", result.engine.solver,
                    name_of(result.engine.precision), result.engine.bodies, result.complaint),
        result.accuracy ? "ask for less, or report it if the bodies are ordinary ones"
                        : "use a higher precision, or report it if the bodies are ordinary ones");
  }
}

void add_bench(CLI::App& app, Outcome& outcome) {
  auto arguments = std::make_shared<BenchArguments>();
  CLI::App* command =
      app.add_subcommand("bench", "Times force evaluations and checks what they computed");
  add_bench_options(*command, *arguments);
  auto roofline = std::make_shared<bool>(false), curve = std::make_shared<bool>(false);
  auto* under_roof =
      command->add_flag("--roofline", *roofline,
                        "All rungs of the native cpu under the limits of this machine, and a "
                        "picture");
  command
      ->add_flag("--curve", *curve,
                 "Time against error over several accuracies (bins: over more and more of them), "
                 "and a picture")
      ->excludes(under_roof);
  command->footer("Example: apsis bench direct --bodies 16384,65536 --precision f32,f64");
  command->callback([arguments, roofline, curve, &outcome] {
    if (*roofline) {
      run_roofline(options_from(*arguments), arguments->json);
    } else if (*curve) {
      run_curve(options_from(*arguments), arguments->json);
    } else {
      run(*arguments);
    }
    outcome.exit_code = ExitCode::done;
  });
}

}  // namespace apsis::cli
