// SPDX-License-Identifier: MIT
// Inside io/: numbers of either byte order, and values written as floats, of formats that other
// programs defined.
#pragma once

#include <apsis/core/error.hpp>
#include <apsis/files/file.hpp>

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace apsis {

template <class Value>
Value swapped(Value value) {
  using Bits = std::conditional_t<sizeof(Value) == 8, std::uint64_t, std::uint32_t>;
  const auto bits = std::bit_cast<Bits>(value);
  if constexpr (sizeof(Value) == 8)
    return std::bit_cast<Value>(__builtin_bswap64(bits));
  else
    return std::bit_cast<Value>(__builtin_bswap32(bits));
}

template <class Value>
Value value_at(std::span<const std::byte> bytes, std::uint64_t offset, bool swap) {
  Value value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return swap ? swapped(value) : value;
}

class FloatWriter {
 public:
  // `name` of the file and `format` are for messages.
  FloatWriter(std::string name, std::string_view format, bool swap)
      : name_(std::move(name)), format_(format), swap_(swap) {}

  template <class Value>
  void put(Value value) {
    const Value ordered = swap_ ? swapped(value) : value;
    put_bytes(std::as_bytes(std::span(&ordered, 1)));
  }
  void put_bytes(std::span<const std::byte> bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  void put_float(double value, const char* what, std::size_t body) {
    if (std::abs(value) > std::numeric_limits<float>::max()) {
      throw bad_data(fmt::format("{}: {} of body {} is {}, beyond the range of {}'s floats", name_,
                                 what, body, value, format_),
                     "choose units that bring values nearer to 1, or write .hdf5 or .csv");
    }
    put(static_cast<float>(value));
  }
  void reserve(std::size_t size) { bytes_.reserve(size); }
  Bytes take() { return std::move(bytes_); }

 private:
  std::string name_;
  std::string_view format_;
  bool swap_;
  Bytes bytes_;
};

}  // namespace apsis
