// SPDX-License-Identifier: MIT
// A lesson is data: what it is called, how it measures, and three pure functions from what it
// measured to charts and sentences. lessons() is the one table of them.
#pragma once

#include <apsis/core/error.hpp>
#include <apsis/lab/options.hpp>
#include <apsis/lab/recorder.hpp>
#include <apsis/lab/results.hpp>
#include <apsis/measure/chart.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace apsis::lab {

struct NamedChart {
  std::string name;  // "" is chart.png, "roofline" chart-roofline.png
  Chart chart;
};

struct Lesson {
  std::string name;
  std::string title;               // for reports
  std::string summary;             // one line for the list
  std::vector<std::string> takes;  // options that change what it does, besides those of all
  void (*measure)(const LabOptions& options, Recorder& recorder);
  std::vector<NamedChart> (*charts)(const Results& results);
  std::vector<std::string> (*findings)(const Results& results);
};

std::span<const Lesson> lessons();
// wrong_usage with the nearest name and the list.
const Lesson& lesson_named(const std::string& name);

// wrong_usage for values that no lesson takes, and for given options that none of `wanted` takes.
void require_valid(const LabOptions& options, std::span<const Lesson* const> wanted);

struct LessonRun {
  Results results;
  std::optional<Error> failure;  // what ended it early, behind the first row
  bool stopped = false;          // because the listener asked for it
};

// Measures. What was measured before a stop or a failure is kept, with a notice; a failure before
// the first row is thrown.
LessonRun run_lesson(const Lesson& lesson, const LabOptions& options, const LabListener& listener);

}  // namespace apsis::lab
