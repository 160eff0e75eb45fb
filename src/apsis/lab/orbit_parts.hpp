// SPDX-License-Identifier: MIT
// Inside lab/: what the energy error of one orbit is made of. A part swings, the same on the way
// out and on the way back, and is gone when the orbit closes; a part stays, and adds up from orbit
// to orbit. The two may be of different orders: a scheme's largest error is then of neither.
#pragma once

#include <apsis/lab/lesson.hpp>

#include <optional>
#include <string>
#include <vector>

namespace apsis::lab {

ResultTable orbit_table();
void measure_orbits(const LabOptions& options, Recorder& recorder, std::size_t table);

struct OrbitParts {
  double stays = 0, swings = 0;  // relative changes of the energy, the former with its sign
};
// Of errors at equal steps over an orbit that begins at its pericentre or apocentre, the first
// before any step.
OrbitParts parts_of(const std::vector<double>& errors);

// To which powers of the step the parts fall, between the two longest rows above rounding.
struct OrbitPowers {
  std::optional<double> stays, swings;
};
OrbitPowers powers_of(const ResultTable& table, const std::string& integrator);

// The power to which the largest error over `orbits` orbits falls between two numbers of steps an
// orbit, if it is what stays of all of them and what swings in one.
std::optional<double> power_from_parts(const ResultTable& table, const std::string& integrator,
                                       double orbits, double fewer_steps, double more_steps);

// Why an error falls faster than the order says; empty where rows say nothing about it.
struct SteepOrder {
  std::string integrator;
  double order = 0, seen = 0;  // power that was promised, and that was measured
  double orbits = 0, fewer_steps = 0, more_steps = 0;
};
std::string reason_for(const SteepOrder& steep, const ResultTable& table);

Chart orbit_chart(const ResultTable& table);

}  // namespace apsis::lab
