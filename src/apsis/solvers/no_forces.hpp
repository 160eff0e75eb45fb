// SPDX-License-Identifier: MIT
// Bodies that do not feel each other: a gas of hard spheres, or tracers in an external field.
#pragma once

#include <apsis/solvers/device_views.hpp>
#include <apsis/solvers/solver.hpp>

#include <string>

namespace apsis {

template <class Where>
class NoForces final : public Solver<Where> {
 public:
  using typename Solver<Where>::Bodies;
  using typename Solver<Where>::FieldOf;

  void add_field(const Bodies& /*sources*/, const Bodies& /*targets*/,
                 const FieldOf& /*field*/) override {}
  void add_self_field(const Bodies& /*bodies*/, const FieldOf& /*field*/) override {}
  void add_part_field(const Bodies& /*bodies*/, std::size_t /*first*/, std::size_t /*count*/,
                      const FieldOf& /*field*/) override {}
  bool gives_jerk() const override { return true; }
  bool potential_keeps_field() const override { return true; }
  std::string name() const override { return "none"; }
  std::string variant() const override { return "none"; }
};

}  // namespace apsis
