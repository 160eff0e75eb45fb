// SPDX-License-Identifier: MIT
// Inside io/: sets of particles as AMUSE saves them (write_set_to_file), versions 1 and 2 of its
// layout.
#pragma once

#include <apsis/io/hdf5_handles.hpp>
#include <apsis/io/snapshot.hpp>

#include <cstddef>
#include <span>
#include <string>

namespace apsis {

bool is_amuse(const hdf5::Session& session, const hdf5::Handle& file);

// `bytes` is the whole file, `name` starts messages.
Snapshot read_amuse(const hdf5::Session& session, const hdf5::Handle& file,
                    std::span<const std::byte> bytes, const std::string& name, ReadLimits limits);

}  // namespace apsis
