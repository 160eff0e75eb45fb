// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/files/cores.hpp>
#include <apsis/initial/model.hpp>
#include <apsis/lab/step_law.hpp>
#include <apsis/lab/step_trial.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace apsis::lab {
namespace {

// Far from its own square, so that it shows which of both a kernel takes.
constexpr double trial_softening = 0.0625;
constexpr int looked_at_steps = 10;
// Most bodies whose whole path is followed in double besides.
constexpr std::uint64_t most_followed = 2048;
// Off by so much of the model's size in ten steps, rounding is not the cause: it makes 1e-6.
constexpr double most_drift = 1e-4;
constexpr int samples = 10;
constexpr double shortest_sample = 5e-3;  // seconds

bool has_masses(const StepForm& form) { return !form.packed || form.takes(StepRole::masses); }

// A Plummer sphere whose bodies differ in mass where the kernel takes masses. Where it takes none,
// they are all 1, and the steps as much shorter as the bodies are heavier.
struct Trial {
  StepBodies bodies;
  StepNumbers numbers;
};
Trial trial_of(const StepForm& form, std::uint64_t bodies) {
  Trial trial;
  trial.numbers = {.step = 0x1p-4, .softening = trial_softening, .constant = 1, .mass = 1};
  Bodies made =
      make_model({.model = "plummer", .bodies = std::max<std::uint64_t>(bodies, 2)}).bodies;
  if (bodies < 2) made.remove(std::vector<std::size_t>{1});
  const auto n = static_cast<double>(std::max<std::uint64_t>(bodies, 1));
  double speeds = 1;
  if (!has_masses(form)) {
    // a power of two, so that every step is the same in float and double
    const double slower = std::exp2(std::ceil(std::log2(std::sqrt(n))));
    trial.numbers.step /= slower;
    speeds = std::sqrt(n);
  }
  for (std::size_t i = 0; i < made.size(); ++i) {
    made.mass[i] = has_masses(form) ? (0.5 + static_cast<double>(i * 7919 % 1000) / 1000) / n : 1;
    made.set_velocity(i, speeds * made.velocity(i));
  }
  trial.bodies = step_bodies(made);
  return trial;
}

// The same scheme in double from the same start.
class Path {
 public:
  Path(const StepBodies& start, const StepLaw& law, const StepJudgement& judgement, double step)
      : bodies_(start), law_(law), half_(judgement.scheme == "taylor2"), step_(step) {
    for (std::size_t i = 0; i < start.size(); ++i) {
      all_.push_back(i);
      places_.push_back(vector_of(start.places, i));
      velocities_.push_back(vector_of(start.velocities, i));
    }
  }
  void advance() {
    const auto pulled = pulls(bodies_, law_, all_);
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const Vec3 change = step_ * pulled[i].acceleration;
      places_[i] += step_ * (velocities_[i] + (half_ ? 0.5 : 1.0) * change);
      velocities_[i] += change;
      for (std::size_t k = 0; k < 3; ++k) {
        bodies_.places[4 * i + k] = static_cast<float>(k == 0   ? places_[i].x
                                                       : k == 1 ? places_[i].y
                                                                : places_[i].z);
      }
    }
  }
  // Largest distance, in mean distances from the middle.
  double distance_to(const StepBodies& other) const {
    double largest = 0, sizes = 0;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      largest = std::max(largest, norm(vector_of(other.places, i) - places_[i]));
      sizes += norm(places_[i]);
    }
    return sizes > 0 ? largest * static_cast<double>(places_.size()) / sizes : largest;
  }

 private:
  static Vec3 vector_of(const std::vector<float>& values, std::size_t i) {
    return {values[4 * i], values[4 * i + 1], values[4 * i + 2]};
  }
  StepBodies bodies_;  // of the present places, for the forces
  StepLaw law_;
  bool half_;
  double step_;
  std::vector<std::size_t> all_;
  std::vector<Vec3> places_, velocities_;
};

class Examination {
 public:
  Examination(device::Context& context, const device::UserProgram& program, const StepForm& form,
              std::uint64_t bodies, std::size_t group)
      : context_(context),
        program_(program),
        form_(form),
        trial_(trial_of(form, bodies)),
        kernel_(context, program, form, trial_.bodies.size(), group) {}

  StepVerdict verdict() {
    StepVerdict verdict;
    verdict.bodies = trial_.bodies.size();
    verdict.group = kernel_.group();
    kernel_.load(trial_.bodies);
    const StepTrace first = kernel_.traced_step(trial_.numbers);
    verdict.judgement = judged(first, conditions(kernel_));
    if (verdict.judgement.right) {
      follow(verdict);
    } else {
      look_closer(first, verdict.judgement);
    }
    return verdict;
  }

 private:
  StepConditions conditions(const StepKernel& kernel) const {
    return {form_, trial_.numbers, kernel.group()};
  }

  // Each further step against one in double from where the kernel began it; and of few bodies the
  // whole path against that in double.
  void follow(StepVerdict& verdict) {
    StepJudgement& judgement = verdict.judgement;
    const bool followed = verdict.bodies <= most_followed && !judgement.scheme.empty();
    StepLaw law{.under_root = judgement.under_root,
                .with_masses = has_masses(form_),
                .mass = trial_.numbers.mass,
                .constant = trial_.numbers.constant,
                .end = trial_.bodies.size()};
    Path path(followed ? trial_.bodies : StepBodies{}, law, judgement, trial_.numbers.step);
    path.advance();
    for (int step = 2; step <= looked_at_steps; ++step) {
      const StepTrace trace = kernel_.traced_step(trial_.numbers);
      const StepJudgement next = judged(trace, conditions(kernel_));
      path.advance();
      verdict.steps = step;
      if (next.right && next.scheme == judgement.scheme) {
        judgement.error = std::max(judgement.error, next.error);
        continue;
      }
      judgement.right = false;
      judgement.first_wrong = next.first_wrong;
      judgement.cause = fmt::format("step {} goes wrong where the one before was right: {}", step,
                                    next.cause.empty() ? "another scheme" : next.cause);
      return;
    }
    if (!followed) return;
    verdict.drift = path.distance_to(kernel_.state());
    if (*verdict.drift <= most_drift) return;
    judgement.right = false;
    judgement.cause = fmt::format("after {} steps it is {:.1e} of the model's size off",
                                  looked_at_steps, *verdict.drift);
  }

  // Runs that differ in one thing tell what the first does not.
  void look_closer(const StepTrace& first, StepJudgement& judgement) {
    if (first.behind_last) return;
    kernel_.load(trial_.bodies);
    const StepTrace again = kernel_.traced_step(trial_.numbers);
    const bool numbers =
        std::isfinite(judgement.error) || judgement.cause.find("finite") != std::string::npos;
    if (numbers && !(again.after == first.after) && !has_nan(first) && !has_nan(again)) {
      judgement.cause = fmt::format(
          "two runs from the same state differ: work-items read what "
          "others are just writing{}; {}",
          form_.takes(StepRole::tile) ? ", as where a barrier is missing" : "", judgement.cause);
      return;
    }
    kernel_.load(trial_.bodies, BehindLast::massless_bodies);
    if (judged(kernel_.traced_step(trial_.numbers), conditions(kernel_)).right) {
      judgement.cause = fmt::format(
          "it takes what lies behind the last body for bodies: {} is no multiple of the group of "
          "{}; leave out j >= n, or give such places in the tile no mass",
          trial_.bodies.size(), kernel_.group());
      return;
    }
    if (kernel_.group() == 1 || form_.fixed_group > 0) return;
    StepKernel alone(context_, program_, form_, trial_.bodies.size(), 1);
    alone.load(trial_.bodies);
    if (judged(alone.traced_step(trial_.numbers), conditions(alone)).right) {
      judgement.cause = fmt::format(
          "it is right in groups of one work-item and wrong in groups of {}: a barrier is missing "
          "or stands in a branch that not all take, or an index into the tile is off ({})",
          kernel_.group(), judgement.cause);
    }
  }

  static bool has_nan(const StepTrace& trace) {
    const auto is_nan = [](float value) { return std::isnan(value); };
    return std::any_of(trace.after.places.begin(), trace.after.places.end(), is_nan) ||
           std::any_of(trace.after.velocities.begin(), trace.after.velocities.end(), is_nan);
  }

  device::Context& context_;
  const device::UserProgram& program_;
  const StepForm& form_;
  Trial trial_;
  StepKernel kernel_;
};

StepTiming timing_of(device::Context& context, StepKernel& kernel, const StepNumbers& numbers,
                     const StepTask& task) {
  StepTiming timing =
      timed_steps({.take = [&] { kernel.step(numbers); },
                   .finish = [&] { context.finish(); },
                   .kernel_seconds = [&] { return context.kernel_seconds(); }},
                  {.steps = *task.steps, .warmup = task.warmup, .seconds = task.seconds});
  timing.bodies = kernel.bodies(), timing.group = kernel.group();
  return timing;
}

StepVerdict gave_up(std::uint64_t bodies, std::size_t group, const Error& error) {
  StepVerdict verdict{.bodies = bodies, .group = group};
  verdict.judgement.error = INFINITY;
  verdict.judgement.cause = fmt::format(
      "the device gave up: {}; it reads or writes where nothing is, most likely", error.what());
  return verdict;
}

}  // namespace

std::vector<std::uint64_t> telling_sizes(std::size_t group) {
  return {4 * group, 4 * group + group / 2 + 5, 1};
}

StepTiming timed_steps(const StepClock& clock, const StepWish& wish) {
  const auto seconds_of = [&](std::int64_t steps) {
    const auto begin = std::chrono::steady_clock::now();
    for (std::int64_t i = 0; i < steps; ++i) clock.take();
    clock.finish();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  StepTiming timing;
  seconds_of(std::max<std::int64_t>(wish.warmup, 1));
  const double once = std::max(seconds_of(1), 1e-7);
  // samples of several short steps each; of long steps fewer samples
  auto each = static_cast<std::int64_t>(std::ceil(shortest_sample / once));
  auto count = static_cast<std::int64_t>(wish.seconds / (once * static_cast<double>(each)));
  count = std::clamp<std::int64_t>(count, 1, samples);
  if (wish.steps > 0) {
    count = std::min<std::int64_t>(wish.steps, samples);
    each = (wish.steps + count - 1) / count;
  }
  if (clock.kernel_seconds) clock.kernel_seconds();
  const double waited = seconds_waited_for_cores().value_or(0);
  const auto steps = static_cast<double>(each);
  for (std::int64_t i = 0; i < count; ++i) {
    timing.whole.seconds.push_back(seconds_of(each) / steps);
    if (clock.kernel_seconds) timing.kernel.seconds.push_back(clock.kernel_seconds() / steps);
  }
  timing.steps = each * count;
  timing.waited = std::max(0.0, seconds_waited_for_cores().value_or(0) - waited) /
                  (static_cast<double>(timing.steps) * timing.whole.mean());
  return timing;
}

StepReport perform(const StepTask& task, const std::function<void(const std::string&)>& about_to) {
  const auto next = [&](const std::string& what) {
    if (about_to) about_to(what);
  };
  StepReport report;
  device::Context context(chosen_device(task.device));
  next("in the compiler");
  const device::UserProgram program(context, task.file);
  const auto forms = step_forms_in(program.kernels(), task.file, report.left_out);
  for (const StepForm& form : forms) report.forms.push_back({form.kernel, form.words});
  for (const StepForm& form : forms) {
    if (form.kernel != task.kernel) continue;
    for (const std::uint64_t bodies : task.bodies) {
      next(fmt::format("at {} bodies in groups of {}", bodies, task.group));
      try {
        if (form.fixed_group > 0 && !form.takes(StepRole::count) && bodies % form.fixed_group > 0 &&
            !task.steps) {
          continue;  // a size that the kernel rules out by itself
        }
        Examination examination(context, program, form, bodies, task.group);
        report.verdicts.push_back(examination.verdict());
        if (!task.steps) continue;
        const Trial trial = trial_of(form, bodies);
        StepKernel kernel(context, program, form, trial.bodies.size(), task.group);
        kernel.load(trial.bodies);
        report.timings.push_back(timing_of(context, kernel, trial.numbers, task));
      } catch (const Error& error) {
        if (error.code() != ExitCode::unavailable) throw;
        report.verdicts.push_back(gave_up(bodies, task.group, error));
        return report;  // nothing more comes of this context
      }
    }
  }
  return report;
}

}  // namespace apsis::lab
