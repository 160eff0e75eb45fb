// SPDX-License-Identifier: MIT
// Checkpoints in a run's folder: two generations, so that one damaged file loses little.
#include <apsis/core/error.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/io/checkpoint.hpp>
#include <apsis/io/checkpoint_sections.hpp>
#include <apsis/io/state_parts.hpp>

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

std::string checkpoint_name(std::uint64_t step) {
  return fmt::format("{}{:08}{}", prefix, step, suffix);
}

// A number at the beginning of a text, and what follows it.
std::optional<std::uint64_t> taken_number(std::string_view& text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

std::optional<std::uint64_t> step_of(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  std::string_view rest = name;
  if (!rest.starts_with(prefix)) return std::nullopt;
  rest.remove_prefix(prefix.size());
  const auto step = taken_number(rest);
  return step && name == checkpoint_name(*step) ? step : std::nullopt;
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

// checkpoint_00000120_2of4.apsis: the second of four parts.
std::string part_name(std::uint64_t step, std::size_t part, std::size_t parts) {
  return fmt::format("{}{:08}_{}of{}{}", prefix, step, part + 1, parts, suffix);
}

bool is_part_name(std::string_view name) {
  std::string_view rest = name;
  if (!rest.starts_with(prefix)) return false;
  rest.remove_prefix(prefix.size());
  const auto step = taken_number(rest);
  if (!step || !rest.starts_with('_')) return false;
  rest.remove_prefix(1);
  const auto part = taken_number(rest);
  if (!part || *part == 0 || !rest.starts_with("of")) return false;
  rest.remove_prefix(2);
  const auto parts = taken_number(rest);
  return parts && name == part_name(*step, *part - 1, *parts);
}

std::vector<std::filesystem::path> part_files(const std::filesystem::path& folder) {
  auto files = list_files(folder, prefix, suffix);
  std::erase_if(files, [](const auto& path) { return !is_part_name(path.filename().string()); });
  return files;
}

// Those of kept steps stay; of the newest step only as many as it was written in.
void remove_old_parts(const std::filesystem::path& folder, const std::vector<std::uint64_t>& kept,
                      std::uint64_t newest, std::size_t newest_parts) {
  for (const auto& path : part_files(folder)) {
    const std::string name = path.filename().string();
    const bool stays = std::any_of(kept.begin(), kept.end(), [&](std::uint64_t step) {
      if (!name.starts_with(fmt::format("{}{:08}_", prefix, step))) return false;
      return step != newest || name.ends_with(fmt::format("of{}{}", newest_parts, suffix));
    });
    if (!stays) remove_file(path);
  }
}

// Later steps than the one just written were skipped as damaged when this run was resumed.
void remove_old(const std::filesystem::path& folder, const Checkpoint& newest) {
  std::vector<std::uint64_t> kept;
  for (const auto& [step, path] : newest_first(folder)) {
    if (step <= newest.step && kept.size() < generations) {
      kept.push_back(step);
    } else {
      remove_file(path);
    }
  }
  remove_old_parts(folder, kept, newest.step, newest.parts.size());
}

void write_sections(const std::filesystem::path& path, const Bytes& table,
                    std::span<const Section> sections) {
  std::vector<std::span<const std::byte>> chunks{table};
  for (const auto& section : sections) chunks.push_back(section.bytes);
  write_atomically(path, chunks, {.verify = true});
}

// The arrays of a checkpoint in parts, from the files beside it.
void read_parts(const std::filesystem::path& file, Checkpoint& checkpoint) {
  std::vector<EngineState> parts;
  for (std::size_t p = 0; p < checkpoint.parts.size(); ++p) {
    const auto path =
        checkpoint_part_file(file.parent_path(), checkpoint.step, p, checkpoint.parts.size());
    try {
      const Bytes bytes = read_file(path);
      parts.push_back(parse_checkpoint_part(bytes));
      const CheckpointPart& expected = checkpoint.parts[p];
      const Bytes table = section_table(PartSections(parts.back()).all());
      if (hash_of(table) != expected.hash || parts.back().bodies != expected.bodies) {
        throw bad_data("is not the part that was written with it");
      }
    } catch (const Error& error) {
      throw bad_data(fmt::format("its part {}: {}", path.filename().string(), error.what()),
                     error.remedy());
    }
  }
  const std::size_t bodies = checkpoint.state.bodies;
  checkpoint.state = joined_state(parts);
  if (checkpoint.state.bodies != bodies) throw bad_data("its parts do not hold all bodies");
  checkpoint.parts.clear();
}

}  // namespace

std::filesystem::path write_checkpoint(const std::filesystem::path& folder,
                                       const Checkpoint& checkpoint) {
  auto path = folder / checkpoint_name(checkpoint.step);
  const CheckpointSections sections(checkpoint);
  write_sections(path, section_table(sections.all()), sections.all());
  remove_old(folder, checkpoint);
  return path;
}

bool is_checkpoint_name(std::string_view name) {
  return step_of(std::filesystem::path(name)).has_value() || is_part_name(name);
}

std::filesystem::path checkpoint_part_file(const std::filesystem::path& folder, std::uint64_t step,
                                           std::size_t part, std::size_t parts) {
  return folder / part_name(step, part, parts);
}

CheckpointPart write_checkpoint_part(const std::filesystem::path& folder, std::uint64_t step,
                                     std::size_t part, std::size_t parts,
                                     const EngineState& state) {
  const PartSections sections(state);
  const Bytes table = section_table(sections.all());
  write_sections(checkpoint_part_file(folder, step, part, parts), table, sections.all());
  return {state.bodies, hash_of(table)};
}

Checkpoint read_checkpoint(const std::filesystem::path& file) {
  try {
    Checkpoint checkpoint = parse_checkpoint(read_file(file));
    if (!checkpoint.parts.empty()) read_parts(file, checkpoint);
    return checkpoint;
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
