// SPDX-License-Identifier: MIT
// How a warning reads on stderr, whichever command has it.
#pragma once

#include <apsis/core/warning.hpp>

#include <fmt/format.h>

#include <string>

namespace apsis::cli {

inline std::string text_of(const Warning& warning) {
  return fmt::format("apsis: warning: {} [{}]", warning.text, warning.name());
}

}  // namespace apsis::cli
