// SPDX-License-Identifier: MIT
// `apsis bench scaling`: steps as a run does them, on more and more workers, with the bodies fixed
// (strong scaling) and with the work of each worker fixed (weak scaling).
#pragma once

#include <apsis/engines/engine_factory.hpp>
#include <apsis/measure/bench.hpp>
#include <apsis/measure/scaling_model.hpp>
#include <apsis/measure/timing.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace apsis {

enum class WorkerKind { threads, devices, ranks };
template <>
struct Choice<WorkerKind> {
  static constexpr const char* what = "kind of workers";
  static constexpr std::pair<WorkerKind, std::string_view> values[] = {
      {WorkerKind::threads, "threads"},
      {WorkerKind::devices, "devices"},
      {WorkerKind::ranks, "ranks"}};
};

// What one worker does in a step.
struct WorkerCost {
  double computing = 0;            // seconds
  double messages = 0, bytes = 0;  // to other workers
  double meetings = 0;             // of all workers
};

// Those who can be set to work. Threads and devices are made below; ranks are handed in.
struct Crew {
  WorkerKind kind = WorkerKind::threads;
  int all = 1;      // that there are
  int threads = 1;  // of each
  // Whether so many have to share cores, so that their time says nothing.
  std::function<bool(int workers)> crowded = [](int) { return false; };
  // An engine on the first so many of them, with these bodies; always inside at_work.
  std::function<LoadedEngine(EngineSettings, const Bodies&, int workers)> engine;
  // Everything that is asked of the engine of a row happens in here.
  std::function<void(int workers, int row, const std::function<void()>&)> at_work =
      [](int, int, const std::function<void()>& work) { work(); };
  // Of each worker, by the steps since the last call; empty where workers share memory.
  std::function<std::vector<WorkerCost>(Engine&, int steps)> costs;
  bool costs_disturb = false;  // so that they are looked at in steps of their own
};
// The native CPU's threads.
Crew crew_of_threads();
// OpenCL devices as `--device` lists them.
Crew crew_of_devices(const std::string& devices);

struct ScalingOptions {
  BenchOptions bench;        // of its lists of bodies and precisions the first ones
  std::vector<int> workers;  // empty: 1, 2, 3, 4, 6, 8, 12 ... up to all
};

// 1, 2, 3, 4, 6, 8, 12, 16, 24 ... and `all` itself.
std::vector<int> numbers_up_to(int all);
// Those to be measured, 1 first. wrong_usage for numbers below 1 or above `most`.
std::vector<int> numbers_of_workers(const ScalingOptions& options, WorkerKind kind, int all);
// wrong_usage for what can be told to be wrong without a measurement.
void require_valid(const ScalingOptions& options);

struct ScalingRow {
  int workers = 1;
  std::size_t bodies = 0;
  bool strong = false, weak = false;  // which table it is a row of; the first is one of both
  bool crowded = false;               // more workers than cores
  int working = 1;                    // devices that make nothing faster are left out, as in a run
  Timings step;                       // seconds
  int steps_a_sample = 1;
  std::optional<ScalingPoint::Parts> parts;  // medians
  Resolution engine;
  ForceError error;
  std::string complaint;  // why the forces are not good enough; empty when they are

  bool counts() const { return !crowded && working == workers; }  // for the fit
};

struct ScalingResult {
  WorkerKind kind = WorkerKind::threads;
  int threads = 1;  // of each worker
  WorkLaw law = WorkLaw::pairs;
  std::string solver, model, masses;
  double softening = 0;
  std::optional<double> accuracy;
  std::vector<ScalingRow> rows;  // by workers
  std::vector<std::string> notices;

  const ScalingRow& one() const { return rows.front(); }
  // Against one worker, in work done a second.
  double speedup(const ScalingRow& row, bool weak) const;
  std::vector<ScalingPoint> points() const;  // those that count
};

// Told now and then how far it is, from 0 to 1.
using ScalingProgress = std::function<void(const std::string& solver, double done)>;

// One result per solver. wrong_usage for numbers of bodies or workers that can't be.
std::vector<ScalingResult> measure_scaling(const ScalingOptions& options, const Crew& crew,
                                           const ScalingProgress& progress = {});

}  // namespace apsis
