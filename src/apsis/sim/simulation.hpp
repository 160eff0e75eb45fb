// SPDX-License-Identifier: MIT
// The loop: steps, actions between them, observers of what came of it, and a look that says how to
// go on. Engine, integrator and all of these are handed in; nothing here knows files, clocks or
// terminals.
#pragma once

#include <apsis/core/bodies.hpp>
#include <apsis/core/energies.hpp>
#include <apsis/engines/engine.hpp>
#include <apsis/integrators/integrator.hpp>
#include <apsis/sim/cadence.hpp>
#include <apsis/sim/event.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace apsis {

// The state at a step boundary. Bodies and energies are fetched when first asked for.
class Frame {
 public:
  Frame(Engine& engine, std::uint64_t step, double time, std::span<const Event> events = {})
      : engine_(&engine), step_(step), time_(time), events_(events) {}

  std::uint64_t step() const { return step_; }
  double time() const { return time_; }
  Engine& engine() const { return *engine_; }
  const Bodies& bodies() const;
  const Energies& energies() const;
  // What actions did since the frame before: the state is the one that they left.
  std::span<const Event> events() const { return events_; }

 private:
  Engine* engine_;
  std::uint64_t step_;
  double time_;
  std::span<const Event> events_;
  mutable std::optional<Bodies> bodies_;
  mutable std::optional<Energies> energies_;
};

// When an observer is called. Steps of a cadence are the same in every run of a spec, so results go
// by them; looks come when the clock wants them, and show how a run gets on.
struct EveryLook {
  std::uint64_t steps = Cadence::never;  // there is one at every multiple of so many steps
};
struct AtEvents {};  // wherever actions did something: each event is seen once
struct AtEnd {};     // when all steps are done, also where a resumed run had none left
using Occasion = std::variant<Cadence, EveryLook, AtEvents, AtEnd>;

// Seam 4 of 4: a function of a frame, which changes nothing.
struct Observer {
  std::string name;
  Occasion when;
  std::function<void(const Frame&)> observe;
  bool asks_energies = false;  // so that the step before can give the potential with the forces
};

// What an action has to say about what it did.
struct Deed {
  Deed(std::string words) : what(std::move(words)) {}
  std::string what;
  std::vector<BodyEvent> bodies;
};

// What may change the state between two steps. It may change every column, add bodies and remove
// some; the engine then goes on with what it left, and the burst ends.
struct Action {
  std::string name;
  Cadence cadence;  // of steps that were computed: never before the first
  // What it did; nothing where the bodies are as they were.
  std::function<std::optional<Deed>(Bodies&, std::uint64_t step, double time)> act;
};

// A path that bodies took in a step: straight, from where they were to where the engine has them.
struct StepPath {
  std::uint64_t step = 0;  // that it belongs to
  double time = 0;         // at which it begins
  double duration = 0;
  // Where bodies were at its beginning. Null where they drifted, so that their velocity tells.
  const Bodies* before = nullptr;
};

// What changes bodies on their way through a step: contacts. It is called in every step: after the
// drift, where a step has one and nothing else moves bodies, so that forces are those of the places
// that it leaves; otherwise after the step. It works with the engine itself, wherever the bodies
// live, and does not end the burst.
struct PathAction {
  std::string name;
  struct Result {
    std::optional<Event> event;
    bool undo = false;  // the step is not taken, and the loop ends before it
  };
  std::function<Result(Engine&, const StepPath&)> act;
  bool may_undo = false;
};

struct Actions {
  Actions() = default;
  Actions(std::vector<Action> between) : between_steps(std::move(between)) {}
  std::vector<Action> between_steps;  // in their order
  std::optional<PathAction> on_paths;
};

// What a look has to say: whether to go on, and how many steps may pass before the next one.
struct LoopControl {
  enum class Kind { go_on, hold, stop } kind = Kind::go_on;
  std::uint64_t burst = 0;  // 0: as before

  static constexpr LoopControl go_on(std::uint64_t burst = 0) { return {Kind::go_on, burst}; }
  // No step yet: those who observe every look see the frame again, and the look is asked again.
  static constexpr LoopControl hold() { return {Kind::hold, 0}; }
  static constexpr LoopControl stop() { return {Kind::stop, 0}; }
  friend bool operator==(const LoopControl&, const LoopControl&) = default;
};

struct SimulationPlan {
  double start_time = 0;
  double step = 0.01;
  std::uint64_t first_step = 0;  // the state is that of this step
  bool resumed = false;          // observers have seen that step already, also where it is step 0
  std::uint64_t last_step = 0;
  std::uint64_t burst = 20;  // most steps before a look, until one says otherwise

  double time_of(std::uint64_t n) const { return start_time + static_cast<double>(n) * step; }
};

struct SimulationEnd {
  enum class Reason { finished, stopped, undone, not_finite } reason = Reason::finished;
  std::uint64_t step = 0;
};

// Observers see the first step (of a run that is not resumed), every step that is due, and the
// last, in their order. `look` is asked after them, and decides nothing but when the next steps are
// computed. Actions that are due act after a step and before its observers, in their order and on
// what the one before them left.
SimulationEnd simulate(Engine& engine, const Integrator& integrator, const SimulationPlan& plan,
                       const std::vector<Observer>& observers,
                       const std::function<LoopControl(const Frame&)>& look,
                       const Actions& actions = {});

}  // namespace apsis
