// SPDX-License-Identifier: MIT
// GADGET's layout as other programs write it, and as nobody should: what is taken, and by which
// words the rest is refused. foreign_hdf5.py and hdf5_bombs.py ask the whole program the same.
#include "files/expect_error.hpp"
#include "io/foreign_file.hpp"
#include "io/samples.hpp"
#include <apsis/io/snapshot_formats.hpp>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace apsis {
namespace {

using hdf5::Handle;
using test::chunked;
using test::ForeignFile;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;
using testing::UnorderedElementsAreArray;

Snapshot read(ForeignFile& file) { return parse_hdf5(file.bytes(), "f.hdf5"); }

void refuses(ForeignFile& file, const std::string& reason) {
  const Bytes bytes = file.bytes();
  expect_error(ExitCode::bad_data, reason, [&] { parse_hdf5(bytes, "f.hdf5"); });
}

std::vector<WarningCode> codes(const Snapshot& snapshot) {
  std::vector<WarningCode> found;
  for (const Warning& warning : snapshot.warnings) found.push_back(warning.code);
  return found;
}

const std::vector<double> hundred_of_type_1{0, 100, 0, 0, 0, 0};

TEST(ForeignHdf5, types_are_joined_in_their_order) {
  ForeignFile file;
  file.bodies(0, 2).bodies(1, 3).bodies(4, 1).bodies(15, 1);
  const Snapshot s = read(file);
  ASSERT_EQ(s.bodies.size(), 7U);
  EXPECT_THAT(s.bodies.x(), ElementsAre(100, 103, 200, 203, 206, 500, 1600));
  EXPECT_THAT(s.bodies.vz(), ElementsAre(1002, 1005, 2002, 2005, 2008, 5002, 16002));
  EXPECT_THAT(s.bodies.mass, ElementsAre(1, 2, 2, 3, 4, 5, 16));
  EXPECT_THAT(s.bodies.type, ElementsAre(0, 0, 1, 1, 1, 4, 15));
  EXPECT_THAT(s.bodies.id, ElementsAre(0, 1, 2, 3, 4, 5, 6));
}

// Types are 0 to 15: nobody reads a sixteenth.
TEST(ForeignHdf5, types_that_there_are_not_are_passed_over) {
  ForeignFile file;
  file.bodies(1, 3).bodies(16, 5);
  EXPECT_EQ(read(file).bodies.size(), 3U);
}

TEST(ForeignHdf5, a_mass_of_the_header_is_that_of_all_bodies_of_its_type) {
  ForeignFile file;
  file.array("PartType1", "Coordinates", {2, 3}).array("PartType1", "Velocities", {2, 3});
  file.bodies(2, 1);
  file.attribute("Header", "MassTable", {9, 0.25});
  EXPECT_THAT(read(file).bodies.mass, ElementsAre(0.25, 0.25, 3));
}

TEST(ForeignHdf5, an_empty_type_needs_no_arrays) {
  ForeignFile file;
  file.bodies(1, 2).array("PartType3", "Coordinates", {0, 3});
  file.array("PartType3", "Velocities", {0, 3});  // and no masses
  file.group("PartType5");
  const Snapshot s = read(file);
  EXPECT_EQ(s.bodies.size(), 2U);
  EXPECT_TRUE(s.bodies.type.empty());
}

TEST(ForeignHdf5, what_bodies_cannot_do_without_is_asked_for_by_name) {
  {
    ForeignFile file;
    file.array("PartType1", "Coordinates", {2, 3}).array("PartType1", "Masses", {2});
    refuses(file, "PartType1 has no Velocities");
  }
  {
    ForeignFile file;
    file.array("PartType1", "Coordinates", {2, 3}).array("PartType1", "Velocities", {2, 3});
    refuses(file, "PartType1 has no Masses");
  }
  {
    ForeignFile file;
    file.attribute("Header", "NumPart_ThisFile", hundred_of_type_1, H5T_STD_U32LE);
    file.array("PartType1", "Velocities", {100, 3});
    refuses(file, "PartType1 has no Coordinates");
  }
  {
    ForeignFile file;
    file.attribute("Header", "NumPart_ThisFile", hundred_of_type_1, H5T_STD_U32LE);
    refuses(file, "counts 100 bodies in PartType1, which is missing");
  }
}

TEST(ForeignHdf5, header_and_arrays_agree_on_the_number_of_bodies) {
  {
    ForeignFile file;
    file.bodies(1, 100).attribute("Header", "NumPart_ThisFile", hundred_of_type_1, H5T_STD_U32LE);
    EXPECT_EQ(read(file).bodies.size(), 100U);
  }
  {
    ForeignFile file;
    file.bodies(1, 99).attribute("Header", "NumPart_ThisFile", hundred_of_type_1, H5T_STD_U32LE);
    refuses(file, "PartType1/Coordinates has 99 rows where Header counts 100 bodies");
  }
  {
    ForeignFile file;
    file.bodies(1, 3).array("PartType1", "Potential", {2});
    refuses(file, "PartType1/Potential is 2 x 1 where 3 x 1 belong");
  }
  {
    ForeignFile file;
    file.bodies(1, 3).array("PartType1", "Charge", {3, 2});
    refuses(file, "PartType1/Charge is 3 x 2 where 3 x 1 belong");
  }
}

// 1100 bodies a byte are the most that anybody believes.
TEST(ForeignHdf5, a_claim_is_measured_by_the_length_of_the_file) {
  const auto claiming = [](double bodies) {
    ForeignFile file;
    file.bodies(1, 1).attribute("Header", "NumPart_ThisFile", {0, bodies}, H5T_STD_U64LE);
    return file.bytes();
  };
  const double length = static_cast<double>(claiming(1).size());
  expect_error(ExitCode::bad_data, "has 1 rows where Header counts",
               [&] { parse_hdf5(claiming(1100 * length + 1099), "f.hdf5"); });
  expect_error(ExitCode::bad_data, "Header claims",
               [&] { parse_hdf5(claiming(1100 * length + 1100), "f.hdf5"); });
}

TEST(ForeignHdf5, rows_without_a_count_are_measured_by_the_length_of_the_file_too) {
  ForeignFile file;
  file.claimed_array("PartType1", "Coordinates", {hsize_t{1} << 60, 3}, chunked({1024, 3}).id());
  refuses(file, "1152921504606846976 rows");
}

TEST(ForeignHdf5, rows_are_believed_up_to_1100_for_a_byte) {
  const auto claiming = [](hsize_t rows) {
    ForeignFile file;
    file.claimed_array("PartType1", "Coordinates", {rows, 3}, chunked({1 << 16, 3}).id());
    return file.bytes();
  };
  const hsize_t length = claiming(1 << 16).size(), most = 1100 * length + 1099;
  ASSERT_EQ(claiming(most).size(), length);
  expect_error(ExitCode::bad_data, "has no Velocities",
               [&] { parse_hdf5(claiming(most), "f.hdf5"); });
  expect_error(ExitCode::bad_data, "rows where Header counts 0 bodies",
               [&] { parse_hdf5(claiming(most + 1), "f.hdf5"); });
}

TEST(ForeignHdf5, charges_that_some_types_lack_are_0) {
  ForeignFile last;
  last.bodies(0, 2).bodies(1, 2).array("PartType1", "Charge", {2}, 5);
  EXPECT_THAT(read(last).bodies.charge, ElementsAre(0, 0, 5, 6));
  ForeignFile first;
  first.bodies(0, 2).bodies(1, 2).array("PartType0", "Charge", {2}, 5);
  EXPECT_THAT(read(first).bodies.charge, ElementsAre(5, 6, 0, 0));
  ForeignFile none;
  none.bodies(0, 2).bodies(1, 2);
  EXPECT_FALSE(read(none).bodies.charged());
}

TEST(ForeignHdf5, types_after_the_usual_one_leave_it_what_it_is) {
  ForeignFile file;
  file.bodies(0, 1).bodies(1, 2);
  EXPECT_THAT(read(file).bodies.type, ElementsAre(0, 1, 1));
}

TEST(ForeignHdf5, arrays_are_tables_of_numbers_in_this_file) {
  const auto with = [](const auto& add) {
    auto file = std::make_unique<ForeignFile>();
    file->array("PartType1", "Coordinates", {4, 3}).array("PartType1", "Velocities", {4, 3});
    add(*file, file->group("PartType1"));
    return file;
  };
  refuses(*with([](ForeignFile&, const Handle& group) {
    const std::array<hsize_t, 3> cube{4, 1, 1};
    const Handle space(H5Screate_simple(3, cube.data(), nullptr), H5Sclose);
    const Handle masses(H5Dcreate2(group.id(), "Masses", H5T_IEEE_F64LE, space.id(), H5P_DEFAULT,
                                   H5P_DEFAULT, H5P_DEFAULT),
                        H5Dclose);
  }),
          "PartType1/Masses is not a table of numbers");
  refuses(*with([](ForeignFile&, const Handle& group) {
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    const Handle masses(H5Dcreate2(group.id(), "Masses", H5T_IEEE_F64LE, space.id(), H5P_DEFAULT,
                                   H5P_DEFAULT, H5P_DEFAULT),
                        H5Dclose);
  }),
          "PartType1/Masses is not a table of numbers");
  refuses(*with([](ForeignFile&, const Handle& group) {
    const hsize_t four = 4;
    const Handle space(H5Screate_simple(1, &four, nullptr), H5Sclose);
    const Handle masses(H5Dcreate2(group.id(), "Masses", H5T_C_S1, space.id(), H5P_DEFAULT,
                                   H5P_DEFAULT, H5P_DEFAULT),
                        H5Dclose);
  }),
          "PartType1/Masses is not a table of numbers");
  refuses(*with([](ForeignFile& file, const Handle&) {
    const Handle outside(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_external(outside.id(), "/etc/passwd", 0, 32);
    file.claimed_array("PartType1", "Masses", {4}, outside.id());
  }),
          "PartType1/Masses has its data in another file");
  refuses(*with([](ForeignFile&, const Handle& group) {
    H5Lcreate_soft("/PartType1/Coordinates", group.id(), "Masses", H5P_DEFAULT, H5P_DEFAULT);
  }),
          "Masses leads elsewhere");
  refuses(*with([](ForeignFile&, const Handle& group) {  // a group that holds itself
    H5Lcreate_hard(group.id(), ".", group.id(), "Masses", H5P_DEFAULT, H5P_DEFAULT);
  }),
          "can't open Masses");
}

TEST(ForeignHdf5, ids_that_some_types_lack_are_dropped_with_a_warning) {
  ForeignFile file;
  file.bodies(0, 2).bodies(1, 2).array("PartType1", "ParticleIDs", {2}, 70);
  const Snapshot s = read(file);
  EXPECT_THAT(codes(s), ElementsAre(WarningCode::ids_dropped));
  EXPECT_THAT(s.warnings.front().text, HasSubstr("PartType0 has no ParticleIDs"));
  EXPECT_THAT(s.warnings.front().text, HasSubstr("ids of the other 2 bodies"));
  EXPECT_THAT(s.bodies.id, ElementsAre(0, 1, 2, 3));
}

TEST(ForeignHdf5, no_ids_at_all_are_nothing_to_warn_of) {
  ForeignFile file;
  file.bodies(0, 2).bodies(1, 2);
  EXPECT_TRUE(read(file).warnings.empty());
}

TEST(ForeignHdf5, fields_that_some_types_lack_are_left_out) {
  ForeignFile file;
  file.bodies(0, 2).bodies(1, 2).array("PartType0", "Potential", {2});
  file.array("PartType0", "Acceleration", {2, 3});
  const Snapshot s = read(file);
  EXPECT_TRUE(s.potential.empty());
  EXPECT_EQ(s.accelerations.size(), 0U);
}

TEST(ForeignHdf5, other_files_and_parts_of_a_snapshot_are_refused) {
  {
    ForeignFile file;
    file.array("data", "numbers", {10});
    refuses(file, "not a GADGET snapshot");
  }
  {
    ForeignFile file;
    file.bodies(1, 2).attribute("Header", "NumFilesPerSnapshot", {8});
    refuses(file, "one of 8 files");
  }
  {
    ForeignFile file;
    file.bodies(1, 2).attribute("Header", "NumFilesPerSnapshot", {1});
    EXPECT_EQ(read(file).bodies.size(), 2U);
  }
}

TEST(ForeignHdf5, attributes_that_are_no_numbers_are_named) {
  {
    ForeignFile file;
    file.bodies(1, 2).text("Header", "Time", "soon");
    refuses(file, "attribute Time is not a number");
  }
  {
    ForeignFile file;
    file.bodies(1, 2).attribute("Header", "Time", {std::numeric_limits<double>::infinity()});
    refuses(file, "attribute Time is inf");
  }
}

TEST(ForeignHdf5, an_attribute_without_values_is_none) {
  ForeignFile file;
  file.bodies(1, 2).attribute("Header", "Time", {}).attribute("Header", "NumPart_ThisFile", {});
  const Snapshot s = read(file);
  EXPECT_EQ(s.time, 0);
  EXPECT_EQ(s.bodies.size(), 2U);
}

TEST(ForeignHdf5, an_attribute_has_at_most_65536_values) {
  for (const std::size_t count : {65536, 65537}) {
    ForeignFile file;
    file.bodies(1, 2);
    std::vector<double> values(count);
    values[1] = 2;
    file.attribute("Header", "NumPart_ThisFile", values, H5T_STD_U8LE);
    if (count == 65536) {
      EXPECT_EQ(read(file).bodies.size(), 2U);
    } else {
      refuses(file, "attribute NumPart_ThisFile holds 65537 values");
    }
  }
}

TEST(ForeignHdf5, a_text_has_at_most_a_mebibyte) {
  for (const std::size_t length : {(1 << 20) - 1, 1 << 20}) {  // and a zero at its end
    ForeignFile file;
    file.bodies(1, 2).text("Provenance", "note", std::string(length, 'x'));
    if (length < 1 << 20) {
      EXPECT_EQ(read(file).provenance.at(0).second.size(), length);
    } else {
      refuses(file, "attribute note is a text of 1048577 bytes");
    }
  }
}

TEST(ForeignHdf5, provenance_is_what_texts_it_has) {
  ForeignFile file;
  file.bodies(1, 2).text("Provenance", "b", "first").text("Provenance", "a", "second");
  file.attribute("Provenance", "c", {3});
  const Snapshot s = read(file);
  using Entry = std::pair<std::string, std::string>;
  EXPECT_THAT(s.provenance, UnorderedElementsAre(Entry{"b", "first"}, Entry{"a", "second"}));
}

// So many lie in an index of their own.
TEST(ForeignHdf5, provenance_of_many_entries_is_whole) {
  ForeignFile file;
  file.bodies(1, 2);
  std::vector<std::pair<std::string, std::string>> notes;
  notes.reserve(30);
  for (int i = 0; i < 30; ++i) notes.emplace_back(fmt::format("note {}", i), std::to_string(i));
  for (const auto& [name, value] : notes) file.text("Provenance", name, value);
  EXPECT_THAT(read(file).provenance, UnorderedElementsAreArray(notes));
}

TEST(ForeignHdf5, the_reason_of_the_library_is_told) {
  const std::string text = "id,m,x,y,z\n";
  const std::string told =
      error_text(ExitCode::bad_data, [&] { parse_hdf5(bytes_of(text), "f.hdf5"); });
  EXPECT_THAT(told, HasSubstr("can't open it as HDF5: "));
  EXPECT_THAT(told, HasSubstr("signature"));
}

}  // namespace
}  // namespace apsis
