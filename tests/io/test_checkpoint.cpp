// SPDX-License-Identifier: MIT
#include "files/expect_error.hpp"
#include "files/scratch_folder.hpp"
#include "io/samples.hpp"
#include <apsis/files/folders.hpp>
#include <apsis/io/checkpoint.hpp>
#include <apsis/io/section_file.hpp>

#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <vector>

namespace apsis {
namespace {

void expect_same(const Checkpoint& a, const Checkpoint& b) {
  EXPECT_EQ(a.step, b.step);
  EXPECT_EQ(a.time, b.time);
  EXPECT_EQ(a.spec_toml, b.spec_toml);
  EXPECT_EQ(a.seed, b.seed);
  EXPECT_EQ(a.random_counter, b.random_counter);
  EXPECT_EQ(a.start.kinetic, b.start.kinetic);
  EXPECT_EQ(a.start.potential, b.start.potential);
  EXPECT_EQ(a.start.momentum, b.start.momentum);
  EXPECT_EQ(a.start.angular_momentum, b.start.angular_momentum);
  EXPECT_EQ(a.start.center_of_mass, b.start.center_of_mass);
  EXPECT_EQ(a.energy_error_max, b.energy_error_max);
  EXPECT_EQ(a.next_snapshot, b.next_snapshot);
  EXPECT_EQ(a.logs, b.logs);
  EXPECT_EQ(a.seconds_so_far, b.seconds_so_far);
  EXPECT_EQ(a.notes, b.notes);
  EXPECT_EQ(a.state, b.state);
}

bool accepted(std::span<const std::byte> bytes) {
  try {
    parse_checkpoint(bytes);
    return true;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_data);
    return false;
  }
}

TEST(Checkpoint, everything_survives_a_round_trip) {
  const Checkpoint checkpoint = sample_checkpoint();
  expect_same(parse_checkpoint(encode_checkpoint(checkpoint)), checkpoint);
}

TEST(Checkpoint, an_empty_one_survives_too) {
  expect_same(parse_checkpoint(encode_checkpoint({})), {});
  const Checkpoint no_bodies = sample_checkpoint(0);
  expect_same(parse_checkpoint(encode_checkpoint(no_bodies)), no_bodies);
}

TEST(Checkpoint, every_truncation_is_found) {
  const Bytes bytes = encode_checkpoint(sample_checkpoint(400));
  ASSERT_GT(bytes.size(), 8192U);
  for (std::size_t length = 0; length < 4096; ++length) {
    ASSERT_FALSE(accepted(std::span(bytes).first(length))) << length;
  }
  BodyRandom random(1, 0);
  for (int i = 0; i < 1000; ++i) {
    const auto length = static_cast<std::size_t>(random.uniform() * double(bytes.size()));
    ASSERT_FALSE(accepted(std::span(bytes).first(length))) << length;
  }
}

TEST(Checkpoint, every_flipped_bit_is_found) {
  Bytes bytes = encode_checkpoint(sample_checkpoint(20));
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    const auto mask = static_cast<std::byte>(1U << (bit % 8));
    bytes[bit / 8] ^= mask;
    ASSERT_FALSE(accepted(bytes)) << "bit " << bit;
    bytes[bit / 8] ^= mask;
  }
  EXPECT_TRUE(accepted(bytes));
}

TEST(Checkpoint, bytes_behind_the_end_are_found) {
  Bytes bytes = encode_checkpoint(sample_checkpoint());
  bytes.push_back(std::byte{0});
  EXPECT_FALSE(accepted(bytes));
}

TEST(Checkpoint, claims_of_2_to_the_60_are_refused_without_memory) {
  // a file whose hashes are right and whose contents lie
  const std::uint64_t huge = std::uint64_t{1} << 60;
  Bytes logs(8);
  std::memcpy(logs.data(), &huge, 8);
  const Bytes progress(8 * 4 + 8 * 11 + 8 * 3);
  Bytes state(24);
  const std::vector<Section> sections{
      {"progress", progress}, {"spec", {}}, {"logs", logs}, {"notes", logs}, {"state", state}};
  Bytes bytes = section_table(sections);
  for (const auto& section : sections) {
    bytes.insert(bytes.end(), section.bytes.begin(), section.bytes.end());
  }
  EXPECT_FALSE(accepted(bytes));
  Bytes header = encode_checkpoint({});
  std::memcpy(header.data() + 24, &huge, 8);  // number of sections
  EXPECT_FALSE(accepted(header));
}

TEST(Checkpoint, of_another_version_names_it) {
  Bytes bytes = encode_checkpoint({});
  bytes[8] = std::byte{9};
  expect_error(ExitCode::bad_data, "checkpoint format 9", [&] { parse_checkpoint(bytes); });
}

TEST(Checkpoint, of_the_other_byte_order_says_so) {
  Bytes bytes = encode_checkpoint({});
  std::swap(bytes[12], bytes[15]);
  std::swap(bytes[13], bytes[14]);
  expect_error(ExitCode::bad_data, "byte order", [&] { parse_checkpoint(bytes); });
}

TEST(CheckpointFiles, two_newest_are_kept) {
  const ScratchFolder folder;
  Checkpoint checkpoint = sample_checkpoint();
  for (const std::uint64_t step : {5L, 900L, 1000L, 12345678901L}) {
    checkpoint.step = step;
    write_checkpoint(folder.path(), checkpoint);
  }
  const auto files = checkpoint_files(folder.path());
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[0].filename(), "checkpoint_12345678901.apsis");
  EXPECT_EQ(files[1].filename(), "checkpoint_00001000.apsis");
  expect_same(read_newest_checkpoint(folder.path()).checkpoint, checkpoint);
}

void damage(const std::filesystem::path& path) {
  Bytes bytes = read_file(path);
  bytes[bytes.size() / 2] ^= std::byte{4};
  write_atomically(path, bytes);
}

TEST(CheckpointFiles, a_damaged_one_is_skipped_with_a_message) {
  const ScratchFolder folder;
  Checkpoint checkpoint = sample_checkpoint();
  checkpoint.step = 1;
  write_checkpoint(folder.path(), checkpoint);
  checkpoint.step = 2;
  damage(write_checkpoint(folder.path(), checkpoint));
  const auto found = read_newest_checkpoint(folder.path());
  EXPECT_EQ(found.checkpoint.step, 1U);
  ASSERT_EQ(found.messages.size(), 1U);
  EXPECT_NE(found.messages[0].find("checkpoint_00000002.apsis: section"), std::string::npos);
}

TEST(CheckpointFiles, a_damaged_later_one_does_not_displace_a_good_one) {
  const ScratchFolder folder;
  Checkpoint checkpoint = sample_checkpoint();
  for (const std::uint64_t step : {100, 200}) {
    checkpoint.step = step;
    write_checkpoint(folder.path(), checkpoint);
  }
  damage(folder / "checkpoint_00000200.apsis");
  checkpoint.step = 150;  // resumed from 100
  write_checkpoint(folder.path(), checkpoint);
  const auto files = checkpoint_files(folder.path());
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[0].filename(), "checkpoint_00000150.apsis");
  EXPECT_EQ(files[1].filename(), "checkpoint_00000100.apsis");
}

TEST(CheckpointFiles, none_that_is_valid_names_all_and_what_is_wrong) {
  const ScratchFolder folder;
  expect_error(ExitCode::bad_data, "holds no checkpoint",
               [&] { read_newest_checkpoint(folder.path()); });
  expect_error(ExitCode::file_error, "no folder", [&] { read_newest_checkpoint(folder / "none"); });
  damage(write_checkpoint(folder.path(), sample_checkpoint()));
  write_text(folder / "checkpoint_00009999.apsis", "APSIS");
  const std::string text =
      error_text(ExitCode::bad_data, [&] { read_newest_checkpoint(folder.path()); });
  EXPECT_NE(text.find("checkpoint_00009999.apsis: the header ends 3 bytes too early"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("checkpoint_00001200.apsis: section"), std::string::npos) << text;
}

TEST(CheckpointFiles, one_that_is_damaged_is_refused_with_its_own_remedy_and_several_with_theirs) {
  const ScratchFolder folder;
  const auto refused_with = [&](const std::string& remedy) {
    expect_error(ExitCode::bad_data, remedy, [&] { read_newest_checkpoint(folder.path()); });
  };
  const auto file = write_checkpoint(folder.path(), sample_checkpoint());
  Bytes bytes = read_file(file);
  bytes[8] = std::byte{9};
  write_atomically(file, bytes);
  refused_with("; resume with the version of Apsis that wrote it");
  bytes[8] = std::byte{1};
  bytes.back() ^= std::byte{1};
  write_atomically(file, bytes);
  refused_with("; use another checkpoint or start the run anew");
  write_text(folder / "checkpoint_00009999.apsis", "APSIS");
  refused_with("; start the run anew, or restore one from a backup");
}

TEST(CheckpointFiles, a_full_disk_keeps_the_previous_one) {
  const ScratchFolder folder;
  Checkpoint checkpoint = sample_checkpoint(1000);
  write_checkpoint(folder.path(), checkpoint);
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit{20000, 20000};
    setrlimit(RLIMIT_FSIZE, &limit);
    try {
      checkpoint.step += 1;
      write_checkpoint(folder.path(), checkpoint);
    } catch (const Error& error) {
      _exit(error.code() == ExitCode::file_error ? 0 : 1);
    }
    _exit(2);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(folder.entries(), 1U);
  expect_same(read_newest_checkpoint(folder.path()).checkpoint, sample_checkpoint(1000));
}

TEST(Checkpoint, names_are_known_to_the_letter) {
  for (const char* name : {"checkpoint_00000040.apsis", "checkpoint_123456789.apsis",
                           "checkpoint_00000040_1of2.apsis"}) {
    EXPECT_TRUE(is_checkpoint_name(name)) << name;
  }
  for (const char* name : {"checkpoint_40.apsis", "checkpoint_mine.apsis", "checkpoint_00000040",
                           "checkpoint_00000040_0of2.apsis", "checkpoint_00000040_1of2", ""}) {
    EXPECT_FALSE(is_checkpoint_name(name)) << name;
  }
}

}  // namespace
}  // namespace apsis
