// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/engines/step_engine.hpp>
#include <apsis/integrators/own_steps.hpp>
#include <apsis/lab/own_run.hpp>
#include <apsis/lab/your_own.hpp>

#include <fmt/format.h>

#include <utility>

namespace apsis::lab {
namespace {

constexpr std::size_t usual_group = 64;

// The verdict at sizes that find mistakes: that of the first at which it is wrong, or of one that
// shows the scheme.
StepVerdict verdict_on(StepTask task, const LabOptions& options) {
  StepVerdict telling;
  for (const std::uint64_t bodies : telling_sizes(task.group)) {
    task.bodies = {bodies};
    const StepReport report = trial(task, options);
    if (report.verdicts.empty()) continue;
    const StepVerdict& verdict = report.verdicts.front();
    if (report.forms.empty()) {  // it ended its process, or did not end
      throw bad_data(fmt::format("{}: {}", task.file, verdict.judgement.cause), "mend the file");
    }
    if (!verdict.judgement.right) return verdict;
    if (!verdict.judgement.scheme.empty()) telling = verdict;
  }
  return telling;
}

std::string words_for(const StepVerdict& verdict) {
  const StepJudgement& judgement = verdict.judgement;
  if (judgement.right) return fmt::format("right: {}; {}", judgement.scheme, judgement.softening);
  return fmt::format("wrong at {} bodies: {}", verdict.bodies, judgement.cause);
}

// Short enough for the page: of a cause what stands before its reasons.
std::string title_for(const StepVerdict& verdict) {
  const StepJudgement& judgement = verdict.judgement;
  if (judgement.right) return "right: " + judgement.scheme;
  return "wrong: " + judgement.cause.substr(0, judgement.cause.find_first_of(":;,("));
}

EngineSettings settings_of(const RunSpec& spec) {
  EngineSettings settings;
  settings.force = forces(law_of(spec), "direct");
  settings.external = spec.external;
  settings.device.threads = spec.device.threads;
  return settings;
}

}  // namespace

void take_own_kernel(PreparedRun& run, const LabOptions& options) {
  if (may_have_events(run.spec)) {
    throw bad_data("a kernel of your own knows nothing of contacts, walls and bodies that leave",
                   "leave out [contacts] and [space]");
  }
  const std::string& file = options.kernels.front();
  const std::string device = options.devices.empty() ? "opencl" : options.devices.front();
  const std::size_t group = options.group ? static_cast<std::size_t>(*options.group) : usual_group;
  StepTask task{.file = file, .kernel = "", .device = device, .bodies = {}, .group = group};
  const StepReport kernels = trial(task, options);
  if (kernels.forms.empty()) {
    throw bad_data(fmt::format("{}: {}", file, kernels.verdicts.front().judgement.cause),
                   "mend the file");
  }
  task.kernel = kernels.forms.front().kernel;
  const StepVerdict verdict = verdict_on(task, options);
  const std::string name = unique_names({file}).front(), words = words_for(verdict);

  Bodies bodies;
  run.engine->store(bodies);
  auto engine = std::make_unique<StepEngine>(
      chosen_device(device), settings_of(run.spec),
      StepEngineOptions{.file = file,
                        .kernel = task.kernel,
                        .group = group,
                        .softening_is_squared = verdict.judgement.softening_is_squared});
  engine->load(bodies);
  run.engine = std::move(engine);
  const std::string& scheme = verdict.judgement.scheme;
  run.integrator = own_steps(scheme.empty() ? "its own" : scheme);
  run.spec.title = fmt::format("{} ({})", name, title_for(verdict));
  run.notices.push_back(fmt::format("{} takes the steps; it is {}", name, words));
}

}  // namespace apsis::lab
