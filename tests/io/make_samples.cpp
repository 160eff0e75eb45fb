// SPDX-License-Identifier: MIT
// Writes the same snapshots as HDF5 and as CSV into a folder, for readback.py to compare.
#include "io/samples.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

int main(int argc, char** argv) {
  using namespace apsis;
  if (argc != 2) return 64;
  const std::filesystem::path folder = argv[1];
  try {
    for (const std::size_t n : {2, 3, 1000, 20000}) {
      Snapshot snapshot = sample_snapshot(n, n == 1000);
      if (n == 1000) add_fields(snapshot);
      write_snapshot(folder / fmt::format("s{}.csv", n), snapshot);
      write_snapshot(folder / fmt::format("s{}.hdf5", n), snapshot);
    }
    Snapshot away = sample_snapshot(500);
    for (double& x : away.bodies.x()) x += 1000;
    for (double& z : away.bodies.z()) z = 7;
    away.units = {};
    Snapshot typed = sample_snapshot(300, true);
    add_fields(typed);
    for (int i = 0; i < 300; ++i) {
      typed.bodies.type.push_back(static_cast<std::uint8_t>(i % 5 == 0 ? 0 : i % 3 + 1));
    }
    write_snapshot(folder / "typed.csv", typed);
    write_snapshot(folder / "typed.hdf5", typed);
    write_snapshot(folder / "away.csv", away);
    write_snapshot(folder / "away.hdf5", away);
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
  return 0;
}
