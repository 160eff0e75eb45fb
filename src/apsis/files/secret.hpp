// SPDX-License-Identifier: MIT
// A secret of this user, to mark what he wrote himself.
#pragma once

#include <apsis/files/file.hpp>

#include <filesystem>

namespace apsis {

// 32 random bytes, kept in that file, which only its owner can read. New ones where it is not there
// or others could have read or written it; what the old ones marked is then nobody's any more.
Bytes secret_in(const std::filesystem::path& file);

// From the kernel; unavailable where it gives none.
void fill_with_random(std::span<std::byte> bytes);

}  // namespace apsis
