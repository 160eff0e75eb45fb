// SPDX-License-Identifier: MIT
#include <apsis/core/printable.hpp>
#include <apsis/files/file.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/files/hash.hpp>
#include <apsis/lab/class_files.hpp>
#include <apsis/lab/lesson.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

namespace apsis::lab {
namespace {

namespace fs = std::filesystem;

// A lesson's results take some tens of kilobytes, those of all lessons less than one megabyte.
constexpr std::uint64_t largest_file = std::uint64_t{16} << 20;
constexpr const char* results_file = "results.json";

// Folders below a folder that results are looked for in: class/ada/lab/direct.
constexpr int deepest = 4;

// The files that a place stands for: of a folder every .json in it and below.
std::vector<fs::path> files_at(const fs::path& place) {
  if (!folder_exists(place)) return {place};
  std::vector<fs::path> found;
  std::error_code failure;
  constexpr auto options = fs::directory_options::skip_permission_denied;
  for (auto below = fs::recursive_directory_iterator(place, options, failure);
       below != fs::recursive_directory_iterator(); below.increment(failure)) {
    if (failure) break;
    if (below.depth() >= deepest) below.disable_recursion_pending();
    if (below->path().extension() == ".json") found.push_back(below->path());
  }
  std::sort(found.begin(), found.end());
  if (!found.empty()) return found;
  throw bad_data(fmt::format("{} holds no results of lessons", place.string()),
                 "name files that 'apsis lab' wrote, or folders with them");
}

std::optional<std::string> given_name(const Results& results) {
  for (const auto& [key, value] : results.about) {
    if (key == "name" && value.find_first_not_of(' ') != std::string::npos) return value;
  }
  return std::nullopt;
}

// What a path says about whose it is: without the names that lessons give.
std::vector<std::string> telling_parts(const fs::path& file, const std::string& lesson) {
  std::vector<std::string> parts;
  for (const fs::path& part : file.lexically_normal().relative_path().parent_path()) {
    if (part != "." && part != "..") parts.push_back(part.string());
  }
  const std::string stem = file.extension() == ".json" ? file.stem() : file.filename();
  if (file.filename() != results_file) {
    parts.push_back(stem);
    return parts;
  }
  if (!parts.empty() && parts.back() == lesson) parts.pop_back();
  if (parts.size() > 1 && parts.back() == "lab") parts.pop_back();
  if (parts.empty()) parts.push_back(stem);
  return parts;
}

std::size_t common_beginning(const std::vector<std::vector<std::string>>& all) {
  std::size_t common = all.front().size();
  for (const auto& parts : all) {
    std::size_t same = 0;
    while (same < common && same < parts.size() && parts[same] == all.front()[same]) ++same;
    common = same;
  }
  return common;
}

class Reader {
 public:
  void read(const std::string& place) {
    try {
      for (const fs::path& file : files_at(place)) read_file(file);
    } catch (const Error& error) {
      leave_out(place, error);
    }
  }

  ClassFiles finish() {
    if (files_.entries.empty() && first_) throw Error(*first_);
    std::vector<std::string> lessons;
    for (const ClassEntry& entry : files_.entries) lessons.push_back(entry.results.lesson);
    const auto names = names_from_paths(paths_, lessons);
    for (std::size_t i = 0; i < files_.entries.size(); ++i) {
      ClassEntry& entry = files_.entries[i];
      entry.who = short_text(given_name(entry.results).value_or(names[i]));
    }
    return std::move(files_);
  }

 private:
  void read_file(const fs::path& file) {
    try {
      const std::string text = read_text(file, largest_file);
      const auto [earlier, is_new] =
          seen_.try_emplace(to_hex(hash_of(bytes_of(text))), file.string());
      if (!is_new) throw duplicate(file, earlier->second);
      for (Results& results : all_results_from_json(text, file.string())) {
        lesson_named(results.lesson);
        files_.entries.push_back({file.string(), {}, std::move(results)});
        paths_.push_back(file);
      }
    } catch (const Error& error) {
      leave_out(file.string(), error);
    }
  }

  static Error duplicate(const fs::path& file, const std::string& earlier) {
    if (file.string() == earlier) {
      return bad_data(fmt::format("{} is named twice", earlier), "name it once");
    }
    return bad_data(fmt::format("{} has the same bytes as {}", file.string(), earlier),
                    "name one of the two, or ask whose it is");
  }

  void leave_out(const std::string& file, const Error& error) {
    // what a lesson's name is refused with says nothing of the file
    const bool names_it = std::string(error.what()).find(file) != std::string::npos;
    const std::string reason = names_it ? error.what() : fmt::format("{}: {}", file, error.what());
    const ExitCode code = error.code() == ExitCode::wrong_usage ? ExitCode::bad_data : error.code();
    if (!first_) first_ = Error(code, reason, error.remedy());
    files_.left_out.push_back({file, reason, code});
  }

  ClassFiles files_;
  std::vector<fs::path> paths_;              // of the entries
  std::map<std::string, std::string> seen_;  // files by the hash of their contents
  std::optional<Error> first_;
};

}  // namespace

std::string short_text(const std::string& text, std::size_t longest) {
  std::string shown = printable(text);
  std::size_t characters = 0, at = 0;
  for (; at < shown.size(); ++at) {
    const bool begins = (static_cast<unsigned char>(shown[at]) & 0xC0U) != 0x80U;
    if (begins && ++characters > longest) return shown.substr(0, at) + "…";
  }
  return shown;
}

std::vector<std::string> names_from_paths(std::span<const fs::path> files,
                                          std::span<const std::string> lessons) {
  std::vector<std::vector<std::string>> all;
  for (std::size_t i = 0; i < files.size(); ++i) {
    all.push_back(telling_parts(files[i], lessons[i]));
  }
  if (all.empty()) return {};
  const std::size_t common = common_beginning(all);
  std::vector<std::string> names;
  for (const auto& parts : all) {
    const std::size_t from = std::min(common, parts.size() - 1);
    names.push_back(
        fmt::format("{}", fmt::join(parts.begin() + static_cast<long>(from), parts.end(), "/")));
  }
  return names;
}

ClassFiles read_class(const std::vector<std::string>& places) {
  Reader reader;
  for (const std::string& place : places) reader.read(place);
  return reader.finish();
}

}  // namespace apsis::lab
