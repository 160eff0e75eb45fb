// SPDX-License-Identifier: MIT
// Trials of whole-step kernels of the user's own: at sizes that find mistakes, and timed. A trial
// can be made in a process of its own, because a kernel that reads where nothing is ends the
// process that runs it, and OpenCL has no way to end a kernel that does not.
#pragma once

#include <apsis/lab/step_judge.hpp>
#include <apsis/measure/timing.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace apsis::lab {

struct StepTask {
  std::string file;    // or "apsis:" and the name of a built-in one
  std::string kernel;  // of the file; empty: say only which there are
  std::string device;  // opencl:0
  std::vector<std::uint64_t> bodies;
  std::size_t group = 64;
  // Of timed rows; nothing: only checked. 0: as many as fit.
  std::optional<std::int64_t> steps;
  std::int64_t warmup = 3;
  double seconds = 3;  // that timed steps may take where their number is ours
};

struct StepVerdict {
  std::uint64_t bodies = 0;
  std::size_t group = 0;
  StepJudgement judgement;
  int steps = 1;                // that were looked at
  std::optional<double> drift;  // from the reference after them, in sizes of the model
};

struct StepTiming {
  std::uint64_t bodies = 0;
  std::size_t group = 0;
  std::int64_t steps = 0;
  Timings whole, kernel;  // of a step each
  double waited = 0;
};

// Steps of anybody, timed in samples of several where they are short.
struct StepClock {
  std::function<void()> take;  // one step, which may be enqueued
  std::function<void()> finish;
  std::function<double()> kernel_seconds;  // may be empty
};
struct StepWish {
  std::int64_t steps = 0;  // 0: as many as fit
  std::int64_t warmup = 3;
  double seconds = 3;  // that they may take where their number is ours
};
StepTiming timed_steps(const StepClock& clock, const StepWish& wish);

struct StepReport {
  struct Form {
    std::string kernel, words;
  };
  std::vector<Form> forms;            // of the file
  std::vector<std::string> left_out;  // kernels of the file that are no whole steps, and why
  std::vector<StepVerdict> verdicts;
  std::vector<StepTiming> timings;
  std::string printed;  // by the kernel
};

// In this process. `about_to` hears what comes next, before it may end the process.
StepReport perform(const StepTask& task,
                   const std::function<void(const std::string&)>& about_to = {});

// In a process of its own: `program` with its arguments reads the task and answers (answer_task). A
// trial that does not come to an end is a verdict with the cause. `stopped`: asked while it runs.
struct Apart {
  std::vector<std::string> program;
  double time_limit = 60;  // seconds
  std::function<bool()> stopped;
};
StepReport perform_apart(const StepTask& task, const Apart& apart);

// What that process does with the text it is given; `say` writes a piece of the answer at once.
void answer_task(const std::string& task, const std::function<void(const std::string&)>& say);

// Sizes at which mistakes show: whole groups, no multiple of a group, and one body.
std::vector<std::uint64_t> telling_sizes(std::size_t group);

}  // namespace apsis::lab
