// SPDX-License-Identifier: MIT
#include "files/expect_error.hpp"
#include "files/scratch_folder.hpp"
#include "io/samples.hpp"
#include <apsis/files/file.hpp>
#include <apsis/io/snapshot.hpp>
#include <apsis/io/snapshot_formats.hpp>

#include <gtest/gtest.h>
#include <support/bodies.hpp>
#include <support/radial_laws.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace apsis {
namespace {

std::vector<std::string> exact_endings() {
  std::vector<std::string> endings{".csv"};
  if (hdf5_built_in()) endings.insert(endings.end(), {".hdf5", ".h5"});
  return endings;
}

void expect_same(const Snapshot& a, const Snapshot& b) {
  EXPECT_EQ(a.bodies, b.bodies);
  EXPECT_EQ(a.time, b.time);
  EXPECT_EQ(a.units, b.units);
  EXPECT_EQ(a.law, b.law);
  EXPECT_EQ(a.potential, b.potential);
  EXPECT_EQ(a.accelerations, b.accelerations);
  EXPECT_EQ(a.provenance, b.provenance);
}

Snapshot round_trip(const Snapshot& snapshot, const std::string& ending,
                    SnapshotWriteOptions options = {}) {
  const ScratchFolder folder;
  write_snapshot(folder / ("s" + ending), snapshot, options);
  return read_snapshot(folder / ("s" + ending));
}

TEST(Snapshot, exact_formats_lose_nothing_at_any_size) {
  for (const auto& ending : exact_endings()) {
    for (const std::size_t n : {0, 1, 2, 3, 8191, 8192, 8193, 65536, 70000}) {
      SCOPED_TRACE(ending + " " + std::to_string(n));
      expect_same(round_trip(sample_snapshot(n), ending), sample_snapshot(n));
    }
  }
}

TEST(Snapshot, charges_fields_and_provenance_survive) {
  Snapshot snapshot = sample_snapshot(100, true);
  add_fields(snapshot);
  for (const auto& ending : exact_endings()) {
    SCOPED_TRACE(ending);
    expect_same(round_trip(snapshot, ending), snapshot);
  }
}

TEST(Snapshot, every_radial_law_survives_and_newton_leaves_no_trace) {
  Snapshot snapshot = sample_snapshot(3);
  for (const RadialLaw& law : test::radial_laws()) {
    snapshot.law.radial = law;
    for (const auto& ending : exact_endings()) {
      SCOPED_TRACE(ending);
      expect_same(round_trip(snapshot, ending), snapshot);
    }
  }
  const ScratchFolder folder;
  snapshot.law.radial = {};
  write_snapshot(folder / "s.csv", snapshot, {});
  EXPECT_EQ(read_text(folder / "s.csv").find("# radial"), std::string::npos);
}

TEST(Snapshot, units_of_ones_own_survive) {
  Snapshot snapshot = sample_snapshot(3);
  snapshot.units = {.name = "pigeon", .length_in_cm = 0.1, .mass_in_g = 1e-30, .gravity = 7};
  for (const auto& ending : exact_endings()) {
    SCOPED_TRACE(ending);
    expect_same(round_trip(snapshot, ending), snapshot);
  }
}

TEST(Snapshot, extreme_numbers_survive) {
  Snapshot snapshot = sample_snapshot(4);
  test::assign(snapshot.bodies.x(), {5e-324, -1.7976931348623157e308, 0.1, -0.0});
  for (const auto& ending : exact_endings()) {
    const auto back = round_trip(snapshot, ending);
    EXPECT_EQ(back.bodies.positions, snapshot.bodies.positions);
    EXPECT_TRUE(std::signbit(back.bodies.x()[3])) << ending;
  }
}

TEST(Snapshot, a_long_spec_survives) {
  Snapshot snapshot = sample_snapshot(2);
  snapshot.provenance.emplace_back("spec of many lines", std::string(200000, 'x') + "\n\\end");
  for (const auto& ending : exact_endings()) {
    SCOPED_TRACE(ending);
    expect_same(round_trip(snapshot, ending), snapshot);
  }
}

TEST(Snapshot, tipsy_keeps_what_float_can_in_both_byte_orders) {
  Snapshot snapshot = sample_snapshot(1000);
  add_fields(snapshot);
  for (const bool native : {false, true}) {
    const Snapshot back = round_trip(snapshot, ".tipsy", {.native_endian = native});
    ASSERT_EQ(back.bodies.size(), 1000U);
    EXPECT_EQ(back.time, snapshot.time);
    EXPECT_EQ(back.law.softening, static_cast<float>(snapshot.law.softening));
    for (std::size_t i = 0; i < 1000; ++i) {
      EXPECT_EQ(back.bodies.x()[i], static_cast<float>(snapshot.bodies.x()[i]));
      EXPECT_EQ(back.bodies.vz()[i], static_cast<float>(snapshot.bodies.vz()[i]));
      EXPECT_EQ(back.bodies.mass[i], static_cast<float>(snapshot.bodies.mass[i]));
      EXPECT_EQ(back.potential[i], static_cast<float>(snapshot.potential[i]));
      EXPECT_EQ(back.bodies.id[i], i);
    }
  }
  for (const std::size_t n : {0, 1}) {
    EXPECT_EQ(round_trip(sample_snapshot(n), ".tipsy").bodies.size(), n);
  }
}

TEST(Snapshot, what_a_format_cannot_carry_is_said) {
  EXPECT_TRUE(csv_format().losses(sample_snapshot(3, true)).empty());
  EXPECT_TRUE(hdf5_format().losses(sample_snapshot(3, true)).empty());
  EXPECT_EQ(tipsy_format().losses(sample_snapshot(3, true)).size(), 6U);
  Snapshot plain;
  plain.bodies = Bodies(2);
  EXPECT_EQ(tipsy_format().losses(plain).size(), 1U);  // digits
  plain.law.radial = test::yukawa(1);
  EXPECT_EQ(tipsy_format().losses(plain).size(), 2U);
}

TEST(Snapshot, endings_choose_the_format_and_content_decides_without_one) {
  const ScratchFolder folder;
  expect_error(ExitCode::bad_data, "names no snapshot format",
               [&] { write_snapshot(folder / "s.none", sample_snapshot(1)); });
  EXPECT_EQ(format_by_ending("A.HDF5").name, "HDF5");
  std::vector<std::string> endings{".csv", ".tipsy"};
  if (hdf5_built_in()) endings.emplace_back(".hdf5");
  for (const auto& ending : endings) {
    write_snapshot(folder / ("s" + ending), sample_snapshot(5));
    std::filesystem::rename(folder / ("s" + ending), folder / "plain");
    EXPECT_EQ(read_snapshot(folder / "plain").bodies.size(), 5U) << ending;
  }
}

TEST(Snapshot, a_checkpoint_is_told_from_one) {
  const ScratchFolder folder;
  write_atomically(folder / "a.apsis", encode_checkpoint(sample_checkpoint()));
  expect_error(ExitCode::bad_data, "is a checkpoint", [&] { read_snapshot(folder / "a.apsis"); });
}

TEST(Snapshot, bad_values_are_refused_by_name) {
  const ScratchFolder folder;
  Snapshot snapshot = sample_snapshot(3);
  snapshot.bodies.mass[1] = -2;
  for (const auto& ending : exact_endings()) {
    write_snapshot(folder / ("s" + ending), snapshot);
    expect_error(ExitCode::bad_data, "mass of body 1",
                 [&] { read_snapshot(folder / ("s" + ending)); });
  }
}

TEST(Snapshot, arrays_of_wrong_length_are_not_written) {
  Snapshot snapshot = sample_snapshot(3);
  snapshot.potential = {1, 2};
  expect_error(ExitCode::bad_data, "2 values of potential for 3 bodies",
               [&] { write_snapshot("s.csv", snapshot); });
  snapshot.potential.clear();
  snapshot.accelerations = Accelerations(2);
  expect_error(ExitCode::bad_data, "2 values of acceleration for 3 bodies",
               [&] { write_snapshot("s.csv", snapshot); });
}

TEST(Snapshot, memory_limit_names_the_largest_number_that_fits) {
  const ScratchFolder folder;
  for (const auto& ending : exact_endings()) {
    write_snapshot(folder / ("s" + ending), sample_snapshot(2000));
    expect_error(ExitCode::bad_data, "",
                 [&] { read_snapshot(folder / ("s" + ending), {.memory = 100000}); });
  }
  EXPECT_NO_THROW(require_fits(625, "s", {.memory = 100000}));
  EXPECT_THROW(require_fits(626, "s", {.memory = 100000}), Error);
  if (!hdf5_built_in()) return;
  const Bytes bytes = read_file(folder / "s.hdf5");
  expect_error(ExitCode::bad_data, "at most 625 bodies",
               [&] { parse_hdf5(bytes, "s.hdf5", {.memory = 100000}); });
}

TEST(Snapshot, without_hdf5_the_ending_is_csv_and_hdf5_is_refused_with_a_remedy) {
  EXPECT_EQ(snapshot_ending(), hdf5_built_in() ? ".hdf5" : ".csv");
  if (hdf5_built_in()) return;
  const ScratchFolder folder;
  expect_error(ExitCode::unavailable, "built without HDF5",
               [&] { write_snapshot(folder / "s.hdf5", sample_snapshot(1)); });
}

}  // namespace
}  // namespace apsis
