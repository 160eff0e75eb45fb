// SPDX-License-Identifier: MIT
#include <apsis/io/hdf5_arrays.hpp>
#include <apsis/io/hdf5_tables.hpp>

#include <algorithm>
#include <array>
#include <vector>

namespace apsis::hdf5 {

// Rows and columns of an array that is plain enough to be read: numbers, stored in this file.
Shape shape_of(const Session& session, const Handle& dataset, const std::string& name) {
  const Handle space(H5Dget_space(dataset.id()), H5Sclose);
  const Handle type(H5Dget_type(dataset.id()), H5Tclose);
  const Handle properties(H5Dget_create_plist(dataset.id()), H5Pclose);
  if (!space.valid() || !type.valid() || !properties.valid()) session.fail("read " + name);
  const H5T_class_t kind = H5Tget_class(type.id());
  const int rank = H5Sget_simple_extent_ndims(space.id());
  if ((kind != H5T_FLOAT && kind != H5T_INTEGER) || rank < 1 || rank > 2) {
    session.refuse(name + " is not a table of numbers", "check the file");
  }
  const H5D_layout_t layout = H5Pget_layout(properties.id());
  if (layout == H5D_VIRTUAL || H5Pget_external_count(properties.id()) != 0) {
    session.refuse(
        name + " has its data in another file",
        "copy the data into the file itself, or give one of the files of the snapshot, such "
        "as snap_000.0.hdf5");
  }
  std::array<hsize_t, 2> extent{0, 1}, chunk{1, 1};
  H5Sget_simple_extent_dims(space.id(), extent.data(), nullptr);
  if (layout == H5D_CHUNKED && H5Pget_chunk(properties.id(), rank, chunk.data()) < 0) {
    session.fail("read " + name);
  }
  return {extent[0], extent[1], std::clamp<hsize_t>(chunk[0], 1, std::max<hsize_t>(extent[0], 1))};
}

// In blocks of whole chunks, so that each chunk is decoded once.
template <class Value>
void read_rows(const Session& session, const Handle& dataset, const std::string& name,
               const Shape& shape, std::span<const std::span<Value>> into) {
  const std::size_t columns = into.size();
  constexpr hsize_t wanted_rows = 65536;
  const hsize_t block_rows =
      shape.chunk_rows * std::max<hsize_t>(1, wanted_rows / shape.chunk_rows);
  const Handle space(H5Dget_space(dataset.id()), H5Sclose);
  const int rank = H5Sget_simple_extent_ndims(space.id());
  std::vector<Value> block;
  for (hsize_t start = 0; start < shape.rows; start += block_rows) {
    const hsize_t count = std::min(block_rows, shape.rows - start);
    block.resize(count * columns);
    const std::array<hsize_t, 2> from{start, 0}, size{count, columns};
    const Handle memory(H5Screate_simple(rank, size.data(), nullptr), H5Sclose);
    H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, from.data(), nullptr, size.data(), nullptr);
    if (H5Dread(dataset.id(), memory_type<Value>(), memory.id(), space.id(), H5P_DEFAULT,
                block.data()) < 0) {
      session.fail("read " + name);
    }
    for (std::size_t k = 0; k < columns; ++k) {
      for (hsize_t i = 0; i < count; ++i) into[k][start + i] = block[i * columns + k];
    }
  }
}

template void read_rows(const Session&, const Handle&, const std::string&, const Shape&,
                        std::span<const std::span<double>>);
template void read_rows(const Session&, const Handle&, const std::string&, const Shape&,
                        std::span<const std::span<std::uint64_t>>);
template void read_rows(const Session&, const Handle&, const std::string&, const Shape&,
                        std::span<const std::span<std::uint8_t>>);

}  // namespace apsis::hdf5
