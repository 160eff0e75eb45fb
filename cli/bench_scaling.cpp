// SPDX-License-Identifier: MIT
#include "bench_scaling.hpp"

#include "bench_options.hpp"
#include "picture.hpp"
#include "ranks.hpp"
#include "signals.hpp"
#include "terminal.hpp"
#include "usage_errors.hpp"
#include <apsis/core/counted.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/measure/scaling.hpp>
#include <apsis/mpi/rank_engine.hpp>
#include <apsis/mpi/rank_groups.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace apsis::cli {
namespace {

struct ScalingArguments {
  BenchArguments bench;
  std::string device;  // empty: threads of the native CPU, or ranks
  std::vector<int> workers;
  std::uint64_t predict_bodies = 0;
  std::optional<double> latency_us, bandwidth_gbs;
  std::string out = ".";
};

Error wrong(const std::string& what, const std::string& remedy) {
  return {ExitCode::wrong_usage, what, remedy};
}

bool on_ranks() { return launch().size > 1; }
bool on_devices(const ScalingArguments& arguments) {
  return !arguments.device.empty() && arguments.device != "auto" && arguments.device != "cpu";
}

void require_network(const ScalingArguments& arguments) {
  const auto demand = [](const char* name, const std::optional<double>& value, bool fine,
                         const char* remedy) {
    if (value && !(fine && std::isfinite(*value))) {
      throw wrong(fmt::format("--{} {} is no such figure", name, *value), remedy);
    }
    if (value && !on_ranks()) {
      throw wrong(fmt::format("--{} is about a network, and here is one process", name),
                  "start several with mpirun, or leave it out");
    }
  };
  const auto& latency = arguments.latency_us;
  const auto& bandwidth = arguments.bandwidth_gbs;
  demand("latency-us", latency, latency.value_or(0) >= 0, "give microseconds, 0 or more");
  demand("bandwidth-gbs", bandwidth, bandwidth.value_or(1) > 0, "give gigabytes a second, above 0");
}

// What can be said without a measurement, and on every rank alike.
void require_sense(const ScalingArguments& arguments) {
  require_network(arguments);
  if (on_ranks() && on_devices(arguments)) {
    throw wrong(fmt::format("--device {}: scaling over ranks is that of their native cpus",
                            arguments.device),
                "leave it out, or leave mpirun out to scale over the devices of this machine");
  }
  if (!on_ranks() && arguments.bench.threads.front() != 0) {
    throw wrong("--threads is the number of threads of each rank, and here is one process",
                "choose numbers of threads with --workers");
  }
}

// What stands before the word belongs to the other timings.
void require_nothing_before(const CLI::App& bench) {
  for (const CLI::Option* option : bench.get_options()) {
    if (option->count() == 0) continue;
    throw wrong(fmt::format("{} is not for 'apsis bench scaling'", option->get_name()),
                "put solvers and options behind the word scaling: --solver NAME");
  }
}

Crew crew_of_ranks(mpi::RankGroups& groups, const mpi::Communicator& all, int threads) {
  Crew crew;
  crew.kind = WorkerKind::ranks;
  crew.all = all.size(), crew.threads = threads;
  crew.crowded = [&groups, threads](int workers) {
    const auto here = static_cast<long>(groups.of(workers).ranks_here());
    return here * threads > sysconf(_SC_NPROCESSORS_ONLN);
  };
  crew.at_work = [&groups](int workers, int row, const std::function<void()>& work) {
    groups.at_work(workers, row, work);
  };
  crew.engine = [&groups, threads](EngineSettings settings, const Bodies& bodies, int workers) {
    settings.device.name = "cpu", settings.device.threads = threads;
    auto engine =
        std::make_unique<mpi::RankEngine>(groups.of(workers), mpi::settings_on_ranks(settings));
    engine->load(bodies);
    return LoadedEngine{std::move(engine), {}};
  };
  crew.costs = [](Engine& engine, int steps) {
    std::vector<WorkerCost> costs;
    for (const auto& cost : dynamic_cast<mpi::RankEngine&>(engine).costs()) {
      costs.push_back({cost.computing / steps, static_cast<double>(cost.messages) / steps,
                       static_cast<double>(cost.bytes) / steps,
                       static_cast<double>(cost.meetings) / steps});
    }
    return costs;
  };
  return crew;
}

Crew crew_of_one_process(const ScalingArguments& arguments) {
  if (!on_devices(arguments)) return crew_of_threads();
  Crew crew = crew_of_devices(arguments.device);
  if (crew.all < 2) {
    throw wrong(
        fmt::format("--device {} is one device, and scaling is about several", arguments.device),
        "list several, or parts of one, for example opencl:0/2");
  }
  return crew;
}

void show_progress(const std::string& solver, double done) {
  if (!is_terminal(stderr)) return;
  say_text(fmt::format("\r\033[K{}: {:.0f} %{}", solver, 100 * done, done < 1 ? "" : "\r\033[K"));
}

std::vector<ScalingResult> measured_on_ranks(const ScalingOptions& options, mpi::Communicator& all,
                                             mpi::RankGroups& groups) {
  const int threads =
      options.bench.device.threads > 0 ? options.bench.device.threads : mpi::threads_per_rank(all);
  return measure_scaling(options, crew_of_ranks(groups, all, threads), show_progress);
}

void require_good(const std::vector<ScalingStudy>& studies) {
  for (const ScalingStudy& study : studies) {
    for (const ScalingRow& row : study.result.rows) {
      if (row.complaint.empty()) continue;
      throw Error(
          ExitCode::numbers_went_bad,
          fmt::format("{} on {} {} with {}: {}", study.result.solver, row.workers,
                      name_of(study.result.kind), counted(row.bodies, "body"), row.complaint),
          "report it if the bodies are ordinary ones");
    }
  }
}

void run(const ScalingArguments& arguments, Outcome& outcome) {
  require_sense(arguments);
  ScalingOptions options{options_from(arguments.bench), arguments.workers};
  options.bench.device.name = on_devices(arguments) ? arguments.device : "cpu";
  require_valid(options);
  std::optional<mpi::RankGroups> groups;
  if (on_ranks()) {
    // before others wait to hear them
    const auto numbers = numbers_of_workers(options, WorkerKind::ranks, launch().size);
    join_ranks(outcome);
    if (outcome.ranks->rank() != 0) {
      ignore_stop();  // rank 0 decides what becomes of it
      return follow_rank_0(outcome, mpi::follow_in_groups);
    }
    groups.emplace(*outcome.ranks, numbers);
  }
  Network network;
  if (arguments.latency_us) network.latency = 1e-6 * *arguments.latency_us;
  if (arguments.bandwidth_gbs) network.bandwidth = 1e9 * *arguments.bandwidth_gbs;
  std::vector<ScalingStudy> studies;
  for (ScalingResult& result :
       groups ? measured_on_ranks(options, *outcome.ranks, *groups)
              : measure_scaling(options, crew_of_one_process(arguments), show_progress)) {
    for (const auto& notice : result.notices) say("{}", notice);
    studies.push_back(
        studied(std::move(result), network, static_cast<double>(arguments.predict_bodies)));
  }
  if (arguments.bench.json) {
    fmt::print("{}", to_json(studies));
  } else {
    print_scaling(studies);
  }
  make_folder(arguments.out);
  draw_picture(scaling_chart(studies),
               (std::filesystem::path(arguments.out) / "scaling.png").lexically_normal().c_str());
  require_good(studies);
}

void add_prediction_options(CLI::App& command, ScalingArguments& arguments) {
  command
      .add_option("--predict-bodies", arguments.predict_bodies,
                  "Bodies of the predictions (default: those that are measured)")
      ->check(not_negative())
      ->type_name("N");
  command
      .add_option("--latency-us", arguments.latency_us,
                  "Predictions with a network of this latency, in microseconds a message")
      ->type_name("TIME");
  command
      .add_option("--bandwidth-gbs", arguments.bandwidth_gbs,
                  "Predictions with a network of this bandwidth, in gigabytes a second and rank")
      ->type_name("RATE");
}

}  // namespace

void add_bench_scaling(CLI::App& bench, Outcome& outcome) {
  auto arguments = std::make_shared<ScalingArguments>();
  BenchOptions& o = arguments->bench.options;
  o.solvers = {"direct", "tree", "fmm"};
  o.bodies = {65536}, o.repeats = 5;
  CLI::App* command = bench.add_subcommand(
      "scaling", "Strong and weak scaling over threads, devices or ranks, with a fitted model");
  command->add_option("--solver", o.solvers, "Solvers to look at, separated by commas")
      ->delimiter(',')
      ->type_name("NAME")
      ->capture_default_str();
  command
      ->add_option("--bodies", o.bodies, "Bodies of one worker; all workers share them or get more")
      ->check(not_negative())
      ->expected(1)
      ->type_name("N")
      ->capture_default_str();
  command
      ->add_option("--device", arguments->device,
                   "OpenCL devices to scale over, as a list, all, or parts such as opencl:0/2 "
                   "(default: threads of the native CPU)")
      ->type_name("NAME");
  command
      ->add_option(
          "--workers", arguments->workers,
          "Numbers of threads, devices or ranks, separated by commas (default: 1, 2, 3, 4, "
          "6, 8, 12 ... up to all)")
      ->delimiter(',')
      ->type_name("N");
  command
      ->add_option("--threads", arguments->bench.threads,
                   "Threads of each rank (default: the machine's cores over its ranks)")
      ->expected(1)
      ->type_name("N");
  command->add_option("--precision", arguments->bench.precisions, "f32, mixed or f64")
      ->expected(1)
      ->type_name("WORD")
      ->capture_default_str();
  command
      ->add_option("--variant", arguments->bench.variants,
                   "Variant of the solver direct (default: the fastest known)")
      ->expected(1)
      ->type_name("NAME");
  command->add_flag("--reproducible", o.device.reproducible,
                    "Same bits for any number of threads, devices or ranks");
  add_input_options(*command, arguments->bench);
  add_repeat_options(*command, arguments->bench, "Samples of one or several steps");
  add_prediction_options(*command, *arguments);
  command->add_option("--out", arguments->out, "Folder of the chart, scaling.png")
      ->type_name("DIR")
      ->capture_default_str();
  command->footer(
      "Examples: apsis bench scaling --solver direct\n"
      "          apsis bench scaling --solver direct,fmm --device opencl:0/2\n"
      "          mpirun -n 16 apsis bench scaling --bodies 200000 --out scaling\n"
      "          mpirun -n 16 apsis bench scaling --latency-us 1.5 --bandwidth-gbs 12");
  command->callback([arguments, &bench, &outcome] {
    require_nothing_before(bench);
    run(*arguments, outcome);
    outcome.exit_code = ExitCode::done;
  });
}

}  // namespace apsis::cli
