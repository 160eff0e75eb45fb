// SPDX-License-Identifier: MIT
// Where files of HDF5 keep their units, and what is taken where they name none.
#include "files/expect_error.hpp"
#include "io/foreign_file.hpp"
#include <apsis/io/file_info.hpp>
#include <apsis/io/snapshot_formats.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace apsis {
namespace {

using test::ForeignFile;
using testing::HasSubstr;

Snapshot read(ForeignFile& file) { return parse_hdf5(file.bodies(1, 2).bytes(), "f.hdf5"); }

void refuses(ForeignFile& file, const std::string& reason) {
  const Bytes bytes = file.bodies(1, 2).bytes();
  expect_error(ExitCode::bad_data, reason, [&] { parse_hdf5(bytes, "f.hdf5"); });
}

ForeignFile& gadget_units(ForeignFile& file, const std::string& group, double length = 10) {
  return file.attribute(group, "UnitLength_in_cm", {length})
      .attribute(group, "UnitMass_in_g", {20})
      .attribute(group, "UnitVelocity_in_cm_per_s", {30});
}

ForeignFile& swift_units(ForeignFile& file, const std::string& group, double length = 10) {
  return file.attribute(group, "Unit length in cgs (U_L)", {length})
      .attribute(group, "Unit mass in cgs (U_M)", {20})
      .attribute(group, "Unit time in cgs (U_t)", {0.5});
}

TEST(Hdf5Units, are_found_in_parameters_units_or_header) {
  for (const char* group : {"Parameters", "Units", "Header"}) {
    SCOPED_TRACE(group);
    ForeignFile file;
    const Snapshot s = read(gadget_units(file, group));
    EXPECT_EQ(s.units.length_in_cm, 10);
    EXPECT_EQ(s.units.mass_in_g, 20);
    EXPECT_EQ(s.units.velocity_in_cm_per_s, 30);
    EXPECT_DOUBLE_EQ(s.units.gravity, custom_units(10, 20, 30).gravity);
    EXPECT_EQ(s.law.constant, s.units.gravity);
    EXPECT_FALSE(s.units_assumed);
    EXPECT_TRUE(s.warnings.empty());
  }
}

TEST(Hdf5Units, of_swift_come_with_a_time_instead_of_a_velocity) {
  for (const char* group : {"Units", "InternalCodeUnits"}) {
    SCOPED_TRACE(group);
    ForeignFile file;
    const Snapshot s = read(swift_units(file, group));
    EXPECT_EQ(s.units.length_in_cm, 10);
    EXPECT_EQ(s.units.mass_in_g, 20);
    EXPECT_EQ(s.units.velocity_in_cm_per_s, 20);
    EXPECT_FALSE(s.units_assumed);
  }
}

TEST(Hdf5Units, of_parameters_come_before_others) {
  ForeignFile file;
  gadget_units(file, "Parameters", 1), gadget_units(file, "Units", 2);
  gadget_units(file, "Header", 3), swift_units(file, "InternalCodeUnits", 4);
  EXPECT_EQ(read(file).units.length_in_cm, 1);
  ForeignFile less;
  gadget_units(less, "Units", 2), gadget_units(less, "Header", 3);
  swift_units(less, "InternalCodeUnits", 4);
  EXPECT_EQ(read(less).units.length_in_cm, 2);
}

TEST(Hdf5Units, are_all_there_or_refused) {
  ForeignFile file;
  file.attribute("Parameters", "UnitLength_in_cm", {1})
      .attribute("Parameters", "UnitMass_in_g", {1});
  refuses(file, "attribute UnitVelocity_in_cm_per_s is missing or not above 0");
  ForeignFile zero;
  refuses(swift_units(zero, "Units", 0), "attribute Unit length in cgs (U_L) is missing or not");
}

TEST(Hdf5Units, of_gadget_are_assumed_with_a_warning_where_its_header_is) {
  ForeignFile file;
  const Snapshot s = read(file.attribute("Header", "NumPart_ThisFile", {0, 2}, H5T_STD_U32LE));
  EXPECT_TRUE(s.units_assumed);
  EXPECT_EQ(s.units.name, "gadget");
  EXPECT_EQ(s.units.length_name, "kpc");
  EXPECT_EQ(s.units.mass_name, "1e10 Msun");
  EXPECT_EQ(s.units.velocity_name, "km/s");
  EXPECT_EQ(s.units.time_name, "kpc/(km/s)");
  EXPECT_NEAR(s.units.gravity, 43021.9, 0.1);
  ASSERT_EQ(s.warnings.size(), 1U);
  EXPECT_EQ(s.warnings[0].code, WarningCode::units_assumed);
  EXPECT_THAT(s.warnings[0].text, HasSubstr("f.hdf5 names no units"));
}

TEST(Hdf5Units, that_are_assumed_are_told_of_by_info) {
  const ScratchFolder folder;
  ForeignFile file;
  file.bodies(1, 2).attribute("Header", "NumPart_ThisFile", {0, 2}, H5T_STD_U32LE);
  write_atomically(folder / "f.hdf5", file.bytes());
  const SnapshotInfo info = *file_info(folder / "f.hdf5").snapshot;
  EXPECT_TRUE(info.units_assumed);
  ASSERT_EQ(info.warnings.size(), 1U);
  EXPECT_EQ(info.warnings[0].code, WarningCode::units_assumed);
}

TEST(Hdf5Units, are_none_where_no_header_of_gadget_is) {
  ForeignFile file;
  const Snapshot s = read(file.attribute("Header", "Time", {1.5}));
  EXPECT_TRUE(s.units_assumed);
  EXPECT_EQ(s.units.name, Units{}.name);
  EXPECT_EQ(s.units.gravity, 1);
  EXPECT_EQ(s.time, 1.5);
  EXPECT_TRUE(s.warnings.empty());
}

TEST(Hdf5Units, gravity_of_parameters_counts_where_it_is_not_0) {
  ForeignFile given;
  EXPECT_EQ(
      read(
          gadget_units(given, "Parameters").attribute("Parameters", "GravityConstantInternal", {7}))
          .law.constant,
      7);
  ForeignFile none;
  EXPECT_DOUBLE_EQ(
      read(gadget_units(none, "Parameters").attribute("Parameters", "GravityConstantInternal", {0}))
          .law.constant,
      custom_units(10, 20, 30).gravity);
}

TEST(Hdf5Units, of_a_charged_run_bring_its_own_constant_of_force) {
  ForeignFile file;
  gadget_units(file, "Parameters").text("Parameters", "ForceLaw", "coulomb");
  file.attribute("Parameters", "CoulombConstantInternal", {11});
  file.attribute("Parameters", "Softening", {0.5});
  const Snapshot s = read(file);
  EXPECT_EQ(s.law.law, Law::coulomb);
  EXPECT_EQ(s.law.constant, 11);
  EXPECT_EQ(s.law.softening, 0.5);
}

struct Cosmic {
  std::string group, attribute;
  double value;
};

// The text of the warning; empty where there is none.
std::string comoving(const std::vector<Cosmic>& attributes) {
  ForeignFile file;
  gadget_units(file, "Header");
  for (const Cosmic& each : attributes) file.attribute(each.group, each.attribute, {each.value});
  const Snapshot s = read(file);
  if (s.warnings.empty()) return {};
  EXPECT_EQ(s.warnings[0].code, WarningCode::comoving);
  return s.warnings[0].text;
}

TEST(Hdf5Comoving, coordinates_are_warned_of_with_their_scale) {
  EXPECT_THAT(comoving({{"Header", "Scale-factor", 0.5}, {"Header", "HubbleParam", 0.7}}),
              HasSubstr("scale factor 0.5 (h = 0.7)"));
  EXPECT_THAT(comoving({{"Cosmology", "Cosmological run", 1}}), HasSubstr("scale factor 1 "));
  EXPECT_THAT(comoving({{"Parameters", "ComovingIntegrationOn", 1}, {"Header", "Time", 0.3}}),
              HasSubstr("scale factor 0.3"));
  // GADGET-2 says it by its time alone, which is the scale factor
  EXPECT_THAT(
      comoving({{"Header", "Omega0", 0.3}, {"Header", "Redshift", 3}, {"Header", "Time", 0.25}}),
      HasSubstr("scale factor 0.25"));
}

TEST(Hdf5Comoving, coordinates_are_not_seen_where_there_are_none) {
  EXPECT_EQ(comoving({{"Header", "Scale-factor", 1}}), "");
  EXPECT_EQ(comoving({{"Cosmology", "Cosmological run", 0}}), "");
  EXPECT_EQ(comoving({{"Parameters", "ComovingIntegrationOn", 0}, {"Header", "Time", 0.3}}), "");
  EXPECT_EQ(comoving({{"Header", "Omega0", 0.3}, {"Header", "Time", 0.25}}), "");
  EXPECT_EQ(comoving({{"Header", "Redshift", 0}, {"Header", "Time", 1}}), "");  // no cosmology
}

}  // namespace
}  // namespace apsis
