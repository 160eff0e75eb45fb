// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/core/pair_law.hpp>
#include <apsis/engines/engine_factory.hpp>
#include <apsis/engines/step_engine.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace apsis {
namespace {

// A kernel that reads there still moves, and its verdict says that it does.
constexpr BehindLast behind_last = BehindLast::massless_bodies;

EngineSettings judging(EngineSettings settings) {
  settings.force.solver = "direct";
  settings.device = DeviceSettings{
      .name = "cpu", .precision = Precision::f64, .threads = settings.device.threads};
  return settings;
}

StepForm chosen_form(const device::UserProgram& program, const StepEngineOptions& options) {
  std::vector<std::string> left_out;
  const auto forms = step_forms_in(program.kernels(), options.file.string(), left_out);
  const auto found = std::ranges::find_if(forms, [&](const StepForm& form) {
    return options.kernel.empty() || form.kernel == options.kernel;
  });
  if (found != forms.end()) return *found;
  throw bad_data(fmt::format("{} has no kernel '{}' that is a whole step", options.file.string(),
                             options.kernel),
                 std::string("understood are ") + step_forms);
}

void require_plain_gravity(const EngineSettings& settings) {
  const PairLaw law = law_of(settings.force);
  const bool plain = law.law == Law::gravity && law.radial.radial == newton;
  if (plain && !any_acts(settings.external)) return;
  throw bad_data("a kernel of your own is given gravity between points and nothing else",
                 "leave out charges, force.radial and external fields");
}

}  // namespace

StepEngine::StepEngine(const DeviceInfo& device, const EngineSettings& settings,
                       StepEngineOptions options)
    : Engine(settings),
      options_(std::move(options)),
      context_(device),
      program_(context_, options_.file),
      form_(chosen_form(program_, options_)),
      judge_(make_engine(judging(settings))) {
  require_plain_gravity(settings);
  const PairLaw law = law_of(settings.force);
  const bool squared = form_.softening_is_squared.value_or(options_.softening_is_squared);
  numbers_.softening = squared ? law.softening * law.softening : law.softening;
  numbers_.constant = law.constant;
  if (law.constant == 1 || form_.takes(StepRole::constant)) return;
  throw bad_data(fmt::format("kernel {} takes no G, and that of the bodies is {:g}", form_.kernel,
                             law.constant),
                 "take a model in units with G = 1, or give the kernel an argument G");
}

void StepEngine::load(const Bodies& bodies) {
  const auto [least, most] = std::ranges::minmax_element(bodies.mass);
  const bool has_masses = !form_.packed || form_.takes(StepRole::masses);
  if (!has_masses && !bodies.empty()) {
    if (*least != *most || (*least != 1 && !form_.takes(StepRole::mass))) {
      throw bad_data(
          fmt::format("kernel {} takes no masses, and bodies have masses from {:g} to {:g}",
                      form_.kernel, *least, *most),
          form_.takes(StepRole::mass) ? "take bodies of equal mass, or give it an array of masses"
                                      : "give it an array of masses: without one they are all 1");
    }
    numbers_.mass = *least;
  }
  bodies_ = bodies;
  kernel_.emplace(context_, program_, form_, bodies.size(), options_.group);
  kernel_->load(step_bodies(bodies), behind_last);
  judge_->load(bodies);
}

void StepEngine::store(Bodies& bodies) {
  bodies = bodies_;
  if (kernel_ && !bodies.empty()) apsis::store(kernel_->state(), bodies);
}

void StepEngine::apply(std::span<const Operation> operations) {
  for (const Operation& operation : operations) {
    if (operation.kind == Operation::Kind::keep_potential) continue;
    if (operation.kind != Operation::Kind::advance) {
      throw Error(ExitCode::internal_error,
                  fmt::format("a kernel of the user's own takes whole steps, no {}",
                              name_of(operation.kind)));
    }
    numbers_.step = operation.dt;
    kernel_->step(numbers_);
  }
}

Engine& StepEngine::judge() {
  Bodies now;
  store(now);
  judge_->replace(now);
  return *judge_;
}

bool StepEngine::finite() {
  const StepBodies now = kernel_->state();
  const auto is_finite = [](float value) { return std::isfinite(value); };
  return std::ranges::all_of(now.places, is_finite) &&
         std::ranges::all_of(now.velocities, is_finite);
}

Resolution StepEngine::describe() const {
  return {.solver = options_.file.filename().string(),
          .precision = Precision::f32,
          .threads = 1,
          .bodies = bodies_.size(),
          .ranks = 1,
          .devices = {{.device = context_.device().name,
                       .driver = context_.device().driver,
                       .variant = form_.kernel,
                       .choice = {},
                       .bodies = bodies_.size()}}};
}

Instruments StepEngine::instruments() {
  Instruments out;
  out.kernel_seconds = [this] { return context_.kernel_seconds(); };
  out.device_bytes = [this] { return context_.allocated_bytes(); };
  return out;
}

EngineState StepEngine::save_state() {
  const StepBodies now = kernel_->state();
  const auto bytes = [](const std::vector<float>& values) {
    const auto from = std::as_bytes(std::span(values));
    return std::vector<std::byte>(from.begin(), from.end());
  };
  return {"own kernel",
          bodies_.size(),
          {{"places", bytes(now.places)}, {"velocities", bytes(now.velocities)}}};
}

void StepEngine::restore_state(const EngineState& state) {
  if (state.layout != "own kernel" || state.arrays.size() != 2 || state.bodies != bodies_.size()) {
    throw Error(ExitCode::internal_error, "this state is not one of a kernel of the user's own");
  }
  StepBodies bodies{std::vector<float>(4 * state.bodies), std::vector<float>(4 * state.bodies)};
  const auto take = [](const StateArray& from, std::vector<float>& to) {
    const auto into = std::as_writable_bytes(std::span(to));
    if (from.bytes.size() != into.size()) {
      throw Error(ExitCode::internal_error, from.name + " of another number of bodies");
    }
    std::ranges::copy(from.bytes, into.begin());
  };
  take(state.arrays[0], bodies.places);
  take(state.arrays[1], bodies.velocities);
  kernel_->load(bodies, behind_last);
}

}  // namespace apsis
