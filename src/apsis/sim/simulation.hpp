// SPDX-License-Identifier: MIT
// The loop: bursts of steps, and looks at the state between them. Engine, integrator and
// observers are handed in; nothing here knows files, clocks or terminals.
#pragma once

#include <apsis/core/bodies.hpp>
#include <apsis/core/energies.hpp>
#include <apsis/engines/engine.hpp>
#include <apsis/integrators/integrator.hpp>
#include <apsis/sim/cadence.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace apsis {

// The state at a step boundary. Bodies and energies are fetched when first asked for.
class Frame {
 public:
  Frame(Engine& engine, std::uint64_t step, double time)
      : engine_(&engine), step_(step), time_(time) {}

  std::uint64_t step() const { return step_; }
  double time() const { return time_; }
  Engine& engine() const { return *engine_; }
  const Bodies& bodies() const;
  const Energies& energies() const;

 private:
  Engine* engine_;
  std::uint64_t step_;
  double time_;
  mutable std::optional<Bodies> bodies_;
  mutable std::optional<Energies> energies_;
};

// Seam 4 of 4: a function of a frame, called at its cadence.
struct Observer {
  Cadence cadence;
  std::function<void(const Frame&)> observe;
  bool asks_energies = false;  // so that the step before can give the potential with the forces
};

// What a look has to say: whether to go on, and how many steps may pass before the next one.
struct LoopControl {
  bool goes_on = true;
  std::uint64_t burst = 0;  // 0: as before

  static constexpr LoopControl go_on(std::uint64_t burst = 0) { return {true, burst}; }
  static constexpr LoopControl stop() { return {false, 0}; }
};

struct SimulationPlan {
  double start_time = 0;
  double step = 0.01;
  std::uint64_t first_step = 0;  // the state is that of this step
  bool resumed = false;          // observers have seen that step already, also where it is step 0
  std::uint64_t last_step = 0;
  std::uint64_t burst = 20;  // most steps before a look, until one says otherwise
  // At the latest after this many steps there is a look, whatever the burst.
  std::uint64_t checkpoint_steps = Cadence::never;

  double time_of(std::uint64_t n) const { return start_time + static_cast<double>(n) * step; }
};

struct SimulationEnd {
  enum class Reason { finished, stopped, not_finite } reason = Reason::finished;
  std::uint64_t step = 0;
};

// Observers see the first step (of a run that is not resumed), every step that is due, and the
// last. `look` is asked after every burst, after the observers.
SimulationEnd simulate(Engine& engine, const Integrator& integrator, const SimulationPlan& plan,
                       const std::vector<Observer>& observers,
                       const std::function<LoopControl(const Frame&)>& look);

}  // namespace apsis
