// SPDX-License-Identifier: MIT
// Checkpoints in a run's folder: two generations, so that one damaged file loses little.
#include <apsis/core/error.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/io/checkpoint.hpp>
#include <apsis/io/checkpoint_sections.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

namespace apsis {
namespace {

constexpr std::string_view prefix = "checkpoint_";
constexpr std::string_view suffix = ".apsis";
constexpr std::size_t generations = 2;

struct Numbered {
  std::uint64_t step = 0;
  std::filesystem::path path;
};

std::optional<std::uint64_t> step_of(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  const char* first = name.data() + prefix.size();
  const char* last = name.data() + name.size() - suffix.size();
  std::uint64_t step = 0;
  const auto [end, error] = std::from_chars(first, last, step);
  if (error != std::errc{} || end != last) return std::nullopt;
  return step;
}

std::vector<Numbered> newest_first(const std::filesystem::path& folder) {
  std::vector<Numbered> found;
  for (const auto& path : list_files(folder, prefix, suffix)) {
    if (const auto step = step_of(path)) found.push_back({*step, path});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Numbered& a, const Numbered& b) { return a.step > b.step; });
  return found;
}

// Later steps than the one just written were skipped as damaged when this run was resumed.
void remove_old(const std::filesystem::path& folder, std::uint64_t newest_step) {
  std::size_t kept = 0;
  for (const auto& [step, path] : newest_first(folder)) {
    if (step <= newest_step && kept < generations) {
      ++kept;
    } else {
      remove_file(path);
    }
  }
}

}  // namespace

std::filesystem::path write_checkpoint(const std::filesystem::path& folder,
                                       const Checkpoint& checkpoint) {
  auto path = folder / fmt::format("{}{:08}{}", prefix, checkpoint.step, suffix);
  const CheckpointSections sections(checkpoint);
  const Bytes table = section_table(sections.all());
  std::vector<std::span<const std::byte>> chunks{table};
  for (const auto& section : sections.all()) chunks.push_back(section.bytes);
  write_atomically(path, chunks, {.verify = true});
  remove_old(folder, checkpoint.step);
  return path;
}

Checkpoint read_checkpoint(const std::filesystem::path& file) {
  try {
    return parse_checkpoint(read_file(file));
  } catch (const Error& error) {
    if (error.code() != ExitCode::bad_data) throw;
    throw bad_data(
        fmt::format("{}: {}", file.string(), error.what()),
        error.remedy().empty() ? "use another checkpoint or start the run anew" : error.remedy());
  }
}

CheckpointFound read_newest_checkpoint(const std::filesystem::path& folder) {
  std::vector<std::string> messages;
  std::string remedy;
  for (const auto& [step, path] : newest_first(folder)) {
    try {
      return {read_checkpoint(path), path, std::move(messages)};
    } catch (const Error& error) {
      messages.emplace_back(error.what());
      remedy = error.remedy();
    }
  }
  if (!folder_exists(folder)) {
    throw file_error(fmt::format("there is no folder {}", folder.string()),
                     "give the folder of a run");
  }
  if (messages.empty()) {
    throw bad_data(fmt::format("{} holds no checkpoint", folder.string()),
                   "give the folder of a run that was stopped, or start the run anew");
  }
  throw bad_data(
      fmt::format("no checkpoint can be used: {}", fmt::join(messages, "; ")),
      messages.size() == 1 ? remedy : "start the run anew, or restore one from a backup");
}

std::vector<std::filesystem::path> checkpoint_files(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  for (auto& entry : newest_first(folder)) paths.push_back(std::move(entry.path));
  return paths;
}

}  // namespace apsis
