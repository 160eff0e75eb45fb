// SPDX-License-Identifier: MIT
// Files for ParaView; readback_vtk.py reads them by VTK itself.
#include "files/expect_error.hpp"
#include "files/scratch_folder.hpp"
#include "io/samples.hpp"
#include <apsis/files/file.hpp>
#include <apsis/files/folders.hpp>
#include <apsis/io/snapshot_formats.hpp>
#include <apsis/io/vtk_series.hpp>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

namespace apsis {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string text_of(const Bytes& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// The numbers of an array that the head tells of.
std::vector<double> doubles(const std::string& file, const std::string& name) {
  const std::size_t at = file.find(fmt::format("Name=\"{}\"", name));
  const std::size_t offset = file.find("offset=\"", at) + 8;
  const std::size_t begin =
      file.find("encoding=\"raw\">\n_") + 17 + std::stoul(file.substr(offset));
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, file.data() + begin, sizeof bytes);
  std::vector<double> values(bytes / sizeof(double));
  if (bytes > 0) std::memcpy(values.data(), file.data() + begin + sizeof bytes, bytes);
  return values;
}

TEST(Vtk, has_every_body_and_column_to_the_bit) {
  Snapshot snapshot = sample_snapshot(3, true);
  add_fields(snapshot);
  const std::string file = text_of(format_vtk(snapshot));
  const Bodies& b = snapshot.bodies;
  EXPECT_THAT(file, HasSubstr("NumberOfPoints=\"3\" NumberOfVerts=\"3\""));
  EXPECT_THAT(doubles(file, "Points"), ElementsAre(b.x()[0], b.y()[0], b.z()[0], b.x()[1], b.y()[1],
                                                   b.z()[1], b.x()[2], b.y()[2], b.z()[2]));
  EXPECT_EQ(doubles(file, "mass"), b.mass);
  EXPECT_EQ(doubles(file, "charge"), b.charge);
  EXPECT_EQ(doubles(file, "potential"), snapshot.potential);
  EXPECT_EQ(doubles(file, "acceleration").size(), 9U);
  EXPECT_EQ(doubles(file, "velocity")[4], b.vy()[1]);
  EXPECT_THAT(file, HasSubstr(fmt::format("Name=\"TimeValue\" NumberOfTuples=\"1\" "
                                          "format=\"ascii\">{:.17g}<",
                                          snapshot.time)));
}

TEST(Vtk, of_no_bodies_is_a_whole_file) {
  const std::string file = text_of(format_vtk(sample_snapshot(0)));
  EXPECT_THAT(file, HasSubstr("NumberOfPoints=\"0\""));
  EXPECT_TRUE(doubles(file, "mass").empty());
  EXPECT_TRUE(file.ends_with("</VTKFile>\n"));
}

TEST(Vtk, says_what_is_lost_and_is_not_read) {
  Snapshot snapshot = sample_snapshot(2, true);
  EXPECT_THAT(vtk_format().losses(snapshot),
              ElementsAre(HasSubstr("does not read them"), HasSubstr("no force law"),
                          HasSubstr("no provenance")));
  const ScratchFolder folder;
  write_snapshot(folder / "s.vtp", snapshot);
  expect_error(ExitCode::bad_data, "VTK is written but not read",
               [&] { read_snapshot(folder / "s.vtp"); });
}

TEST(VtkSeries, has_a_file_of_each_snapshot_and_their_times) {
  const ScratchFolder folder;
  make_folder(folder / "run");
  for (int k = 0; k < 3; ++k) {
    Snapshot snapshot = sample_snapshot(4);
    snapshot.time = 0.25 * k;
    write_snapshot(folder / "run" / fmt::format("snapshot_{:04}.csv", k), snapshot);
  }
  const auto series = folder / "a & b.pvd";
  const Frames run(folder / "run");
  write_vtk_series(run, series, false);
  EXPECT_EQ(list_files(folder / "a & b", "a & b_", ".vtp").size(), 3U);
  EXPECT_THAT(read_text(series), HasSubstr("timestep=\"0.5\" group=\"\" part=\"0\" "
                                           "file=\"a &amp; b/a &amp; b_0002.vtp\"/>"));
  expect_error(ExitCode::file_error, "exists", [&] { write_vtk_series(run, series, false); });
  write_vtk_series(run, series, true);
  write_vtk_series(Frames(folder / "run" / "snapshot_0001.csv"), folder / "one.pvd", false);
  EXPECT_EQ(list_files(folder / "one", "one_", ".vtp").size(), 1U);
}

}  // namespace
}  // namespace apsis
