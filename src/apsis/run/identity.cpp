// SPDX-License-Identifier: MIT
#include <apsis/core/columns.hpp>
#include <apsis/files/file.hpp>
#include <apsis/io/snapshot_parts.hpp>
#include <apsis/run/identity.hpp>
#include <apsis/run/spec_changes.hpp>
#include <apsis/version.hpp>

#include <fmt/format.h>

#include <span>

namespace apsis {

std::string identity_of(const RunSpec& spec, const Hash128& start) {
  std::string text = fmt::format("{} {}\n", version, commit);
  for (const auto& [key, value] : spec_values(spec)) {
    if (key == "output.directory" || is_changeable(key)) continue;
    text += fmt::format("{} = {}\n", key, value);
  }
  for (const auto& [name, value] : spec.resolved) {
    if (name != "threads") text += fmt::format("{}: {}\n", name, value);
  }
  text += to_hex(start);
  return to_hex(hash_of(bytes_of(text)));
}

Hash128 hash_of(const Bodies& bodies) {
  Hasher hasher;
  for_each_component(bodies, [&](const auto& /*column*/, const char* /*name*/, auto values) {
    hasher.add(std::as_bytes(values));
  });
  return hasher.hash();
}

std::string file_hash(const std::filesystem::path& file) {
  return to_hex(hash_of(std::span<const std::byte>(read_file(first_part_of(file)))));
}

void carry_identity(const RunSpec& from, RunSpec& to) {
  for (const char* name : {resolved_identity, resolved_initial_file}) {
    if (const auto found = from.resolved.find(name); found != from.resolved.end()) {
      to.resolved[name] = found->second;
    }
  }
}

}  // namespace apsis
