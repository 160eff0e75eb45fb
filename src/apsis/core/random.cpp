// SPDX-License-Identifier: MIT
#include <apsis/core/random.hpp>

#include <Random123/philox.h>

#include <cmath>
#include <numbers>

namespace apsis {

std::uint64_t BodyRandom::next() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  const auto low = [](std::uint64_t word) { return static_cast<std::uint32_t>(word); };
  const auto high = [](std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32U); };
  const r123::Philox4x32::ctr_type counter{{low(body_), high(body_), stream_, draw_++}};
  const r123::Philox4x32::key_type key{{low(seed_), high(seed_)}};
  const auto block = r123::Philox4x32{}(counter, key);
  spare_ = (std::uint64_t{block[2]} << 32U) | block[3];
  has_spare_ = true;
  return (std::uint64_t{block[0]} << 32U) | block[1];
}

double BodyRandom::uniform() {
  // the middle of one of 2^52 cells, so neither 0 nor 1 can occur
  return (static_cast<double>(next() >> 12U) + 0.5) * 0x1p-52;
}

double BodyRandom::normal() {
  // Box-Muller without keeping the second value: one draw, one meaning
  const double radius = std::sqrt(-2.0 * std::log(uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

Vec3 BodyRandom::direction() {
  const double z = uniform(-1.0, 1.0);
  const double angle = uniform(0.0, 2.0 * std::numbers::pi);
  const double ring = std::sqrt((1.0 - z) * (1.0 + z));
  return {ring * std::cos(angle), ring * std::sin(angle), z};
}

Vec3 BodyRandom::in_ball() {
  const double radius = std::cbrt(uniform());
  return radius * direction();
}

}  // namespace apsis
