// SPDX-License-Identifier: MIT
#include <apsis/core/body_ids.hpp>
#include <apsis/core/error.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

namespace apsis {
namespace {

using Ids = std::vector<std::uint64_t>;

std::string complaint(const Ids& ids) {
  try {
    require_unique_ids(ids, "file", "remedy");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_data);
    EXPECT_EQ(error.remedy(), "remedy");
    return error.what();
  }
  return {};
}

TEST(BodyIds, none_one_and_any_order_are_fine) {
  for (const Ids& ids : {Ids{}, Ids{7}, Ids{0, 1, 2}, Ids{9, 3, 5},
                         Ids{std::numeric_limits<std::uint64_t>::max(), 0}}) {
    EXPECT_EQ(complaint(ids), "");
  }
}

TEST(BodyIds, two_that_are_the_same_are_named_with_their_bodies) {
  EXPECT_EQ(complaint({4, 4}), "file: bodies 1 and 2 have the same id 4");
  EXPECT_EQ(complaint({8, 3, 9, 1, 3, 3}), "file: bodies 2 and 5 have the same id 3");
  EXPECT_EQ(complaint({0, 0, 0}), "file: bodies 1 and 2 have the same id 0");
}

TEST(BodyIds, one_pair_among_a_million_is_found) {
  Ids ids(1'000'000);
  std::iota(ids.rbegin(), ids.rend(), 0);
  EXPECT_EQ(complaint(ids), "");
  ids[17] = ids[765'432];
  EXPECT_EQ(complaint(ids), "file: bodies 18 and 765433 have the same id 234567");
}

}  // namespace
}  // namespace apsis
