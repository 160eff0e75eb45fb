// SPDX-License-Identifier: MIT
#include "files/expect_error.hpp"
#include "files/scratch_folder.hpp"
#include <apsis/files/file.hpp>
#include <apsis/io/energy_log.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

namespace apsis {
namespace {

EnergyRow row(std::uint64_t step) {
  EnergyRow r;
  r.step = step;
  r.time = static_cast<double>(step) / 3;
  r.energies = {.kinetic = 0.1,
                .potential = -1.0 / 3,
                .momentum = {1e-17, 2, 3},
                .angular_momentum = {-4, 5e300, 6},
                .center_of_mass = {7, 8, 5e-324}};
  r.error = 1.2345678901234567e-9;
  return r;
}

TEST(EnergyLog, rows_come_back_bit_for_bit) {
  const ScratchFolder folder;
  EnergyLog log = EnergyLog::create(folder / "energy.csv");
  for (std::uint64_t step = 0; step < 3; ++step) log.append(row(step));
  log.flush();
  const auto rows = read_energy_log(folder / "energy.csv");
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[2].step, 2U);
  EXPECT_EQ(rows[2].time, 2.0 / 3);
  EXPECT_EQ(rows[2].energies.kinetic, 0.1);
  EXPECT_EQ(rows[2].energies.potential, -1.0 / 3);
  EXPECT_EQ(rows[2].energies.momentum, (Vec3{1e-17, 2, 3}));
  EXPECT_EQ(rows[2].energies.angular_momentum, (Vec3{-4, 5e300, 6}));
  EXPECT_EQ(rows[2].energies.center_of_mass, (Vec3{7, 8, 5e-324}));
  EXPECT_EQ(rows[2].error, 1.2345678901234567e-9);
}

TEST(EnergyLog, resumed_one_is_the_same_as_an_unbroken_one) {
  const ScratchFolder folder;
  EnergyLog whole = EnergyLog::create(folder / "whole.csv");
  for (std::uint64_t step = 0; step < 10; ++step) whole.append(row(step));
  whole.sync();
  std::uint64_t offset = 0;
  {
    EnergyLog broken = EnergyLog::create(folder / "broken.csv");
    for (std::uint64_t step = 0; step < 8; ++step) {
      if (step == 5) offset = broken.offset();
      broken.append(row(step));
    }
  }
  EnergyLog resumed = EnergyLog::resume(folder / "broken.csv", offset);
  for (std::uint64_t step = 5; step < 10; ++step) resumed.append(row(step));
  resumed.sync();
  EXPECT_EQ(read_text(folder / "broken.csv"), read_text(folder / "whole.csv"));
}

TEST(EnergyLog, is_resumed_after_its_first_line_at_the_earliest) {
  const ScratchFolder folder;
  const auto file = folder / "energy.csv";
  const std::string header = EnergyLog::header;
  {
    EnergyLog log = EnergyLog::create(file);
    log.append(row(0));
    log.sync();
  }
  expect_error(ExitCode::bad_data, "not even its first line",
               [&] { EnergyLog::resume(file, header.size() - 1); });
  EnergyLog::resume(file, header.size()).sync();
  EXPECT_EQ(read_text(file), header);
}

TEST(EnergyLog, a_bad_row_is_named_by_line_and_column) {
  const ScratchFolder folder;
  write_text(folder / "e.csv",
             fmt::format("{}0,0,x,0,0,0,0,0,0,0,0,0,0,0,0,0\n", EnergyLog::header));
  expect_error(ExitCode::bad_data, "e.csv:2:5: 'x' is not a number",
               [&] { read_energy_log(folder / "e.csv"); });
  write_text(folder / "e.csv", fmt::format("{}0,0\n", EnergyLog::header));
  expect_error(ExitCode::bad_data, "e.csv:2:1: 2 values",
               [&] { read_energy_log(folder / "e.csv"); });
  write_text(folder / "e.csv", "step,time\n");
  expect_error(ExitCode::bad_data, "not an energy log", [&] { read_energy_log(folder / "e.csv"); });
}

}  // namespace
}  // namespace apsis
