// SPDX-License-Identifier: MIT
// The container of checkpoints: named sections behind a table, everything under a hash, no byte
// outside of one. Layout in docs/files.md.
#pragma once

#include <apsis/files/file.hpp>
#include <apsis/files/hash.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace apsis {

struct Section {
  std::string name;  // at most section_name_length bytes
  std::span<const std::byte> bytes;
};

inline constexpr std::size_t section_name_length = 40;
inline constexpr std::size_t section_count_limit = 4096;

// Header and table for these sections, which follow it in this order without gaps.
Bytes section_table(std::span<const Section> sections);

struct SectionEntry {
  std::string name;
  std::uint64_t offset = 0, length = 0;
  Hash128 hash;
};
// Checks magic, version, byte order, length, the table's hash and that sections fill the file.
std::vector<SectionEntry> read_section_table(std::span<const std::byte> file);

// The same, with the hash of every section checked; the views point into `file`.
std::vector<Section> read_sections(std::span<const std::byte> file);

bool has_section_magic(std::span<const std::byte> file);

}  // namespace apsis
