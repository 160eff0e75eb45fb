// SPDX-License-Identifier: MIT
// A lesson's folder: results, charts with their scripts, and a page that joins them.
#pragma once

#include <apsis/lab/lesson.hpp>

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace apsis::lab {

struct ReportPicture {
  std::string title;
  std::vector<std::byte> png;  // empty: not drawn
  std::string problem;         // why not
};

// A page that needs nothing else: no network, no other file.
std::string report_html(const Lesson& lesson, const Results& results,
                        const std::vector<std::string>& findings,
                        const std::vector<ReportPicture>& pictures);

struct WrittenLesson {
  std::filesystem::path folder;
  std::vector<std::string> files;
  std::vector<std::string> findings;
  std::vector<std::string> problems;  // pictures that could not be drawn, and why
};

// file_error where the folder has files of the same names that no lesson wrote, unless `force`.
void require_own(const std::filesystem::path& folder, bool force);

// Writes everything from what was measured; each file appears whole or not at all.
WrittenLesson write_lesson(const Lesson& lesson, const Results& results,
                           const std::filesystem::path& folder);

// From a folder, or the results.json in it.
Results read_results(const std::filesystem::path& place);

}  // namespace apsis::lab
