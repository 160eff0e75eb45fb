// SPDX-License-Identifier: MIT
// Inside engines/: which of the derivatives that an engine holds belong to its present state. Told
// of every operation, so that all engines agree on what is free.
#pragma once

#include <apsis/engines/operation.hpp>

namespace apsis {

class Freshness {
 public:
  Freshness() = default;  // nothing is known: other bodies have come
  // A state that was restored with the derivatives that its next step starts from.
  static Freshness of_accepted_state() {
    Freshness restored;
    restored.after(Operation::accept());
    return restored;
  }

  // Whether the accelerations (and jerks) that are wanted are there.
  bool serves(const Operation& accelerate) const {
    return level_ >= Level::accepted && (!accelerate.with_jerk || jerk_);
  }
  bool stale() const { return level_ == Level::stale; }
  bool accepted() const { return level_ == Level::accepted; }
  bool exact() const { return level_ == Level::exact; }
  bool potential() const { return potential_; }
  bool predicted() const { return predicted_; }  // and not accepted, nor moved otherwise

  void after(const Operation& operation) {
    const bool all = operation.active.all();
    switch (operation.kind) {
      case Operation::Kind::drift:
      case Operation::Kind::combine:
      case Operation::Kind::predict:
        moved();
        predicted_ = operation.kind == Operation::Kind::predict;
        return;
      case Operation::Kind::correct:
      case Operation::Kind::advance:
        return moved();
      case Operation::Kind::kick:
        jerk_ = predicted_ = false;
        return;
      case Operation::Kind::accelerate:
        level_ = all ? Level::exact : Level::some;
        jerk_ = all && operation.with_jerk;
        if (all) potential_ = false;
        return;
      case Operation::Kind::accept:
        level_ = all ? Level::accepted : Level::some;
        jerk_ = all;
        predicted_ = false;
        return;
      case Operation::Kind::save:
      case Operation::Kind::keep_potential:
        return;
    }
  }
  // Beside accelerations, or in a pass of its own.
  void found_potential() { potential_ = true; }

 private:
  // Accelerations:
  enum class Level : unsigned char {
    stale,     // of other positions, if any
    some,      // of some bodies; the others' are of other positions
    accepted,  // those that the corrector ended with; a further pass would change their last digits
    exact      // of these positions
  };
  void moved() {
    level_ = Level::stale;
    jerk_ = potential_ = false;
  }

  Level level_ = Level::stale;
  bool jerk_ = false, potential_ = false, predicted_ = false;
};

}  // namespace apsis
