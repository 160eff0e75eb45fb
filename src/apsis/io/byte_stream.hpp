// SPDX-License-Identifier: MIT
// Plain values to bytes and back, in this machine's byte order. The reader checks every length
// against what is left before it touches or allocates anything.
#pragma once

#include <apsis/core/error.hpp>
#include <apsis/files/file.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace apsis {

class ByteWriter {
 public:
  template <class Value>
  void put(const Value& value) {
    static_assert(std::is_arithmetic_v<Value>);
    put_bytes(std::as_bytes(std::span(&value, 1)));
  }
  void put_bytes(std::span<const std::byte> bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  void put_text(std::string_view text) {
    put(std::uint64_t{text.size()});
    put_bytes(bytes_of(text));
  }
  const Bytes& bytes() const { return bytes_; }
  Bytes take() { return std::move(bytes_); }

 private:
  Bytes bytes_;
};

class ByteReader {
 public:
  // `name` of what is read starts the messages.
  ByteReader(std::span<const std::byte> bytes, std::string name)
      : left_(bytes), name_(std::move(name)) {}

  template <class Value>
  Value take() {
    static_assert(std::is_arithmetic_v<Value>);
    Value value;
    std::memcpy(&value, take_bytes(sizeof value).data(), sizeof value);
    return value;
  }
  std::span<const std::byte> take_bytes(std::uint64_t count) {
    if (count > left_.size()) {
      throw bad_data(fmt::format("{} ends {} bytes too early", name_, count - left_.size()));
    }
    const auto taken = left_.first(static_cast<std::size_t>(count));
    left_ = left_.subspan(taken.size());
    return taken;
  }
  std::string take_text() {
    const auto bytes = take_bytes(take<std::uint64_t>());
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  // A count of things that take at least `least_size` bytes each.
  std::uint64_t take_count(std::uint64_t least_size) {
    const auto count = take<std::uint64_t>();
    if (count > left_.size() / least_size) {
      throw bad_data(fmt::format("{} claims {} entries, more than its {} bytes hold", name_, count,
                                 left_.size()));
    }
    return count;
  }
  void require_end() const {
    if (!left_.empty())
      throw bad_data(fmt::format("{} has {} bytes too many", name_, left_.size()));
  }

 private:
  std::span<const std::byte> left_;
  std::string name_;
};

}  // namespace apsis
