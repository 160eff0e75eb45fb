// SPDX-License-Identifier: MIT
// Snapshots and checkpoints with something in every field.
#pragma once

#include <apsis/core/random.hpp>
#include <apsis/io/checkpoint.hpp>
#include <apsis/io/snapshot.hpp>

#include <cstddef>
#include <limits>
#include <string>

namespace apsis {

inline Snapshot sample_snapshot(std::size_t n, bool charged = false) {
  Snapshot s;
  s.bodies = Bodies(n, charged);
  for (std::size_t i = 0; i < n; ++i) {
    BodyRandom random(7, i);
    s.bodies.set_position(i, 3.0 * random.in_ball());
    s.bodies.set_velocity(i, random.direction());
    s.bodies.mass[i] = random.uniform() / static_cast<double>(n);
    if (charged) s.bodies.charge[i] = random.normal();
    s.bodies.id[i] = i * 1000003 + 5;
  }
  if (n > 0) s.bodies.id[n - 1] = std::numeric_limits<std::uint64_t>::max();
  s.time = 0.1 + 1e-17;
  s.units = units_named("kpc-msun-kms");
  s.law = {.law = charged ? Law::coulomb : Law::gravity, .constant = 4.3e-6, .softening = 0.05};
  s.provenance = {{"version", "0.1.0"},
                  {"seed", "42"},
                  {"spec", "title = \"a\\b\"\nseed = 42\n"},
                  {"empty", ""}};
  return s;
}

inline void add_fields(Snapshot& s) {
  s.accelerations = Accelerations(s.bodies.size());
  for (std::size_t i = 0; i < s.bodies.size(); ++i) {
    BodyRandom random(8, i);
    s.potential.push_back(-random.uniform());
    const double x = random.normal(), y = random.normal(), z = random.normal();
    s.accelerations.set(i, {x, y, z});
  }
}

inline Checkpoint sample_checkpoint(std::size_t n = 50) {
  Checkpoint c;
  c.step = 1200;
  c.time = 12.0 / 7;
  c.spec_toml = "seed = 42\n[time]\nstep = 0.01\n";
  c.seed = 42;
  c.random_counter = 99;
  c.start = {.kinetic = 0.25,
             .potential = -0.5,
             .momentum = {1, 2, 3},
             .angular_momentum = {4, 5, 6},
             .center_of_mass = {7, 8, 9}};
  c.energy_error_max = 1e-7;
  c.next_snapshot = 3;
  c.logs = {{"energy.csv", 12345}, {"other.csv", 0}};
  c.seconds_so_far = 3.5;
  c.notes = {{"device", "cpu"}, {"solver", "direct"}};
  c.state.layout = "host f64";
  c.state.bodies = n;
  for (const char* name : {"x", "y", "vx", "id"}) {
    StateArray array{name, std::vector<std::byte>(8 * n)};
    for (std::size_t i = 0; i < array.bytes.size(); ++i) {
      array.bytes[i] = static_cast<std::byte>(i * 31 + static_cast<std::size_t>(name[0]));
    }
    c.state.arrays.push_back(std::move(array));
  }
  return c;
}

}  // namespace apsis
