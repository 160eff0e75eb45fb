// SPDX-License-Identifier: MIT
// All pairs on the CPU, in the rungs of one ladder: from bodies as structures on one thread to
// explicit vectors on all. Every target is summed by one thread in a fixed order: same bits for any
// number of threads.
#pragma once

#include <apsis/core/choices.hpp>
#include <apsis/core/radial_laws.hpp>
#include <apsis/solvers/solver.hpp>
#include <apsis/solvers/solver_settings.hpp>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace apsis {

// State float serves f32, state double serves mixed and f64; pairs are in float but for f64.
// Without a variant it is the fastest that takes the law; `reproducible` in f64 has the bits of
// every OpenCL device in that mode, otherwise it changes nothing. bad_data for unknown variants,
// those that do not take the radial law, and for variant `reproducible` in another precision than
// f64.
template <class State>
std::unique_ptr<Solver<Host<State>>> make_direct_host(const SolverSettings& settings);

struct DirectHostVariant {
  std::string name;
  std::string summary;  // one line for lists
  bool f64_only = false;
  bool newton_only = false;  // takes no other radial law
};

// From the simplest to the fastest; `reproducible` stands behind the ladder.
std::span<const DirectHostVariant> direct_host_variant_table();
std::vector<std::string> direct_host_variants();
std::vector<std::string> direct_host_variants(Precision precision);  // those that work in it
std::string default_direct_host_variant(Radial radial = newton);

// What the pair loops run with, for example "AVX3" or "x86-64-v4".
std::string direct_host_instruction_set();

}  // namespace apsis
