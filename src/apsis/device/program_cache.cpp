// SPDX-License-Identifier: MIT
#include <apsis/device/program_cache.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/files/secret.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <filesystem>

namespace apsis {
namespace {

constexpr std::string_view beginning = "apsis program 2\n";

std::filesystem::path program_folder() { return cache_folder() / "programs"; }

// Of the key too: a file under a wrong name is no entry either; and of a secret of this user, so
// that an entry which somebody else sealed is none, whatever way it took into the folder.
Hash128 seal_of(const ProgramKey& key, std::span<const std::byte> binary) {
  Hasher hasher;
  hasher.add(secret_in(program_folder() / "secret"));
  hasher.add(key.hash.bytes);
  hasher.add(binary);
  return hasher.hash();
}

std::filesystem::path file_of(const ProgramKey& key) {
  return program_folder() / (to_hex(key.hash) + ".bin");
}

// The binary in an entry's bytes, or nothing where they are not what was written.
std::optional<Bytes> unsealed(const ProgramKey& key, const Bytes& entry) {
  const std::size_t header = beginning.size() + sizeof(Hash128::bytes);
  if (entry.size() <= header) return std::nullopt;
  if (!std::ranges::equal(bytes_of(beginning), std::span(entry).first(beginning.size()))) {
    return std::nullopt;
  }
  const auto seal = std::span(entry).subspan(beginning.size(), sizeof(Hash128::bytes));
  const auto binary = std::span(entry).subspan(header);
  if (!std::ranges::equal(seal_of(key, binary).bytes, seal)) return std::nullopt;
  return Bytes(binary.begin(), binary.end());
}

}  // namespace

ProgramKey::ProgramKey(std::initializer_list<std::string_view> parts) {
  Hasher hasher;
  for (const std::string_view part : parts) {
    const std::uint64_t length = part.size();  // so that "ab","c" is not "a","bc"
    hasher.add(std::as_bytes(std::span(&length, 1)));
    hasher.add(bytes_of(part));
  }
  hash = hasher.hash();
}

std::optional<Bytes> cached_program(const ProgramKey& key) {
  try {
    const auto file = file_of(key);
    if (!file_exists(file)) return std::nullopt;
    auto binary = unsealed(key, read_file(file));
    if (!binary) remove_file(file);
    return binary;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

void keep_program(const ProgramKey& key, std::span<const std::byte> binary) {
  try {
    const auto file = file_of(key);
    make_folder(file.parent_path());
    const Hash128 seal = seal_of(key, binary);
    const std::array<std::span<const std::byte>, 3> chunks{bytes_of(beginning), seal.bytes, binary};
    write_atomically(file, chunks);
  } catch (const std::exception&) {
    return;  // the next start compiles again
  }
}

void forget_program(const ProgramKey& key) {
  try {
    remove_file(file_of(key));
  } catch (const std::exception&) {
    return;  // it is written anew anyway
  }
}

}  // namespace apsis
