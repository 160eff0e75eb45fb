// SPDX-License-Identifier: MIT
// A user's folder of kernel files, which stand for the built-in ones of the same name.
#pragma once

#include <apsis/files/hash.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace apsis {

struct KernelFolder {
  std::filesystem::path path;         // empty: none
  std::vector<std::string> replaced;  // files of kernels/ that it has too, sorted
  std::vector<std::string> edited;    // those of them whose text is another

  bool edits(std::string_view file) const;
  // Whether a file of kernels/ or one that it includes is edited.
  bool changes(const std::string& file) const;
};

// Nothing for an empty path. bad_data where there is no such folder or no kernel file in it, and
// for a .cl that nothing would read: it neither has the name of a built-in file nor is included by
// one that has. Other files are none of our business.
KernelFolder kernel_folder(const std::filesystem::path& path);

// Of the names and texts of all its kernel files.
Hash128 hash_of_kernels(const std::filesystem::path& path);

// "kernels from mine take the place of built-in ones: pair.cl (read by ...), motion.cl (unchanged)"
std::string notice_of(const KernelFolder& folder);

}  // namespace apsis
