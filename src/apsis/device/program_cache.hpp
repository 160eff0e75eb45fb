// SPDX-License-Identifier: MIT
// Built programs on the disk, in programs/ of the cache folder. It only saves time: whatever is
// wrong with it, the program is built from its text.
#pragma once

#include <apsis/files/file.hpp>
#include <apsis/files/hash.hpp>

#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>

namespace apsis {

// All that the result of a build depends on.
struct ProgramKey {
  explicit ProgramKey(std::initializer_list<std::string_view> parts);
  Hash128 hash;
};

// Nothing where there is none. A damaged entry is removed.
std::optional<Bytes> cached_program(const ProgramKey& key);

// Several processes may keep the same program at once; no error where the disk refuses.
void keep_program(const ProgramKey& key, std::span<const std::byte> binary);
void forget_program(const ProgramKey& key);

}  // namespace apsis
