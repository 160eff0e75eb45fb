// SPDX-License-Identifier: MIT
// The folder of a run: its names, its lock, what is in it.
#pragma once

#include <apsis/files/folder_lock.hpp>
#include <apsis/files/held_folder.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace apsis {

class RunFolder {
 public:
  // Takes a folder for a new run. One that holds a run is refused unless `force`, which removes
  // that run's files (and no others).
  static RunFolder create(const std::filesystem::path& path, bool force);
  // What `create` refuses without `force`, before there is anything to put into the folder.
  static void require_no_run(const std::filesystem::path& path);
  // An existing run, to go on with. Nothing in it is touched but the lock.
  static RunFolder open(const std::filesystem::path& path);
  static bool holds_a_run(const std::filesystem::path& path);

  // Before a run starts or goes on here: what a killed writer left, and a request to stop that
  // nobody saw.
  void tidy() const;
  // Removes the files of the run that is in it, and no others.
  void clear() const;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path file(const std::string& name) const { return path_ / name; }
  std::filesystem::path snapshot_file(std::uint64_t number) const;
  std::vector<std::filesystem::path> snapshots() const;
  std::vector<std::string> run_files() const;  // names of all files that belong to the run

  // A file named `stop` asks for the end; it is taken away when seen.
  bool take_stop_request() const;

  // Called before anything is written: file_error when `bytes` do not fit the disk.
  void require_space(std::uint64_t bytes) const;

 private:
  // The lock, too, is taken in the folder that is held.
  explicit RunFolder(std::filesystem::path path)
      : path_(std::move(path)), held_(path_), lock_(path_) {}

  std::filesystem::path path_;
  HeldFolder held_;
  FolderLock lock_;
};

}  // namespace apsis
