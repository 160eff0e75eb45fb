// SPDX-License-Identifier: MIT
// What the native solvers `tree` and `fmm` share in public: the settings that follow from a wished
// accuracy, and the times of the last evaluation.
#pragma once

#include <apsis/core/settings.hpp>
#include <apsis/solvers/solver.hpp>
#include <apsis/solvers/solver_choice.hpp>

#include <memory>
#include <string>

namespace apsis {

// Whether no other choice takes less time.
bool is_cheapest(const FarFieldChoice& choice);

// For example "order=5 angle=0.8 tolerance=0.0004 leaf=32/96 roots=rough", with " sums=careful" or
// not, and back; bad_data for other text.
std::string text_of(const FarFieldChoice& choice);
FarFieldChoice far_field_choice(const std::string& text);

// Seconds of one evaluation: box, sort, tree, multipoles and estimate; walk and forces.
struct FarFieldTimes {
  double build = 0, force = 0;
};

template <class Real>
class FarFieldSolver : public Solver<Host<Real>> {
 public:
  using typename Solver<Host<Real>>::Bodies;

  // The choice in use. Before the first self-field it is the table's for the wished accuracy; then
  // a sample of bodies is compared with direct summation and the choice adjusted, unless it was
  // set.
  virtual FarFieldChoice choice() const = 0;
  virtual void use(const FarFieldChoice& choice) = 0;
  // Adjusts the choice to these bodies, as the first self-field does; returns the 99 % force error
  // of the sample with it.
  virtual double calibrate(const Bodies& bodies) = 0;
  virtual FarFieldTimes times() const = 0;

  std::optional<EvaluationParts> add_timed(const Bodies& bodies,
                                           const Field<Host<Real>>& field) override {
    this->add_self_field(bodies, field);
    return EvaluationParts{times().build, times().force};
  }
};

}  // namespace apsis
