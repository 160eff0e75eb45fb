// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/files/descriptor.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/files/held_folder.hpp>

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string_view>
#include <system_error>

namespace apsis {
namespace {

// Relative paths in these variables are to be ignored (XDG Base Directory Specification).
std::filesystem::path absolute_from_environment(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr || value[0] != '/') return {};
  return value;
}

// Of this name in the user's cache; empty where there is none.
std::filesystem::path in_cache_of_user(const std::string& name) {
  if (const auto cache = absolute_from_environment("XDG_CACHE_HOME"); !cache.empty()) {
    return cache / name;
  }
  if (const auto home = absolute_from_environment("HOME"); !home.empty()) {
    return home / ".cache" / name;
  }
  return {};
}

std::filesystem::path wanted_cache_folder() { return in_cache_of_user("apsis"); }

constexpr ::mode_t others_write = 0022;

bool is_ours(const struct ::stat& status) { return status.st_uid == ::geteuid(); }

// The first level of a path at which another user could put something of his own in the place of
// ours; empty where there is none. Everybody may write to a sticky folder, but not rename there. A
// folder that does not exist yet would be made by us, so its nearest parent counts.
std::filesystem::path open_to_others(const std::filesystem::path& wanted) {
  auto folder = wanted;
  while (!folder_exists(folder) && folder.has_relative_path()) folder = folder.parent_path();
  std::error_code error;
  const auto real = std::filesystem::canonical(folder, error);
  if (error) return folder;
  struct ::stat status {};
  for (auto level = real;; level = level.parent_path()) {
    if (::stat(level.c_str(), &status) != 0) return level;
    const bool trusted = is_ours(status) || status.st_uid == 0;
    const bool closed = (status.st_mode & others_write) == 0;
    const bool holds_it = level != real || folder != wanted;
    const bool sticky = holds_it && (status.st_mode & S_ISVTX) != 0;
    if (!trusted || (!closed && !sticky)) return level;
    if (level == level.parent_path()) return {};
  }
}

// Made for this user alone. What an earlier version made for a group is closed.
bool usable(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder.parent_path(), error);
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return false;
  struct ::stat status {};
  if (::lstat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && is_ours(status) &&
      (status.st_mode & others_write) != 0) {
    ::chmod(folder.c_str(), status.st_mode & 07777 & ~others_write);
  }
  return ::access(folder.c_str(), W_OK | X_OK) == 0;
}

// Anybody can make folders in the temporary one, so it must be ours and closed to others.
std::filesystem::path private_temporary_folder() {
  auto folder = std::filesystem::temp_directory_path() / fmt::format("apsis-{}", ::getuid());
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
    throw os_error("make folder", folder, errno);
  }
  struct ::stat status {};
  const bool ours = ::lstat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
                    status.st_uid == ::getuid() && (status.st_mode & 0022) == 0;
  if (!ours) {
    throw file_error(fmt::format("{} belongs to somebody else", folder.string()),
                     "set XDG_CACHE_HOME to a folder of your own");
  }
  return folder;
}

}  // namespace

std::uint64_t free_space(const std::filesystem::path& folder) {
  std::error_code error;
  auto place = std::filesystem::absolute(folder);
  while (!std::filesystem::exists(place, error) && place.has_relative_path()) {
    place = place.parent_path();
  }
  const auto space = std::filesystem::space(place, error);
  if (error) throw os_error("look at the free space of", folder, error.value());
  return space.available;
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw os_error("make folder", folder, error.value());
  if (!folder_exists(folder)) throw os_error("make folder", folder, ENOTDIR);
}

bool folder_exists(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::is_directory(path, error);
}

bool file_exists(const std::filesystem::path& path) {
  const PlaceOfFile place = place_of(path);
  struct ::stat status {};
  return ::fstatat(place.folder, place.name.c_str(), &status, 0) == 0 && !S_ISDIR(status.st_mode);
}

std::vector<std::filesystem::path> list_files(const std::filesystem::path& folder,
                                              std::string_view prefix, std::string_view suffix) {
  std::vector<std::filesystem::path> found;
  const int descriptor = open_folder(folder);
  if (descriptor < 0 && errno == ENOENT) return found;
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(
      descriptor < 0 ? nullptr : ::fdopendir(descriptor), ::closedir);
  if (!entries) throw os_error("list folder", folder, errno);
  errno = 0;
  while (const dirent* entry = ::readdir(entries.get())) {
    const std::string_view name = entry->d_name;
    struct ::stat status {};
    const bool fits = name.size() >= prefix.size() + suffix.size() && name.starts_with(prefix) &&
                      name.ends_with(suffix) &&
                      ::fstatat(descriptor, entry->d_name, &status, 0) == 0 &&
                      S_ISREG(status.st_mode);  // others may remove files while we look
    if (fits) found.push_back(folder / name);
    errno = 0;
  }
  if (errno != 0) throw os_error("list folder", folder, errno);
  std::sort(found.begin(), found.end());
  return found;
}

std::filesystem::path cache_folder() {
  auto wanted = wanted_cache_folder();
  if (!wanted.empty() && usable(wanted) && open_to_others(wanted).empty()) return wanted;
  return private_temporary_folder();
}

std::string why_not_wanted_cache() {
  const auto wanted = wanted_cache_folder();
  if (wanted.empty() || (folder_exists(wanted) && !usable(wanted))) return {};
  const auto level = open_to_others(wanted);  // asking makes no folder
  if (level.empty()) return {};
  return fmt::format(
      "the cache {} is not used, since other users can write to {}; close that (chmod go-w) or set "
      "XDG_CACHE_HOME to a folder of your own",
      wanted.string(), level.string());
}

void name_cache_for_library(const char* variable, const std::string& usual,
                            const std::string& instead) {
  const char* given = std::getenv(variable);
  if (given != nullptr && *given != '\0') return;
  const auto wanted = in_cache_of_user(usual);
  // made to see whether it can be: what access(2) says to root about /proc is not true
  if (!wanted.empty() && open_to_others(wanted).empty() && usable(wanted)) return;
  try {
    ::setenv(variable, (cache_folder() / instead).c_str(), 1);
  } catch (const std::exception&) {  // nowhere to write: the library says what that means to it
  }
}

std::string readable_size(std::uint64_t bytes) {
  constexpr const char* names[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) return fmt::format("{} bytes", bytes);
  double value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  while (value >= 1024) value /= 1024, ++unit;  // 64 bits end at 16 EiB
  return fmt::format("{:.1f} {}", value, names[unit]);
}

}  // namespace apsis
