// SPDX-License-Identifier: MIT
// All pairs on the CPU: threads share the targets, the compiler vectorises over the sources.
// Every target is summed by one thread in a fixed order: same bits for any number of threads.
#pragma once

#include <apsis/core/choices.hpp>
#include <apsis/solvers/solver.hpp>

#include <memory>
#include <string>
#include <vector>

namespace apsis {

struct DirectHostSettings {
  double softening = 0;
  int threads = 0;  // 0: all
  // Pairs in float: f32 and mixed; in double: f64.
  Precision precision = Precision::f64;
  // f64: the bits of every OpenCL device in that mode. Otherwise nothing changes: sums have one
  // order whatever the threads.
  bool reproducible = false;
};

// State float serves f32, state double serves mixed and f64.
template <class State>
std::unique_ptr<Solver<Host<State>>> make_direct_host(const DirectHostSettings& settings);

// Names of the implementations; the first is the default.
std::vector<std::string> direct_host_variants();

// What the pair loops run with, for example "x86-64-v4".
std::string direct_host_instruction_set();

}  // namespace apsis
