// SPDX-License-Identifier: MIT
// The first OpenCL device for tests, opened once a process; and bodies in its memory.
#pragma once

#include <apsis/core/bodies.hpp>
#include <apsis/core/pair_law.hpp>
#include <apsis/solvers/device_views.hpp>

#include <support/devices.hpp>

#include <array>
#include <vector>

namespace apsis::test {

inline device::Context& context() {
  // never closed: drivers and oclgrind have wound up before static objects go
  static device::Context& opened = *new device::Context(discovery().devices.front());
  return opened;
}

// Four numbers a body, as the state's type.
inline device::Buffer upload(const std::vector<double>& numbers, Precision precision) {
  device::Buffer buffer = context().buffer(numbers.size() * state_bytes(precision), "test");
  if (precision == Precision::f32) {
    const std::vector<float> narrow(numbers.begin(), numbers.end());
    buffer.write(std::span(narrow));
  } else {
    buffer.write(std::span(numbers));
  }
  return buffer;
}

inline std::vector<double> download(const device::Buffer& buffer, std::size_t count,
                                    Precision precision) {
  std::vector<double> numbers(count);
  if (precision == Precision::f32) {
    std::vector<float> narrow(count);
    buffer.read(std::span(narrow));
    numbers.assign(narrow.begin(), narrow.end());
  } else {
    buffer.read(std::span(numbers));
  }
  return numbers;
}

// Bodies on the device, padded as device_views.hpp says.
struct DeviceBodies {
  std::size_t count, padded;
  device::Buffer place, velocity;

  DeviceBodies(const Bodies& b, Law law, Precision precision)
      : count(b.size()), padded(padded_count(b.size())) {
    std::vector<double> places(4 * padded), velocities(4 * padded);
    const auto& strength = strengths(b, law);
    for (std::size_t i = 0; i < padded; ++i) places[4 * i] = padding_place(precision);
    for (std::size_t i = 0; i < count; ++i) {
      const std::array place_of{b.x()[i], b.y()[i], b.z()[i], strength[i]};
      std::copy(place_of.begin(), place_of.end(), places.begin() + static_cast<long>(4 * i));
      const Vec3 v = b.velocity(i);
      velocities[4 * i] = v.x, velocities[4 * i + 1] = v.y, velocities[4 * i + 2] = v.z;
    }
    place = upload(places, precision);
    velocity = upload(velocities, precision);
  }
  BodiesView<Device> view() const { return {count, padded, &place, &velocity}; }
};

// Σ parts, four numbers a body.
inline std::vector<double> summed(const PartialSums& sums, std::size_t count, Precision precision) {
  std::vector<double> total(4 * count);
  const std::size_t stride = 4 * sums.padded;
  const auto all = download(sums.sums, stride * static_cast<std::size_t>(sums.used), precision);
  for (int part = 0; part < sums.used; ++part) {
    for (std::size_t k = 0; k < total.size(); ++k) {
      total[k] += all[static_cast<std::size_t>(part) * stride + k];
    }
  }
  return total;
}

}  // namespace apsis::test
