// SPDX-License-Identifier: MIT
// A folder that is held open: as long as this object lives, files of that folder are opened,
// renamed and removed relative to its descriptor. A folder or link that somebody puts in its place
// gets nothing, and one that is moved goes on being written to.
#pragma once

#include <filesystem>
#include <string>

namespace apsis {

class HeldFolder {
 public:
  explicit HeldFolder(const std::filesystem::path& folder);
  HeldFolder(HeldFolder&& other) noexcept;
  HeldFolder& operator=(HeldFolder&&) = delete;
  HeldFolder(const HeldFolder&) = delete;
  HeldFolder& operator=(const HeldFolder&) = delete;
  ~HeldFolder();

 private:
  int descriptor_;
};

// For the inside of files/: what the calls whose names end in "at" are given for a path.
struct PlaceOfFile {
  int folder;  // a held one, or AT_FDCWD
  std::string name;
  bool held() const;
};
PlaceOfFile place_of(const std::filesystem::path& path);

// For the inside of files/: the descriptor of a folder to list or sync, -1 with errno set.
int open_folder(const std::filesystem::path& folder);

}  // namespace apsis
