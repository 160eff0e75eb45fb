// SPDX-License-Identifier: MIT
// The state in the host's memory, in State (float for f32, double for mixed and f64).
#pragma once

#include <apsis/contacts/finder.hpp>
#include <apsis/core/pair_law.hpp>
#include <apsis/engines/engine.hpp>
#include <apsis/engines/engine_settings.hpp>
#include <apsis/engines/freshness.hpp>
#include <apsis/engines/host_motion.hpp>
#include <apsis/engines/scale.hpp>
#include <apsis/engines/state_arrays.hpp>
#include <apsis/solvers/registry.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace apsis {

template <class State>
class HostEngine final : public Engine {
 public:
  // The solver is made once the scale of the bodies is known: it works in internal lengths.
  using SolverFactory = std::function<std::unique_ptr<Solver<Host<State>>>(const SolverSettings&)>;

  HostEngine(EngineSettings settings, SolverFactory make_solver);

  void load(const Bodies& bodies) override;
  void store(Bodies& bodies) override;
  void replace(const Bodies& bodies) override;
  void change(std::span<const std::uint32_t> numbers, const Bodies& states) override;
  ContactSource contact_source(double duration, const std::optional<Box>& walls) override;
  using Engine::apply;
  void apply(std::span<const Operation> operations) override;
  Energies pair_energies() override;
  Accelerations pair_accelerations() override;
  std::vector<double> pair_potentials() override;
  bool finite() override;
  bool gives_jerk() const override { return solver_->gives_jerk(); }
  Resolution describe() const override;
  Instruments instruments() override;
  EngineState save_state() override;
  void restore_state(const EngineState& state) override;

 private:
  using Vector = Triple<State>;
  // Some bodies as targets of their own, and what they feel.
  struct Targets {
    Vector place, velocity, field, jerk;
  };

  std::size_t count() const { return state_.count(); }
  MovingSphere sphere(std::size_t body, double duration) const;
  BodiesView<Host<State>> view(bool with_velocities) const;
  void resize(std::size_t n);
  void prepare_law();
  void require_there(std::span<const Operation> operations) const;
  void accelerate(const Operation& operation);
  void accelerate_some(const Operation& operation);
  void evaluate(Vector& field, Vector* jerk, std::vector<State>* potential);
  void add_external_fields(const Operation& accelerate);
  // The solver has chosen what it reaches its accuracy with, by a look at all bodies.
  void calibrate_solver();
  State coupling_of(std::size_t body) const;
  void couple(Vector& field) const;
  void update_potential();
  double potential_energy();

  EngineSettings settings_;
  const PairLaw law_;
  const int threads_;
  SolverFactory make_solver_;
  std::unique_ptr<Solver<Host<State>>> solver_;
  Scale scale_;

  HostState<State> state_;
  HostMotion<State> motion_;
  Freshness freshness_;
  bool keep_potential_ = false;
  bool solver_calibrated_ = false;
  std::vector<State> strength_;
  std::vector<State> coupling_;  // field to acceleration; one value, or one per charge
  Bodies constants_;             // the constant columns alone
  Vector scratch_;
  Targets targets_;
  std::vector<State> potential_;
  std::optional<ContactFinder> finder_;
};

extern template class HostEngine<float>;
extern template class HostEngine<double>;

}  // namespace apsis
