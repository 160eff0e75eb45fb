// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/core/typed_command.hpp>
#include <apsis/engines/kernel_notices.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/integrators/integrator.hpp>
#include <apsis/run/resolved.hpp>
#include <apsis/run/resolved_ranks.hpp>
#include <apsis/solvers/kernel_law.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace apsis {

namespace {

SolverChoice asked_for(const DeviceSettings& device) {
  if (!device.group) return {};
  return DirectSizes{.group = static_cast<int>(*device.group)};
}

}  // namespace

EngineSettings settings_of(const RunSpec& spec) {
  return {.force = spec.force,
          .external = spec.external,
          .contacts = spec.contacts,
          .device = spec.device,
          .choice = asked_for(spec.device),
          .needs_jerk = integrator_named(spec.time.integrator).needs_jerk};
}

std::string resolved(const RunSpec& spec, const char* key) {
  const auto found = spec.resolved.find(key);
  return found == spec.resolved.end() ? std::string{} : found->second;
}

Resolution recorded_in(const RunSpec& spec) {
  if (auto recorded = resolution_in(spec.resolved)) return *std::move(recorded);
  throw bad_data("the section [resolved] does not say on what the run ran",
                 "resume from the other checkpoint, or start the run again");
}

std::optional<Resolution> choices_that_hold(const RunSpec& spec, std::size_t bodies) {
  const bool open = spec.device.name == "auto" || names_several(spec.device.name);
  if (!open || !spec.device.variant.empty()) return std::nullopt;
  std::optional<Resolution> recorded = resolution_in(spec.resolved);
  if (!recorded) return std::nullopt;
  // 0.1 resolved variants that pass over an edited law
  const bool lawful = spec.device.kernel_dir.empty() ||
                      std::ranges::all_of(recorded->devices, [&](const DeviceResolution& at) {
                        return follows(kernel_folder(spec.device.kernel_dir), at.variant);
                      });
  const bool same_solver = spec.force.solver == "auto" || spec.force.solver == recorded->solver;
  const bool same = recorded->precision == *spec.device.precision && recorded->bodies == bodies;
  if (!lawful || !same_solver || !same) return std::nullopt;
  if (solver_named(recorded->solver).takes_accuracy) {
    for (DeviceResolution& at : recorded->devices) at.choice = {};
  }
  return recorded;
}

std::optional<std::string> leave_kernels_out(EngineSettings& settings) {
  if (settings.device.kernel_dir.empty()) return std::nullopt;
  const std::filesystem::path path = std::exchange(settings.device.kernel_dir, {});
  if (!folder_exists(path))
    return fmt::format("it goes on without the kernels from {}", path.string());
  const KernelFolder folder = kernel_folder(path);
  if (const std::string law = edited_law(folder); !law.empty()) {
    throw Error(ExitCode::unavailable,
                fmt::format("the device of this run is not there any more, and elsewhere it would "
                            "go on by another law than that of {}",
                            (path / law).string()),
                fmt::format("resume it where the device is ('{}')", typed_command("devices")));
  }
  return fmt::format("it goes on without the kernels from {}", path.string());
}

namespace {

std::vector<std::string> notices_about(const Engine& engine, const EngineSettings& settings) {
  return kernel_notices(settings.device.kernel_dir, engine.describe(), settings.needs_jerk);
}

std::string words_for(const std::vector<DeviceInfo>& devices) {
  std::vector<std::string> words;
  for (const DeviceInfo& device : devices) words.push_back(word_for(device));
  return fmt::format("{}", fmt::join(words, ","));
}

Bodies bodies_in(const EngineState& state, const RunSpec& spec) {
  const auto on_host =
      build(plan_on_cpu({.force = forces(law_of(spec.force), "direct"),
                         .device = {.name = "cpu", .precision = spec.device.precision}}));
  on_host->restore_state(state);
  Bodies bodies;
  on_host->store(bodies);
  return bodies;
}

// What has become of the devices of a run that goes on on those that `left` names, or elsewhere.
std::string moved_notice(const Resolution& recorded, const std::string& left) {
  if (left.empty()) {
    return fmt::format("device {} of this run is not there any more", recorded.device());
  }
  if (recorded.ranks == 1) {
    return fmt::format("not all devices of this run ({}) are there any more: it goes on on {}",
                       recorded.device(), left);
  }
  return fmt::format("the run began on {} ranks and goes on in one process on {}", recorded.ranks,
                     left);
}

// Where not all devices are there: on those that are left, else on the fastest.
MadeEngine resumed_elsewhere(const RunSpec& spec, const Resolution& recorded,
                             const EngineState& state) {
  const std::string left =
      recorded.devices.size() > 1 ? words_for(devices_left(recorded)) : std::string{};
  EngineSettings settings = settings_of(spec);
  settings.force.solver = recorded.solver;
  settings.device.name = left.empty() ? "auto" : left;
  settings.device.variant.clear(), settings.choice = {};
  const auto without = leave_kernels_out(settings);
  const bool calibrates = solver_named(recorded.solver).takes_accuracy;
  const DeviceResolution& first = recorded.devices.front();
  if (!left.empty()) {  // the same kinds, so the same sums
    if (recorded.ranks > 1) settings.device.variant = first.variant;
    if (calibrates) settings.choice = first.choice;
  }
  LoadedEngine elsewhere = make_loaded_engine(settings, bodies_in(state, spec));
  if (calibrates && left.empty()) {
    elsewhere.engine->apply({Operation::accelerate(0)});  // what it takes is resolved
  }
  MadeEngine made{std::move(elsewhere.engine), std::move(elsewhere.notices)};
  made.notices.insert(made.notices.begin(), moved_notice(recorded, left));
  if (without) made.notices.push_back(*without);
  made.engine->restore_state(state);
  return made;
}

}  // namespace

MadeEngine started_here(const RunSpec& spec, const Bodies& bodies) {
  const EngineSettings settings = settings_of(spec);
  if (const auto held = choices_that_hold(spec, bodies.size())) {
    if (const auto plan = plan_from(settings, *held)) {
      auto engine = build(*plan);
      engine->load(bodies);
      auto notices = notices_about(*engine, settings);
      return {std::move(engine), std::move(notices)};
    }
  }
  LoadedEngine made = make_loaded_engine(settings, bodies);
  return {std::move(made.engine), std::move(made.notices)};
}

MadeEngine resumed_here(const RunSpec& spec, const Resolution& recorded, const EngineState& state) {
  const EngineSettings settings = settings_of(spec);
  const auto plan = plan_from(settings, recorded, spec.device.name);
  if (!plan) return resumed_elsewhere(spec, recorded, state);
  auto engine = build(*plan);
  engine->restore_state(state);
  auto notices = notices_about(*engine, settings);
  return {std::move(engine), std::move(notices)};
}

MadeEngine started_engine(const RunSpec& spec, const Bodies& bodies, mpi::Communicator* ranks) {
  return ranks == nullptr ? started_here(spec, bodies) : started_on_ranks(*ranks, spec, bodies);
}

MadeEngine resumed_engine(const RunSpec& spec, const Resolution& recorded, const EngineState& state,
                          mpi::Communicator* ranks) {
  return ranks == nullptr ? resumed_here(spec, recorded, state)
                          : resumed_on_ranks(*ranks, spec, recorded, state);
}

std::optional<std::string> why_other_bits(const Resolution& then, const Resolution& now,
                                          bool reproducible) {
  const auto difference = difference_in_bits(then, now, reproducible);
  if (!difference) return std::nullopt;
  const auto& [field, before, here] = *difference;
  if (field == "ranks") {
    return fmt::format("the run began on {} ranks and goes on on {}", before, here);
  }
  if (field == "sizes") {
    return fmt::format("the run began on {} with {} and goes on here with {}", then.device(),
                       before, here);
  }
  return fmt::format("the run began on {} ({}, {}) and goes on here on {} ({}, {})", then.device(),
                     then.driver(), then.variant(), now.device(), now.driver(), now.variant());
}

}  // namespace apsis
