// SPDX-License-Identifier: MIT
// What the system tells of how busy its cores are, and of the room that it leaves this process.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace apsis {

// Seconds that the threads of this process were ready to run and waited for a core, all together
// and since each began. Nothing where the system does not count them. Linux has a folder for each
// thread.
std::optional<double> seconds_waited_for_cores(
    const std::filesystem::path& threads = "/proc/self/task");

// Bytes that this process may still map, of a limit that was set (ulimit -v). Nothing without one.
std::optional<std::uint64_t> address_space_left();

}  // namespace apsis
