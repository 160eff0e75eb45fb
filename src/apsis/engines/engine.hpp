// SPDX-License-Identifier: MIT
// Seam 2 of 4: an engine owns the state where it lives, and applies operations to it. Those may be
// enqueued; only queries and `store` wait.
#pragma once

#include <apsis/contacts/contact_step.hpp>
#include <apsis/core/bodies.hpp>
#include <apsis/core/choices.hpp>
#include <apsis/core/energies.hpp>
#include <apsis/core/external_fields.hpp>
#include <apsis/engines/engine_settings.hpp>
#include <apsis/engines/instruments.hpp>
#include <apsis/engines/operation.hpp>
#include <apsis/engines/resolution.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
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
  explicit Engine(const EngineSettings& settings);
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  virtual ~Engine() = default;

  virtual void load(const Bodies& bodies) = 0;
  virtual void store(Bodies& bodies) = 0;
  // Other bodies in the same run: what the solver chose for its accuracy stays.
  virtual void replace(const Bodies& bodies) = 0;
  // Places and velocities of some bodies, by their numbers in the user's order.
  virtual void change(std::span<const std::uint32_t> numbers, const Bodies& states);
  // Who touches whom on the straight paths of the last drift, which took `duration`; valid until
  // the state changes.
  virtual ContactSource contact_source(double duration, const std::optional<Box>& walls);

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

  // At the present positions, which are those of that time; external fields may go by it. Neither
  // changes anything.
  Energies energies(double time);
  Accelerations accelerations(double time);
  // Of each body: half their sum with the masses, or the charges, is the potential energy of the
  // pairs; with those of external fields, which pull masses, only beside gravity. unavailable where
  // no engine holds all bodies.
  std::vector<double> potentials(double time);
  // Without external fields: motion, and what the bodies do to each other.
  virtual Energies pair_energies() = 0;
  virtual Accelerations pair_accelerations() = 0;
  virtual std::vector<double> pair_potentials();
  virtual bool finite() = 0;            // all positions and velocities
  virtual bool gives_jerk() const = 0;  // known once bodies are loaded
  virtual Resolution describe() const = 0;
  virtual Instruments instruments() { return {}; }

  virtual EngineState save_state() = 0;
  virtual void restore_state(const EngineState& state) = 0;

 protected:
  bool has_external() const { return has_external_; }
  const ExternalFields& external() const { return external_; }
  double gravity() const { return gravity_; }  // by which masses outside pull
  const ContactSettings& contacts() const { return contacts_; }

 private:
  const ExternalFields external_;
  const bool has_external_;
  const double gravity_;
  const Law law_;
  const ContactSettings contacts_;
};

}  // namespace apsis
