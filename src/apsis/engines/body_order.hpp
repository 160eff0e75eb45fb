// SPDX-License-Identifier: MIT
// Inside engines/: bodies in another order than the user's, and back.
#pragma once

#include <apsis/core/bodies.hpp>
#include <apsis/engines/engine.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace apsis {

class BodyOrder {
 public:
  BodyOrder() = default;  // the user's
  // Along a Morton curve through the bodies' cube, so that neighbours in the order are near each
  // other; bodies at one place keep their order.
  static BodyOrder along_curve(const Vectors& places);
  static BodyOrder along_curve(const EngineState& state);

  // The number in this order of each of the user's bodies; none where they are the same.
  std::vector<std::int32_t> numbers() const;

  Bodies applied(const Bodies& bodies) const;
  EngineState applied(const EngineState& state) const;

  void undo(Bodies& bodies) const;
  void undo(EngineState& state) const;
  void undo(Accelerations& accelerations) const;

 private:
  std::vector<std::uint32_t> user_number_;  // of each body; empty: as they are
};

}  // namespace apsis
