// SPDX-License-Identifier: MIT
#define XXH_INLINE_ALL
#include <apsis/files/hash.hpp>

#include <xxhash.h>

#include <cstring>

namespace apsis {
namespace {

Hash128 canonical(XXH128_hash_t value) {
  XXH128_canonical_t text;
  XXH128_canonicalFromHash(&text, value);
  Hash128 hash;
  static_assert(sizeof text.digest == sizeof hash.bytes);
  std::memcpy(hash.bytes.data(), text.digest, sizeof text.digest);
  return hash;
}

}  // namespace

struct Hasher::State {
  XXH3_state_t xxh{};
};

Hasher::Hasher() : state_(std::make_unique<State>()) { XXH3_128bits_reset(&state_->xxh); }
Hasher::~Hasher() = default;

void Hasher::add(std::span<const std::byte> bytes) {
  if (!bytes.empty()) XXH3_128bits_update(&state_->xxh, bytes.data(), bytes.size());
}

Hash128 Hasher::hash() const { return canonical(XXH3_128bits_digest(&state_->xxh)); }

Hash128 hash_of(std::span<const std::byte> bytes) {
  return canonical(XXH3_128bits(bytes.data(), bytes.size()));
}

std::string to_hex(const Hash128& hash) {
  constexpr const char* digits = "0123456789abcdef";
  std::string text;
  for (const std::byte byte : hash.bytes) {
    const auto value = std::to_integer<unsigned>(byte);
    text += digits[value >> 4];
    text += digits[value & 15];
  }
  return text;
}

}  // namespace apsis
