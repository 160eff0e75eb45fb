// SPDX-License-Identifier: MIT
// Folders with snapshots for tests of what is made from them.
#pragma once

#include <apsis/files/folders.hpp>
#include <apsis/io/snapshot.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

namespace apsis::test {

// An empty folder that goes with the test.
class ScratchFolder {
 public:
  ScratchFolder()
      : path_(std::filesystem::temp_directory_path() /
              fmt::format("apsis-viewer-{}-{}", ::getpid(), count++)) {
    make_folder(path_);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() { std::filesystem::remove_all(path_); }
  const std::filesystem::path& path() const { return path_; }

 private:
  static inline int count = 0;
  std::filesystem::path path_;
};

// Bodies on circles about the origin, the k-th at radius 1 + k/10 with angular speed 1.
inline Bodies circling(std::size_t n, double time) {
  Bodies bodies(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double radius = 1 + 0.1 * static_cast<double>(i);
    const double angle = time + 0.7 * static_cast<double>(i);
    bodies.set_position(i, {radius * std::cos(angle), radius * std::sin(angle), 0});
    bodies.set_velocity(i, {-radius * std::sin(angle), radius * std::cos(angle), 0});
    bodies.mass[i] = 1;
  }
  return bodies;
}

inline void write_circling(const std::filesystem::path& folder, std::size_t n,
                           const std::vector<double>& times) {
  for (std::size_t k = 0; k < times.size(); ++k) {
    Snapshot snapshot;
    snapshot.bodies = circling(n, times[k]);
    snapshot.time = times[k];
    write_snapshot(folder / fmt::format("snapshot_{:04}{}", k, snapshot_ending()), snapshot);
  }
}

}  // namespace apsis::test
