// SPDX-License-Identifier: MIT
// Lists that the manual and the documentation show.
#pragma once

#include <apsis/core/error.hpp>

#include <string>
#include <utility>
#include <vector>

namespace apsis::cli {

std::vector<std::pair<ExitCode, std::string>> exit_codes();

}  // namespace apsis::cli
