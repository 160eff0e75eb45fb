// SPDX-License-Identifier: MIT
// The results of a class: many files from many hands, none of which is trusted.
#pragma once

#include <apsis/core/error.hpp>
#include <apsis/lab/results.hpp>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace apsis::lab {

struct ClassEntry {
  std::string file;
  std::string who;  // what --name said, or else what the file's path has of its own
  Results results;
};

struct LeftOutFile {
  std::string file, reason;
  ExitCode code = ExitCode::bad_data;
};

struct ClassFiles {
  std::vector<ClassEntry> entries;  // one for each lesson in a file
  std::vector<LeftOutFile> left_out;
};

// Of files as lessons or --json wrote them, folders of a lesson, and folders that hold those. What
// cannot be used is left out with its reason: damaged and foreign files, and those with the
// contents of an earlier one. Throws only where nothing is left, what is wrong with the first.
ClassFiles read_class(const std::vector<std::string>& places);

// On one line and of so many characters at the most, for tables and pages.
std::string short_text(const std::string& text, std::size_t longest = 60);

// Whose file of which lesson that is: {"class/ada/direct/results.json", "class/bob.json"} are
// "ada" and "bob".
std::vector<std::string> names_from_paths(std::span<const std::filesystem::path> files,
                                          std::span<const std::string> lessons);

}  // namespace apsis::lab
