// SPDX-License-Identifier: MIT
// The two parts of an evaluation that builds something first, on a device.
#pragma once

#include <apsis/device/context.hpp>
#include <apsis/solvers/solver.hpp>

#include <chrono>

namespace apsis {

// Both enqueue; each is waited for.
template <class Build, class Force>
EvaluationParts timed_parts(device::Context& context, Build&& build, Force&& force) {
  const auto seconds_of = [&](auto&& part) {
    const auto begin = std::chrono::steady_clock::now();
    part();
    context.finish();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  EvaluationParts parts;
  parts.build = seconds_of(build);
  parts.force = seconds_of(force);
  return parts;
}

}  // namespace apsis
