// SPDX-License-Identifier: MIT
#include <apsis/sim/simulation.hpp>

#include <algorithm>

namespace apsis {
namespace {

std::uint64_t next_stop(const SimulationPlan& plan, const std::vector<Observer>& observers,
                        std::uint64_t step, std::uint64_t burst) {
  std::uint64_t next = std::min(plan.last_step, step + std::max<std::uint64_t>(1, burst));
  if (plan.checkpoint_steps != Cadence::never) {
    next = std::min(next, (step / plan.checkpoint_steps + 1) * plan.checkpoint_steps);
  }
  for (const Observer& observer : observers) {
    next = std::min(next, observer.cadence.next_after(step));
  }
  return next;
}

bool asks_energies(const std::vector<Observer>& observers, std::uint64_t step) {
  return std::any_of(observers.begin(), observers.end(), [step](const Observer& observer) {
    return observer.asks_energies && observer.cadence.due(step);
  });
}

void notify(const std::vector<Observer>& observers, const Frame& frame) {
  for (const Observer& observer : observers) {
    if (observer.cadence.due(frame.step())) observer.observe(frame);
  }
}

}  // namespace

const Bodies& Frame::bodies() const {
  if (!bodies_) engine_->store(bodies_.emplace());
  return *bodies_;
}

const Energies& Frame::energies() const {
  if (!energies_) energies_ = engine_->energies();
  return *energies_;
}

SimulationEnd simulate(Engine& engine, const Integrator& integrator, const SimulationPlan& plan,
                       const std::vector<Observer>& observers,
                       const std::function<LoopControl(const Frame&)>& look) {
  using Reason = SimulationEnd::Reason;
  std::uint64_t step = plan.first_step, burst = plan.burst;
  const auto goes_on = [&](const Frame& frame) {
    const LoopControl control = look(frame);
    if (control.burst > 0) burst = control.burst;
    return control.goes_on;
  };
  if (!plan.resumed) {
    const Frame start(engine, step, plan.time_of(step));
    notify(observers, start);
    if (!goes_on(start)) return {Reason::stopped, step};
  }
  std::vector<Operation> operations;  // of a step
  while (step < plan.last_step) {
    const std::uint64_t next = next_stop(plan, observers, step, burst);
    for (; step < next; ++step) {
      operations.clear();
      operations.push_back(Operation::keep_potential(asks_energies(observers, step + 1)));
      integrator.add_step(plan.time_of(step), plan.step, operations);
      engine.apply(operations);
    }
    if (!engine.finite()) return {Reason::not_finite, step};
    const Frame frame(engine, step, plan.time_of(step));
    notify(observers, frame);
    if (!goes_on(frame) && step < plan.last_step) return {Reason::stopped, step};
  }
  return {Reason::finished, step};
}

}  // namespace apsis
