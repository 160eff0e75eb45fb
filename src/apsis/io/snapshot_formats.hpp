// SPDX-License-Identifier: MIT
// For the inside of io/ and its tests: each format between bytes and snapshots, and its row of the
// table. `name` of the file starts every message.
#pragma once

#include <apsis/files/file.hpp>
#include <apsis/io/snapshot.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace apsis {

// Checks values too: what comes back can be simulated.
Snapshot parse_snapshot(std::span<const std::byte> bytes, const SnapshotFormat& format,
                        const std::string& name, ReadLimits limits = {});

// The rows, in the order in which messages and documents name them.
SnapshotFormat hdf5_format();
SnapshotFormat csv_format();
SnapshotFormat tipsy_format();
SnapshotFormat gadget_format();
SnapshotFormat nemo_format();
SnapshotFormat xyz_format();
SnapshotFormat vtk_format();
inline constexpr std::array format_rows{hdf5_format, csv_format, tipsy_format, gadget_format,
                                        nemo_format, xyz_format, vtk_format};

Snapshot parse_csv(std::string_view text, const std::string& name, ReadLimits limits = {});
std::string format_csv(const Snapshot& snapshot);

Snapshot parse_tipsy(std::span<const std::byte> bytes, const std::string& name,
                     ReadLimits limits = {});
Bytes format_tipsy(const Snapshot& snapshot, const std::string& name, bool native_endian = false);

Snapshot parse_gadget(std::span<const std::byte> bytes, const std::string& name,
                      ReadLimits limits = {});
Bytes format_gadget(const Snapshot& snapshot, const std::string& name);

Snapshot parse_nemo(std::span<const std::byte> bytes, const std::string& name,
                    ReadLimits limits = {});

Snapshot parse_xyz(std::string_view text, const std::string& name, ReadLimits limits = {});
std::string format_xyz(const Snapshot& snapshot);

Snapshot parse_hdf5(std::span<const std::byte> bytes, const std::string& name,
                    ReadLimits limits = {});
Bytes format_vtk(const Snapshot& snapshot);

Bytes format_hdf5(const Snapshot& snapshot, const std::string& name);
enum class Hdf5Layout { gadget, swift, amuse };
Hdf5Layout layout_of_hdf5(std::span<const std::byte> bytes);
std::size_t open_hdf5_objects();  // 0 between calls: a test that no handle is forgotten

std::uint64_t memory_limit(ReadLimits limits);

// bad_data with the largest number that fits when `bodies` of them would not.
void require_fits(std::uint64_t bodies, const std::string& name, ReadLimits limits);

// bad_data where a file has no such snapshot (ReadLimits::frame).
void require_frame(std::uint64_t asked, std::uint64_t frames, const std::string& name);

// The named system where name and factors agree with one (it knows how its units are called),
// else `units` as they are.
Units recognised(const Units& units);

// Throws bad_data when optional arrays are neither empty nor one value per body.
void require_consistent(const Snapshot& snapshot, const std::string& name);

}  // namespace apsis
