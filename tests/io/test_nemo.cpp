// SPDX-License-Identifier: MIT
// NEMO's structured files: made here item by item, as its programs write them.
#include "files/expect_error.hpp"
#include <apsis/io/nemo_items.hpp>
#include <apsis/io/snapshot_formats.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace apsis {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::int32_t cartesian = 65536 + 3 * 256 + 2;

class File {
 public:
  explicit File(bool swap = false) : swap_(swap) {}

  File& begin(const std::string& tag) { return head('(', tag, {}); }
  File& end() {
    magic(0x0992);
    text(")");
    return *this;
  }
  template <class Value>
  File& one(char type, const std::string& tag, Value value) {
    head(type, tag, {});
    put(value);
    return *this;
  }
  template <class Value>
  File& many(char type, const std::string& tag, const std::vector<std::int32_t>& dimensions,
             const std::vector<Value>& values) {
    head(type, tag, dimensions);
    for (const Value value : values) put(value);
    return *this;
  }
  File& head(char type, const std::string& tag, const std::vector<std::int32_t>& dimensions) {
    magic(dimensions.empty() ? 0x0992 : 0x0b92);
    text(std::string(1, type));
    text(tag);
    for (const std::int32_t dimension : dimensions) put(dimension);
    if (!dimensions.empty()) put(std::int32_t{0});
    return *this;
  }
  File& parameters(std::int32_t bodies, double time) {
    return begin("Parameters").one('i', "Nobj", bodies).one('d', "Time", time).end();
  }
  const Bytes& bytes() const { return bytes_; }

 private:
  void magic(std::uint16_t number) { put(number); }
  void text(const std::string& letters) {
    for (const char letter : letters) bytes_.push_back(static_cast<std::byte>(letter));
    bytes_.push_back(std::byte{0});
  }
  template <class Value>
  void put(Value value) {
    auto raw = std::bit_cast<std::array<std::byte, sizeof value>>(value);
    if (swap_) std::reverse(raw.begin(), raw.end());
    bytes_.insert(bytes_.end(), raw.begin(), raw.end());
  }

  bool swap_;
  Bytes bytes_;
};

File two_bodies(bool swap, double time = 2.5, bool masses = true) {
  File file(swap);
  file.begin("SnapShot").parameters(2, time).begin("Particles").one('i', "CoordSystem", cartesian);
  if (masses) file.many<float>('f', "Mass", {2}, {0.5F, 0.25F});
  file.many<double>('d', "PhaseSpace", {2, 2, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, time});
  file.end().end();
  return file;
}

Bytes joined(const std::vector<File>& files) {
  Bytes all;
  for (const File& file : files) all.insert(all.end(), file.bytes().begin(), file.bytes().end());
  return all;
}

void expect_refused(const Bytes& bytes, const std::string& word) {
  expect_error(ExitCode::bad_data, word, [&] { parse_nemo(bytes, "n"); });
}

TEST(Nemo, snapshots_of_either_byte_order_are_read) {
  for (const bool swap : {false, true}) {
    const Bytes bytes = two_bodies(swap).bytes();
    const Snapshot s = parse_nemo(bytes, "n");
    EXPECT_EQ(s.time, 2.5);
    EXPECT_EQ(s.bodies.mass, (std::vector<double>{0.5, 0.25}));
    EXPECT_EQ(s.bodies.position(1), (Vec3{7, 8, 9}));
    EXPECT_EQ(s.bodies.velocity(0), (Vec3{4, 5, 6}));
    EXPECT_EQ(s.bodies.velocity(1), (Vec3{10, 11, 2.5}));
    EXPECT_TRUE(s.bodies.type.empty());
    EXPECT_EQ(s.frames, 1U);
    const auto start = std::span(bytes).first(32);
    EXPECT_TRUE(nemo_format().looks_like(start, bytes.size()));
    for (const SnapshotFormat& other : snapshot_formats()) {
      if (other.name == "NEMO" || other.looks_like == nullptr) continue;
      EXPECT_FALSE(other.looks_like(start, bytes.size())) << other.name;
    }
    EXPECT_EQ(nemo_format().flavour(bytes), swap ? "NEMO, big-endian" : "NEMO, little-endian");
  }
}

TEST(Nemo, has_no_units_and_gravity_of_one) {
  const Snapshot s = parse_nemo(two_bodies(false).bytes(), "n");
  EXPECT_TRUE(s.units_assumed);
  EXPECT_EQ(s.units, Units{});
  EXPECT_EQ(s.law.constant, 1);
  EXPECT_TRUE(s.warnings.empty());
}

TEST(Nemo, of_several_snapshots_the_last_is_taken_with_a_warning_and_any_by_its_number) {
  const Bytes bytes =
      joined({two_bodies(false, 1), two_bodies(true, 2, false), two_bodies(false, 3, false)});
  const Snapshot last = parse_snapshot(bytes, nemo_format(), "n");
  EXPECT_EQ(last.frames, 3U);
  EXPECT_EQ(last.time, 3);
  ASSERT_EQ(last.warnings.size(), 1U);
  EXPECT_EQ(last.warnings[0].code, WarningCode::several_snapshots);
  EXPECT_THAT(last.warnings[0].text, HasSubstr("n holds 3 snapshots: the last one, of time 3"));
  for (std::uint64_t frame = 1; frame <= 3; ++frame) {
    const Snapshot s = parse_snapshot(bytes, nemo_format(), "n", {.frame = frame});
    EXPECT_EQ(s.time, static_cast<double>(frame));
    EXPECT_EQ(s.bodies.velocity(1).z, static_cast<double>(frame));
    EXPECT_THAT(s.bodies.mass, ElementsAre(0.5, 0.25)) << "those of the first";
    EXPECT_TRUE(s.warnings.empty());
  }
  expect_error(ExitCode::bad_data,
               "holds 3 snapshots, and number 4 was asked for; they are numbered",
               [&] { parse_nemo(bytes, "n", {.frame = 4}); });
}

TEST(Nemo, a_format_with_one_snapshot_has_no_second) {
  const std::string table = "x,y,z\n1,2,3\n";
  EXPECT_EQ(parse_snapshot(bytes_of(table), csv_format(), "t", {.frame = 1}).bodies.size(), 1U);
  expect_error(ExitCode::bad_data, "t holds 1 snapshot, and number 2",
               [&] { parse_snapshot(bytes_of(table), csv_format(), "t", {.frame = 2}); });
}

TEST(Nemo, keys_that_differ_are_ids_and_others_are_not) {
  const auto with_keys = [](const std::vector<std::int32_t>& keys) {
    File file;
    file.begin("SnapShot").parameters(2, 0).begin("Particles");
    file.many<double>('d', "Position", {2, 3}, {1, 2, 3, 4, 5, 6}).many('i', "Key", {2}, keys);
    return parse_nemo(file.end().end().bytes(), "n");
  };
  EXPECT_THAT(with_keys({9, 4}).bodies.id, ElementsAre(9, 4));
  EXPECT_THAT(with_keys({9, 4}).not_given, ElementsAre("velocity", "mass"));
  EXPECT_THAT(with_keys({0, 0}).bodies.id, ElementsAre(0, 1));
  EXPECT_TRUE(with_keys({0, 0}).warnings.empty()) << "as programs write that have none";
  for (const auto& keys : {std::vector<std::int32_t>{3, 3}, std::vector<std::int32_t>{-1, 3}}) {
    const Snapshot s = with_keys(keys);
    EXPECT_THAT(s.bodies.id, ElementsAre(0, 1));
    ASSERT_EQ(s.warnings.size(), 1U);
    EXPECT_EQ(s.warnings[0].code, WarningCode::ids_dropped);
  }
}

TEST(Nemo, cut_files_are_refused_at_every_length) {
  const Bytes whole = two_bodies(false).bytes();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_THROW(parse_nemo(std::span(whole).first(length), "n"), Error) << length;
  }
  parse_nemo(whole, "n");
}

TEST(Nemo, coordinates_that_are_not_cartesian_in_space_are_refused_by_name) {
  const auto in_system = [](std::int32_t code) {
    File file;
    file.begin("SnapShot").parameters(1, 0).begin("Particles").one('i', "CoordSystem", code);
    return file.many<double>('d', "PhaseSpace", {1, 2, 3}, {1, 2, 3, 4, 5, 6}).end().end().bytes();
  };
  EXPECT_EQ(parse_nemo(in_system(cartesian), "n").bodies.size(), 1U);
  expect_refused(in_system(2 * 65536 + 3 * 256 + 2), "0401402 (spherical coordinates in 3");
  expect_refused(in_system(65536 + 2 * 256 + 2), "(Cartesian coordinates in 2 dimensions)");
  expect_refused(in_system(0), "(unknown coordinates in 0 dimensions)");
}

TEST(Nemo, items_that_contradict_the_number_of_bodies_or_have_other_types_are_refused) {
  const auto with = [](auto add) {
    File file;
    file.begin("SnapShot").parameters(2, 0).begin("Particles");
    file.many<double>('d', "Position", {2, 3}, {1, 2, 3, 4, 5, 6});
    add(file);
    return file.end().end().bytes();
  };
  expect_refused(with([](File& f) {
                   f.many<double>('d', "Velocity", {6}, {1, 2, 3, 4, 5, 6});
                 }),
                 "Velocity has 6 values of type 'd', where 2 x 3 values");
  expect_refused(with([](File& f) {
                   f.many<std::int32_t>('i', "Mass", {2}, {1, 2});
                 }),
                 "Mass has 2 values of type 'i'");
  expect_refused(with([](File& f) { f.one('d', "Potential", 1.0); }),
                 "Potential has one value of type 'd', where 2 values");
  expect_refused(with([](File& f) { f.head('x', "Odd", {}); }), "no item of a structured file");
  expect_refused(with([](File& f) { f.many<double>('d', "Odd", {-1}, {}); }), "-1 is no dimension");
}

TEST(Nemo, claims_beyond_the_file_or_the_memory_are_refused_before_anything_is_allocated) {
  File product;
  product.head('d', "Mass", std::vector<std::int32_t>(8, std::numeric_limits<std::int32_t>::max()));
  expect_refused(product.bytes(), "and 0 bytes are left");
  File bodies;
  bodies.begin("SnapShot").parameters(std::numeric_limits<std::int32_t>::max(), 0);
  bodies.begin("Particles").many<double>('d', "Position", {1, 3}, {1, 2, 3}).end().end();
  expect_refused(bodies.bytes(), "2147483647");
  File nested;
  for (int k = 0; k < 1000; ++k) nested.begin("s");
  expect_refused(nested.bytes(), "more than 16 sets lie in each other");
  File small;
  for (int k = 0; k < 1000; ++k) small.one('i', "a", k);
  expect_error(ExitCode::bad_data, "more items than fit into memory",
               [&] { nemo_items(small.bytes(), "n", 1 << 16); });
}

TEST(Nemo, a_snapshot_without_bodies_is_one_and_energies_alone_are_none) {
  File empty;
  empty.begin("SnapShot").parameters(0, 1).begin("Particles").end().end();
  EXPECT_EQ(parse_nemo(empty.bytes(), "n").bodies.size(), 0U);
  File energies;
  energies.begin("SnapShot").parameters(7, 1).begin("Diagnostics").end().end();
  expect_refused(energies.bytes(), "no SnapShot with places of bodies");
}

TEST(Nemo, the_commands_that_made_a_file_are_kept_as_plain_text) {
  File file;
  file.many<char>('c', "History", {4}, {'a', '\x1b', 'b', 0});
  file.many<char>('c', "Headline", {2}, {'c', 0});
  const Snapshot s = parse_nemo(joined({file, two_bodies(false)}), "n");
  ASSERT_EQ(s.provenance.size(), 1U);
  EXPECT_EQ(s.provenance[0].second, "a?b\nc");
}

}  // namespace
}  // namespace apsis
