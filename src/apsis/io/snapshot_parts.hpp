// SPDX-License-Identifier: MIT
// Inside io/: a snapshot in several files, as GADGET, AREPO and SWIFT write large ones:
// snap_000.0.hdf5, snap_000.1.hdf5, ..., or snap_000.0, snap_000.1, ... in GADGET's binary.
//
// A format takes part by filling Snapshot::parts, and by refusing one file of several unless
// ReadLimits::one_part says that its siblings are looked after (see refuse_part).
#pragma once

#include <apsis/io/snapshot.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace apsis {

// The name of one part, and by it those of the others.
struct PartName {
  std::filesystem::path folder;
  std::string before, after;  // "snap_000." and ".hdf5", or nothing behind the number
  std::uint64_t number = 0;
  std::size_t digits = 1;  // snap.00, snap.01 have two

  std::filesystem::path file(std::uint64_t part) const;
};
// Nothing where the name has no number of a part.
std::optional<PartName> part_name(const std::filesystem::path& path);

// `path` itself where there is such a file or folder, else the first part of the snapshot that it
// names without a number: snap_000.0.hdf5 for snap_000 and for snap_000.hdf5.
std::filesystem::path first_part_of(const std::filesystem::path& path);

// For readers: throws bad_data where a file is one of several and only itself is at hand.
void refuse_part(const SnapshotParts& parts, const std::string& name, ReadLimits limits);

// A whole snapshot from the file at `path` and, where it is one of several, from all of them in
// their order; by type, and of each type by file. `seen` gets the bytes of each file that is read.
using FileSeen =
    std::function<void(const std::filesystem::path& file, std::span<const std::byte> bytes)>;
Snapshot read_all_parts(const std::filesystem::path& path, const SnapshotFormat& format,
                        ReadLimits limits, const FileSeen& seen = {});

}  // namespace apsis
