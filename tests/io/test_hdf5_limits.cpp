// SPDX-License-Identifier: MIT
// Packed arrays: honest ones are read, and those that would unpack to more than anybody has room
// for are refused before they do.
#include "files/expect_error.hpp"
#include "io/foreign_file.hpp"
#include <apsis/io/hdf5_limits.hpp>
#include <apsis/io/snapshot_formats.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace apsis {
namespace {

using hdf5::Handle;
using test::chunked;
using test::ForeignFile;
using test::Size;

constexpr Size hundred{100};

// A hundred bodies, whose masses are stored as `properties` say.
Bytes packed(const Handle& properties, hsize_t user_block = 0) {
  ForeignFile file(user_block);
  file.array("PartType1", "Coordinates", {100, 3}).array("PartType1", "Velocities", {100, 3});
  file.array("PartType1", "Masses", hundred, 1, properties.id());
  return file.bytes();
}

void reads(const Bytes& file) {
  const Snapshot s = parse_hdf5(file, "f.hdf5");
  ASSERT_EQ(s.bodies.mass.size(), 100U);
  for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(s.bodies.mass[i], double(i) + 1);
}

void refuses(const Bytes& file, const std::string& reason) {
  expect_error(ExitCode::bad_data, reason, [&] { parse_hdf5(file, "f.hdf5"); });
}

TEST(Hdf5Limits, the_usual_filters_are_read) {
  const Handle all = chunked({7});
  H5Pset_shuffle(all.id());
  H5Pset_deflate(all.id(), 6);
  H5Pset_fletcher32(all.id());
  reads(packed(all));
  const Handle checked_first = chunked({100});
  H5Pset_fletcher32(checked_first.id());
  H5Pset_deflate(checked_first.id(), 6);
  reads(packed(checked_first));
  const Handle few_bits = chunked({10});
  H5Pset_nbit(few_bits.id());
  reads(packed(few_bits));
  const Handle scaled = chunked({10});
  H5Pset_scaleoffset(scaled.id(), H5Z_SO_FLOAT_DSCALE, 3);
  reads(packed(scaled));
}

// What the filter says is not what the chunk has room for: nobody but a forger writes that.
TEST(Hdf5Limits, a_filter_that_claims_more_numbers_than_its_chunk_has_is_refused) {
  constexpr std::uint32_t chunk = 97;
  for (const std::uint32_t claimed : {chunk, chunk + 1}) {
    ForeignFile file(0, H5F_LIBVER_EARLIEST);  // without a checksum over it
    const Handle few_bits = chunked({chunk});
    H5Pset_nbit(few_bits.id());
    file.array("PartType1", "Coordinates", {100, 3}).array("PartType1", "Velocities", {100, 3});
    Bytes bytes = file.array("PartType1", "Masses", hundred, 1, few_bits.id()).bytes();
    const std::array<std::uint32_t, 3> parameters{8, 1, chunk};  // so many, whole, elements
    const auto wanted = std::as_bytes(std::span(parameters));
    const auto found = std::search(bytes.begin(), bytes.end(), wanted.begin(), wanted.end());
    ASSERT_NE(found, bytes.end());
    std::memcpy(&found[8], &claimed, sizeof claimed);
    if (claimed == chunk) {
      reads(bytes);
    } else {
      refuses(bytes, "PartType1/Masses is packed in a way that unpacks to more than it holds");
    }
  }
}

TEST(Hdf5Limits, packing_twice_over_is_refused) {
  const Handle twice = chunked({100});
  H5Pset_deflate(twice.id(), 6);
  H5Pset_deflate(twice.id(), 6);
  refuses(packed(twice), "PartType1/Masses is packed twice over");
}

TEST(Hdf5Limits, filters_after_deflate_are_refused_but_for_a_checksum) {
  const Handle shuffled = chunked({100});
  H5Pset_deflate(shuffled.id(), 6);
  H5Pset_shuffle(shuffled.id());
  refuses(packed(shuffled), "is packed with filter 2, which is not read");
  const Handle scaled = chunked({100});
  H5Pset_deflate(scaled.id(), 6);
  H5Pset_nbit(scaled.id());
  refuses(packed(scaled), "is packed with filter 5, which is not read");
}

TEST(Hdf5Limits, unknown_filters_are_refused_by_number) {
  if (H5Zfilter_avail(H5Z_FILTER_SZIP) <= 0) GTEST_SKIP() << "HDF5 is built without szip";
  const Handle szip = chunked({100});
  H5Pset_szip(szip.id(), H5_SZIP_NN_OPTION_MASK, 8);
  refuses(packed(szip), "is packed with filter 4, which is not read");
}

TEST(Hdf5Limits, a_user_block_before_packed_arrays_is_refused_and_before_others_read) {
  const Handle deflated = chunked({100});
  H5Pset_deflate(deflated.id(), 6);
  refuses(packed(deflated, 512), "has a block of its user's before its first byte");
  reads(packed(chunked({100}), 512));
}

TEST(Hdf5Limits, an_empty_packed_array_is_nothing) {
  ForeignFile file;
  const Handle deflated = chunked({10});
  H5Pset_deflate(deflated.id(), 6);
  file.array("PartType1", "Coordinates", {0, 3}).array("PartType1", "Velocities", {0, 3});
  file.array("PartType1", "Masses", {0}, 0, deflated.id());
  EXPECT_EQ(parse_hdf5(file.bytes(), "f.hdf5").bodies.size(), 0U);
}

// So many masses, of which one chunk holds a stream that its filter did not make; `left_out` has a
// bit for each filter that was passed over.
Bytes with_chunk(hsize_t masses, const Handle& properties, const std::vector<Bytef>& stream,
                 unsigned left_out = 0) {
  ForeignFile file;
  file.array("PartType1", "Coordinates", {masses, 3}).array("PartType1", "Velocities", {masses, 3});
  file.claimed_array("PartType1", "Masses", {masses}, properties.id());
  {
    const Handle group = file.group("PartType1");
    const Handle dataset(H5Dopen2(group.id(), "Masses", H5P_DEFAULT), H5Dclose);
    const hsize_t origin = 0;
    EXPECT_GE(
        H5Dwrite_chunk(dataset.id(), H5P_DEFAULT, left_out, &origin, stream.size(), stream.data()),
        0);
  }
  return file.bytes();
}

// In a stream of deflate that packs nothing, so that few bytes are many.
std::vector<Bytef> zeros_in_a_stream(std::size_t count) {
  const std::vector<Bytef> zeros(count);
  std::vector<Bytef> stream(compressBound(count));
  uLongf length = stream.size();
  EXPECT_EQ(compress2(stream.data(), &length, zeros.data(), count, Z_NO_COMPRESSION), Z_OK);
  stream.resize(length);
  return stream;
}

// Streams that could unpack to 128 MiB are looked at: those of 130056 bytes and more.
TEST(Hdf5Limits, a_stream_that_unpacks_to_more_than_its_chunk_is_refused) {
  const Handle deflated = chunked(hundred);
  H5Pset_deflate(deflated.id(), 6);
  refuses(with_chunk(100, deflated, zeros_in_a_stream(200'000)),
          "a chunk of PartType1/Masses unpacks to more than the 800 bytes it has room for");
  const Handle checked = chunked(hundred);
  H5Pset_deflate(checked.id(), 6);
  H5Pset_fletcher32(checked.id());
  refuses(with_chunk(100, checked, zeros_in_a_stream(200'000)),
          "a chunk of PartType1/Masses unpacks to more than the 800 bytes it has room for");
}

TEST(Hdf5Limits, a_stream_that_fits_its_chunk_is_read_and_one_beyond_is_not) {
  constexpr hsize_t masses = 25'000;
  const Handle deflated = chunked({masses});
  H5Pset_deflate(deflated.id(), 6);
  const Bytes fits = with_chunk(masses, deflated, zeros_in_a_stream(8 * masses));
  EXPECT_EQ(parse_hdf5(fits, "f.hdf5").bodies.mass, std::vector<double>(masses, 0.0));
  // 64 bytes are for checksums
  const Bytes more = with_chunk(masses, deflated, zeros_in_a_stream(8 * masses + 64));
  EXPECT_EQ(parse_hdf5(more, "f.hdf5").bodies.size(), masses);
  refuses(with_chunk(masses, deflated, zeros_in_a_stream(8 * masses + 65)), "unpacks to more");
}

// As long as whole pieces of 64 KiB, in which it is looked through.
TEST(Hdf5Limits, a_stream_is_looked_through_beyond_the_room_of_its_chunk) {
  constexpr std::size_t room = 4UL << 16;
  constexpr hsize_t masses = (room - 64) / 8;
  const Handle deflated = chunked({masses});
  H5Pset_deflate(deflated.id(), 6);
  const Bytes fits = with_chunk(masses, deflated, zeros_in_a_stream(room));
  EXPECT_EQ(parse_hdf5(fits, "f.hdf5").bodies.size(), masses);
  refuses(with_chunk(masses, deflated, zeros_in_a_stream(room + 1)), "unpacks to more");
}

// Its end is nowhere, least of all at its beginning once more.
TEST(Hdf5Limits, a_stream_that_breaks_off_is_damaged_and_no_bomb) {
  std::vector<Bytef> stream = zeros_in_a_stream(200'000);
  stream.resize(150'000);
  const Handle deflated = chunked({150'000 / 8});
  H5Pset_deflate(deflated.id(), 6);
  refuses(with_chunk(150'000 / 8, deflated, stream), "can't read PartType1/Masses");
}

// Only the last of several chunks, in both directions.
TEST(Hdf5Limits, every_chunk_is_looked_at) {
  ForeignFile file;
  const Handle tiles = chunked({1000, 2});
  H5Pset_deflate(tiles.id(), 6);
  file.claimed_array("PartType1", "Coordinates", {2500, 3}, tiles.id());
  {
    const Handle group = file.group("PartType1");
    const Handle dataset(H5Dopen2(group.id(), "Coordinates", H5P_DEFAULT), H5Dclose);
    const std::vector<Bytef> stream = zeros_in_a_stream(200'000);
    const std::array<hsize_t, 2> last{2000, 2};
    EXPECT_GE(
        H5Dwrite_chunk(dataset.id(), H5P_DEFAULT, 0, last.data(), stream.size(), stream.data()), 0);
  }
  refuses(file.bytes(), "a chunk of PartType1/Coordinates unpacks to more");
}

// The same bytes as plain numbers: nothing is unpacked.
TEST(Hdf5Limits, a_chunk_that_passes_its_filter_over_is_no_stream) {
  const Handle deflated = chunked(hundred);
  H5Pset_deflate(deflated.id(), 6);
  const std::vector<Bytef> zeros(800);
  const Snapshot s = parse_hdf5(with_chunk(100, deflated, zeros, 1), "f.hdf5");
  EXPECT_EQ(s.bodies.mass, std::vector<double>(100, 0.0));
}

TEST(Hdf5Limits, arrays_that_were_never_written_take_no_gigabytes) {
  ForeignFile file;
  constexpr hsize_t rows = 5'000'000;  // 120 MB of coordinates
  file.array("noise", "makes it longer", {2000});
  const Handle chunks = chunked({1 << 16, 3});
  file.claimed_array("PartType1", "Coordinates", {rows, 3}, chunks.id());
  file.claimed_array("PartType1", "Velocities", {rows, 3}, chunks.id());
  refuses(file.bytes(), "PartType1/Coordinates would take 114.4 MiB");
}

// Each of them would fit.
TEST(Hdf5Limits, all_arrays_of_a_file_share_one_budget) {
  ForeignFile file;
  constexpr hsize_t rows = 2'000'000;  // 48 MB each
  file.array("noise", "makes it longer", {2000});
  const Handle chunks = chunked({1 << 16, 3});
  file.claimed_array("PartType1", "Coordinates", {rows, 3}, chunks.id());
  file.claimed_array("PartType1", "Velocities", {rows, 3}, chunks.id());
  refuses(file.bytes(), "PartType1/Velocities would take 45.8 MiB");
}

TEST(Hdf5Limits, a_budget_can_be_spent_to_its_last_byte) {
  ForeignFile foreign;
  const Bytes file = foreign.array("PartType1", "Masses", hundred).bytes();
  const hdf5::Session session("f.hdf5");
  const Handle image = hdf5::open_image(session, file);
  const auto group = hdf5::open_group(session, image, "PartType1");
  const auto masses = hdf5::open_dataset(session, *group, "Masses");
  const auto take = [&](hdf5::Budget& budget, std::uint64_t numbers) {
    budget.take(session, *masses, "Masses", numbers);
  };
  const std::uint64_t all = ((std::uint64_t{64} << 20) + 256 * file.size()) / sizeof(double);
  hdf5::Budget at_once(file), in_two(file), too_much(file);
  EXPECT_NO_THROW(take(at_once, all));
  EXPECT_NO_THROW(take(in_two, all - 1));
  EXPECT_NO_THROW(take(in_two, 1));
  expect_error(ExitCode::bad_data, "Masses would take", [&] { take(in_two, 1); });
  expect_error(ExitCode::bad_data, "Masses would take", [&] { take(too_much, all + 1); });
}

TEST(Hdf5Limits, one_chunk_larger_than_the_budget_is_refused) {
  const Handle huge(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  const hsize_t chunk = hsize_t{1} << 28, rows = 100, unlimited = H5S_UNLIMITED;
  H5Pset_chunk(huge.id(), 1, &chunk);
  ForeignFile file;
  file.array("PartType1", "Coordinates", {100, 3}).array("PartType1", "Velocities", {100, 3});
  {
    const Handle space(H5Screate_simple(1, &rows, &unlimited), H5Sclose);
    const Handle group = file.group("PartType1");
    const Handle masses(H5Dcreate2(group.id(), "Masses", H5T_IEEE_F64LE, space.id(), H5P_DEFAULT,
                                   huge.id(), H5P_DEFAULT),
                        H5Dclose);
    EXPECT_TRUE(masses.valid());
  }
  refuses(file.bytes(), "PartType1/Masses would take 2.0 GiB");
}

}  // namespace
}  // namespace apsis
