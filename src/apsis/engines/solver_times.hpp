// SPDX-License-Identifier: MIT
// Where fmm overtakes direct: what solver = "auto" measured at a place, in a file of the cache
// folder that all runs share.
#pragma once

#include <apsis/core/choices.hpp>
#include <apsis/core/pair_law.hpp>
#include <apsis/core/settings.hpp>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace apsis {

// What the times depend on, besides the number of bodies.
struct TimedTask {
  std::string device, driver;
  int threads = 0;  // of the native cpu
  Precision precision = Precision::f32;
  Law law = Law::gravity;
  FarFieldSettings far_field;
};

// Seconds of one evaluation of that many bodies.
struct SolverTimes {
  std::size_t bodies = 0;
  double direct = 0, fmm = 0;
};

// $CACHE/solver_times.json
std::filesystem::path solver_times_file();

// All that is known, by rising number of bodies; empty where the file can't be read.
std::vector<SolverTimes> known_solver_times(const TimedTask& task);

// Takes the place of what was measured before with this number of bodies.
void remember_solver_times(const TimedTask& task, const SolverTimes& times);

// Direct sums are more accurate by far, which should not go for a few per cent of time: fmm is
// taken where it is this many times as fast.
inline constexpr double fmm_pays_from = 1.5;
bool fmm_pays(const SolverTimes& times);

// Whether fmm pays for so many bodies, where that follows from `known` (by rising number of
// bodies). Between two measurements it is a matter of interpolation; beyond them, of how fast the
// ratio can change at all: direct grows with the square, fmm not at all (a device with time to
// spare) or with the number of bodies.
std::optional<bool> fmm_pays(std::span<const SolverTimes> known, std::size_t bodies);

}  // namespace apsis
