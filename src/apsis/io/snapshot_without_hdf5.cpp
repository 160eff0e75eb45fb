// SPDX-License-Identifier: MIT
// Stands in where HDF5 is not built in.
#include <apsis/core/error.hpp>
#include <apsis/io/snapshot_formats.hpp>

#include <fmt/format.h>

namespace apsis {
namespace {

Error no_hdf5(const std::string& name) {
  return {ExitCode::unavailable, fmt::format("{}: this apsis was built without HDF5", name),
          "use .csv, or install libhdf5-dev and build again"};
}

}  // namespace

bool hdf5_built_in() { return false; }
std::size_t open_hdf5_objects() { return 0; }

Snapshot parse_hdf5(std::span<const std::byte> /*bytes*/, const std::string& name,
                    ReadLimits /*limits*/) {
  throw no_hdf5(name);
}

Hdf5Layout layout_of_hdf5(std::span<const std::byte> /*bytes*/) { return Hdf5Layout::gadget; }

Bytes format_hdf5(const Snapshot& /*snapshot*/, const std::string& name) { throw no_hdf5(name); }

}  // namespace apsis
