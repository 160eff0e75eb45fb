// SPDX-License-Identifier: MIT
// An engine whose steps are those of a kernel of the user's own (docs/adr/0027): it knows one
// operation, advance, and a native engine in double answers what is asked about its state.
#pragma once

#include <apsis/engines/engine.hpp>
#include <apsis/engines/step_kernel.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace apsis {

struct StepEngineOptions {
  std::filesystem::path file;
  std::string kernel;                // of the file; empty: its first whole step
  std::size_t group = 64;            // work-items a work-group
  bool softening_is_squared = true;  // what the kernel takes as eps
};

class StepEngine final : public Engine {
 public:
  // `settings` say the law, by which energies are judged. bad_data for laws that such kernels are
  // not given: anything but gravity between points, without external fields.
  StepEngine(const DeviceInfo& device, const EngineSettings& settings, StepEngineOptions options);

  void load(const Bodies& bodies) override;
  void store(Bodies& bodies) override;
  void replace(const Bodies& bodies) override { load(bodies); }
  using Engine::apply;
  void apply(std::span<const Operation> operations) override;
  void finish() override { context_.finish(); }
  Energies pair_energies() override { return judge().pair_energies(); }
  Accelerations pair_accelerations() override { return judge().pair_accelerations(); }
  std::vector<double> pair_potentials() override { return judge().pair_potentials(); }
  bool finite() override;
  bool gives_jerk() const override { return false; }
  Resolution describe() const override;
  Instruments instruments() override;
  EngineState save_state() override;
  void restore_state(const EngineState& state) override;

 private:
  // With the present state loaded.
  Engine& judge();

  StepEngineOptions options_;
  device::Context context_;
  device::UserProgram program_;
  StepForm form_;
  std::optional<StepKernel> kernel_;
  std::unique_ptr<Engine> judge_;
  StepNumbers numbers_;
  Bodies bodies_;  // as they were loaded; the constant columns are those of now
};

}  // namespace apsis
