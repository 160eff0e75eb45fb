// SPDX-License-Identifier: MIT
#include <apsis/solvers/fmm/fmm_opencl_sort.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace apsis::fmm_opencl {
namespace {

using device::Buffer;

constexpr int digit_bits = 6, digits = 1 << digit_bits;
constexpr std::size_t group = 128, row_group = 64;
// A tile of 16 items a work-item takes 35 KiB of local memory, of 8 half as much.
constexpr std::uint64_t local_memory_for_16 = std::uint64_t{40} << 10;

}  // namespace

RadixSort::RadixSort(device::Context& context) : context_(&context) {
  const int each = context.device().local_memory >= local_memory_for_16 ? 16 : 8;
  tile_ = static_cast<int>(group) * each;
  const device::Program program =
      context.program("radix_sort.cl", {{"RADIX_BITS", std::to_string(digit_bits)},
                                        {"RADIX_GROUP", std::to_string(group)},
                                        {"RADIX_EACH", std::to_string(each)}});
  count_ = program.kernel<Buffer, int, int, Buffer, int>("radix_count");
  offsets_ = program.kernel<Buffer, int, Buffer>("radix_offsets");
  scatter_ = program.kernel<Buffer, Buffer, int, int, Buffer, int, Buffer>("radix_scatter");
  totals_ = context.buffer(digits * sizeof(std::uint32_t), "digits of a sort");
}

void RadixSort::sort(Buffer& items, Buffer& other, int count, int first_bit, int bits) {
  if (count < 2) return;
  const int tiles = (count - 1) / tile_ + 1;
  const auto groups = static_cast<std::size_t>(tiles);
  const std::size_t needed = digits * groups * sizeof(std::uint32_t);
  if (counts_.bytes() < needed) counts_ = context_->buffer(needed, "counts of a sort");
  for (int bit = 0; bit < bits; bit += digit_bits) {
    const int shift = first_bit + bit;
    count_({{groups * group, 1, 1}, {group, 1, 1}}, items, count, shift, counts_, tiles);
    offsets_({{digits * row_group, 1, 1}, {row_group, 1, 1}}, counts_, tiles, totals_);
    scatter_({{groups * group, 1, 1}, {group, 1, 1}}, items, other, count, shift, counts_, tiles,
             totals_);
    std::swap(items, other);
  }
}

}  // namespace apsis::fmm_opencl
