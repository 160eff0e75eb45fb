// SPDX-License-Identifier: MIT
// Damaged and hostile HDF5. Others' valid files are made and read by hdf5_readback.py.
#include "files/expect_error.hpp"
#include "io/samples.hpp"
#include <apsis/io/snapshot_formats.hpp>

#include <gtest/gtest.h>

#include <optional>
#include <span>
#include <string>

namespace apsis {
namespace {

// Gives the snapshot's bodies, or nothing when it is refused.
std::optional<Snapshot> parsed(std::span<const std::byte> bytes) {
  try {
    return parse_hdf5(bytes, "s.hdf5");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_data) << error.what();
    EXPECT_FALSE(error.remedy().empty());
    return std::nullopt;
  }
}

TEST(Hdf5, every_truncation_is_found) {
  const Bytes bytes = format_hdf5(sample_snapshot(500), "s.hdf5");
  for (std::size_t length = 0; length < 4096; ++length) {
    ASSERT_FALSE(parsed(std::span(bytes).first(length))) << length;
  }
  BodyRandom random(1, 0);
  for (int i = 0; i < 1000; ++i) {
    const auto length = static_cast<std::size_t>(random.uniform() * double(bytes.size()));
    ASSERT_FALSE(parsed(std::span(bytes).first(length))) << length;
  }
}

TEST(Hdf5, a_flipped_bit_is_found_or_changes_nothing) {
  Snapshot snapshot = sample_snapshot(300, true);
  add_fields(snapshot);
  Bytes bytes = format_hdf5(snapshot, "s.hdf5");
  BodyRandom random(2, 0);
  int harmless = 0;
  constexpr int flips = 5000;
  for (int i = 0; i < flips; ++i) {
    const auto bit = static_cast<std::size_t>(random.uniform() * double(bytes.size() * 8));
    const auto mask = static_cast<std::byte>(1U << (bit % 8));
    bytes[bit / 8] ^= mask;
    if (const auto back = parsed(bytes)) {
      ++harmless;  // in a gap between records, or a note that only other programs read
      ASSERT_EQ(back->bodies, snapshot.bodies) << "bit " << bit;
      ASSERT_EQ(back->potential, snapshot.potential) << "bit " << bit;
      ASSERT_EQ(back->accelerations, snapshot.accelerations) << "bit " << bit;
      ASSERT_EQ(back->time, snapshot.time) << "bit " << bit;
    }
    bytes[bit / 8] ^= mask;
  }
  EXPECT_LT(harmless, flips / 2);
}

TEST(Hdf5, no_object_stays_open_whatever_happened) {
  Bytes bytes = format_hdf5(sample_snapshot(100), "s.hdf5");
  for (std::size_t i = 0; i < bytes.size(); i += 97) {
    bytes[i] ^= std::byte{16};
    parsed(bytes);
    bytes[i] ^= std::byte{16};
  }
  EXPECT_EQ(open_hdf5_objects(), 0U);
}

TEST(Hdf5, other_files_are_refused) {
  const std::string text = "id,m,x,y,z\n";
  expect_error(ExitCode::bad_data, "can't open it as HDF5",
               [&] { parse_hdf5(bytes_of(text), "s.hdf5"); });
  expect_error(ExitCode::bad_data, "can't open it as HDF5", [&] { parse_hdf5({}, "s.hdf5"); });
}

TEST(Hdf5, constants_of_custom_units_and_long_texts_come_back) {
  Snapshot snapshot = sample_snapshot(20, true);
  snapshot.units = {};
  snapshot.units.name = "custom";
  snapshot.units.length_in_cm = 2, snapshot.units.mass_in_g = 3;
  snapshot.units.velocity_in_cm_per_s = 5;
  snapshot.units.gravity = 7, snapshot.units.coulomb = 11;
  for (const std::size_t length : {1000, 63000, 64000, 65000, 66000, 200000}) {
    snapshot.provenance = {{"long", std::string(length, 'x')}, {"short", "y"}};
    const Snapshot back = parse_hdf5(format_hdf5(snapshot, "s.hdf5"), "s.hdf5");
    EXPECT_EQ(back.units.gravity, 7);
    EXPECT_EQ(back.units.coulomb, 11);
    EXPECT_EQ(back.provenance, snapshot.provenance) << length;
  }
}

}  // namespace
}  // namespace apsis
