// SPDX-License-Identifier: MIT
// How --help looks: options with their values and defaults, without the parser's own jargon.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace apsis::cli {

class HelpFormat : public CLI::Formatter {
 public:
  HelpFormat();
  std::string make_option_name(const CLI::Option* option, bool positional) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_option_desc(const CLI::Option* option) const override;
};

// What stands for an option's value in help and manual: "FILE", "f32|mixed|f64", "N".
std::string value_name(const CLI::Option& option);

}  // namespace apsis::cli
