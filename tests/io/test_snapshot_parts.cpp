// SPDX-License-Identifier: MIT
// Snapshots in several files: they are found by one of their names, read as the one file that they
// could be, and refused where they do not belong together.
#include "files/expect_error.hpp"
#include "files/scratch_folder.hpp"
#include "io/foreign_file.hpp"
#include <apsis/files/file.hpp>
#include <apsis/io/file_info.hpp>
#include <apsis/io/snapshot_formats.hpp>
#include <apsis/io/snapshot_parts.hpp>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <string>
#include <vector>

namespace apsis {
namespace {

using test::ForeignFile;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

// How many bodies of each type a file has.
using Counts = std::vector<double>;

struct PartFile {
  Counts here, total;
  double files = 3, time = 1.5;
  bool ids = true, potential = false;
  std::vector<double> units{2, 3, 5};
};

// Ids count up from `first_id`, so that the order in which files are joined shows.
void write_part(const std::filesystem::path& path, const PartFile& part, double first_id) {
  ForeignFile file;
  file.attribute("Header", "NumPart_ThisFile", part.here, H5T_STD_U32LE);
  if (!part.total.empty()) {
    file.attribute("Header", "NumPart_Total", part.total, H5T_STD_U32LE);
    file.attribute("Header", "NumPart_Total_HighWord", Counts(6), H5T_STD_U32LE);
  }
  file.attribute("Header", "Time", {part.time});
  file.attribute("Header", "NumFilesPerSnapshot", {part.files}, H5T_STD_I32LE);
  file.attribute("Header", "UnitLength_in_cm", {part.units[0]});
  file.attribute("Header", "UnitMass_in_g", {part.units[1]});
  file.attribute("Header", "UnitVelocity_in_cm_per_s", {part.units[2]});
  for (std::size_t type = 0; type < part.here.size(); ++type) {
    if (part.here[type] == 0) continue;
    const auto count = static_cast<hsize_t>(part.here[type]);
    const std::string group = fmt::format("PartType{}", type);
    file.bodies(static_cast<int>(type), count);
    if (part.ids) file.array(group, "ParticleIDs", {count}, first_id);
    if (part.potential) file.array(group, "Potential", {count}, -1000 + first_id);
    first_id += part.here[type];
  }
  write_atomically(path, file.bytes());
}

const Counts all_of_it{0, 6, 0, 0, 3, 0};

std::vector<PartFile> three_parts() {
  return {{{0, 3, 0, 0, 1, 0}, all_of_it},
          {{0, 0, 0, 0, 2, 0}, all_of_it},
          {{0, 3, 0, 0, 0, 0}, all_of_it}};
}

class SnapshotParts : public testing::Test {
 protected:
  std::filesystem::path file(std::size_t k) const {
    return folder_ / fmt::format("snap_007.{}.hdf5", k);
  }
  void write(const std::vector<PartFile>& parts) const {
    double id = 0;
    for (std::size_t k = 0; k < parts.size(); ++k) {
      write_part(file(k), parts[k], id);
      id += std::accumulate(parts[k].here.begin(), parts[k].here.end(), 0.0);
    }
  }
  void refused(const std::vector<PartFile>& parts, const std::string& reason) const {
    write(parts);
    expect_error(ExitCode::bad_data, reason, [&] { read_snapshot(file(0)); });
  }

  ScratchFolder folder_;
};

TEST(PartNames, have_a_number_before_the_ending_or_at_the_end) {
  const auto parts = [](const std::string& name) -> std::string {
    const auto found = part_name(name);
    if (!found) return "none";
    return fmt::format("{}|{}|{}|{}", found->before, found->number, found->after,
                       found->file(12).string());
  };
  EXPECT_EQ(parts("snap_000.0.hdf5"), "snap_000.|0|.hdf5|snap_000.12.hdf5");
  EXPECT_EQ(parts("a/b/snap.17.hdf5"), "snap.|17|.hdf5|a/b/snap.12.hdf5");
  EXPECT_EQ(parts("snap_000.3"), "snap_000.|3||snap_000.12");
  EXPECT_EQ(parts("snap_000.3.gadget"), "snap_000.|3|.gadget|snap_000.12.gadget");
  EXPECT_EQ(parts("snap.003.hdf5"), "snap.|3|.hdf5|snap.012.hdf5");
  EXPECT_EQ(parts("a.b.c.0.hdf5"), "a.b.c.|0|.hdf5|a.b.c.12.hdf5");
  for (const char* name : {"snap_000.hdf5", "snap_000", "snap.x.hdf5", ".0", ".0.hdf5", "", "0",
                           "snap..hdf5", "snap.-1.hdf5", "snap.1234567890.hdf5", "a.0.b.hdf5"}) {
    EXPECT_EQ(parts(name), "none") << name;
  }
}

TEST_F(SnapshotParts, are_read_in_their_order_from_any_of_them_and_by_type) {
  write(three_parts());
  for (const char* name :
       {"snap_007.0.hdf5", "snap_007.1.hdf5", "snap_007.2.hdf5", "snap_007", "snap_007.hdf5"}) {
    SCOPED_TRACE(name);
    const Snapshot s = read_snapshot(folder_ / name);
    EXPECT_THAT(s.bodies.id, ElementsAre(0, 1, 2, 6, 7, 8, 3, 4, 5));
    EXPECT_THAT(s.bodies.type, ElementsAre(1, 1, 1, 1, 1, 1, 4, 4, 4));
    EXPECT_THAT(s.bodies.x(), ElementsAre(200, 203, 206, 200, 203, 206, 500, 500, 503));
    EXPECT_THAT(s.bodies.mass, ElementsAre(2, 3, 4, 2, 3, 4, 5, 5, 6));
    EXPECT_EQ(s.time, 1.5);
    EXPECT_EQ(s.units.length_in_cm, 2);
    EXPECT_TRUE(s.warnings.empty());
  }
}

TEST_F(SnapshotParts, that_have_a_number_of_two_digits_are_found) {
  for (int k = 0; k < 12; ++k) {
    write_part(file(static_cast<std::size_t>(k)), {{0, 1}, {0, 12}, 12}, k);
  }
  EXPECT_EQ(read_snapshot(file(3)).bodies.size(), 12U);
  EXPECT_EQ(read_snapshot(file(11)).bodies.id.back(), 11U);
}

TEST_F(SnapshotParts, with_no_bodies_at_all_are_fine) {
  write({{{0, 0}, {0, 2}, 2}, {{0, 2}, {0, 2}, 2}});
  EXPECT_THAT(read_snapshot(file(0)).bodies.id, ElementsAre(0, 1));
  write({{{0, 0}, {0, 0}, 2}, {{0, 0}, {0, 0}, 2}});
  EXPECT_EQ(read_snapshot(file(0)).bodies.size(), 0U);
}

TEST_F(SnapshotParts, of_a_base_name_that_is_a_file_are_not_asked) {
  write(three_parts());
  write_part(folder_ / "snap_007.hdf5", {{0, 1}, {0, 1}, 1}, 0);
  EXPECT_EQ(read_snapshot(folder_ / "snap_007.hdf5").bodies.size(), 1U);
  expect_error(ExitCode::file_error, "other", [&] { read_snapshot(folder_ / "other"); });
}

TEST_F(SnapshotParts, keep_fields_that_all_have) {
  auto parts = three_parts();
  for (auto& part : parts) part.potential = true;
  write(parts);
  EXPECT_THAT(read_snapshot(file(0)).potential,
              ElementsAre(-1000, -999, -998, -994, -993, -992, -997, -996, -995));
  parts[2].potential = false;
  write(parts);
  EXPECT_TRUE(read_snapshot(file(0)).potential.empty());
}

TEST_F(SnapshotParts, of_which_some_have_no_ids_are_numbered_with_a_warning) {
  auto parts = three_parts();
  parts[1].ids = false;
  write(parts);
  const Snapshot some = read_snapshot(file(0));
  EXPECT_THAT(some.bodies.id, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8));
  ASSERT_EQ(some.warnings.size(), 1U);
  EXPECT_EQ(some.warnings[0].code, WarningCode::ids_dropped);
  EXPECT_THAT(some.not_given, ElementsAre("id"));
  parts[0].ids = parts[2].ids = false;
  write(parts);
  const Snapshot none = read_snapshot(file(0));
  EXPECT_THAT(none.bodies.id, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8));
  EXPECT_TRUE(none.warnings.empty());
}

TEST_F(SnapshotParts, that_are_missing_or_misnamed_are_named) {
  write(three_parts());
  std::filesystem::rename(file(1), folder_ / "away");
  for (const std::size_t k : {0, 2}) {
    expect_error(ExitCode::bad_data, file(1).string() + " is missing: " + file(k).string(),
                 [&] { read_snapshot(file(k)); });
  }
  std::filesystem::rename(file(2), file(3));
  expect_error(ExitCode::bad_data, "has number 3, and says that it is one of 3 files",
               [&] { read_snapshot(file(3)); });
  std::filesystem::rename(file(0), folder_ / "alone.hdf5");
  expect_error(ExitCode::bad_data, "its name has no number to find the others by",
               [&] { read_snapshot(folder_ / "alone.hdf5"); });
  const Bytes bytes = read_file(folder_ / "alone.hdf5");
  expect_error(ExitCode::bad_data, "one of 3 files", [&] { parse_hdf5(bytes, "f.hdf5"); });
}

TEST_F(SnapshotParts, that_disagree_are_refused) {
  const auto changed = [](auto change) {
    auto parts = three_parts();
    change(parts[2]);
    return parts;
  };
  refused(changed([](PartFile& p) { p.time = 2; }), "has time 2, and " + file(0).string());
  refused(changed([](PartFile& p) { p.files = 4; }), "has NumFilesPerSnapshot 4");
  refused(changed([](PartFile& p) { p.total[1] = 7; }), "has in all files together 10 bodies");
  refused(changed([](PartFile& p) { p.units[0] = 7; }), "has other units than");
  refused(changed([](PartFile& p) { p.here[1] = 2; }), "hold 5 bodies of type 1, and their");
  refused(changed([](PartFile& p) { p.here[3] = 1; }), "hold 1 body of type 3, and their");
}

TEST_F(SnapshotParts, without_a_total_are_taken_as_they_are) {
  auto parts = three_parts();
  for (auto& part : parts) part.total.clear();
  write(parts);
  EXPECT_EQ(read_snapshot(file(1)).bodies.size(), 9U);
  for (auto& part : parts) part.total = Counts(6);  // as some converters leave it
  parts[1].here = {0, 0, 0, 0, 1};
  write(parts);
  EXPECT_EQ(read_snapshot(file(1)).bodies.size(), 8U);
}

TEST_F(SnapshotParts, that_claim_what_cannot_be_are_refused_before_any_is_read) {
  auto parts = three_parts();
  for (auto& part : parts) part.total[1] = 4e9;
  write(parts);
  expect_error(ExitCode::bad_data, "claims 4000000003 bodies",
               [&] { read_snapshot(file(0), {.memory = 1 << 20}); });
  for (const double files : {1e7, 2147483647.0}) {
    auto many = three_parts();
    many[0].files = files;
    refused(many, "NumFilesPerSnapshot is");
  }
  auto few = three_parts();
  few[0].files = 1e6;
  refused(few, "snap_007.3.hdf5 is missing");
}

// Each of them would fit by itself: a body takes 160 bytes.
TEST_F(SnapshotParts, share_one_limit_of_memory) {
  auto parts = three_parts();
  for (auto& part : parts) part.here = {0, 300}, part.total = {0, 900};
  write(parts);
  EXPECT_EQ(read_snapshot(file(0), {.memory = 144000}).bodies.size(), 900U);
  expect_error(ExitCode::bad_data, "at most 899 bodies",
               [&] { read_snapshot(file(0), {.memory = 143999}); });
  for (auto& part : parts) part.total.clear();
  write(parts);
  expect_error(ExitCode::bad_data, "at most 899 bodies",
               [&] { read_snapshot(file(0), {.memory = 143999}); });
}

TEST_F(SnapshotParts, are_told_of_by_info) {
  write(three_parts());
  const FileInfo info = file_info(folder_ / "snap_007");
  EXPECT_EQ(info.path, file(0));
  EXPECT_THAT(info.files, ElementsAre(file(0), file(1), file(2)));
  EXPECT_EQ(info.length, size_of_file(file(0)) + size_of_file(file(1)) + size_of_file(file(2)));
  EXPECT_THAT(info.format, HasSubstr(", in 3 files"));
  EXPECT_EQ(info.snapshot->bodies, 9U);
}

TEST_F(SnapshotParts, with_a_bad_body_name_its_file) {
  write(three_parts());
  ForeignFile bad;
  bad.attribute("Header", "NumFilesPerSnapshot", {3}).bodies(1, 2);
  bad.array("PartType1", "Radius", {2}, std::numeric_limits<double>::quiet_NaN());
  write_atomically(file(1), bad.bytes());
  expect_error(ExitCode::bad_data, file(1).string() + ": radius of body 0",
               [&] { read_snapshot(file(1)); });
}

}  // namespace
}  // namespace apsis
