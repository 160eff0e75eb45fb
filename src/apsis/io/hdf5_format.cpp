// SPDX-License-Identifier: MIT
// HDF5's row of the table of formats, the same where HDF5 is not built in: its files are known
// then, and refused with what helps.
#include <apsis/files/file.hpp>
#include <apsis/io/snapshot_formats.hpp>

#include <algorithm>
#include <array>
#include <string>

namespace apsis {
namespace {

bool looks_like_hdf5(std::span<const std::byte> beginning, std::uint64_t /*length*/) {
  constexpr std::array<unsigned char, 8> magic{0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
  const auto bytes = std::as_bytes(std::span(magic));
  return beginning.size() >= bytes.size() &&
         std::equal(bytes.begin(), bytes.end(), beginning.begin());
}

std::string flavour(std::span<const std::byte> bytes) {
  switch (layout_of_hdf5(bytes)) {
    case Hdf5Layout::amuse:
      return "HDF5 of AMUSE";
    case Hdf5Layout::swift:
      return "HDF5, SWIFT flavour";
    case Hdf5Layout::gadget:
      break;
  }
  return "HDF5, GADGET-4 flavour";
}

}  // namespace

SnapshotFormat hdf5_format() {
  return {.name = "HDF5",
          .endings = {".hdf5", ".h5"},
          .summary =
              "GADGET-4's layout, which most tools of the field read; SWIFT's and AMUSE's are read",
          .looks_like = looks_like_hdf5,
          .read = parse_hdf5,
          .write =
              [](const std::filesystem::path& path, const Snapshot& snapshot,
                 const SnapshotWriteOptions& /*options*/) {
                write_atomically(path, format_hdf5(snapshot, path.string()));
              },
          .losses = [](const Snapshot& /*snapshot*/) { return std::vector<std::string>{}; },
          .opens_in_yt =
              [](std::span<const std::byte> bytes) {
                return layout_of_hdf5(bytes) == Hdf5Layout::gadget;
              },
          .flavour = flavour};
}

}  // namespace apsis
