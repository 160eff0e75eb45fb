// SPDX-License-Identifier: MIT
// Files of the cache folder that hold a list of findings, one object each. They are a help, never
// a need: what can't be read is as good as none.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <functional>

namespace apsis {

using CachedJson = nlohmann::ordered_json;

// An array, empty where the file is missing, damaged or of another making.
CachedJson cached_entries(const std::filesystem::path& file);

// Puts `entry` at the end, in place of those for which `replaced` holds.
void remember_entry(const std::filesystem::path& file, CachedJson entry,
                    const std::function<bool(const CachedJson&)>& replaced);

}  // namespace apsis
