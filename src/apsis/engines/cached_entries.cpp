// SPDX-License-Identifier: MIT
#include <apsis/core/error.hpp>
#include <apsis/engines/cached_entries.hpp>
#include <apsis/files/file.hpp>
#include <apsis/files/folders.hpp>

#include <nlohmann/json.hpp>

#include <utility>

namespace apsis {

CachedJson cached_entries(const std::filesystem::path& file) {
  try {
    if (!file_exists(file)) return CachedJson::array();
    CachedJson entries = CachedJson::parse(read_text(file));
    return entries.is_array() ? entries : CachedJson::array();
  } catch (const Error&) {
    return CachedJson::array();
  } catch (const CachedJson::exception&) {
    return CachedJson::array();
  }
}

void remember_entry(const std::filesystem::path& file, CachedJson entry,
                    const std::function<bool(const CachedJson&)>& replaced) {
  CachedJson kept = CachedJson::array();
  for (const CachedJson& other : cached_entries(file)) {
    if (!replaced(other)) kept.push_back(other);
  }
  kept.push_back(std::move(entry));
  write_text(file, kept.dump(2) + "\n");
}

}  // namespace apsis
