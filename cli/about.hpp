// SPDX-License-Identifier: MIT
// What this binary is: version, what is built in, and the notices of what is linked.
#pragma once

#include <string>
#include <string_view>

namespace apsis::cli {

std::string version_text();

// Collected when the program is built (cmake/CollectLicenses.cmake).
extern const std::string_view licenses_text;

}  // namespace apsis::cli
