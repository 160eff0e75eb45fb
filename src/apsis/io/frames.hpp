// SPDX-License-Identifier: MIT
// The states of a run's folder, or of a file that holds several.
#pragma once

#include <apsis/io/snapshot.hpp>

#include <cstdint>
#include <filesystem>
#include <vector>

namespace apsis {

class Frames {
 public:
  // `chosen` counts from 1; 0 is the last one, with the warning of read_snapshot where a file holds
  // others. bad_data for a folder without snapshots, or where there are fewer.
  explicit Frames(const std::filesystem::path& given, std::uint64_t chosen = 0);

  std::uint64_t count() const { return count_; }
  const std::filesystem::path& file(std::uint64_t frame) const;  // that holds it
  const Snapshot& chosen() const { return chosen_; }
  // From 0; read anew each time, so that no more than one is in memory beside the chosen one.
  Snapshot at(std::uint64_t frame) const;

 private:
  std::vector<std::filesystem::path> files_;
  Snapshot chosen_;
  std::uint64_t count_ = 1;
};

// All of them into one file, of a format that holds several (SnapshotFormat::write_frames).
void write_frames(const std::filesystem::path& path, const Frames& frames);

}  // namespace apsis
