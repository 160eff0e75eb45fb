// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/core/names.hpp>
#include <apsis/lab/all_lessons.hpp>
#include <apsis/lab/lesson.hpp>
#include <apsis/version.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace apsis::lab {
namespace {

constexpr std::uint64_t most_bodies = std::uint64_t{1} << 27;

void demand(bool holds, const std::string& what, const std::string& remedy) {
  if (!holds) throw Error(ExitCode::wrong_usage, what, remedy);
}

bool takes(const Lesson& lesson, const std::string& option) {
  return std::find(lesson.takes.begin(), lesson.takes.end(), option) != lesson.takes.end();
}

}  // namespace

std::span<const Lesson> lessons() {
  // in the order of the course (docs/lessons)
  static const std::vector<Lesson> all{cpu_lesson(),       direct_lesson(),      reuse_lesson(),
                                       unroll_lesson(),    burst_lesson(),       matmul_lesson(),
                                       precision_lesson(), integrators_lesson(), far_field_lesson(),
                                       contacts_lesson(),  relaxation_lesson(),  your_own_lesson()};
  return all;
}

const Lesson& lesson_named(const std::string& name) {
  std::vector<std::string> names;
  for (const Lesson& lesson : lessons()) {
    if (lesson.name == name) return lesson;
    names.push_back(lesson.name);
  }
  names.emplace_back("all");
  throw Error(ExitCode::wrong_usage,
              fmt::format("there is no lesson '{}'{}", name, did_you_mean(name, names)),
              "choose " + list_of(names));
}

void require_valid(const LabOptions& options, std::span<const Lesson* const> wanted) {
  for (const std::string& option : options.given) {
    const auto has = [&](const Lesson* lesson) { return takes(*lesson, option); };
    if (std::any_of(wanted.begin(), wanted.end(), has)) continue;
    std::vector<std::string> takers;
    for (const Lesson& lesson : lessons()) {
      if (takes(lesson, option)) takers.push_back(lesson.name);
    }
    demand(false, fmt::format("--{} means nothing to lesson {}", option, wanted.front()->name),
           fmt::format("leave it out, or take lesson {}", list_of(takers)));
  }
  for (const std::uint64_t bodies : options.bodies) {
    demand(bodies >= 1 && bodies <= most_bodies, fmt::format("--bodies {} times nothing", bodies),
           fmt::format("give numbers from 1 to {}", most_bodies));
  }
  const std::int64_t steps = options.steps.value_or(1);
  demand(steps >= 1 && steps <= 1000000, fmt::format("--steps {} times nothing", steps),
         "give 1 to 1000000");
  demand(options.warmup >= 0 && options.warmup <= 1000,
         fmt::format("--warmup {} is too few or too many", options.warmup), "give 0 to 1000");
  demand(options.threads >= 0, fmt::format("--threads {} is below zero", options.threads),
         "give 0 for all, or a number");
  for (const std::int64_t factor : options.unroll) {
    demand(factor >= 1 && factor <= 32, fmt::format("--unroll {} is no factor", factor),
           "give 1 to 32");
  }
  const std::int64_t group = options.group.value_or(32);
  demand(group >= 1 && group <= 4096 && (group % 32 == 0 || 32 % group == 0),
         fmt::format("--group {} is no work-group", group),
         "give 1, 2, 4, 8, 16 or a multiple of 32");
  demand(options.time_limit > 0 && options.time_limit <= 1e6,
         fmt::format("--time-limit {:g} is no time", options.time_limit), "give seconds above 0");
}

LessonRun run_lesson(const Lesson& lesson, const LabOptions& options, const LabListener& listener) {
  LessonRun run;
  run.results.lesson = lesson.name;
  run.results.about = {{"version", fmt::format("{} ({})", version, commit)},
                       {"compiler", std::string(compiler)}};
  Recorder recorder(run.results, listener);
  try {
    lesson.measure(options, recorder);
  } catch (const StopRequested&) {
    run.stopped = true;
    recorder.notice("stopped on request: what was measured until then is kept");
  } catch (const Error& error) {
    // an hour of measurements must not be lost to the last of them
    const auto& tables = run.results.tables;
    const bool measured = std::any_of(tables.begin(), tables.end(),
                                      [](const ResultTable& table) { return table.size() > 0; });
    if (!measured) throw;
    run.failure = error;
    recorder.notice("ended early by an error: what was measured until then is kept");
  }
  if (listener.measuring) listener.measuring("");
  return run;
}

}  // namespace apsis::lab
