// SPDX-License-Identifier: MIT
#include "files/expect_error.hpp"
#include "io/samples.hpp"
#include <apsis/io/snapshot_formats.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <string>

namespace apsis {
namespace {

template <class Value>
void put(Bytes& bytes, Value value, bool swap) {
  auto raw = std::bit_cast<std::array<std::byte, sizeof value>>(value);
  if (swap) std::reverse(raw.begin(), raw.end());
  for (const std::byte byte : raw) bytes.push_back(byte);
}

Bytes header(double time, std::array<std::int32_t, 5> counts, bool padded, bool swap) {
  Bytes bytes;
  put(bytes, time, swap);
  for (const auto count : counts) put(bytes, count, swap);
  if (padded) put(bytes, 0, swap);
  return bytes;
}

void put_floats(Bytes& bytes, std::initializer_list<float> values, bool swap) {
  for (const float value : values) put(bytes, value, swap);
}

TEST(Tipsy, gas_dark_and_star_of_either_byte_order_and_padding_are_read) {
  for (const bool swap : {false, true}) {
    for (const bool padded : {false, true}) {
      Bytes bytes = header(2.5, {3, 3, 1, 1, 1}, padded, swap);
      put_floats(bytes, {1, 11, 12, 13, 14, 15, 16, 0, 0, 0.25F, 0, -1}, swap);
      put_floats(bytes, {2, 21, 22, 23, 24, 25, 26, 0.25F, -2}, swap);
      put_floats(bytes, {3, 31, 32, 33, 34, 35, 36, 0, 0, 0.25F, -3}, swap);
      const Snapshot s = parse_tipsy(bytes, "t.tipsy");
      EXPECT_EQ(s.time, 2.5);
      EXPECT_EQ(s.bodies.mass, (std::vector<double>{1, 2, 3}));
      EXPECT_EQ(s.bodies.position(0), (Vec3{11, 12, 13}));
      EXPECT_EQ(s.bodies.velocity(1), (Vec3{24, 25, 26}));
      EXPECT_EQ(s.bodies.velocity(2), (Vec3{34, 35, 36}));
      EXPECT_EQ(s.law.softening, 0.25);
      EXPECT_EQ(s.potential, (std::vector<double>{-1, -2, -3}));
      EXPECT_TRUE(s.units_assumed);
      EXPECT_TRUE(tipsy_format().looks_like(std::span(bytes).first(32), bytes.size()));
      EXPECT_FALSE(tipsy_format().looks_like(std::span(bytes).first(32), bytes.size() + 1));
      EXPECT_FALSE(tipsy_format().looks_like(std::span(bytes).first(32), bytes.size() - 1));
    }
  }
}

TEST(Tipsy, files_are_big_endian_unless_asked_otherwise) {
  const Snapshot s = sample_snapshot(3);
  const Bytes standard = format_tipsy(s, "t");
  EXPECT_EQ(standard.size(), 32U + 3 * 36);
  EXPECT_EQ(standard[11], std::byte{3});  // number of bodies, lowest byte last
  const Bytes native = format_tipsy(s, "t", true);
  std::int32_t n = 0;
  std::memcpy(&n, native.data() + 8, sizeof n);
  EXPECT_EQ(n, 3);
}

TEST(Tipsy, wrong_lengths_and_counts_are_refused) {
  const Bytes whole = format_tipsy(sample_snapshot(10), "t");
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_THROW(parse_tipsy(std::span(whole).first(length), "t"), Error) << length;
  }
  for (const bool swap : {false, true}) {
    expect_error(ExitCode::bad_data, "2147483647 bodies", [&] {
      parse_tipsy(header(0, {0x7fffffff, 3, 0, 0x7fffffff, 0}, true, swap), "t");
    });
    expect_error(ExitCode::bad_data, "makes no sense", [&] {
      parse_tipsy(header(0, {-1, 3, 0, -1, 0}, true, swap), "t");
    });
    expect_error(ExitCode::bad_data, "makes no sense", [&] {
      parse_tipsy(header(0, {5, 3, 0, 4, 0}, true, swap), "t");
    });
  }
}

TEST(Tipsy, no_bodies_are_a_header_alone_with_or_without_its_padding) {
  for (const bool padded : {false, true}) {
    const Bytes bytes = header(1.5, {0, 3, 0, 0, 0}, padded, false);
    EXPECT_EQ(parse_tipsy(bytes, "t").time, 1.5);
    EXPECT_TRUE(tipsy_format().looks_like(bytes, bytes.size()));
    EXPECT_FALSE(tipsy_format().looks_like(std::span(bytes).first(27), 27));
  }
}

TEST(Tipsy, spaces_have_one_to_three_dimensions) {
  for (const bool swap : {false, true}) {
    for (const std::int32_t dimensions : {1, 2, 3}) {
      EXPECT_EQ(parse_tipsy(header(2, {0, dimensions, 0, 0, 0}, true, swap), "t").time, 2);
    }
    for (const std::int32_t dimensions : {-1, 0, 4}) {
      expect_error(ExitCode::bad_data, "makes no sense", [&] {
        parse_tipsy(header(2, {0, dimensions, 0, 0, 0}, true, swap), "t");
      });
    }
  }
}

TEST(Tipsy, a_time_that_is_no_number_is_refused) {
  const Bytes bytes =
      header(std::numeric_limits<double>::quiet_NaN(), {0, 3, 0, 0, 0}, true, false);
  expect_error(ExitCode::bad_data, "t: time nan is not a number", [&] { parse_tipsy(bytes, "t"); });
}

TEST(Tipsy, more_bodies_than_fit_are_refused) {
  const Bytes bytes = format_tipsy(sample_snapshot(63), "t");
  expect_error(ExitCode::bad_data, "at most 62 bodies",
               [&] { parse_tipsy(bytes, "t", {.memory = 10000}); });
}

TEST(Tipsy, a_softening_is_the_laws_where_all_bodies_share_it_and_it_is_not_below_0) {
  const auto softening = [](float first, float second) {
    Bytes bytes = header(0, {2, 3, 0, 2, 0}, true, false);
    put_floats(bytes, {1, 1, 2, 3, 4, 5, 6, first, 0}, false);
    put_floats(bytes, {1, 1, 2, 3, 4, 5, 6, second, 0}, false);
    return parse_tipsy(bytes, "t").law.softening;
  };
  EXPECT_EQ(softening(0.5F, 0.5F), 0.5);
  EXPECT_EQ(softening(0.5F, 0.25F), 0);
  EXPECT_EQ(softening(-0.5F, -0.5F), 0);
}

TEST(Tipsy, its_flavour_is_its_byte_order) {
  const bool big_endian_here = std::endian::native == std::endian::big;
  for (const bool swap : {false, true}) {
    EXPECT_EQ(tipsy_format().flavour(header(1, {0, 3, 0, 0, 0}, true, swap)),
              swap != big_endian_here ? "TIPSY, big-endian" : "TIPSY, little-endian");
  }
}

TEST(Tipsy, a_claim_of_2_to_the_60_bodies_is_refused) {
  Bytes bytes = header(0, {0, 3, 0, 0, 0}, true, false);
  const std::uint64_t huge = std::uint64_t{1} << 60;
  std::memcpy(bytes.data() + 20, &huge, 8);
  EXPECT_THROW(parse_tipsy(bytes, "t"), Error);
}

TEST(Tipsy, numbers_beyond_float_are_refused_and_not_written_as_infinity) {
  Snapshot s = sample_snapshot(2);
  s.bodies.vx()[1] = 1e39;
  expect_error(ExitCode::bad_data, "vx of body 1", [&] { format_tipsy(s, "t"); });
}

}  // namespace
}  // namespace apsis
