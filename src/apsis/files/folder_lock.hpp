// SPDX-License-Identifier: MIT
// One process at a time in a run's folder. The kernel frees the lock when its process dies, so a
// killed run never blocks its own resumption.
#pragma once

#include <filesystem>

namespace apsis {

class FolderLock {
 public:
  // file_error naming the process that holds the folder when there is one.
  explicit FolderLock(const std::filesystem::path& folder);
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&&) = delete;
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock();

  static constexpr const char* file_name = ".lock";

 private:
  void release() noexcept;
  int descriptor_ = -1;
};

}  // namespace apsis
