// SPDX-License-Identifier: MIT
// Seam 2 of 4: an engine owns the state where it lives. Verbs may enqueue; only queries and
// `store` wait. Integrators are written in these verbs and nothing else.
#pragma once

#include <apsis/core/bodies.hpp>
#include <apsis/core/choices.hpp>
#include <apsis/core/energies.hpp>
#include <apsis/device/context.hpp>
#include <apsis/engines/resolution.hpp>
#include <apsis/solvers/solver.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace apsis {

// What one device did when.
struct DeviceTimeline {
  std::string device;
  std::vector<device::TimelineEntry> entries;
};

// The state in native precision, exactly as it must be to go on with the same bits.
struct StateArray {
  std::string name;
  std::vector<std::byte> bytes;
  friend bool operator==(const StateArray&, const StateArray&) = default;
};
struct EngineState {
  std::string layout;  // which engine and precision wrote it, for example "host f64"
  std::size_t bodies = 0;
  std::vector<StateArray> arrays;
  friend bool operator==(const EngineState&, const EngineState&) = default;
};

class Engine {
 public:
  // A slot keeps positions, velocities and accelerations; Runge-Kutta schemes need four.
  static constexpr int slot_count = 4;
  struct SlotTerm {
    int slot;
    double coefficient;
  };

  Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  virtual ~Engine() = default;

  virtual void load(const Bodies& bodies) = 0;
  virtual void store(Bodies& bodies) = 0;

  virtual void drift(double dt) = 0;  // x += v dt
  virtual void kick(double dt) = 0;   // v += a dt

  // Brings accelerations (and jerks) up to date with the positions; free where they already are.
  virtual void accelerate(Wants wants = {}) = 0;
  // Whether accelerations come with the potential, because energies will be asked for at the same
  // positions: a little more in the same pass instead of a second one.
  virtual void keep_potential(bool /*keep*/) {}

  virtual void save(int slot) = 0;
  // x = x_base + Σ c v_slot, v = v_base + Σ c a_slot
  virtual void combine(int base_slot, std::span<const SlotTerm> terms) = 0;

  // Hermite: from the last accepted state by Taylor series, and back from the new derivatives.
  virtual void predict(double dt) = 0;
  virtual void correct(double dt) = 0;
  // The corrected state becomes the one that the next `predict` starts from.
  virtual void accept() = 0;

  // Builds what is built on demand, so that a run's clock does not count it.
  virtual void warm_up() {}
  // Waits until everything asked for is done, where verbs enqueue.
  virtual void finish() {}

  virtual Energies energies() = 0;
  virtual Accelerations accelerations() = 0;  // at the present positions; changes nothing
  virtual bool finite() = 0;                  // all positions and velocities
  // The parts of one more evaluation, where the solver has such; changes nothing of the state.
  virtual std::optional<EvaluationParts> evaluation_parts() { return std::nullopt; }
  // Time of the device's kernels since the last call, by the device's own clock; counting starts
  // with the first call. Nothing where there is no such clock.
  virtual std::optional<double> kernel_seconds() { return std::nullopt; }
  // What each device does from now on, or from the last call of timeline() on, which waits for it.
  virtual void record_timeline() {}
  virtual std::vector<DeviceTimeline> timeline() { return {}; }
  // What state and solver hold in a device's memory; nothing where there is no device.
  virtual std::optional<std::uint64_t> device_bytes() const { return std::nullopt; }
  virtual bool gives_jerk() const = 0;  // known once bodies are loaded
  virtual Resolution describe() const = 0;

  virtual EngineState save_state() = 0;
  virtual void restore_state(const EngineState& state) = 0;
};

}  // namespace apsis
