// SPDX-License-Identifier: MIT
// XXH3-128 over bytes: what tells a damaged file from a whole one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace apsis {

// In the byte order that `xxhsum -H2` prints, so that files can be checked without Apsis.
struct Hash128 {
  std::array<std::byte, 16> bytes{};
  friend bool operator==(const Hash128&, const Hash128&) = default;
};

Hash128 hash_of(std::span<const std::byte> bytes);
std::string to_hex(const Hash128& hash);

// The same hash over bytes that come in pieces.
class Hasher {
 public:
  Hasher();
  Hasher(const Hasher&) = delete;
  Hasher& operator=(const Hasher&) = delete;
  ~Hasher();

  void add(std::span<const std::byte> bytes);
  Hash128 hash() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace apsis
