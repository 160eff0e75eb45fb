// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/core/names.hpp>
#include <apsis/device/kernel_text.hpp>
#include <apsis/lab/forces.hpp>
#include <apsis/solvers/direct/direct_opencl.hpp>
#include <apsis/solvers/kernel_law.hpp>
#include <apsis/solvers/registry.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace apsis::lab {
namespace {

// Seconds that the steps of one row may take where their number is ours to choose.
constexpr double usual_row = 3, quick_row = 0.2;
constexpr int usual_steps = 10, quick_steps = 3, fewest_steps = 2;
// Longer than this, one step is warm-up enough; and then one is enough at all.
constexpr double long_step = 0.3, endless_step = 2;
constexpr std::uint64_t trial_bodies = 2048;
// What the device's clock may cost without a word.
constexpr double notable_cost = 1.03;

Cell number_or_nothing(double value) {
  return value > 0 && std::isfinite(value) ? Cell(value) : Cell();
}

std::string kind_of_row(const BenchOptions& bench) {
  return fmt::format("{}|{}|{}|{}|{}|{}", bench.device.name, bench.solvers.front(),
                     bench.device.variant, bench.sizes, name_of(bench.precisions.front()),
                     bench.device.kernel_dir);
}

bool is_given(const LabOptions& options, const char* name) {
  return std::find(options.given.begin(), options.given.end(), name) != options.given.end();
}

Cell speed_up(const ResultTable& table, const LessonPlace& place, const RowLabels& labels,
              const BenchResult& result, const char* key, double seconds) {
  if (labels.compared_with.empty() || !(seconds > 0)) return {};
  for (const Row& row : table.rows()) {
    if (row.text("device") == place.name && row.text("variant") == labels.compared_with &&
        row.text("precision") == name_of(result.engine.precision) &&
        row.number("bodies") == static_cast<double>(result.engine.bodies)) {
      return number_or_nothing(row.value(key) / seconds);
    }
  }
  return labels.compared_with == labels.variant ? Cell(1.0) : Cell();
}

ResultTable::Entries entries_of(const ResultTable& table, const LessonPlace& place,
                                const RowLabels& labels, const BenchResult& result) {
  const Resolution& engine = result.engine;
  const double whole = result.whole.median(), n = static_cast<double>(engine.bodies);
  const double kernel = place.native ? 0 : result.kernel.median();
  return {{"device", place.name},
          {"kind", place.kind()},
          {"solver", engine.solver},
          {"variant", labels.variant.empty() ? engine.variant() : labels.variant},
          {"edited", labels.edited ? Cell("yes") : Cell()},
          {"sizes", engine.sizes()},
          {"precision", std::string(name_of(engine.precision))},
          {"bodies", n},
          {"threads", place.native ? Cell(static_cast<double>(engine.threads)) : Cell()},
          {"steps", static_cast<double>(result.whole.seconds.size())},
          {"seconds", whole},
          {"seconds_deviation", result.whole.deviation()},
          {"seconds_kernel", number_or_nothing(kernel)},
          {"seconds_kernel_deviation", kernel > 0 ? Cell(result.kernel.deviation()) : Cell()},
          {"interactions_per_second", number_or_nothing(result.interactions_per_second())},
          {"interactions_per_second_kernel",
           engine.sums_all_pairs() && kernel > 0 ? Cell(n * n / kernel) : Cell()},
          {"gflops", number_or_nothing(result.gflops())},
          {"speedup", speed_up(table, place, labels, result, "seconds", whole)},
          {"speedup_kernel", speed_up(table, place, labels, result, "seconds_kernel", kernel)},
          {"error_median", result.error.median},
          {"error_p99", result.error.p99},
          {"error_max", result.error.max},
          {"error_max_double_inputs", result.error_double.max},
          {"waited", result.waited ? Cell(*result.waited) : Cell()},
          {"complaint", labels.judged ? Cell(result.complaint) : Cell()}};
}

}  // namespace

ResultTable force_table(const std::string& name, const std::string& title,
                        const std::vector<std::string>& printed) {
  std::vector<Column> columns{
      {"device", "device", "where it ran", Look::text},
      {"kind", "kind", "native, or an OpenCL device's: cpu, gpu", Look::text},
      {"solver", "solver", "how forces are computed", Look::text},
      {"variant", "variant", "of the solver", Look::text},
      {"edited", "edited", "yes: the kernel came from the user's folder", Look::text},
      {"sizes", "sizes", "that the kernel was built with", Look::text},
      {"precision", "precision", "f32, mixed or f64", Look::text},
      {"bodies", "bodies", "number of bodies", Look::whole},
      {"threads", "threads", "of the native cpu", Look::whole},
      {"steps", "steps", "force evaluations that count", Look::whole},
      {"seconds", "end to end", "seconds of a force evaluation, end to end, median", Look::seconds},
      {"seconds_deviation", "±", "seconds, standard deviation of the former", Look::seconds},
      {"seconds_kernel", "kernels",
       "seconds of the same evaluations' kernels by the device's clock, median", Look::seconds},
      {"seconds_kernel_deviation", "± kernels", "seconds, standard deviation of the former",
       Look::seconds},
      {"interactions_per_second", "inter./s", "interactions a second, end to end", Look::rate},
      {"interactions_per_second_kernel", "inter./s kernels", "interactions a second by kernel time",
       Look::rate},
      {"gflops", "GFLOP/s", "1e9 operations a second end to end, 20 an interaction", Look::rate},
      {"speedup", "speed-up", "end to end, against the first rung", Look::ratio},
      {"speedup_kernel", "of kernels", "the same by kernel time", Look::ratio},
      {"error_median", "median error", "relative force error, median", Look::error},
      {"error_p99", "99 % error", "relative force error that 99 % stay below", Look::error},
      {"error_max", "max error", "relative force error, largest", Look::error},
      {"error_max_double_inputs", "against double",
       "the same against the inputs before they were rounded", Look::error},
      {"waited", "waited", "seconds that threads waited for a core for every second of the row",
       Look::ratio},
      {"complaint", "complaint", "why the forces are not good enough", Look::text}};
  for (Column& column : columns) {
    if (std::find(printed.begin(), printed.end(), column.key) == printed.end()) {
      column.label.clear();
    }
  }
  return {name, title, std::move(columns)};
}

BenchOptions usual_bench(const LabOptions& options, const LessonPlace& place,
                         std::uint64_t bodies) {
  BenchOptions bench;
  bench.device.name = place.choice;
  bench.device.threads = options.threads;
  bench.bodies = {bodies};
  return bench;
}

double ForceBench::expected_seconds(const BenchOptions& bench) {
  const auto n = static_cast<double>(bench.bodies.front());
  auto known = known_.find(kind_of_row(bench));
  if (known == known_.end()) {
    if (bench.bodies.front() <= 2 * trial_bodies) return 0;
    BenchOptions trial = bench;
    trial.bodies = {trial_bodies}, trial.warmup = 1, trial.repeats = 3;
    // the best of them: what a busy machine adds to one would be scaled up
    const double seconds = apsis::bench(trial).front().whole.min();
    known = known_.emplace(kind_of_row(bench), std::pair(double{trial_bodies}, seconds)).first;
  }
  const auto [bodies, seconds] = known->second;
  const double growth = n / bodies;
  return seconds * (sums_all_pairs(bench.solvers.front()) ? growth * growth : growth);
}

ForceBench::Steps ForceBench::steps_for(const BenchOptions& bench) {
  const int warmup = static_cast<int>(options_.warmup);
  if (options_.steps) return {warmup, static_cast<int>(*options_.steps)};
  const int most = options_.quick ? quick_steps : usual_steps;
  const double seconds = expected_seconds(bench);
  const double fitting = (options_.quick ? quick_row : usual_row) / std::max(seconds, 1e-9);
  const bool fewer = !is_given(options_, "warmup") && (options_.quick || seconds > long_step);
  if (fewer && seconds > endless_step) return {0, 1};
  return {fewer ? 1 : warmup, static_cast<int>(std::clamp<double>(fitting, fewest_steps, most))};
}

// The largest of all rows, once it is worth a word.
void ForceBench::note_clock_cost(const BenchResult& result, const LessonPlace& place) {
  const double cost = result.clock_cost().value_or(1);
  if (cost <= notable_cost || cost <= most_clock_cost_) return;
  most_clock_cost_ = cost;
  recorder_.about("device's clock",
                  fmt::format("both times include what its events cost, at most {:.0f} % ({}, {} "
                              "bodies)",
                              100 * (cost - 1), place.name, result.engine.bodies));
}

std::vector<BenchResult> ForceBench::add(const LessonPlace& place, BenchOptions bench,
                                         const RowLabels& labels) {
  recorder_.measuring(fmt::format("{} {} {}, {} bodies", place.name, bench.solvers.front(),
                                  labels.variant, bench.bodies.front()));
  const Steps steps = steps_for(bench);
  bench.warmup = steps.warmup, bench.repeats = steps.counted;
  std::vector<BenchResult> results = apsis::bench(bench);
  for (const BenchResult& result : results) {
    known_[kind_of_row(bench)] = {static_cast<double>(result.engine.bodies), result.whole.min()};
    const ResultTable& table = recorder_.results().tables[table_];
    recorder_.add(table_, entries_of(table, place, labels, result));
    for (const std::string& notice : result.notices) recorder_.notice(notice);
    note_clock_cost(result, place);
  }
  return results;
}

std::vector<std::string> edited_variants(const std::string& path, Recorder& recorder) {
  if (path.empty()) return {};
  const KernelFolder folder = kernel_folder(path);
  recorder.notice(notice_of(folder));
  std::vector<std::string> edited, files;
  for (const DirectVariant& variant : direct_opencl_variants()) {
    if (std::find(files.begin(), files.end(), variant.file) == files.end()) {
      files.push_back(variant.file);
    }
    if (!kernel_text(variant.file, path).from_folder) continue;
    if (follows(folder, variant.name)) {
      edited.push_back(variant.name);
    } else {
      recorder.notice(fmt::format("no edited row of {}, which {}; a {} of your own would be one",
                                  variant.name, variant.why, variant.file));
    }
  }
  if (edited.empty()) {
    throw bad_data(fmt::format("{} has no file that this lesson's kernels are made of", path),
                   "copy one from kernels/ there and edit it, for example " + list_of(files));
  }
  return edited;
}

}  // namespace apsis::lab
