// SPDX-License-Identifier: MIT
// A stable radix sort of 64-bit items in the memory of an OpenCL device.
#pragma once

#include <apsis/device/context.hpp>

namespace apsis::fmm_opencl {

class RadixSort {
 public:
  explicit RadixSort(device::Context& context);

  // Sorts the first `count` items by their bits from `first_bit` on, of which the lowest `bits` may
  // be set. Both buffers have room for them; the result is in `items`, `other` is left as it comes.
  void sort(device::Buffer& items, device::Buffer& other, int count, int first_bit, int bits);
  std::size_t bytes() const { return counts_.bytes() + totals_.bytes(); }  // beside the items

 private:
  device::Context* context_;
  int tile_ = 0;  // items a work-group
  device::Kernel<device::Buffer, int, int, device::Buffer, int> count_;
  device::Kernel<device::Buffer, int, device::Buffer> offsets_;
  device::Kernel<device::Buffer, device::Buffer, int, int, device::Buffer, int, device::Buffer>
      scatter_;
  device::Buffer counts_, totals_;
};

}  // namespace apsis::fmm_opencl
