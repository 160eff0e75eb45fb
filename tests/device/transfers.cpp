// SPDX-License-Identifier: MIT
// What works beside the kernels: the second queue, events, parts of buffers, and the record of it.
#include "files/expect_error.hpp"
#include "open_device.hpp"
#include <apsis/core/error.hpp>

#include <gmock/gmock.h>

#include <numeric>
#include <vector>

namespace apsis {
namespace {

using device::Buffer;
using device::Context;
using device::Event;
using ::testing::ElementsAre;

class Transfers : public OpenDevice {
 protected:
  const std::string text_ = R"(
kernel void add(global int* numbers, int more) { numbers[get_global_id(0)] += more; }
)";
};

constexpr std::size_t count = 300, bytes = count * sizeof(int);

TEST_F(Transfers, wait_for_kernels_and_kernels_wait_for_them) {
  Context context = context_with("add.cl", text_);
  auto add = context.program("add.cl", {}).kernel<Buffer, int>("add");
  Buffer buffer = context.buffer(bytes, "numbers");
  std::vector<int> numbers(count), first(count), last(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  for (int round = 0; round < 20; ++round) {
    const Event written = buffer.start_writing(std::as_bytes(std::span(numbers)), 0, {});
    context.begin_after(written);
    add({{count, 1, 1}, {0, 0, 0}}, buffer, 1000);
    const Event read =
        buffer.start_reading(std::as_writable_bytes(std::span(first)), 0, context.reached());
    context.begin_after(read);
    add({{count, 1, 1}, {0, 0, 0}}, buffer, 1000);
    const Event end =
        buffer.start_reading(std::as_writable_bytes(std::span(last)), 0, context.reached());
    end.wait();
    EXPECT_TRUE(read.over() && end.over() && written.over());
    EXPECT_EQ(first[7], 1007);
    EXPECT_EQ(last[299], 2299);
  }
}

TEST_F(Transfers, of_nothing_are_over_when_what_came_before_is) {
  Context context(info);
  Buffer buffer = context.buffer(bytes, "numbers");
  EXPECT_TRUE(Event().over());
  Event().wait();
  buffer.start_reading({}, bytes, {}).wait();
  std::vector<std::byte> many(bytes + 1);
  EXPECT_THROW(buffer.start_reading(many, 0, {}), Error);
}

TEST_F(Transfers, reach_the_same_bytes_through_a_part_of_a_buffer) {
  Context context = context_with("add.cl", text_);
  auto add = context.program("add.cl", {}).kernel<Buffer, int>("add");
  Buffer buffer = context.buffer(bytes, "numbers");
  const std::vector<int> zeros(count);
  buffer.write(std::span<const int>(zeros));
  const std::uint64_t before = context.allocated_bytes();
  {
    const Buffer part = buffer.from(512);
    EXPECT_EQ(part.bytes(), bytes - 512);
    EXPECT_EQ(context.allocated_bytes(), before);
    add({{2, 1, 1}, {0, 0, 0}}, part, 5);
  }
  std::vector<int> seen(4);
  buffer.read(std::span(seen), 512 - sizeof(int));
  EXPECT_THAT(seen, ElementsAre(0, 5, 5, 0));
}

TEST_F(Transfers, are_in_the_timeline_with_the_kernels) {
  Context context = context_with("add.cl", text_);
  auto add = context.program("add.cl", {}).kernel<Buffer, int>("add");
  Buffer buffer = context.buffer(bytes, "numbers");
  std::vector<int> numbers(count);
  context.record_timeline();
  buffer.start_writing(std::as_bytes(std::span(numbers)), 0, {}).wait();
  add({{count, 1, 1}, {0, 0, 0}}, buffer, 1);
  const auto entries = context.timeline();
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].what, "write");
  EXPECT_TRUE(entries[0].transfer);
  EXPECT_EQ(entries[1].what, "add");
  EXPECT_FALSE(entries[1].transfer);
  EXPECT_LE(entries[0].start, entries[0].end);
  EXPECT_LE(entries[0].end, entries[1].start);
  EXPECT_TRUE(context.timeline().empty());
}

TEST_F(Transfers, parts_of_a_device_are_devices) {
  if (info.compute_units < 2) GTEST_SKIP() << info.name << " has one compute unit";
  const auto halves = chosen_devices("opencl:0/2");
  ASSERT_EQ(halves.size(), 2U);
  EXPECT_EQ(word_for(halves[1]), "opencl:0/2:1");
  EXPECT_EQ(chosen_device("opencl:0/2:1").name, halves[1].name);
  EXPECT_TRUE(names_several("opencl:0/2") && names_several("all") && names_several("a,b"));
  EXPECT_FALSE(names_several("opencl:0") || names_several("opencl:0/2:1"));
  for (const DeviceInfo& half : halves) {
    Context context(half);
    EXPECT_EQ(context.device().compute_units, info.compute_units / 2);
    Buffer buffer = context.buffer(bytes, "numbers");
    buffer.clear();
    context.finish();
  }
  expect_error(ExitCode::bad_data, "twice", [] { chosen_devices("opencl:0/2,opencl:0"); });
  expect_error(ExitCode::bad_data, "is 2 devices", [] { chosen_device("opencl:0/2"); });
}

}  // namespace
}  // namespace apsis
