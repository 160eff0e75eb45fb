// SPDX-License-Identifier: MIT
// A state with all that is needed to understand it, and the files that hold one. Formats are rows
// of a table; a file's ending chooses one (docs/files.md).
#pragma once

#include <apsis/core/bodies.hpp>
#include <apsis/core/pair_law.hpp>
#include <apsis/core/units.hpp>
#include <apsis/core/warning.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apsis {

// What a file says about the snapshot that it is a part of.
struct SnapshotParts {
  std::uint64_t files = 1;
  std::vector<std::uint64_t> bodies{};  // in all files, by type; empty where it does not say
};

struct Snapshot {
  Bodies bodies;
  double time = 0;
  Units units;
  PairLaw law;
  std::vector<double> potential{};  // optional: one per body, or empty
  Accelerations accelerations{};    // optional too
  // version, commit, device, variant, seed, spec, force_error ...: in this order, names unique
  std::vector<std::pair<std::string, std::string>> provenance{};
  // From reading, not for writing: whether the file names no units, and what else was assumed.
  bool units_assumed = false;
  std::vector<Warning> warnings{};
  std::vector<std::string>
      not_given{};  // columns that every body has, made up as the file has none
  SnapshotParts parts{};
  std::uint64_t frames = 1;  // snapshots in the file, of which this is one
};

struct ReadLimits {
  std::uint64_t memory = 0;  // bytes that the bodies may take; 0: half of the machine's memory
  // Tables of forces or other quantities alone are taken as well.
  bool places_may_miss = false;
  // And of forces that have no names: three numbers a row, or what a header calls x, y and z where
  // there is nothing else but ids, are accelerations; as is what stands last in rows
  // (x,y,z,m) (ax,ay,az).
  bool forces_alone = false;
  // One file of several is taken by itself: for who reads them all.
  bool one_part = false;
  // Of a file with several snapshots, from 1; 0: the last, and a warning that there are others.
  std::uint64_t frame = 0;
};

struct SnapshotWriteOptions {
  bool native_endian = false;  // TIPSY in this machine's byte order instead of big-endian
};

// A row of the table: a format's own file has all of it. Without `write` and `losses` files of the
// format are read alone, without `read`, `looks_like` and `flavour` they are written alone.
struct SnapshotFormat {
  std::string_view name;                  // in messages
  std::vector<std::string_view> endings;  // the first is the one that messages name
  std::string_view summary;               // for the documentation
  bool takes_byte_order = false;          // SnapshotWriteOptions::native_endian means something
  bool any_text = false;                  // looks_like takes any text, and is asked after others
  // From the first 32 bytes and the length of a file whose ending says nothing.
  bool (*looks_like)(std::span<const std::byte> beginning, std::uint64_t length) = nullptr;
  // `name` of the file starts every message.
  Snapshot (*read)(std::span<const std::byte> bytes, const std::string& name,
                   ReadLimits limits) = nullptr;
  void (*write)(const std::filesystem::path& path, const Snapshot& snapshot,
                const SnapshotWriteOptions& options) = nullptr;
  // Several snapshots into one file, one by one; null where it holds one.
  void (*write_frames)(const std::filesystem::path& path, std::uint64_t frames,
                       const std::function<Snapshot(std::uint64_t frame)>& frame) = nullptr;
  // What it cannot carry of this snapshot, one sentence each; empty: nothing.
  std::vector<std::string> (*losses)(const Snapshot& snapshot) = nullptr;
  // Whether yt opens it as GADGET's, see apsis info; null: none of them.
  bool (*opens_in_yt)(std::span<const std::byte> bytes) = nullptr;
  // What `apsis info` calls such a file: "TIPSY, big-endian".
  std::string (*flavour)(std::span<const std::byte> bytes) = nullptr;
};

std::span<const SnapshotFormat> snapshot_formats();
// ".hdf5, .csv, .tipsy or .gadget", of files that can be read
std::string snapshot_endings();
// And of those that can be written.
std::string written_endings();

// For a file to be written: bad_data for an ending that names no format, or one that is only read.
const SnapshotFormat& format_by_ending(const std::filesystem::path& path);
// By the ending, and by the first bytes where the ending says nothing.
const SnapshotFormat& format_of_file(const std::filesystem::path& path);
// Whether it is the name of files that hold bodies together, or a file that is no text: what such
// a file is, or is not, format_of_file tells.
bool holds_bytes_of_snapshot(const std::filesystem::path& path);

// All files of a snapshot in several (snap_000.0.hdf5, ...) where `path` is one of them, or names
// them without a number where there is no such file.
// Sizes are compared with the file's length and the limits before anything is allocated.
// bad_data names the file and what is wrong with it; file_error when it can't be read.
Snapshot read_snapshot(const std::filesystem::path& path, ReadLimits limits = {});

// Atomic: the file is there whole or not at all.
void write_snapshot(const std::filesystem::path& path, const Snapshot& snapshot,
                    SnapshotWriteOptions options = {});

bool hdf5_built_in();
std::string snapshot_ending();  // ".hdf5", or ".csv" where HDF5 is not built in
// Roughly the bytes that one snapshot of n bodies takes in that format.
std::uint64_t snapshot_size(std::uint64_t bodies, bool charged);

}  // namespace apsis
