// SPDX-License-Identifier: MIT
// A state with all that is needed to understand it, and the files that hold one. The format
// follows the ending: .hdf5 or .h5 (GADGET-4 flavour), .csv, .tipsy (docs/files.md).
#pragma once

#include <apsis/core/bodies.hpp>
#include <apsis/core/force_law.hpp>
#include <apsis/core/units.hpp>
#include <apsis/core/warning.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apsis {

struct Snapshot {
  Bodies bodies;
  double time = 0;
  Units units;
  ForceLaw law;
  std::vector<double> potential{};  // optional: one per body, or empty
  Accelerations accelerations{};    // optional too
  // version, commit, device, variant, seed, spec, force_error ...: in this order, names unique
  std::vector<std::pair<std::string, std::string>> provenance{};
  // From reading, not for writing: whether the file names no units, and what else was assumed.
  bool units_assumed = false;
  std::vector<Warning> warnings{};
};

enum class SnapshotFormat { hdf5, csv, tipsy };
std::string_view name_of(SnapshotFormat format);

struct ReadLimits {
  std::uint64_t memory = 0;  // bytes that the bodies may take; 0: half of the machine's memory
};

struct SnapshotWriteOptions {
  bool native_endian = false;  // TIPSY in this machine's byte order instead of big-endian
};

// bad_data for an ending that names no format.
SnapshotFormat format_by_ending(const std::filesystem::path& path);
// By the ending, and by the first bytes where the ending says nothing.
SnapshotFormat format_of_file(const std::filesystem::path& path);

// Sizes are compared with the file's length and the limits before anything is allocated.
// bad_data names the file and what is wrong with it; file_error when it can't be read.
Snapshot read_snapshot(const std::filesystem::path& path, ReadLimits limits = {});

// Atomic: the file is there whole or not at all.
void write_snapshot(const std::filesystem::path& path, const Snapshot& snapshot,
                    SnapshotWriteOptions options = {});

// What the format of `path` cannot carry of this snapshot, one sentence each; empty: nothing.
std::vector<std::string> losses(const Snapshot& snapshot, SnapshotFormat format);

bool hdf5_built_in();
std::string snapshot_ending();  // ".hdf5", or ".csv" where HDF5 is not built in
// Roughly the bytes that one snapshot of n bodies takes in that format.
std::uint64_t snapshot_size(std::uint64_t bodies, bool charged);

}  // namespace apsis
