// SPDX-License-Identifier: MIT
// Seam 2 of 4: an engine owns the state where it lives, and applies operations to it. Those may be
// enqueued; only queries and `store` wait.
#pragma once

#include <apsis/core/bodies.hpp>
#include <apsis/core/choices.hpp>
#include <apsis/core/energies.hpp>
#include <apsis/engines/instruments.hpp>
#include <apsis/engines/operation.hpp>
#include <apsis/engines/resolution.hpp>

#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

namespace apsis {

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
  Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  virtual ~Engine() = default;

  virtual void load(const Bodies& bodies) = 0;
  virtual void store(Bodies& bodies) = 0;

  // One after the other. unavailable, before anything is done, where an operation is meant for some
  // bodies and this engine advances all together.
  virtual void apply(std::span<const Operation> operations) = 0;
  void apply(std::initializer_list<Operation> operations) {
    apply(std::span(operations.begin(), operations.size()));
  }

  // Builds what is built on demand, so that a run's clock does not count it.
  virtual void warm_up() {}
  // Waits until everything asked for is done, where operations are enqueued.
  virtual void finish() {}

  virtual Energies energies() = 0;
  virtual Accelerations accelerations() = 0;  // at the present positions; changes nothing
  virtual bool finite() = 0;                  // all positions and velocities
  virtual bool gives_jerk() const = 0;        // known once bodies are loaded
  virtual Resolution describe() const = 0;
  virtual Instruments instruments() { return {}; }

  virtual EngineState save_state() = 0;
  virtual void restore_state(const EngineState& state) = 0;
};

}  // namespace apsis
