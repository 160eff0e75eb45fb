// SPDX-License-Identifier: MIT
#include "manual.hpp"

#include <apsis/core/error.hpp>
#include <apsis/core/names.hpp>

#include <fmt/format.h>

#include <memory>
#include <sstream>

namespace apsis::cli {

std::vector<const CLI::App*> visible_commands(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
}

std::vector<const CLI::Option*> visible_options(const CLI::App& command) {
  return command.get_options([](const CLI::Option* option) {
    return !option->get_group().empty() && option->nonpositional();
  });
}

std::vector<const CLI::Option*> positionals(const CLI::App& command) {
  return command.get_options([](const CLI::Option* option) {
    return option->get_positional() && !option->nonpositional() && !option->get_group().empty();
  });
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

std::vector<std::string> choices_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const auto open = type.find('{');
  const auto close = type.find('}', open);
  std::vector<std::string> words;
  if (open == std::string::npos || close == std::string::npos) return words;
  std::istringstream list(type.substr(open + 1, close - open - 1));
  for (std::string word; std::getline(list, word, ',');) words.push_back(word);
  return words;
}

void add_manual(CLI::App& app) {
  auto* command = app.add_subcommand("manual", "Pages and tables made from the option table");
  command->group("");
  auto words = std::make_shared<std::vector<std::string>>();
  command->add_option("WHAT", *words, "man [COMMAND] | bash | zsh | fish | table NAME")->required();
  command->callback([words, &app] {
    const std::string& what = words->front();
    const std::string which = words->size() > 1 ? (*words)[1] : "";
    if (what == "man") {
      fmt::print("{}", man_page(app, which));
    } else if (what == "table") {
      fmt::print("{}", documentation_table(which));
    } else {
      fmt::print("{}", completion(app, what));
    }
  });
}

}  // namespace apsis::cli
