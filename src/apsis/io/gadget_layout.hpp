// SPDX-License-Identifier: MIT
// Inside io/: the sizes of GADGET's binary files, for those who read and who write them.
#pragma once

#include <apsis/io/snapshot.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace apsis {

inline constexpr std::size_t gadget_types = 6;
inline constexpr std::uint32_t gadget_header_size = 256;  // bytes
inline constexpr std::uint32_t gadget_name_size = 8;      // of the record before each in format 2

std::vector<std::string> gadget_losses(const Snapshot& snapshot);

}  // namespace apsis
