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

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace apsis {

// What an action did to the state.
struct Event {
  std::string action;  // its name
  std::uint64_t step = 0;
  double time = 0;
  std::string what;  // in the action's own words
  friend bool operator==(const Event&, const Event&) = default;
};

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
  // What actions did at this step: the state is the one that they left.
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

// What may change the state between two steps. It may change every column, add bodies and remove
// some; the engine then goes on with what it left.
struct Action {
  std::string name;
  Cadence cadence;  // of steps that were computed: never before the first
  // What it did; nothing where the bodies are as they were.
  std::function<std::optional<std::string>(Bodies&, std::uint64_t step, double time)> act;
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
  enum class Reason { finished, stopped, not_finite } reason = Reason::finished;
  std::uint64_t step = 0;
};

// Observers see the first step (of a run that is not resumed), every step that is due, and the
// last, in their order. `look` is asked after them, and decides nothing but when the next steps are
// computed. Actions that are due act after a step and before its observers, in their order and on
// what the one before them left; where one did something the burst ends.
SimulationEnd simulate(Engine& engine, const Integrator& integrator, const SimulationPlan& plan,
                       const std::vector<Observer>& observers,
                       const std::function<LoopControl(const Frame&)>& look,
                       const std::vector<Action>& actions = {});

}  // namespace apsis
