// SPDX-License-Identifier: MIT
// The state in the memory of an OpenCL device for the whole run.
//
// Kicks and drifts are collected and launched together when accelerations are next needed or the
// state is looked at; that launch also turns the solver's sums into accelerations. A leapfrog step
// thus costs the solver's launches and one more.
#pragma once

#include <apsis/core/pair_law.hpp>
#include <apsis/device/context.hpp>
#include <apsis/engines/device_contacts.hpp>
#include <apsis/engines/device_external.hpp>
#include <apsis/engines/device_motion.hpp>
#include <apsis/engines/device_state.hpp>
#include <apsis/engines/device_sums.hpp>
#include <apsis/engines/engine.hpp>
#include <apsis/engines/engine_settings.hpp>
#include <apsis/engines/freshness.hpp>
#include <apsis/engines/scale.hpp>
#include <apsis/engines/state_arrays.hpp>
#include <apsis/solvers/registry.hpp>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace apsis {

// Whether a device has all bodies to itself, or is one of several that share them.
enum class DeviceUse : unsigned char { alone, shared };

// Bodies [first, end).
struct BodyRange {
  std::size_t first = 0, end = 0;
  std::size_t count() const { return end - first; }
};

class OpenclEngine final : public Engine {
 public:
  // Made anew with every load: it works in internal units and may be told that strengths are equal.
  using SolverFactory =
      std::function<std::unique_ptr<Solver<Device>>(device::Context&, const SolverSettings&)>;

  // unavailable where the device has no double precision and `precision` needs it. Without a
  // factory the registry's solver of that name is made.
  OpenclEngine(const DeviceInfo& device, EngineSettings settings,
               const SolverFactory& make_solver = {}, DeviceUse use = DeviceUse::alone);

  void load(const Bodies& bodies) override;
  void store(Bodies& bodies) override;
  void replace(const Bodies& bodies) override;
  void change(std::span<const std::uint32_t> numbers, const Bodies& states) override;
  ContactSource contact_source(double duration, const std::optional<Box>& walls) override;
  using Engine::apply;
  void apply(std::span<const Operation> operations) override;
  void warm_up() override;
  void finish() override;
  Energies pair_energies() override;
  Accelerations pair_accelerations() override;
  std::vector<double> pair_potentials() override;
  bool finite() override;
  bool gives_jerk() const override;
  Resolution describe() const override;
  Instruments instruments() override;
  EngineState save_state() override;
  void restore_state(const EngineState& state) override;

  // --- What several_devices_engine.hpp needs of each of its devices. All hold all bodies; each
  // advances its own, and is told by the others where theirs are.

  using Quantity = device::Buffer DeviceState::*;
  // All values of one quantity, wherever they are.
  using Gather = std::function<Vectors(Quantity)>;

  device::Context& context() { return context_; }
  const DeviceState& state() const { return state_; }
  bool sums_by_parts() const { return solver_->sums_by_parts(); }
  // Solvers of further loads are as the present one, as in a run that goes on from a checkpoint.
  void keep_choices();
  // What solvers of further loads take; see SolverSettings.
  void take_choice(const SolverChoice& choice) { settings_.choice = choice; }
  // Launches what waits: afterwards the buffers hold the present state.
  void launch_waiting();
  // The number here of the user's k-th body, in whose order sums are taken; empty: k. Until the
  // next load or restore.
  void lie_at(const std::vector<std::int32_t>& numbers);
  // Which bodies are its own, until the next load or restore.
  void own(BodyRange range);

  // An evaluation in pieces: what waits is launched, whose end the event stands for, and the sums
  // are cleared; fields are added; and kept.
  device::Event start_evaluation();
  // The field of parts [first, end) of `part` sources each at the own bodies; of all sources.
  void add_parts(Wants wants, std::size_t part, std::size_t first, std::size_t end);
  void add_all(Wants wants);
  void keep_accelerations(const Operation& accelerate);
  // The own bodies' field of the last evaluation, times the coupling or as it is, in the scratch.
  void keep_scratch(bool coupled);

  // Own values to the host, and those of others from there, beside the kernels.
  device::Event send(Quantity quantity, std::span<std::byte> bytes, const device::Event& after);
  device::Event receive(Quantity quantity, std::size_t first, std::span<const std::byte> bytes,
                        const device::Event& after);

  bool accepted() const { return freshness_.accepted(); }
  void store_from(const Gather& gather, Bodies& bodies) const;
  EngineState state_from(const Gather& gather) const;
  Accelerations accelerations_from(Vectors columns) const;
  // From potentials in `sums`, of which each part has `padded` entries.
  Energies energies_from(const device::Buffer& sums, std::size_t padded, int parts);

 private:
  double internal_time(double dt) const { return dt / scale_.time; }
  BodiesView<Device> view(bool with_velocities) const;
  void allocate_for(std::size_t bodies);
  // Solver and coupling, from the law, the scale and the constants of the bodies.
  void prepare_law();
  SolverSettings solver_settings() const;
  double mass_unit() const;
  void write_state(const Vectors& places, const Vectors& velocities);
  void perform(const Operation& operation);
  void accelerate(const Operation& operation);
  void evaluate(Wants wants);
  std::optional<EvaluationParts> evaluation_parts();
  void add_from(const BodiesView<Device>& sources, Wants wants);
  // Starts what is enqueued, and now and then waits for it.
  void pace();
  void require_accepted() const;
  DeviceContacts& device_contacts();
  void require_room_for_more(std::size_t entries);
  void make_one_sided(SolverSettings& wanted) const;

  EngineSettings settings_;
  const PairLaw law_;
  const Precision precision_;
  const DeviceUse use_;
  SolverFactory make_solver_;
  device::Context context_;
  DeviceMotion motion_;
  DeviceExternal external_kernels_;
  DeviceSums sums_;
  std::unique_ptr<DeviceContacts> contacts_;  // made when they are first asked for
  bool contacts_loaded_ = false;
  std::unique_ptr<Solver<Device>> solver_;
  Scale scale_;
  Bodies constants_;  // the constant columns alone

  DeviceState state_;
  PartialSums field_, jerk_field_;
  bool field_unread_ = false;       // the acceleration is still in the solver's sums
  std::vector<Operation> waiting_;  // kicks and drifts, with lengths in internal time
  Freshness freshness_;
  std::size_t entries_ = entries_at_least;  // of four numbers a body that are allocated
  int evaluations_enqueued_ = 0;
};

}  // namespace apsis
