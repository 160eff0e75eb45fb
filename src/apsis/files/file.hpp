// SPDX-License-Identifier: MIT
// Whole files in and out. A write is seen whole or not at all: temporary name in the same folder,
// fsync, rename, fsync of the folder (docs/adr/0003).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace apsis {

using Bytes = std::vector<std::byte>;

// The machine's memory: no file that is read whole can be larger.
std::uint64_t physical_memory();

// file_error when it can't be opened or read, bad_data when it is larger than `size_limit` bytes.
Bytes read_file(const std::filesystem::path& path, std::uint64_t size_limit = physical_memory());
std::string read_text(const std::filesystem::path& path,
                      std::uint64_t size_limit = std::uint64_t{64} << 20);

// At most the first `count` bytes, to see what a file is.
Bytes read_beginning(const std::filesystem::path& path, std::size_t count);

std::uint64_t size_of_file(const std::filesystem::path& path);

struct WriteOptions {
  // Reads the file back from the disk and compares hashes before it gets its final name.
  bool verify = false;
};

// Writes the chunks one behind the other. On any failure the old file stays as it was, nothing
// new is left behind, and file_error names the file, the cause and the bytes that are missing.
void write_atomically(const std::filesystem::path& path,
                      std::span<const std::span<const std::byte>> chunks,
                      WriteOptions options = {});
void write_atomically(const std::filesystem::path& path, std::span<const std::byte> bytes,
                      WriteOptions options = {});
void write_text(const std::filesystem::path& path, std::string_view text);

// For programs that write files themselves: `writer` fills the temporary whose name it gets, and
// that takes the final name when `writer` returns. Where it throws, nothing is left behind.
void write_by_name(const std::filesystem::path& path,
                   const std::function<void(const std::filesystem::path& temporary)>& writer);

void remove_file(const std::filesystem::path& path);  // no error where there is none

// Removes temporaries whose writer is gone (killed inside write_atomically) of files whose names
// `is_ours` knows; gives their number.
std::size_t remove_leftovers(const std::filesystem::path& folder,
                             const std::function<bool(std::string_view name)>& is_ours);

inline std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

}  // namespace apsis
