// SPDX-License-Identifier: MIT
// Of commands that read one file and write another.
#pragma once

#include <string>

namespace apsis::cli {

// wrong_usage where both are the same file; file_error where the folder of `out` is missing, or
// `out` exists and is not to be replaced.
void require_free_place(const std::string& in, const std::string& out, bool replace);

}  // namespace apsis::cli
