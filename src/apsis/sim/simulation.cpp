// SPDX-License-Identifier: MIT
#include <apsis/sim/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace apsis {
namespace {

// The first step after `step` at which an observer must be called.
std::uint64_t next_for(const Occasion& when, std::uint64_t step) {
  if (const auto* cadence = std::get_if<Cadence>(&when)) return cadence->next_after(step);
  const auto* look = std::get_if<EveryLook>(&when);
  if (look == nullptr || look->steps == Cadence::never) return Cadence::never;
  return (step / look->steps + 1) * look->steps;
}

std::uint64_t next_stop(const SimulationPlan& plan, const std::vector<Observer>& observers,
                        std::uint64_t step, std::uint64_t burst) {
  std::uint64_t next = std::min(plan.last_step, step + std::max<std::uint64_t>(1, burst));
  for (const Observer& observer : observers) {
    next = std::min(next, next_for(observer.when, step));
  }
  return next;
}

bool asks_energies(const std::vector<Observer>& observers, std::uint64_t step) {
  return std::any_of(observers.begin(), observers.end(), [step](const Observer& observer) {
    const auto* cadence = std::get_if<Cadence>(&observer.when);
    return observer.asks_energies && cadence != nullptr && cadence->due(step);
  });
}

bool is_due(const Occasion& when, const Frame& frame) {
  if (const auto* cadence = std::get_if<Cadence>(&when)) return cadence->due(frame.step());
  if (std::holds_alternative<AtEvents>(when)) return !frame.events().empty();
  return std::holds_alternative<EveryLook>(when);
}

void notify(const std::vector<Observer>& observers, const Frame& frame) {
  for (const Observer& observer : observers) {
    if (is_due(observer.when, frame)) observer.observe(frame);
  }
}

template <class When>
void notify_those_with(const std::vector<Observer>& observers, const Frame& frame) {
  for (const Observer& observer : observers) {
    if (std::holds_alternative<When>(observer.when)) observer.observe(frame);
  }
}

bool are_due(const std::vector<Action>& actions, std::uint64_t step) {
  return std::any_of(actions.begin(), actions.end(),
                     [step](const Action& action) { return action.cadence.due(step); });
}

// Numbers that went bad are nothing to act on: the burst ends with them.
std::vector<Event> act(const std::vector<Action>& actions, Engine& engine, std::uint64_t step,
                       double time) {
  std::vector<Event> events;
  if (!engine.finite()) return events;
  Bodies bodies;
  engine.store(bodies);
  for (const Action& action : actions) {
    if (!action.cadence.due(step)) continue;
    if (auto deed = action.act(bodies, step, time)) {
      events.push_back({.action = action.name,
                        .step = step,
                        .time = time,
                        .what = std::move(deed->what),
                        .bodies = std::move(deed->bodies)});
    }
  }
  if (!events.empty()) engine.replace(bodies);
  return events;
}

// Where the only drift of a step is, if that is all that moves bodies.
std::optional<std::size_t> only_drift(std::span<const Operation> operations) {
  std::optional<std::size_t> found;
  for (std::size_t k = 0; k < operations.size(); ++k) {
    if (!operations[k].changes_positions()) continue;
    if (found || operations[k].kind != Operation::Kind::drift) return std::nullopt;
    found = k;
  }
  return found;
}

// Forces at the end of a step are those at the beginning of the next, to the last bit of the time:
// a resumed run asks for them then.
void name_the_end(std::span<Operation> operations, double end, double dt) {
  const double rounding = 1e-9 * dt + 4e-16 * std::abs(end);
  for (Operation& operation : operations) {
    if (operation.kind != Operation::Kind::accelerate) continue;
    if (std::abs(operation.time - end) <= rounding) operation.time = end;
  }
}

// Steps of an engine, with what happens on their paths.
class Stepping {
 public:
  Stepping(Engine& engine, const std::optional<PathAction>& on_paths)
      : engine_(engine), on_paths_(on_paths) {}

  // False where the step was undone. `events` get what happened.
  bool take(std::span<const Operation> operations, StepPath path, std::vector<Event>& events) {
    if (!on_paths_) {
      engine_.apply(operations);
      return true;
    }
    if (on_paths_->may_undo) engine_.apply({Operation::save(undo_slot)});
    const auto drift = only_drift(operations);
    std::size_t done = operations.size();
    if (drift) {
      done = *drift + 1;
      path.duration = operations[*drift].dt;
    } else {
      engine_.store(before_);
      path.before = &before_;
    }
    engine_.apply(operations.first(done));
    PathAction::Result result = on_paths_->act(engine_, path);
    if (result.event) events.push_back(*std::move(result.event));
    if (result.undo) {
      engine_.apply({Operation::combine(undo_slot, {})});
      return false;
    }
    engine_.apply(operations.subspan(done));
    return true;
  }

 private:
  Engine& engine_;
  const std::optional<PathAction>& on_paths_;
  Bodies before_;
};

}  // namespace

const Bodies& Frame::bodies() const {
  if (!bodies_) engine_->store(bodies_.emplace());
  return *bodies_;
}

const Energies& Frame::energies() const {
  if (!energies_) energies_ = engine_->energies(time_);
  return *energies_;
}

SimulationEnd simulate(Engine& engine, const Integrator& integrator, const SimulationPlan& plan,
                       const std::vector<Observer>& observers,
                       const std::function<LoopControl(const Frame&)>& look,
                       const Actions& actions) {
  using Reason = SimulationEnd::Reason;
  std::uint64_t step = plan.first_step, burst = plan.burst;
  // Shows a frame to all, and says whether to go on.
  const auto goes_on = [&](const Frame& frame) {
    notify(observers, frame);
    LoopControl control = look(frame);
    while (control.kind == LoopControl::Kind::hold) {
      notify_those_with<EveryLook>(observers, frame);
      control = look(frame);
    }
    if (control.burst > 0) burst = control.burst;
    return control.kind == LoopControl::Kind::go_on;
  };
  if (!plan.resumed && !goes_on(Frame(engine, step, plan.time_of(step)))) {
    return {Reason::stopped, step};
  }
  std::vector<Operation> operations;  // of a step
  Stepping stepping(engine, actions.on_paths);
  while (step < plan.last_step) {
    std::vector<Event> events;
    const std::uint64_t next = next_stop(plan, observers, step, burst);
    bool changed = false;
    while (step < next && !changed) {
      operations.clear();
      operations.push_back(Operation::keep_potential(asks_energies(observers, step + 1)));
      integrator.add_step(plan.time_of(step), plan.step, operations);
      name_the_end(operations, plan.time_of(step + 1), plan.step);
      const StepPath path{.step = step + 1, .time = plan.time_of(step), .duration = plan.step};
      if (!stepping.take(operations, path, events)) {
        notify_those_with<AtEvents>(observers, Frame(engine, step, plan.time_of(step), events));
        return {Reason::undone, step};
      }
      ++step;
      if (!are_due(actions.between_steps, step)) continue;
      auto deeds = act(actions.between_steps, engine, step, plan.time_of(step));
      changed = !deeds.empty();
      std::ranges::move(deeds, std::back_inserter(events));
    }
    if (!engine.finite()) return {Reason::not_finite, step};
    const Frame frame(engine, step, plan.time_of(step), events);
    if (!goes_on(frame) && step < plan.last_step) return {Reason::stopped, step};
  }
  notify_those_with<AtEnd>(observers, Frame(engine, step, plan.time_of(step)));
  return {Reason::finished, step};
}

}  // namespace apsis
