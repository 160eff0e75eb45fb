// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/core/typed_command.hpp>
#include <apsis/files/file.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/io/checkpoint.hpp>
#include <apsis/io/snapshot.hpp>
#include <apsis/run/run_analyses.hpp>
#include <apsis/run/run_folder.hpp>
#include <apsis/run/run_observers.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

namespace apsis {
namespace {

bool is_fixed_name(std::string_view name) {
  if (name == "spec.toml" || name == "summary.json") return true;
  return std::ranges::any_of(run_observers(), [name](const RunObserver& observer) {
    return std::ranges::find(observer.files, name) != observer.files.end();
  });
}

std::string snapshot_name(std::uint64_t number, std::string_view ending) {
  return fmt::format("snapshot_{:04}{}", number, ending);
}

bool is_snapshot_name(std::string_view name) {
  constexpr std::string_view prefix = "snapshot_";
  if (!name.starts_with(prefix)) return false;
  std::uint64_t number = 0;
  const char* last = name.data() + name.size();
  const auto [end, error] = std::from_chars(name.data() + prefix.size(), last, number);
  if (error != std::errc{}) return false;
  // builds without HDF5 write CSV
  return name == snapshot_name(number, ".hdf5") || name == snapshot_name(number, ".csv");
}

// Exactly the names that a run writes; anything else in the folder is the user's.
bool is_name_of_run(std::string_view name) {
  return is_fixed_name(name) || is_snapshot_name(name) || is_checkpoint_name(name);
}

std::vector<std::filesystem::path> files_of_run(const std::filesystem::path& folder) {
  auto files = list_files(folder);
  std::erase_if(files, [](const auto& file) {
    return !is_name_of_run(file.filename().string()) && !is_analysis_log(file);
  });
  return files;
}

}  // namespace

void RunFolder::require_no_run(const std::filesystem::path& path) {
  const auto there = files_of_run(path);
  if (there.empty()) return;
  if (!holds_a_run(path)) {
    throw file_error(fmt::format("{} holds {}, which the run would replace", path.string(),
                                 there.front().filename().string()),
                     "choose another folder with --out, or let --force replace what a run writes");
  }
  throw bad_data(fmt::format("{} already holds a run", path.string()),
                 fmt::format("go on with --resume {}, replace it with --force, or choose "
                             "another folder with --out",
                             path.string()));
}

RunFolder RunFolder::create(const std::filesystem::path& path, bool force) {
  make_folder(path);
  RunFolder folder(path);
  if (!force) require_no_run(path);
  folder.clear();
  folder.tidy();
  return folder;
}

void RunFolder::clear() const {
  // checkpoints first: what is left of a replaced run can never be resumed by mistake
  for (const auto& file : checkpoint_files(path_)) remove_file(file);
  for (const auto& file : files_of_run(path_)) remove_file(file);
}

void RunFolder::tidy() const {
  remove_leftovers(path_, is_name_of_run);
  remove_file(path_ / "stop");
}

bool RunFolder::holds_a_run(const std::filesystem::path& path) {
  return file_exists(path / "spec.toml") || !checkpoint_files(path).empty();
}

RunFolder RunFolder::open(const std::filesystem::path& path) {
  if (!folder_exists(path)) {
    throw file_error(fmt::format("there is no folder {}", path.string()),
                     "give the folder of a run that was started before");
  }
  if (!holds_a_run(path)) {
    throw bad_data(fmt::format("{} holds no run", path.string()),
                   fmt::format("give the folder that a run was written to, or start one with `{}`",
                               typed_command("run")));
  }
  return RunFolder(path);
}

std::filesystem::path RunFolder::snapshot_file(std::uint64_t number) const {
  return path_ / snapshot_name(number, snapshot_ending());
}

std::vector<std::filesystem::path> RunFolder::snapshots() const {
  return list_files(path_, "snapshot_", snapshot_ending());
}

std::vector<std::string> RunFolder::run_files() const {
  std::vector<std::string> names;
  for (const auto& file : files_of_run(path_)) names.push_back(file.filename().string());
  return names;
}

bool RunFolder::take_stop_request() const {
  const auto request = path_ / "stop";
  if (!file_exists(request)) return false;
  remove_file(request);
  return true;
}

void RunFolder::require_space(std::uint64_t bytes) const {
  const std::uint64_t free = free_space(path_);
  if (bytes <= free) return;
  throw file_error(fmt::format("{} has {} free, but the run will write about {}", path_.string(),
                               readable_size(free), readable_size(bytes)),
                   "free some space, choose another folder with --out, or write fewer snapshots "
                   "(output.snapshot_every)");
}

}  // namespace apsis
