// SPDX-License-Identifier: MIT
#include "usage_errors.hpp"

#include <apsis/core/names.hpp>
#include <apsis/core/typed_command.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace apsis::cli {
namespace {

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!command->get_group().empty()) names.push_back(command->get_name());
  }
  return names;
}

// The first word that nobody wanted, in the command that met it.
std::string unexpected_word(const CLI::App& command) {
  const auto words = command.remaining();
  return words.empty() ? std::string() : words.front();
}

std::string describe_unexpected(const CLI::App& app, const CLI::App& command) {
  std::string word = unexpected_word(command);
  if (word.empty()) word = unexpected_word(app);
  if (word.starts_with('-')) {
    const std::string name = word.substr(0, word.find('='));
    const auto known = option_names(command);
    return fmt::format("unknown option '{}'{}", name, did_you_mean(name, known));
  }
  if (&command == &app) {
    const auto known = command_names(app);
    return fmt::format("unknown command '{}'{}", word, did_you_mean(word, known));
  }
  return fmt::format("unexpected argument '{}'", word);
}

// One line, without the parser's final full stop.
std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.pop_back();
  return text;
}

}  // namespace

Error usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App* innermost = &app;
  std::string words;
  while (!innermost->get_subcommands().empty()) {
    innermost = innermost->get_subcommands().front();
    words += innermost->get_name() + " ";
  }
  const CLI::App& command = *innermost;
  const bool unexpected = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  const std::string what = unexpected ? describe_unexpected(app, command) : one_line(error.what());
  return {ExitCode::wrong_usage, what, fmt::format("see '{}'", typed_command(words + "--help"))};
}

CLI::Validator not_negative() {
  return {[](const std::string& word) {
            return word.starts_with('-') ? word + " is below zero" : std::string();
          },
          ""};
}

}  // namespace apsis::cli
