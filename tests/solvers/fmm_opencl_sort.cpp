// SPDX-License-Identifier: MIT
// The radix sort on the first OpenCL device against std::stable_sort.
#include <apsis/core/random.hpp>
#include <apsis/solvers/fmm/fmm_opencl_sort.hpp>

#include <gtest/gtest.h>
#include <support/opencl.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace apsis {
namespace {

using Items = std::vector<std::uint64_t>;

// Keys of `bits` bits above the item's number, every third key like its neighbour's.
Items random_items(std::size_t count, int bits, int index_bits) {
  Items items(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto draw = BodyRandom(5, i % 3 == 1 ? i - 1 : i).uniform(0, 1);
    items[i] = static_cast<std::uint64_t>(std::ldexp(draw, bits)) << index_bits | i;
  }
  return items;
}

Items sorted_on_device(const Items& items, int first_bit, int bits) {
  device::Context& context = test::context();
  fmm_opencl::RadixSort radix(context);
  const std::size_t bytes = items.size() * sizeof(items[0]);
  device::Buffer there = context.buffer(bytes, "items"), other = context.buffer(bytes, "items");
  there.write(std::span<const std::uint64_t>(items));
  radix.sort(there, other, static_cast<int>(items.size()), first_bit, bits);
  Items sorted(items.size());
  there.read(std::span(sorted));
  return sorted;
}

void expect_sorted(std::size_t count, int bits, int index_bits) {
  SCOPED_TRACE(count);
  const Items items = random_items(count, bits, index_bits);
  Items expected = items;
  std::stable_sort(expected.begin(), expected.end(), [&](std::uint64_t a, std::uint64_t b) {
    return a >> index_bits < b >> index_bits;
  });
  EXPECT_EQ(sorted_on_device(items, index_bits, bits), expected);
}

TEST(FmmOpenclSort, puts_items_in_order_and_keeps_that_of_equal_ones) {
  APSIS_NEED_DEVICE();
  for (const std::size_t count : {0, 1, 2, 63, 64, 65, 1000, 2048, 2049, 65537}) {
    expect_sorted(count, 39, 24);
  }
}

TEST(FmmOpenclSort, sorts_by_any_number_of_bits) {
  APSIS_NEED_DEVICE();
  for (const int bits : {0, 1, 5, 6, 7, 44}) expect_sorted(1000, bits, 20);
}

}  // namespace
}  // namespace apsis
