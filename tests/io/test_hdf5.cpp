// SPDX-License-Identifier: MIT
// Damaged and hostile HDF5. Others' valid files are made and read by hdf5_readback.py.
#include "files/expect_error.hpp"
#include "io/foreign_file.hpp"
#include "io/samples.hpp"
#include <apsis/io/snapshot_formats.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace apsis {
namespace {

using test::array_in;
using test::number_in;
using test::text_in;
using testing::ElementsAre;

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

// Readers of GADGET's files look for these.
TEST(Hdf5, has_what_other_programs_ask_for) {
  Snapshot snapshot = sample_snapshot(3, true);
  add_fields(snapshot);
  snapshot.units = custom_units(2, 3, 5);
  const Bytes file = format_hdf5(snapshot, "s.hdf5");
  for (const char* flag :
       {"Flag_Sfr", "Flag_Cooling", "Flag_StellarAge", "Flag_Metals", "Flag_Feedback",
        "Flag_Entropy_ICs", "Flag_DoublePrecision", "Redshift", "BoxSize", "Omega0", "OmegaLambda",
        "NumPart_Total", "NumPart_Total_HighWord", "MassTable"}) {
    EXPECT_EQ(number_in(file, "Header", flag), 0) << flag;
  }
  EXPECT_EQ(number_in(file, "Header", "HubbleParam"), 1);
  EXPECT_EQ(number_in(file, "Header", "NumFilesPerSnapshot"), 1);
  EXPECT_EQ(number_in(file, "Header", "Time"), snapshot.time);
  for (const char* softening : {"SofteningComovingClass0", "SofteningMaxPhysClass0", "Softening"}) {
    EXPECT_EQ(number_in(file, "Parameters", softening), 0.05) << softening;
  }
  EXPECT_EQ(number_in(file, "Parameters", "SofteningClassOfPartType1"), 0);
  EXPECT_EQ(number_in(file, "Parameters", "UnitLength_in_cm"), 2);
  EXPECT_EQ(number_in(file, "Parameters", "UnitMass_in_g"), 3);
  EXPECT_EQ(number_in(file, "Parameters", "UnitVelocity_in_cm_per_s"), 5);
}

TEST(Hdf5, arrays_tell_their_dimensions) {
  struct Dimension {
    const char* array;
    double length, mass, velocity, to_cgs;
  };
  Snapshot snapshot = sample_snapshot(3, true);
  add_fields(snapshot);
  snapshot.units = custom_units(2, 3, 5);
  const Bytes file = format_hdf5(snapshot, "s.hdf5");
  for (const Dimension& wanted : {Dimension{"Coordinates", 1, 0, 0, 2},
                                  {"Velocities", 0, 0, 1, 5},
                                  {"Masses", 0, 1, 0, 3},
                                  {"ParticleIDs", 0, 0, 0, 0},
                                  {"Potential", 0, 0, 2, 25},
                                  {"Acceleration", -1, 0, 2, 12.5}}) {
    const std::string array = std::string("PartType1/") + wanted.array;
    EXPECT_EQ(number_in(file, array, "a_scaling"), 0) << array;
    EXPECT_EQ(number_in(file, array, "h_scaling"), 0) << array;
    EXPECT_EQ(number_in(file, array, "length_scaling"), wanted.length) << array;
    EXPECT_EQ(number_in(file, array, "mass_scaling"), wanted.mass) << array;
    EXPECT_EQ(number_in(file, array, "velocity_scaling"), wanted.velocity) << array;
    EXPECT_EQ(number_in(file, array, "to_cgs"), wanted.to_cgs) << array;
  }
}

// Not by way of numbers that no double holds.
TEST(Hdf5, an_array_is_turned_to_cgs_by_its_own_units_alone) {
  Snapshot snapshot = sample_snapshot(3);
  snapshot.units = {.name = "own", .length_in_cm = 1e200, .mass_in_g = 1e308};
  snapshot.units.velocity_in_cm_per_s = 1e5;
  const Bytes file = format_hdf5(snapshot, "s.hdf5");
  EXPECT_EQ(number_in(file, "PartType1/Velocities", "to_cgs"), 1e5);
  EXPECT_EQ(number_in(file, "PartType1/Coordinates", "to_cgs"), 1e200);
}

TEST(Hdf5, the_header_counts_six_types_or_as_many_as_there_are) {
  const auto counts = [](std::vector<std::uint8_t> types, const char* name) {
    Snapshot snapshot = sample_snapshot(types.size());
    snapshot.bodies.type = std::move(types);
    return test::numbers_in(format_hdf5(snapshot, "s.hdf5"), "Header", name);
  };
  for (const char* name : {"NumPart_ThisFile", "NumPart_Total"}) {
    EXPECT_THAT(counts({}, name), ElementsAre(0, 0, 0, 0, 0, 0)) << name;
    EXPECT_THAT(counts({1, 1}, name), ElementsAre(0, 2, 0, 0, 0, 0)) << name;
    EXPECT_THAT(counts({5, 1, 5}, name), ElementsAre(0, 1, 0, 0, 0, 2)) << name;
    EXPECT_THAT(counts({0, 6}, name), ElementsAre(1, 0, 0, 0, 0, 0, 1)) << name;
  }
}

// Readers of GADGET's files take a table of one column for something else.
TEST(Hdf5, arrays_of_one_number_a_body_have_one_dimension) {
  Snapshot snapshot = sample_snapshot(3, true);
  add_fields(snapshot);
  const Bytes file = format_hdf5(snapshot, "s.hdf5");
  for (const char* name : {"Masses", "ParticleIDs", "Charge", "Potential"}) {
    EXPECT_EQ(array_in(file, std::string("PartType1/") + name).rank, 1) << name;
  }
  for (const char* name : {"Coordinates", "Velocities", "Acceleration"}) {
    EXPECT_EQ(array_in(file, std::string("PartType1/") + name).rank, 2) << name;
  }
}

TEST(Hdf5, arrays_are_shuffled_and_have_checksums) {
  EXPECT_THAT(array_in(format_hdf5(sample_snapshot(3), "s.hdf5"), "PartType1/Masses").filters,
              ElementsAre(H5Z_FILTER_SHUFFLE, H5Z_FILTER_FLETCHER32));
}

TEST(Hdf5, texts_are_utf8_with_one_zero_at_their_end) {
  Snapshot snapshot = sample_snapshot(3);
  snapshot.provenance = {{"empty", ""}, {"word", "Ångström"}};
  const Bytes file = format_hdf5(snapshot, "s.hdf5");
  EXPECT_EQ(text_in(file, "Provenance", "empty").bytes, 1U);
  EXPECT_EQ(text_in(file, "Provenance", "word").bytes, std::string("Ångström").size() + 1);
  EXPECT_TRUE(text_in(file, "Provenance", "word").utf8);
  EXPECT_EQ(parse_hdf5(file, "s.hdf5").provenance, snapshot.provenance);
}

TEST(Hdf5, a_long_text_needs_no_short_one_beside_it) {
  Snapshot snapshot = sample_snapshot(3);
  snapshot.provenance = {{"long", std::string(200000, 'x')}};
  EXPECT_EQ(parse_hdf5(format_hdf5(snapshot, "s.hdf5"), "s.hdf5").provenance, snapshot.provenance);
}

TEST(Hdf5, what_cannot_be_written_is_named) {
  Snapshot snapshot = sample_snapshot(3);
  snapshot.provenance = {{"twin", "1"}, {"twin", "2"}};
  expect_error(ExitCode::bad_data,
               "s.hdf5: can't write attribute twin: ", [&] { format_hdf5(snapshot, "s.hdf5"); });
}

TEST(Hdf5, the_library_prints_nothing_and_loads_no_plug_ins) {
  testing::internal::CaptureStderr();
  EXPECT_FALSE(parsed(bytes_of("id,m,x,y,z\n")));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  unsigned loaded = 1;
  EXPECT_GE(H5PLget_loading_state(&loaded), 0);
  EXPECT_EQ(loaded, 0U);
}

TEST(Hdf5, a_file_in_memory_may_fill_it_to_its_last_byte) {
  const hdf5::Session session("s.hdf5");
  hdf5::MemoryFile image(session, 1);
  const Bytes file = image.close(session);
  EXPECT_TRUE(hdf5::open_image(session, file).valid());
}

TEST(Hdf5, is_known_by_its_first_eight_bytes) {
  const Bytes file = format_hdf5(sample_snapshot(3), "s.hdf5");
  EXPECT_TRUE(hdf5_format().looks_like(std::span(file).first(8), 8));
  EXPECT_FALSE(hdf5_format().looks_like(std::span(file).first(7), 7));
}

TEST(Hdf5, time_in_gigayears_is_there_where_units_are_physical) {
  Snapshot snapshot = sample_snapshot(3);
  snapshot.time = 2;
  // a kiloparsec at a kilometre a second is 0.978 gigayears
  const auto gigayears = number_in(format_hdf5(snapshot, "s.hdf5"), "Parameters", "Time_GYR");
  ASSERT_TRUE(gigayears);
  EXPECT_NEAR(*gigayears, 2 * 0.9778, 1e-3);
  snapshot.units = units_named("henon");
  EXPECT_FALSE(number_in(format_hdf5(snapshot, "s.hdf5"), "Parameters", "Time_GYR"));
}

// So that the same state gives the same bytes.
TEST(Hdf5, nothing_in_a_file_tells_when_it_was_written) {
  const Bytes file = format_hdf5(sample_snapshot(10), "s.hdf5");
  for (const char* object : {"/", "Header", "Parameters", "Provenance", "PartType1",
                             "PartType1/Coordinates", "PartType1/Masses"}) {
    EXPECT_FALSE(test::tells_its_time(file, object)) << object;
  }
  EXPECT_EQ(format_hdf5(sample_snapshot(10), "s.hdf5"), file);
}

}  // namespace
}  // namespace apsis
