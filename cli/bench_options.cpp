// SPDX-License-Identifier: MIT
#include "bench_options.hpp"

#include "terminal.hpp"
#include "usage_errors.hpp"
#include <apsis/core/counted.hpp>
#include <apsis/core/error.hpp>
#include <apsis/solvers/direct/direct_host.hpp>
#include <apsis/solvers/kernel_law.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

namespace apsis::cli {
namespace {

void add_far_field_options(CLI::App& command, BenchOptions& o) {
  command
      .add_option("--accuracy", o.force.far_field.accuracy,
                  "tree, fmm: wanted 99 % force error (default: 0.001)")
      ->type_name("ERROR")
      ->each([&o](const std::string&) { o.accuracy_given = true; });
  command
      .add_option("--opening-angle", o.force.far_field.opening_angle,
                  "tree, fmm: a bare opening angle instead of the estimated error")
      ->type_name("ANGLE");
  command
      .add_option("--order", o.force.far_field.order,
                  "tree, fmm: order of the expansions (default: by accuracy)")
      ->type_name("N");
}

void add_bins_options(CLI::App& command, BenchArguments& arguments) {
  command
      .add_option("--bins", arguments.options.force.bins.bins,
                  "bins: along each side (default: by the number of bodies)")
      ->type_name("N");
  command
      .add_option("--box", arguments.box, "bins: x0,x1,y0,y1,z0,z1 (default: that of the bodies)")
      ->delimiter(',')
      ->expected(1, 6)
      ->type_name("BOX");
}

std::vector<std::string> all_variants(const BenchOptions& options, Precision precision) {
  const std::string& device = options.device.name;
  if (options.solvers != std::vector<std::string>{"direct"}) {
    throw Error(ExitCode::wrong_usage, "--variant all is about solver direct alone",
                "leave the other solvers or the option out");
  }
  if (device == "cpu") return direct_host_variants(precision);
  // all that an edited law leaves
  if (device != "auto") return variants_that_follow(kernel_folder(options.device.kernel_dir));
  throw Error(ExitCode::wrong_usage, "--variant all needs to know where: every device has its own",
              "give --device cpu, or an OpenCL device's name");
}

constexpr const char* with_reuse = "tiled";
constexpr const char* without_reuse = "float4";

// One kernel to time: a variant, and what its pairs are unrolled by.
struct KernelChoice {
  std::string variant;  // empty: the fastest known
  std::optional<std::int64_t> unroll;
};

// Without reuse there is no loop over a tile to unroll: such a kernel is timed once.
std::vector<KernelChoice> kernels_of(const BenchArguments& arguments,
                                     const std::vector<std::string>& variants) {
  std::vector<KernelChoice> kernels;
  const auto add = [&](const std::string& variant) {
    if (arguments.unrolls.empty() || (variant == without_reuse && !arguments.reuse.empty())) {
      kernels.push_back({variant, std::nullopt});
      return;
    }
    for (const std::int64_t unroll : arguments.unrolls) kernels.push_back({variant, unroll});
  };
  for (const std::string& reuse : arguments.reuse) add(reuse == "on" ? with_reuse : without_reuse);
  if (!arguments.reuse.empty()) return kernels;
  for (const std::string& variant : variants) add(variant);
  if (variants.empty()) add("");
  return kernels;
}

void require_sense(const BenchArguments& arguments) {
  if (arguments.reuse.empty()) return;
  const auto refuse = [](const std::string& what, const std::string& remedy) {
    throw Error(ExitCode::wrong_usage, what, remedy);
  };
  if (arguments.options.solvers != std::vector<std::string>{"direct"}) {
    refuse("--reuse is about solver direct alone", "leave the other solvers or the option out");
  }
  for (const std::string& device : arguments.devices) {
    if (device != "cpu") continue;
    refuse("--reuse is about kernels of OpenCL devices, not the native cpu",
           "give --device opencl");
  }
  if (!arguments.unrolls.empty() && std::ranges::count(arguments.reuse, "on") == 0) {
    refuse("--unroll means nothing to --reuse off, which has no tile to unroll",
           "leave out --unroll, or add --reuse on");
  }
}

Box box_from(const std::vector<double>& sides) {
  Box box{};
  if (sides.size() != box.size()) {
    throw Error(ExitCode::wrong_usage, fmt::format("--box {} is no box", fmt::join(sides, ",")),
                box_remedy);
  }
  std::copy(sides.begin(), sides.end(), box.begin());
  return box;
}

}  // namespace

void add_input_options(CLI::App& command, BenchArguments& arguments) {
  BenchOptions& o = arguments.options;
  command.add_option("--model", o.model, "Where the bodies are; 'apsis init --list' names them")
      ->type_name("NAME")
      ->capture_default_str();
  command
      .add_option(
          "--masses", arguments.masses,
          "spread: masses differ by up to a factor of 3 (default: the model's own; uniform: "
          "spread)")
      ->check(CLI::IsMember(choice_names<Masses>()));
  auto* softening = command
                        .add_option("--softening", o.force.softening,
                                    "Plummer length (default: the model's own, or the file's)")
                        ->type_name("LENGTH");
  command
      .add_option("--softening-squared", arguments.softening_squared,
                  "The same squared, as the tutorials give it")
      ->type_name("LENGTH2")
      ->excludes(softening);
  add_far_field_options(command, o);
}

void add_file_option(CLI::App& command, BenchArguments& arguments) {
  command.add_option("--file", arguments.options.file, "Bodies from this file, not from a model")
      ->type_name("FILE");
}

void add_repeat_options(CLI::App& command, BenchArguments& arguments, const std::string& what) {
  BenchOptions& o = arguments.options;
  command.add_option("--repeats", o.repeats, what + " that count")
      ->type_name("N")
      ->capture_default_str();
  command.add_option("--warmup", o.warmup, what + " before those")
      ->type_name("N")
      ->capture_default_str();
  command.add_option("--seed", o.seed, "Same seed, same bodies")
      ->check(not_negative())
      ->type_name("S")
      ->capture_default_str();
  command.add_flag("--json", arguments.json, "Print the results as JSON");
}

void add_bench_options(CLI::App& command, BenchArguments& arguments) {
  BenchOptions& o = arguments.options;
  command.add_option("SOLVER", o.solvers, "Solvers to look at")->capture_default_str();
  command.add_option("--bodies", o.bodies, "Numbers of bodies, separated by commas")
      ->delimiter(',')
      ->check(not_negative())
      ->type_name("N")
      ->capture_default_str();
  command
      .add_option("--device", arguments.devices,
                  "Where to run: auto (the fastest, measured), cpu (the native one), opencl, "
                  "opencl:1, gpu, or part of a name; several together with commas, or all; given "
                  "again: one after the other")
      ->allow_extra_args(false)
      ->type_name("NAME")
      ->capture_default_str();
  command
      .add_option("--threads", arguments.threads,
                  "Threads of the CPU; 0: all; several numbers, separated by commas, one by one")
      ->delimiter(',')
      ->type_name("N")
      ->capture_default_str();
  command.add_option("--precision", arguments.precisions, "f32, mixed or f64, separated by commas")
      ->delimiter(',')
      ->type_name("WORD")
      ->capture_default_str();
  auto* variant =
      command
          .add_option(
              "--variant", arguments.variants,
              "Variants of the solver direct, separated by commas, or all (default: the fastest "
              "known)")
          ->delimiter(',')
          ->type_name("NAME");
  command
      .add_option("--reuse", arguments.reuse,
                  "Kernels that read each body from local memory (on: tiled) or for every pair "
                  "(off: float4), or on,off")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember({"on", "off"}))
      ->excludes(variant)
      ->type_name("on|off");
  add_input_options(command, arguments);
  add_bins_options(command, arguments);
  command
      .add_option("--unroll", arguments.unrolls,
                  "Unroll factors of device kernels, separated by commas")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("N");
  command.add_option("--group", o.group, "Work-group size of device kernels")->type_name("N");
  command.add_option("--sizes", o.sizes, "Sizes of device kernels, for example \"rows=8 teams=4\"")
      ->type_name("TEXT");
  command.add_flag(
      "--reproducible", o.device.reproducible,
      "Same bits for any number of threads and any work-group size; says what it costs");
  command
      .add_option("--kernel-dir", o.device.kernel_dir,
                  "Kernel files in this folder come before the built-in ones")
      ->type_name("DIR");
  add_repeat_options(command, arguments, "Force evaluations");
}

BenchOptions options_from(const BenchArguments& arguments) {
  BenchOptions options = arguments.options;
  options.precisions.clear();
  for (const auto& word : arguments.precisions) {
    options.precisions.push_back(choice_from<Precision>(word));
  }
  if (!arguments.masses.empty()) options.masses = choice_from<Masses>(arguments.masses);
  if (arguments.softening_squared) {
    if (!(*arguments.softening_squared >= 0)) {
      throw Error(ExitCode::wrong_usage,
                  fmt::format("--softening-squared {} is no square", *arguments.softening_squared),
                  "give 0 or more");
    }
    options.force.softening = std::sqrt(*arguments.softening_squared);
  }
  if (!arguments.box.empty()) options.force.bins.box = box_from(arguments.box);
  if (!arguments.devices.empty()) options.device.name = arguments.devices.front();
  const auto kernels = kernels_of(arguments, arguments.variants);
  options.device.variant = kernels.front().variant, options.unroll = kernels.front().unroll;
  if (!arguments.threads.empty()) options.device.threads = arguments.threads.front();
  return options;
}

BenchOptions single_options_from(const BenchArguments& arguments, const std::string& what) {
  require_sense(arguments);
  const auto refuse = [&](const char* name, std::size_t values) {
    if (values < 2) return;
    throw Error(ExitCode::wrong_usage, fmt::format("{} is about one --{}", what, name),
                fmt::format("give one, or leave out {}", what));
  };
  refuse("device", arguments.devices.size());
  refuse("reuse", arguments.reuse.size());
  refuse("unroll", arguments.unrolls.size());
  return options_from(arguments);
}

std::vector<BenchOptions> each_options_from(const BenchArguments& arguments) {
  require_sense(arguments);
  BenchOptions common = options_from(arguments);
  const bool all = arguments.variants == std::vector<std::string>{"all"};
  std::vector<BenchOptions> each;
  for (const std::string& device : arguments.devices) {
    common.device.name = device;
    for (const Precision precision : common.precisions) {
      const auto variants = all ? all_variants(common, precision) : arguments.variants;
      for (const KernelChoice& kernel : kernels_of(arguments, variants)) {
        for (const int threads : arguments.threads) {
          BenchOptions one = common;
          one.precisions = {precision};
          one.device.variant = kernel.variant, one.device.threads = threads;
          one.unroll = kernel.unroll;
          each.push_back(std::move(one));
        }
      }
    }
  }
  return each;
}

std::string heading(const BenchResult& result) {
  const Resolution& e = result.engine;
  const std::string with = (e.on_cpu() ? ", " + counted(e.threads, "thread") : "") +
                           (e.sizes().empty() ? "" : ", " + e.sizes());
  return fmt::format("{} {} {} on {} ({}){}; {} ({}, masses {}), softening {:g}", e.solver,
                     e.variant(), name_of(e.precision), result.device_label(), e.driver(), with,
                     counted(e.bodies, "body"), result.model, result.masses, result.law.softening);
}

void print_notices(std::span<const BenchResult> results) {
  std::set<std::string> said;
  for (const BenchResult& result : results) {
    for (const auto& notice : result.notices) {
      if (said.insert(notice).second) say("{}", notice);
    }
  }
}

void require_good(std::span<const BenchResult> results) {
  for (const BenchResult& result : results) {
    if (result.complaint.empty()) continue;
    throw Error(
        ExitCode::numbers_went_bad,
        fmt::format("{} {} with {}: {}", result.engine.solver, name_of(result.engine.precision),
                    counted(result.engine.bodies, "body"), result.complaint),
        result.accuracy ? "ask for less, or report it if the bodies are ordinary ones"
                        : "use a higher precision, or report it if the bodies are ordinary ones");
  }
}

}  // namespace apsis::cli
