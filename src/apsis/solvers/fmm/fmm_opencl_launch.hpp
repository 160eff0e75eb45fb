// SPDX-License-Identifier: MIT
// Launches and buffers as the passes of the multipole solver need them.
#pragma once

#include <apsis/core/choices.hpp>
#include <apsis/device/context.hpp>

#include <cstddef>
#include <string>

namespace apsis::fmm_opencl {

inline std::string precision_define(Precision precision) {
  return precision == Precision::f32 ? "32" : "48";
}

inline std::size_t groups_of(int count, std::size_t group) {
  return (static_cast<std::size_t>(count) + group - 1) / group;
}
inline device::Range whole_groups(int groups, std::size_t group) {
  return {{static_cast<std::size_t>(groups) * group, 1, 1}, {group, 1, 1}};
}
// At least `count` work-items, for kernels that look whether they are among them.
inline device::Range items(int count, std::size_t group = 64) {
  return whole_groups(static_cast<int>(groups_of(count, group)), group);
}

// A buffer of at least that size; one that must grow gets a quarter more, for the steps to come.
inline void reserve(device::Context& context, device::Buffer& buffer, std::size_t bytes,
                    const std::string& what) {
  if (buffer.bytes() >= bytes) return;
  const bool grows = buffer.bytes() > 0;
  buffer = {};  // the old one goes before the new one comes
  buffer = context.buffer(grows ? bytes + bytes / 4 : bytes, what);
}

}  // namespace apsis::fmm_opencl
