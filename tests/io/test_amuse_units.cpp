// SPDX-License-Identifier: MIT
// Units as AMUSE writes and prints them.
#include "files/expect_error.hpp"
#include <apsis/io/amuse_units.hpp>

#include <gtest/gtest.h>

#include <string>

namespace apsis {
namespace {

using System = AmuseUnit::System;

AmuseUnit unit(const std::string& text) { return parse_amuse_unit(text, "f: x"); }

void expect_unit(const std::string& text, System system, double factor, double length, double mass,
                 double time) {
  SCOPED_TRACE(text);
  const AmuseUnit found = unit(text);
  EXPECT_EQ(found.system, system);
  EXPECT_DOUBLE_EQ(found.factor, factor);
  EXPECT_TRUE(found.is(length, mass, time))
      << found.length << " " << found.mass << " " << found.time << " " << found.other;
}

TEST(AmuseUnits, are_read_as_they_are_written_to_files) {
  expect_unit("system.get('S.I.').base('length')", System::si, 1, 1, 0, 0);
  expect_unit("(1.98892e+30 * system.get('S.I.').base('mass'))", System::si, 1.98892e30, 0, 1, 0);
  expect_unit("(system.get('S.I.').base('length') * (system.get('S.I.').base('time')**-1))",
              System::si, 1, 1, 0, -1);
  expect_unit(
      "((1000.0 * system.get('S.I.').base('length')) * (system.get('S.I.').base('time')**-1))",
      System::si, 1000, 1, 0, -1);
  expect_unit("(3.1e13*(system.get('S.I.').base('length')/system.get('S.I.').base('time')))",
              System::si, 3.1e13, 1, 0, -1);
  expect_unit("system.get('generic').base('mass')", System::generic, 1, 0, 1, 0);
  expect_unit(
      "(system.get(\"generic\").base(\"length\") * "
      "(system.get(\"generic\").base(\"time\")**-1))",
      System::generic, 1, 1, 0, -1);
  expect_unit("system.get('nbody').base('time')", System::generic, 1, 0, 0, 1);
  expect_unit("none", System::none, 1, 0, 0, 0);
  expect_unit("no_system.get('none')", System::none, 1, 0, 0, 0);
}

TEST(AmuseUnits, are_read_as_they_are_printed) {
  expect_unit("kg", System::si, 1, 0, 1, 0);
  expect_unit("m * s**-1", System::si, 1, 1, 0, -1);
  expect_unit("km / s", System::si, 1000, 1, 0, -1);
  expect_unit("kms", System::si, 1000, 1, 0, -1);
  expect_unit("MSun", System::si, 1.98892e30, 0, 1, 0);
  expect_unit("1e10 * MSun", System::si, 1.98892e40, 0, 1, 0);
  expect_unit("kpc", System::si, 3.0856775813057292e19, 1, 0, 0);
  expect_unit("AU / (julianyr)", System::si, 149597870691.0 / 31557600, 1, 0, -1);
  expect_unit("nbody length", System::generic, 1, 1, 0, 0);
  expect_unit("nbody length * nbody time**-1", System::generic, 1, 1, 0, -1);
  expect_unit("length / (time)", System::generic, 1, 1, 0, -1);
  expect_unit("(m**2)**0.5", System::si, 1, 1, 0, 0);
  expect_unit("2 * 3 * 0.5 * m / 3", System::si, 1, 1, 0, 0);
  expect_unit("m**(2) / m", System::si, 1, 1, 0, 0);
}

TEST(AmuseUnits, have_other_dimensions) {
  const AmuseUnit kelvin = unit("system.get('S.I.').base('thermodynamic temperature')");
  EXPECT_FALSE(kelvin.is(0, 0, 0));
  EXPECT_EQ(kelvin.other, 1);
}

TEST(AmuseUnits, that_are_not_known_are_named) {
  const auto refuses = [](const std::string& text, const std::string& reason) {
    expect_error(ExitCode::bad_data, reason, [&] { unit(text); });
  };
  refuses("parrot", "f: x: the unit 'parrot' is not known: 'parrot'");
  refuses("km / fortnight", "is not known: 'fortnight'");
  refuses("UNICODE", "is not known: 'UNICODE'");
  refuses("", "the unit '' is not known");
  refuses("system.get('cgs').base('length')", "'cgs'");
  refuses("no_system.get('stellar_type')", "'stellar_type'");
  refuses("system.get('S.I.", "is not known");
  refuses("system.get('S.I.').base('length'", "is not known");
  refuses("__import__('os').system('true')", "is not known: '__import__");
  refuses("m * length", "generic and S.I. units in one");
  refuses("m kg", "is not known: 'kg'");
  refuses("m ** ", "is not known");
  refuses("m * ", "is not known");
  refuses("0 * m", "is not known: '0 * m'");
  refuses("-1 * m", "is not known");
  refuses("1e308 * 1e308 * m", "is not known");
  refuses("1e999 * m", "is not known");
  refuses("nan * m", "is not known: 'nan'");
  refuses("m\x1b[2J", "\\x1b");
  refuses(std::string(5000, ' ') + "m", "a text of that length");
  refuses(std::string(2000, '(') + "m" + std::string(2000, ')'), "so many brackets");
}

}  // namespace
}  // namespace apsis
