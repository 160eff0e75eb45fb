// SPDX-License-Identifier: MIT
// What `apsis bench` and `apsis check` do: time whole force evaluations and compare their results
// with the reference, in the same process and on the data just timed.
#pragma once

#include <apsis/core/choices.hpp>
#include <apsis/core/pair_law.hpp>
#include <apsis/core/settings.hpp>
#include <apsis/engines/engine.hpp>
#include <apsis/measure/force_error.hpp>
#include <apsis/measure/timing.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apsis {

enum class Masses { spread, equal };
template <>
struct Choice<Masses> {
  static constexpr const char* what = "kind of masses";
  static constexpr std::pair<Masses, std::string_view> values[] = {{Masses::spread, "spread"},
                                                                   {Masses::equal, "equal"}};
};

struct BenchOptions {
  // Of an engine; its solver and precision are each of the lists below in turn. The law and its
  // constant are the model's own, or the file's, and the softening where it is left open. What
  // only some solvers or devices have is, of several, for those that do.
  ForceSettings force;
  DeviceSettings device;
  std::vector<std::string> solvers = {"direct"};
  std::vector<Precision> precisions = {Precision::f32};
  std::vector<std::uint64_t> bodies = {16384};
  bool accuracy_given = false;  // then it is held to, with a bare opening angle, too
  std::string model = "uniform";
  // default: the model's own, or the file's. Those of uniform are spread: 0.5 to 1.5 times the
  // mean.
  std::optional<Masses> masses;
  std::optional<std::int64_t> unroll, group;
  std::string sizes;  // of a device's kernels, for example "rows=8 teams=4"
  int repeats = 10;
  int warmup = 3;
  std::uint64_t seed = 42;
  std::string file;  // bodies from here instead of a model
};

struct BenchResult {
  Resolution engine;
  std::string place;             // what --device calls it: cpu, opencl:1
  bool shares_its_name = false;  // another device beside it is called the same
  std::string model, masses;     // masses: spread, equal, model or file
  PairLaw law;
  // From the request to accelerations at rest where they live. Short evaluations on a device are
  // enqueued several at a time, as a run does it, and a sample is their mean.
  Timings whole;
  int evaluations_a_sample = 1;
  Timings kernel;     // of the same evaluations by the device's clock; on the cpu the forces alone
  Timings unclocked;  // others without the device's clock, whose events cost a little
  // Seconds that threads waited for a core for every second of the timed evaluations: more than
  // a few hundredths and the machine was busy with something else.
  std::optional<double> waited;
  std::optional<EvaluationParts> parts;       // medians, where the solver builds something first
  std::optional<int> order;                   // of the expansions
  std::optional<std::uint64_t> device_bytes;  // held on a device by state and solver
  std::optional<double> accuracy;             // that was asked for, of solvers that promise it
  // How many times longer than without `reproducible`, where that was asked for.
  std::optional<double> reproducible_cost;
  std::vector<std::string> notices;  // what auto chose and why
  ForceError error;                  // at the inputs as the engine holds them
  ForceError error_double;           // at the inputs in double
  std::size_t coincident = 0;        // bodies that share their place with another
  std::string complaint;             // why the result is not good enough; empty when it is

  // The device's name, and where others have it as well its number: "PoCL #1".
  std::string device_label() const;
  double interactions_per_second() const;  // N²/median; 0 for approximate solvers
  double bodies_per_second() const;
  double gflops() const;  // 20 floating-point operations an interaction
  // How many times as long evaluations take with the device's clock; nothing on the cpu.
  std::optional<double> clock_cost() const;
};

// Bounds of docs/accuracy.md for direct summation.
struct ErrorBounds {
  double max, median;
};
ErrorBounds error_bounds(Precision precision);

// What 99 % of the force errors shall be below, by solvers that promise it; nothing where a bare
// opening angle is given alone.
std::optional<double> wanted_accuracy(const BenchOptions& options);

// What to do about a --box that is none.
inline constexpr const char* box_remedy = "give x0,x1,y0,y1,z0,z1 with each low side first";

// Marks results of different devices that have one name.
void tell_devices_apart(std::span<BenchResult> results);

// One result per solver, number of bodies and precision. Throws bad_data for what can't be run.
std::vector<BenchResult> bench(const BenchOptions& options);
// The same with one force evaluation each and no timing loop.
std::vector<BenchResult> check(const BenchOptions& options);

enum class Report { bench, check };
// The array of objects that `--json` prints.
std::string to_json(std::span<const BenchResult> results, Report report);

}  // namespace apsis
