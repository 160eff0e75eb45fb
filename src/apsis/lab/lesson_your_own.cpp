// SPDX-License-Identifier: MIT
// Whole-step kernels of the user's own: whether they are right, by which scheme, and what they cost
// beside rungs of ours.
#include <apsis/core/error.hpp>
#include <apsis/core/printable.hpp>
#include <apsis/core/typed_command.hpp>
#include <apsis/engines/engine_factory.hpp>
#include <apsis/initial/model.hpp>
#include <apsis/integrators/integrator.hpp>
#include <apsis/lab/all_lessons.hpp>
#include <apsis/lab/charts.hpp>
#include <apsis/lab/comparison.hpp>
#include <apsis/lab/places.hpp>
#include <apsis/lab/your_own.hpp>
#include <apsis/solvers/direct/direct_opencl.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace apsis::lab {
namespace {

constexpr std::size_t usual_group = 64;
constexpr double usual_row = 2, quick_row = 0.1;  // seconds
constexpr double operations_a_pair = 20;          // as the source documents count them

ResultTable results_table() {
  return {
      "results",
      "Whole steps, f32, by kernels of your own and by ours",
      {{"device", "device", "where it ran", Look::text},
       {"kind", "", "native, or an OpenCL device's: cpu, gpu", Look::text},
       {"variant", "variant", "your kernel, or a rung of ours", Look::text},
       {"own", "", "yes: a kernel of your own", Look::text},
       {"bodies", "bodies", "number of bodies", Look::whole},
       {"group", "group", "work-items a work-group", Look::whole},
       {"steps", "", "that were timed", Look::whole},
       {"seconds", "end to end", "seconds a step, end to end, median", Look::seconds},
       {"seconds_deviation", "±", "seconds, standard deviation of the former", Look::seconds},
       {"seconds_kernel", "kernels", "seconds a step by the device's clock, median", Look::seconds},
       {"seconds_kernel_deviation", "", "seconds, standard deviation of the former", Look::seconds},
       {"steps_per_second", "steps/s", "steps a second, end to end", Look::rate},
       {"interactions_per_second", "", "interactions a second, end to end", Look::rate},
       {"interactions_per_second_kernel", "", "interactions a second by kernel time", Look::rate},
       {"gflops", "GFLOP/s", "1e9 operations a second end to end, 20 an interaction", Look::rate},
       {"speedup", "speed-up", "end to end, against our tiled", Look::ratio},
       {"error", "max error", "largest relative error of an acceleration", Look::error},
       {"waited", "", "seconds that threads waited for a core for every second of the row",
        Look::ratio},
       {"complaint", "", "why the step is wrong", Look::text}}};
}

ResultTable checks_table() {
  return {
      "checks",
      "Steps against the same scheme in double",
      {{"device", "device", "where it ran", Look::text},
       {"variant", "variant", "your kernel", Look::text},
       {"bodies", "bodies", "number of bodies", Look::whole},
       {"group", "group", "work-items a work-group", Look::whole},
       {"scheme", "scheme", "that it follows: symplectic-euler or taylor2", Look::text},
       {"softening", "", "what it makes of eps", Look::text},
       {"error", "max error", "largest relative error of an acceleration in a step", Look::error},
       {"steps", "steps", "that were looked at", Look::whole},
       {"drift", "off after",
        "distance from the path in double after those steps, in sizes "
        "of the model",
        Look::error},
       {"first_wrong", "", "body", Look::whole},
       {"complaint", "", "what is wrong", Look::text}}};
}

// A kernel of a file that is a whole step.
struct OwnKernel {
  std::string name, file, kernel;
  bool crashed = false;  // it is not timed
};

struct Task {
  const LabOptions& options;
  Recorder& recorder;
  const LessonPlace& place;
  std::size_t results, checks;

  std::size_t group() const {
    return options.group ? static_cast<std::size_t>(*options.group) : usual_group;
  }
};

Cell positive(double value) { return value > 0 && std::isfinite(value) ? Cell(value) : Cell(); }

ResultTable::Entries timed(const Task& task, const std::string& variant, bool own,
                           const StepTiming& timing, std::optional<double> rung_seconds) {
  const auto n = static_cast<double>(timing.bodies);
  const double seconds = timing.whole.median(), kernel = timing.kernel.median();
  return {{"device", task.place.name},
          {"kind", task.place.kind()},
          {"variant", variant},
          {"own", own ? Cell("yes") : Cell()},
          {"bodies", n},
          {"group", timing.group > 0 ? Cell(static_cast<double>(timing.group)) : Cell()},
          {"steps", static_cast<double>(timing.steps)},
          {"seconds", seconds},
          {"seconds_deviation", timing.whole.deviation()},
          {"seconds_kernel", positive(kernel)},
          {"seconds_kernel_deviation", kernel > 0 ? Cell(timing.kernel.deviation()) : Cell()},
          {"steps_per_second", positive(1 / seconds)},
          {"interactions_per_second", positive(n * n / seconds)},
          {"interactions_per_second_kernel", positive(n * n / kernel)},
          {"gflops", positive(1e-9 * operations_a_pair * n * n / seconds)},
          {"speedup", rung_seconds ? positive(*rung_seconds / seconds) : Cell()},
          {"waited", timing.waited}};
}

// A step of symplectic-euler by a rung of ours; taylor2 costs as much.
StepTiming timed_rung(const Task& task, const std::string& variant, std::uint64_t bodies) {
  InitialState state = make_model({.model = "plummer", .bodies = bodies});
  EngineSettings settings;
  settings.force = forces({Law::gravity, 1, 0.05}, "direct");
  settings.device.name = task.place.choice;
  settings.device.precision = Precision::f32;
  settings.device.variant = variant;
  settings.device.threads = task.options.threads;
  const auto engine = make_loaded_engine(settings, state.bodies).engine;
  engine->warm_up();
  const Integrator& integrator = integrator_named("symplectic-euler");
  std::vector<Operation> operations;
  const auto take = [&] {
    operations.clear();
    integrator.add_step(0, 1e-3, operations);
    engine->apply(operations);
  };
  StepTiming timing = timed_steps({.take = take,
                                   .finish = [&] { engine->finish(); },
                                   .kernel_seconds = engine->instruments().kernel_seconds},
                                  {.steps = task.options.steps.value_or(0),
                                   .warmup = task.options.warmup,
                                   .seconds = task.options.quick ? quick_row : usual_row});
  timing.bodies = bodies;
  return timing;
}

std::vector<std::string> rungs_for(const LessonPlace& place) {
  std::vector<std::string> rungs{"tiled", "float4"};
  rungs.emplace_back(place.is_gpu() ? "symmetric" : "wide");
  return rungs;
}

// Of our tiled rung, which is the tutorial's.
std::optional<double> rung_seconds(const Task& task, std::uint64_t bodies) {
  for (const Row& row : task.recorder.results().tables[task.results].rows()) {
    if (row.text("device") == task.place.name && row.text("variant") == ours("tiled") &&
        row.number("bodies") == static_cast<double>(bodies)) {
      return row.number("seconds");
    }
  }
  return std::nullopt;
}

void add_rungs(const Task& task, const std::vector<std::uint64_t>& sizes) {
  for (const std::uint64_t bodies : sizes) {
    for (const std::string& rung : rungs_for(task.place)) {
      task.recorder.measuring(
          fmt::format("{} {}, {}", task.place.name, ours(rung), bodies_in_words(bodies)));
      const StepTiming timing = timed_rung(task, rung, bodies);
      const auto first = rung == "tiled" ? timing.whole.median() : rung_seconds(task, bodies);
      task.recorder.add(task.results, timed(task, ours(rung), false, timing, first));
    }
  }
}

std::string complaint_of(const StepVerdict& verdict) {
  const StepJudgement& judgement = verdict.judgement;
  return judgement.right ? std::string() : judgement.cause;
}

void add_check(const Task& task, const OwnKernel& own, const StepVerdict& verdict) {
  const StepJudgement& j = verdict.judgement;
  task.recorder.add(
      task.checks,
      {{"device", task.place.name},
       {"variant", own.name},
       {"bodies", static_cast<double>(verdict.bodies)},
       {"group", static_cast<double>(verdict.group)},
       {"scheme", !j.scheme.empty() ? j.scheme
                  : j.right         ? "any"
                                    : "none"},
       {"softening", j.softening},
       {"error", std::isfinite(j.error) ? Cell(j.error) : Cell()},
       {"steps", static_cast<double>(verdict.steps)},
       {"drift", verdict.drift ? Cell(*verdict.drift) : Cell()},
       {"first_wrong", j.first_wrong ? Cell(static_cast<double>(*j.first_wrong)) : Cell()},
       {"complaint", complaint_of(verdict)}});
}

StepTask task_for(const Task& task, const OwnKernel& own, std::vector<std::uint64_t> bodies) {
  StepTask trial{.file = own.file,
                 .kernel = own.kernel,
                 .device = task.place.choice,
                 .bodies = std::move(bodies),
                 .group = task.group()};
  trial.warmup = task.options.warmup;
  trial.seconds = task.options.quick ? quick_row : usual_row;
  return trial;
}

// What a kernel prints in its first trial, in short: it does so in every step.
void relay(const Task& task, const OwnKernel& own, const StepReport& report) {
  constexpr std::size_t most = 200;
  std::string text = report.printed.substr(0, most);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  if (text.empty()) return;
  std::replace(text.begin(), text.end(), '\n', '|');
  task.recorder.notice(fmt::format("{} printed: {}{}", own.name, printable(text),
                                   report.printed.size() > most ? "..." : ""));
}

// The kernels of a file; a notice about each that is no step.
std::vector<OwnKernel> kernels_of(const Task& task, const std::string& file,
                                  const std::string& name) {
  task.recorder.measuring(fmt::format("{} {}: compiling", task.place.name, name));
  const StepReport report = trial(task_for(task, {name, file, ""}, {}), task.options);
  if (!report.verdicts.empty()) {
    throw bad_data(fmt::format("{}: {}", file, report.verdicts.front().judgement.cause),
                   "mend the file, or take another device");
  }
  for (const std::string& text : report.left_out) {
    task.recorder.notice(fmt::format("{}: left out, {}", name, text));
  }
  std::vector<OwnKernel> kernels;
  for (const auto& form : report.forms) {
    const bool alone = report.forms.size() == 1;
    kernels.push_back({alone ? name : name + ":" + form.kernel, file, form.kernel});
    task.recorder.about("kernel " + kernels.back().name, form.words);
  }
  return kernels;
}

void check(const Task& task, OwnKernel& own) {
  // a process for each size: one that ends it must not hide what the others show
  const auto sizes = telling_sizes(task.group());
  for (const std::uint64_t bodies : sizes) {
    task.recorder.measuring(fmt::format("{} {}, {} against double", task.place.name, own.name,
                                        bodies_in_words(bodies)));
    const StepReport report = trial(task_for(task, own, {bodies}), task.options);
    for (const StepVerdict& verdict : report.verdicts) add_check(task, own, verdict);
    if (bodies == sizes.front()) relay(task, own, report);
    if (report.forms.empty()) own.crashed = true;
    if (own.crashed) return;
  }
}

void time(const Task& task, const OwnKernel& own, std::uint64_t bodies) {
  task.recorder.measuring(
      fmt::format("{} {}, {}", task.place.name, own.name, bodies_in_words(bodies)));
  StepTask wanted = task_for(task, own, {bodies});
  wanted.steps = task.options.steps.value_or(0);
  const StepReport report = trial(wanted, task.options);
  StepTiming timing{.bodies = bodies, .group = task.group()};
  if (!report.timings.empty()) timing = report.timings.front();
  auto entries = timed(task, own.name, true, timing, rung_seconds(task, bodies));
  if (!report.verdicts.empty()) {
    const StepVerdict& verdict = report.verdicts.front();
    const double error = verdict.judgement.error;
    entries.emplace_back("error", std::isfinite(error) ? Cell(error) : Cell());
    entries.emplace_back("complaint", complaint_of(verdict));
  }
  if (report.timings.empty())
    std::erase_if(entries, [](const auto& entry) {
      return entry.first == "seconds" || entry.first == "seconds_deviation" ||
             entry.first == "steps";
    });
  task.recorder.add(task.results, entries);
}

void measure_place(const Task& task, const std::vector<std::string>& files) {
  const auto names = unique_names(files);
  std::optional<Error> failure;
  std::vector<OwnKernel> all;
  for (std::size_t i = 0; i < files.size(); ++i) {
    try {
      for (OwnKernel& own : kernels_of(task, files[i], names[i])) all.push_back(std::move(own));
    } catch (const Error& error) {
      if (files.size() == 1) throw;
      task.recorder.notice(fmt::format("{}: {}", names[i], error.what()));
      if (!failure) failure = error;
    }
  }
  for (OwnKernel& own : all) check(task, own);
  const auto sizes = usual_bodies(task.options, task.place);
  add_rungs(task, sizes);
  for (const OwnKernel& own : all) {
    for (const std::uint64_t bodies : sizes) {
      if (!own.crashed) time(task, own, bodies);
    }
  }
  if (failure) throw Error(*failure);
}

void measure(const LabOptions& options, Recorder& recorder) {
  const auto where = places(options, Wanted::opencl, recorder);
  const std::size_t results = recorder.declare(results_table());
  const std::size_t checks = recorder.declare(checks_table());
  std::vector<std::string> files = options.kernels;
  if (files.empty()) {
    for (const std::string& name : starter_kernels()) {
      files.push_back(std::string(device::built_in) + name);
    }
    recorder.notice(fmt::format("no --kernel: the starters that '{}' copies for you to edit",
                                typed_command("lab --copy-kernels DIR")));
  }
  for (const LessonPlace& place : where) {
    measure_place({options, recorder, place, results, checks}, files);
  }
}

std::vector<NamedChart> charts(const Results& results) {
  const ResultTable& table = results.table("results");
  return {{"", rate_chart(table, "Whole steps by kernels of your own and ours (f32)")}};
}

}  // namespace

Lesson your_own_lesson() {
  return {
      .name = "your-own",
      .title = "Whole-step kernels of your own",
      .summary = "kernels of your own that take whole steps: right or wrong, and as fast as ours?",
      .takes = {"bodies", "device", "group", "steps", "warmup", "threads", "kernel", "time-limit",
                "view"},
      .measure = measure,
      .charts = charts,
      .findings = own_findings};
}

}  // namespace apsis::lab
