// SPDX-License-Identifier: MIT
// What a file is and holds, for people: `apsis info`.
#pragma once

#include <apsis/core/vec3.hpp>
#include <apsis/io/checkpoint.hpp>
#include <apsis/io/snapshot.hpp>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace apsis {

struct SnapshotInfo {
  std::uint64_t bodies = 0;
  double time = 0;
  Units units;
  bool units_assumed = false;  // the file names none
  PairLaw law;
  double total_mass = 0;
  Vec3 lower, upper;  // corners of the box that holds all bodies
  Vec3 center_of_mass;
  struct Charges {
    double total = 0;
    std::uint64_t positive = 0, negative = 0, none = 0;
  };
  std::optional<Charges> charges;
  std::map<int, std::uint64_t> types;  // how many bodies are of each
  bool has_potential = false, has_acceleration = false;
  std::vector<std::pair<std::string, std::string>> provenance;
  std::vector<Warning> warnings;
  std::string yt_line;  // Python that opens the file; empty where yt can't
};

struct CheckpointInfo {
  std::uint64_t step = 0;
  double time = 0;
  std::uint64_t bodies = 0;
  std::string layout;
  std::uint64_t seed = 0;
  double seconds_so_far = 0, energy_error_max = 0;
  std::uint64_t next_snapshot = 0;
  std::vector<LogOffset> logs;
  std::map<std::string, std::string> notes;
  std::vector<CheckpointSection> sections;
  std::string spec_toml;
};

struct RunFolderInfo {
  std::vector<std::filesystem::path> snapshots, checkpoints;  // oldest first; newest first
};

struct FileInfo {
  std::filesystem::path path;
  std::string format;  // "HDF5, GADGET-4 flavour", "TIPSY, big-endian", "checkpoint", ...
  std::vector<std::filesystem::path> files;  // of a snapshot: all that it is in, in their order
  std::uint64_t length = 0;                  // of all of them
  std::string hash;  // XXH3-128 over them, one behind the other, as xxhsum -H2 prints it
  std::optional<SnapshotInfo> snapshot;
  std::optional<CheckpointInfo> checkpoint;
  std::optional<RunFolderInfo> folder;  // the only one filled for a folder
};

FileInfo file_info(const std::filesystem::path& path, ReadLimits limits = {});

}  // namespace apsis
