// SPDX-License-Identifier: MIT
// Seam 3 of 4: an integrator advances an engine by one step, in the engine's verbs.
#pragma once

#include <apsis/engines/engine.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace apsis {

class Integrator {
 public:
  Integrator() = default;
  Integrator(const Integrator&) = delete;
  Integrator& operator=(const Integrator&) = delete;
  virtual ~Integrator() = default;

  virtual void step(Engine& engine, double dt) = 0;
  virtual int order() const = 0;
  virtual std::string name() const = 0;
  virtual bool needs_jerk() const { return false; }
  virtual int force_evaluations() const = 0;  // per step, once running
};

// euler, symplectic-euler, taylor2, leapfrog, yoshida4, yoshida6, rk4 or hermite4;
// bad_data names the nearest for others.
std::unique_ptr<Integrator> make_integrator(std::string_view name);
std::vector<std::string> integrator_names();
// One line for tables and help.
std::string integrator_summary(std::string_view name);

}  // namespace apsis
