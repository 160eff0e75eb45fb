// SPDX-License-Identifier: MIT
// The state in the host's memory, in State (float for f32, double for mixed and f64).
#pragma once

#include <apsis/core/force_law.hpp>
#include <apsis/engines/engine.hpp>
#include <apsis/engines/engine_settings.hpp>
#include <apsis/engines/scale.hpp>
#include <apsis/engines/state_arrays.hpp>
#include <apsis/solvers/registry.hpp>

#include <array>
#include <functional>
#include <memory>
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
  void drift(double dt) override;
  void kick(double dt) override;
  void accelerate(Wants wants) override;
  void keep_potential(bool keep) override { keep_potential_ = keep; }
  void save(int slot) override;
  void combine(int base_slot, std::span<const SlotTerm> terms) override;
  void predict(double dt) override;
  void correct(double dt) override;
  void accept() override;
  Energies energies() override;
  Accelerations accelerations() override;
  bool finite() override;
  std::optional<EvaluationParts> evaluation_parts() override;
  bool gives_jerk() const override { return solver_->gives_jerk(); }
  Resolution describe() const override;
  EngineState save_state() override;
  void restore_state(const EngineState& state) override;

 private:
  // Three components of one quantity, for all bodies.
  struct Triple {
    std::vector<State> x, y, z;
    void resize(std::size_t n) { x.resize(n), y.resize(n), z.resize(n); }
  };
  struct Slot {
    Triple place, velocity, acceleration;
  };
  // Whether the derivatives belong to the present positions.
  enum class Freshness : unsigned char { stale, accepted, exact };

  std::size_t count() const { return place_.x.size(); }
  BodiesView<Host<State>> view(bool with_velocities) const;
  void resize(std::size_t n);
  void prepare_law();
  void moved();  // nothing that was computed belongs to the present positions any more
  void evaluate(Triple& field, Triple* jerk, std::vector<State>* potential) const;
  void couple(Triple& field) const;
  void update_potential();
  double potential_energy();

  const EngineSettings settings_;
  const ForceLaw law_;
  const int threads_;
  SolverFactory make_solver_;
  std::unique_ptr<Solver<Host<State>>> solver_;
  Scale scale_;

  Triple place_, velocity_, acceleration_, jerk_;
  std::vector<State> strength_;
  std::vector<State> coupling_;  // field to acceleration; one value, or one per charge
  Bodies constants_;             // the constant columns alone
  Freshness fresh_ = Freshness::stale;
  bool jerk_fresh_ = false, potential_fresh_ = false, keep_potential_ = false;

  std::array<Slot, slot_count> slots_;
  Slot base_;  // Hermite's last accepted state; its jerk:
  Triple base_jerk_;
  Triple scratch_;
  std::vector<State> potential_;
};

extern template class HostEngine<float>;
extern template class HostEngine<double>;

}  // namespace apsis
