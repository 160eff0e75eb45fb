// SPDX-License-Identifier: MIT
// What a teacher hands out for the assignment of the lesson far-field: points, what the forces
// between them are, and a script that says whether a student's are right.
#pragma once

#include <apsis/core/bodies.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace apsis::lab {

struct HandOutOptions {
  std::vector<std::uint64_t> bodies;  // empty: the sizes of the course, 32,000 and 320,000
  std::uint64_t seed = 42;
  int threads = 0;  // 0: all
};

struct HandOutFile {
  std::string name, text;
};

// Names of the files, before anything is computed.
std::vector<std::string> hand_out_names(const HandOutOptions& options);

// Forces in double on the native cpu, all pairs and by bins. `telling` hears what comes next.
std::vector<HandOutFile> far_field_hand_out(const HandOutOptions& options,
                                            const std::function<void(const std::string&)>& telling);

// file_error where one of them is there already.
void require_free_folder(const std::filesystem::path& folder,
                         const std::vector<std::string>& names);
// All of them, or none where one cannot be written: those that were not there before are removed,
// and the folder too.
void write_hand_out(const std::filesystem::path& folder, const std::vector<HandOutFile>& files);

}  // namespace apsis::lab
