// SPDX-License-Identifier: MIT
// Inside lab/: texts on pages.
#pragma once

#include <string>
#include <string_view>

namespace apsis::lab {

// Fit to stand between tags and in quoted attributes, whoever wrote it: what browsers would obey is
// shown instead, control characters and marks that turn the direction of writing as \x1b and
// \u202e.
std::string escaped(std::string_view text);

}  // namespace apsis::lab
