// SPDX-License-Identifier: MIT
#include "files/expect_error.hpp"
#include "open_device.hpp"

#include <gmock/gmock.h>

#include <numeric>
#include <vector>

namespace apsis {
namespace {

using device::Buffer;
using device::Context;
using ::testing::Each;
using ::testing::ElementsAre;

class Buffers : public OpenDevice {};

std::vector<int> numbers(std::size_t count) {
  std::vector<int> values(count);
  std::iota(values.begin(), values.end(), 1);
  return values;
}
std::vector<int> held_by(const Buffer& buffer) {
  std::vector<int> values(buffer.bytes() / sizeof(int), -1);
  buffer.read(std::span(values));
  return values;
}
void fill(Buffer& buffer, const std::vector<int>& values) {
  buffer.write(std::span<const int>(values));
}

TEST_F(Buffers, give_back_what_was_written) {
  Context context(info);
  for (const std::size_t count : {1, 3, 4, 5, 1000}) {
    Buffer buffer = context.buffer(count * sizeof(int), "numbers");
    EXPECT_EQ(buffer.bytes(), count * sizeof(int));
    fill(buffer, numbers(count));
    EXPECT_EQ(held_by(buffer), numbers(count));
  }
}

TEST_F(Buffers, are_written_and_read_in_part) {
  Context context(info);
  Buffer buffer = context.buffer(5 * sizeof(int), "numbers");
  fill(buffer, numbers(5));
  const std::vector<int> two{70, 80};
  buffer.write(std::span<const int>(two), 2 * sizeof(int));
  EXPECT_THAT(held_by(buffer), ElementsAre(1, 2, 70, 80, 5));
  std::vector<int> last(2);
  buffer.read(std::span(last), 3 * sizeof(int));
  EXPECT_THAT(last, ElementsAre(80, 5));
}

TEST_F(Buffers, are_cleared_and_copied_in_order) {
  Context context(info);
  Buffer first = context.buffer(7 * sizeof(int), "numbers");
  Buffer second = context.buffer(7 * sizeof(int), "numbers");
  fill(first, numbers(7));
  second.copy_from(first);
  first.clear();
  EXPECT_EQ(held_by(second), numbers(7));
  EXPECT_THAT(held_by(first), Each(0));
}

TEST_F(Buffers, may_be_empty) {
  Context context(info);
  Buffer first = context.buffer(0, "nothing"), second = context.buffer(0, "nothing");
  fill(first, {});
  first.clear();
  second.copy_from(first);
  EXPECT_EQ(second.bytes(), 0U);
  EXPECT_TRUE(held_by(second).empty());
}

TEST_F(Buffers, outlive_their_context) {
  Buffer buffer;
  {
    Context context(info);
    buffer = context.buffer(3 * sizeof(int), "numbers");
  }
  fill(buffer, numbers(3));
  EXPECT_EQ(held_by(buffer), numbers(3));
}

TEST_F(Buffers, larger_than_the_device_allows_are_refused_before_allocation) {
  Context context(info);
  const std::size_t too_much = info.largest_buffer + 1;
  const auto text =
      error_text(ExitCode::bad_data, [&] { context.buffer(too_much, "accelerations"); });
  EXPECT_THAT(text, ::testing::HasSubstr("accelerations"));
  EXPECT_THAT(text, ::testing::HasSubstr(info.name));
  expect_error(ExitCode::bad_data, "EiB", [&] { context.buffer(~std::size_t{0}, "all"); });
}

TEST_F(Buffers, are_refused_where_they_do_not_fit_beside_the_others) {
  info.memory = 1000;  // what a context allots is what was discovered, not what was handed in
  Context context(info);
  std::vector<Buffer> held;
  const std::uint64_t memory = context.device().memory, largest = context.device().largest_buffer;
  // drivers allot on first use, so the buffers cost nothing here
  const auto fill_device = [&] {
    for (std::uint64_t sum = 0; sum <= memory; sum += largest) {
      held.push_back(context.buffer(largest, "one of many"));
    }
  };
  expect_error(ExitCode::bad_data, "left only", fill_device);
  held.clear();
  EXPECT_EQ(context.buffer(largest, "after the others went").bytes(), largest);
}

TEST_F(Buffers, do_not_take_what_lies_outside_them) {
  Context context(info);
  Buffer buffer = context.buffer(2 * sizeof(int), "numbers");
  EXPECT_THROW(fill(buffer, numbers(3)), Error);
  std::vector<int> one(1);
  EXPECT_THROW(buffer.read(std::span(one), 2 * sizeof(int)), Error);
  Buffer other = context.buffer(sizeof(int), "numbers");
  EXPECT_THROW(buffer.copy_from(other), Error);
  Buffer none;
  EXPECT_EQ(none.bytes(), 0U);
  EXPECT_THROW(none.clear(), Error);
}

}  // namespace
}  // namespace apsis
