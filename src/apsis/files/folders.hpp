// SPDX-License-Identifier: MIT
// Folders: making, listing, the space that is left, and the cache that all runs share.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace apsis {

// Bytes that this user can still write there; asks the nearest existing parent where the folder
// does not exist yet.
std::uint64_t free_space(const std::filesystem::path& folder);

void make_folder(const std::filesystem::path& folder);  // with its parents; fine when it exists
bool folder_exists(const std::filesystem::path& path);
bool file_exists(const std::filesystem::path& path);

// Regular files with that start and end of name, sorted by name; none where there is no folder.
std::vector<std::filesystem::path> list_files(const std::filesystem::path& folder,
                                              std::string_view prefix = {},
                                              std::string_view suffix = {});

// $XDG_CACHE_HOME/apsis, $HOME/.cache/apsis, or a folder of this user's own under the system's
// temporary folder; made on demand, safe when several runs start at once.
std::filesystem::path cache_folder();

// Where that is not the one of the environment because others could plant something there (compiled
// kernels are in it, which run as code): which level of it is open to them. Else empty.
std::string why_not_wanted_cache();

// For a library with a cache of its own, `usual` in the user's cache folder, or wherever the
// environment variable says: where that is not set, and the usual one cannot be written by this
// user or can be by others, sets it to `instead` in our cache folder.
void name_cache_for_library(const char* variable, const std::string& usual,
                            const std::string& instead);

// "12.3 MiB", for messages.
std::string readable_size(std::uint64_t bytes);

}  // namespace apsis
