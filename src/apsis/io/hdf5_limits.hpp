// SPDX-License-Identifier: MIT
// Inside io/: how much a file of HDF5 may make of itself. A few kilobytes can claim, or unpack to,
// gigabytes; what no honest file needs is refused before memory is taken for it.
#pragma once

#include <apsis/io/hdf5_handles.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace apsis::hdf5 {

// Of all arrays of one file together.
class Budget {
 public:
  // `file` is the whole file, as HDF5 has it in memory.
  explicit Budget(std::span<const std::byte> file);

  // The array's numbers as eight bytes each, and its chunks unpacked. bad_data names the array.
  void take(const Session& session, const Handle& dataset, const std::string& name,
            std::uint64_t numbers);

 private:
  std::span<const std::byte> file_;
  std::uint64_t limit_, left_;
};

// Whether the stores of texts of variable length are what they should be all over the file: in
// others HDF5 may walk for ever. Asked before such a text is read.
bool heaps_are_sound(std::span<const std::byte> file);

}  // namespace apsis::hdf5
