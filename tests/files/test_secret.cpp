// SPDX-License-Identifier: MIT
#include "files/scratch_folder.hpp"
#include <apsis/files/file.hpp>
#include <apsis/files/secret.hpp>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <vector>

namespace apsis {
namespace {

namespace fs = std::filesystem;

TEST(Secret, is_made_once_for_its_owner_alone) {
  const ScratchFolder folder;
  const Bytes made = secret_in(folder / "secret");
  EXPECT_EQ(made.size(), 32U);
  EXPECT_EQ(secret_in(folder / "secret"), made);
  EXPECT_EQ(read_file(folder / "secret"), made);
  EXPECT_EQ(fs::status(folder / "secret").permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(folder.entries(), 1U);
}

TEST(Secret, differs_from_every_other) {
  const ScratchFolder folder;
  const Bytes one = secret_in(folder / "one"), other = secret_in(folder / "other");
  EXPECT_NE(one, other);
  // 32 random bytes have 30 different ones; a part that was never filled would have few
  Bytes sorted = one;
  std::ranges::sort(sorted);
  EXPECT_GT(std::unique(sorted.begin(), sorted.end()) - sorted.begin(), 16);
}

TEST(Secret, that_others_could_know_or_have_written_is_made_anew) {
  const ScratchFolder folder;
  const auto file = folder / "secret";
  const Bytes first = secret_in(file);
  ASSERT_EQ(::chmod(file.c_str(), 0640), 0);
  const Bytes second = secret_in(file);
  EXPECT_NE(second, first);
  fs::rename(file, folder / "elsewhere");
  fs::create_symlink(folder / "elsewhere", file);
  const Bytes third = secret_in(file);
  EXPECT_NE(third, second);
  EXPECT_FALSE(fs::is_symlink(file));
  EXPECT_EQ(read_file(folder / "elsewhere"), second);
}

TEST(Secret, of_another_length_is_made_anew) {
  const ScratchFolder folder;
  for (const std::size_t length : {0, 31, 33}) {
    write_atomically(folder / "secret", Bytes(length));
    ASSERT_EQ(::chmod((folder / "secret").c_str(), 0600), 0);
    const Bytes made = secret_in(folder / "secret");
    EXPECT_EQ(made.size(), 32U);
    EXPECT_NE(made, Bytes(32));
  }
}

TEST(Random, bytes_fill_all_of_a_long_row) {
  Bytes bytes(100000);
  fill_with_random(bytes);
  std::vector<std::size_t> count(256);
  for (const std::byte byte : bytes) ++count[std::to_integer<std::size_t>(byte)];
  // 391 of each on average, with a deviation of 20
  EXPECT_GT(*std::ranges::min_element(count), 200U);
  EXPECT_LT(*std::ranges::max_element(count), 600U);
}

}  // namespace
}  // namespace apsis
