// SPDX-License-Identifier: MIT
// Counter-based random numbers (Philox 4x32-10): the key is the seed, the counter names the body,
// the stream and the draw, so body i is the same whatever N, the order or the threads
// (docs/adr/0004). Own distributions: the standard library's differ between implementations.
#pragma once

#include <apsis/core/vec3.hpp>

#include <cstdint>

namespace apsis {

class BodyRandom {
 public:
  // `stream` keeps independent uses of one body apart (positions, masses, ...).
  BodyRandom(std::uint64_t seed, std::uint64_t body, std::uint32_t stream = 0)
      : seed_(seed), body_(body), stream_(stream) {}

  double uniform();  // in the open interval (0, 1), 52 bits
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  double normal();   // mean 0, deviation 1
  Vec3 direction();  // uniform on the unit sphere
  Vec3 in_ball();    // uniform in the unit ball

 private:
  std::uint64_t next();

  std::uint64_t seed_, body_;
  std::uint32_t stream_;
  std::uint32_t draw_ = 0;
  std::uint64_t spare_ = 0;
  bool has_spare_ = false;
};

}  // namespace apsis
