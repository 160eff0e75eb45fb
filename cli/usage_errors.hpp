// SPDX-License-Identifier: MIT
// The parser's complaints in our own form: what was wrong, the nearest right word, where to read.
#pragma once

#include <apsis/core/error.hpp>

#include <CLI/CLI.hpp>

namespace apsis::cli {

Error usage_error(const CLI::App& app, const CLI::ParseError& error);

// For numbers without a sign, of which the parser takes -5 for 18446744073709551611.
CLI::Validator not_negative();

}  // namespace apsis::cli
