// SPDX-License-Identifier: MIT
// Decisions taken from bytes: a fuzzer's, or those of a random number. What bytes do not decide any
// more is decided by zeros.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace apsis::testing {

class Choices {
 public:
  explicit Choices(std::span<const std::byte> bytes) : left_(bytes) {}

  // 0 to below count.
  std::size_t below(std::size_t count) {
    std::size_t value = byte();
    if (count > 256) value = value << 8 | byte();
    return count == 0 ? 0 : value % count;
  }
  bool perhaps() { return below(2) == 1; }
  template <class Value>
  const Value& one_of(const std::vector<Value>& values) {
    return values[below(values.size())];
  }
  bool empty() const { return left_.empty(); }

 private:
  std::size_t byte() {
    if (left_.empty()) return 0;
    const auto first = std::to_integer<std::size_t>(left_.front());
    left_ = left_.subspan(1);
    return first;
  }
  std::span<const std::byte> left_;
};

// Bytes for Choices, the same for the same number.
inline std::vector<std::byte> bytes_from(std::uint64_t seed, std::size_t count = 64) {
  std::vector<std::byte> bytes(count);
  for (std::byte& byte : bytes) {  // splitmix64
    seed += 0x9e3779b97f4a7c15ULL;
    std::uint64_t mixed = (seed ^ seed >> 30) * 0xbf58476d1ce4e5b9ULL;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebULL;
    byte = static_cast<std::byte>(mixed >> 56);
  }
  return bytes;
}

// What strangers write where a number, a word or a list is expected.
inline const std::vector<std::string>& odd_values() {
  static const std::vector<std::string> values{
      "",
      "0",
      "-1",
      "1",
      "1e308",
      "-1e308",
      "1e-320",
      "inf",
      "-inf",
      "nan",
      "2147483648",
      "4294967296",
      "9223372036854775807",
      "-9223372036854775808",
      "18446744073709551615",
      "18446744073709551616",
      "true",
      "false",
      "\"\"",
      "\"auto\"",
      "\"nobody\"",
      "[]",
      "[[[[1]]]]",
      "{}",
      "[1, \"a\", true]",
      "\"\\u001b[31m\"",
      "\"a\\nb\"",
      "0x7fffffffffffffff",
      "1979-05-27",
      "\"../../x\"",
      "0.5",
      "7",
      "64",
      "65",
      "\"f32\"",
      "\"f64\"",
      "\"mixed\"",
      "\"fmm\"",
      "\"tree\"",
      "\"bins\"",
      "\"direct\"",
      "\"coulomb\"",
      "\"cpu\"",
      "\"opencl:99\"",
      "\"hermite4\"",
      "\"rk4\"",
      "\"a + b + c\"",
      "\"order=5 angle=0.5\"",
      "\"order=5 angle=0.75 tolerance=0.0004 leaf=2000000000/2000000000 roots=rough\"",
      "\"32 32\""};
  return values;
}

}  // namespace apsis::testing
