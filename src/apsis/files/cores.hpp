// SPDX-License-Identifier: MIT
// What the system tells of how busy its cores are.
#pragma once

#include <optional>

namespace apsis {

// Seconds that the threads of this process were ready to run and waited for a core, all together
// and since each began. Nothing where the system does not count them.
std::optional<double> seconds_waited_for_cores();

}  // namespace apsis
