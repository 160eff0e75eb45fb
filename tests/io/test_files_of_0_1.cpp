// SPDX-License-Identifier: MIT
// Snapshots that version 0.1 wrote (tests/files/0.1), in every format.
#include <apsis/files/file.hpp>
#include <apsis/io/snapshot.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <support/old_files.hpp>

#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace apsis {
namespace {

using Columns = std::vector<std::pair<const char*, std::span<const double>>>;

Snapshot old_snapshot(const std::string& name) {
  return read_snapshot(test::files_of_0_1() / "snapshots" / name);
}

Columns columns(const Bodies& b) {
  return {{"x", b.x()},   {"y", b.y()},   {"z", b.z()},    {"vx", b.vx()},
          {"vy", b.vy()}, {"vz", b.vz()}, {"mass", b.mass}};
}

std::string provenance(const Snapshot& snapshot, const std::string& key) {
  for (const auto& [name, value] : snapshot.provenance) {
    if (name == key) return value;
  }
  return {};
}

// TIPSY keeps floats, and neither ids nor units.
void expect_same_floats(const Snapshot& narrow, const Snapshot& wide) {
  ASSERT_EQ(narrow.bodies.size(), wide.bodies.size());
  EXPECT_EQ(narrow.time, wide.time);
  const Columns ours = columns(narrow.bodies), theirs = columns(wide.bodies);
  for (std::size_t k = 0; k < ours.size(); ++k) {
    for (std::size_t i = 0; i < wide.bodies.size(); ++i) {
      EXPECT_EQ(ours[k].second[i], static_cast<float>(theirs[k].second[i]))
          << ours[k].first << " of body " << i;
    }
  }
}

TEST(FilesOf01, csv_holds_what_its_text_says) {
  const Snapshot gravity = old_snapshot("gravity.csv");
  EXPECT_EQ(gravity.bodies.size(), 16U);
  EXPECT_EQ(gravity.units, units_named("henon"));
  EXPECT_EQ(gravity.law, (PairLaw{Law::gravity, 1, 0.05}));
  EXPECT_EQ(provenance(gravity, "version"), "0.1.0");
  EXPECT_EQ(provenance(gravity, "model"), "plummer");
  const std::string text = read_text(test::files_of_0_1() / "snapshots/gravity.csv");
  const std::string head = "id,m,x,y,z,vx,vy,vz\n";
  ASSERT_NE(text.find(head), std::string::npos);
  const std::string first = text.substr(text.find(head) + head.size());
  const std::string x = first.substr(first.find(',', 2) + 1);  // behind id and mass
  EXPECT_EQ(gravity.bodies.x()[0], std::stod(x));
  const auto& mass = gravity.bodies.mass;
  EXPECT_NEAR(std::accumulate(mass.begin(), mass.end(), 0.0), 1, 1e-15);

  const Snapshot charges = old_snapshot("charges.csv");
  EXPECT_EQ(charges.law, (PairLaw{Law::coulomb, 1, 0.3}));
  ASSERT_EQ(charges.bodies.charge.size(), 18U);
  EXPECT_EQ(charges.bodies.charge[0], -charges.bodies.charge[1]);

  const Snapshot planets = old_snapshot("units.csv");
  EXPECT_EQ(planets.bodies.size(), 11U);
  EXPECT_EQ(planets.units, units_named("au-msun-yr"));
  EXPECT_EQ(planets.law.constant, planets.units.gravity);
}

TEST(FilesOf01, hdf5_holds_what_csv_holds) {
  if (!hdf5_built_in()) GTEST_SKIP() << "built without HDF5";
  for (const std::string name : {"gravity", "charges", "units"}) {
    SCOPED_TRACE(name);
    const Snapshot hdf5 = old_snapshot(name + ".hdf5"), csv = old_snapshot(name + ".csv");
    EXPECT_EQ(hdf5.bodies, csv.bodies);
    EXPECT_EQ(hdf5.time, csv.time);
    EXPECT_EQ(hdf5.units, csv.units);
    EXPECT_EQ(hdf5.law, csv.law);
    EXPECT_EQ(hdf5.provenance, csv.provenance);
  }
}

TEST(FilesOf01, tipsy_holds_the_same_floats_in_either_byte_order) {
  expect_same_floats(old_snapshot("gravity.tipsy"), old_snapshot("gravity.csv"));
  expect_same_floats(old_snapshot("gravity-native.tipsy"), old_snapshot("gravity.csv"));
  expect_same_floats(old_snapshot("units.tipsy"), old_snapshot("units.csv"));
}

}  // namespace
}  // namespace apsis
