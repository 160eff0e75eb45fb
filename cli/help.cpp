// SPDX-License-Identifier: MIT
#include "help.hpp"

#include "manual.hpp"

#include <fmt/format.h>

namespace apsis::cli {

HelpFormat::HelpFormat() {
  column_width(28);
  label("OPTIONS", "options");
  label("SUBCOMMAND", "command");
  label("Positionals", "Arguments");
}

std::string HelpFormat::make_option_name(const CLI::Option* option, bool positional) const {
  if (positional) return option->get_name(true, false);
  std::string names;
  for (const auto& name : option->get_snames()) names += fmt::format("-{}, ", name);
  for (const auto& name : option->get_lnames()) names += fmt::format("--{}, ", name);
  names.resize(names.size() - 2);
  return names;
}

std::string HelpFormat::make_option_opts(const CLI::Option* option) const {
  if (!takes_value(*option) || option->get_positional()) return {};
  const bool many = option->get_expected_max() == CLI::detail::expected_max_vector_size;
  return fmt::format(" {}{}", value_name(*option), many ? "..." : "");
}

std::string HelpFormat::make_option_desc(const CLI::Option* option) const {
  const std::string& preset = option->get_default_str();
  const bool shown = takes_value(*option) && !preset.empty() && preset != "[]";
  return option->get_description() + (shown ? fmt::format(" [{}]", preset) : "");
}

std::string value_name(const CLI::Option& option) {
  std::string text;
  for (const auto& choice : choices_of(option)) text += (text.empty() ? "" : "|") + choice;
  if (!text.empty()) return text;
  std::string type = option.get_type_name();
  if (type.starts_with("TEXT")) return "WORD";
  if (type.starts_with("UINT") || type.starts_with("INT")) return "N";
  if (type.starts_with("FLOAT")) return "NUMBER";
  return type;
}

}  // namespace apsis::cli
