// SPDX-License-Identifier: MIT
// Inside io/: arrays of HDF5 files as tables of numbers, of any type of number and in any chunks.
#pragma once

#include <apsis/io/hdf5_handles.hpp>

#include <cstdint>
#include <span>
#include <string>

namespace apsis::hdf5 {

// So many bodies that have no byte in the file are nobody's; the memory for fewer is looked at
// later.
inline constexpr std::uint64_t most_bodies_per_byte = 1100;

struct Shape {
  hsize_t rows = 0, columns = 1, chunk_rows = 1;
};

// Rows and columns of an array that is plain enough to be read: numbers, stored in this file.
Shape shape_of(const Session& session, const Handle& dataset, const std::string& name);

// One span for each column of `shape`, as long as it has rows. Double, 64-bit and 8-bit unsigned.
template <class Value>
void read_rows(const Session& session, const Handle& dataset, const std::string& name,
               const Shape& shape, std::span<const std::span<Value>> into);

}  // namespace apsis::hdf5
