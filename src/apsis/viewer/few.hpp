// SPDX-License-Identifier: MIT
// The bodies that a page draws one by one, with a name, a size by mass and a trace: all of them
// where they are few, else those that outweigh the others.
#pragma once

#include <apsis/core/bodies.hpp>
#include <apsis/core/vec3.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace apsis::viewer {

struct FewBody {
  std::uint64_t id = 0;
  double mass = 0, charge = 0, radius = 0, speed = 0;
  Vec3 place, velocity;
};

// So many bodies are few.
inline constexpr std::size_t most_few = 50;

// In the order of their ids. Speeds are relative to `drift`.
void take_few(const Bodies& bodies, Vec3 drift, std::vector<FewBody>& few);

}  // namespace apsis::viewer
