// SPDX-License-Identifier: MIT
// Completion scripts for bash, zsh and fish: commands, options and the values of options that
// have a fixed list; file names everywhere else.
#include "manual.hpp"
#include <apsis/core/error.hpp>

#include <fmt/format.h>

namespace apsis::cli {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : visible_commands(app)) names.push_back(command->get_name());
  return names;
}

// Commands with those inside them, as they are typed: "bench", "bench scaling".
struct TypedCommand {
  std::string words;
  const CLI::App* command;
};
std::vector<TypedCommand> typed_commands(const CLI::App& app) {
  std::vector<TypedCommand> all;
  for (const CLI::App* command : visible_commands(app)) {
    all.push_back({command->get_name(), command});
    for (const CLI::App* inner : visible_commands(*command)) {
      all.push_back({command->get_name() + " " + inner->get_name(), inner});
    }
  }
  return all;
}

std::vector<std::string> dashed_names(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const auto& name : option.get_snames()) names.push_back("-" + name);
  for (const auto& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

std::vector<std::string> dashed_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : visible_options(command)) {
    for (auto& name : dashed_names(*option)) names.push_back(std::move(name));
  }
  return names;
}

// 'It''s' in single quotes for both zsh and fish, brackets and colons escaped for zsh's specs.
std::string quoted(const std::string& text, std::string_view escaped) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      if (escaped.find(c) != std::string_view::npos) out += '\\';
      out += c;
    }
  }
  return out;
}

// case patterns of `previous word` → values, for one command.
std::string bash_values(const CLI::App& command, const std::string& words) {
  std::string text;
  for (const CLI::Option* option : visible_options(command)) {
    const auto choices = choices_of(*option);
    if (choices.empty()) continue;
    std::string pattern;
    for (const auto& name : dashed_names(*option)) {
      pattern += fmt::format("{}\"{}:{}\"", pattern.empty() ? "" : "|", words, name);
    }
    text += fmt::format("    {}) words=\"{}\" ;;\n", pattern, joined(choices));
  }
  return text;
}

std::string bash_completion(const CLI::App& app) {
  std::string values;
  std::string options;
  std::string inner;
  for (const auto& [words, command] : typed_commands(app)) {
    values += bash_values(*command, words);
    options += fmt::format("    \"{}\") words=\"{}\" ;;\n", words, joined(dashed_names(*command)));
    for (const auto& name : command_names(*command)) {
      inner += fmt::format("    \"{} {}\") command=\"{} {}\" ;;\n", words, name, words, name);
    }
  }
  return fmt::format(R"(# bash completion for apsis
_apsis() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}}
  local command=${{COMP_WORDS[1]}} words=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W "{} {}" -- "$current")
    return
  fi
  case "$command ${{COMP_WORDS[2]}}" in
{}  esac
  case "$command:$previous" in
{}  esac
  if [ -z "$words" ] && [[ $current == -* ]]; then
    case "$command" in
{}    esac
  fi
  [ -z "$words" ] || mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}}
complete -o default -o bashdefault -F _apsis apsis
)",
                     joined(command_names(app)), joined(dashed_names(app)), inner, values, options);
}

std::string zsh_argument(const CLI::Option& option) {
  std::string text;
  for (const auto& name : dashed_names(option)) {
    text += fmt::format("        '{}[{}]", name, quoted(option.get_description(), "[]:"));
    const auto choices = choices_of(option);
    if (takes_value(option)) {
      text += choices.empty() ? ":value:_files" : fmt::format(":value:({})", joined(choices));
    }
    text += "' \\\n";
  }
  return text;
}

std::string zsh_completion(const CLI::App& app) {
  std::string commands;
  std::string cases;
  for (const CLI::App* command : visible_commands(app)) {
    commands +=
        fmt::format("    '{}:{}'\n", command->get_name(), quoted(command->get_description(), ":"));
    cases += fmt::format("    {})\n      _arguments \\\n", command->get_name());
    for (const CLI::Option* option : visible_options(*command)) cases += zsh_argument(*option);
    cases += "        '*:file:_files' ;;\n";
  }
  return fmt::format(R"(#compdef apsis
_apsis() {{
  local -a commands=(
{}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    compadd -- {}
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
{}  esac
}}
_apsis "$@"
)",
                     commands, joined(dashed_names(app)), cases);
}

std::string fish_option(const std::string& condition, const CLI::Option& option) {
  std::string text = fmt::format("complete -c apsis -n '{}'", condition);
  for (const auto& name : option.get_snames()) text += " -s " + name;
  for (const auto& name : option.get_lnames()) text += " -l " + name;
  const auto choices = choices_of(option);
  if (!choices.empty()) {
    text += fmt::format(" -x -a '{}'", joined(choices));
  } else if (takes_value(option)) {
    text += " -r";
  }
  return text + fmt::format(" -d '{}'\n", quoted(option.get_description(), ""));
}

std::string fish_completion(const CLI::App& app) {
  std::string text = "# fish completion for apsis\n";
  for (const CLI::Option* option : visible_options(app)) {
    text += fish_option("__fish_use_subcommand", *option);
  }
  for (const CLI::App* command : visible_commands(app)) {
    text += fmt::format("complete -c apsis -n __fish_use_subcommand -f -a {} -d '{}'\n",
                        command->get_name(), quoted(command->get_description(), ""));
    const std::string condition = "__fish_seen_subcommand_from " + command->get_name();
    for (const CLI::Option* option : visible_options(*command)) {
      text += fish_option(condition, *option);
    }
  }
  return text;
}

}  // namespace

std::string completion(const CLI::App& app, const std::string& shell) {
  if (shell == "bash") return bash_completion(app);
  if (shell == "zsh") return zsh_completion(app);
  if (shell == "fish") return fish_completion(app);
  throw Error(ExitCode::wrong_usage, fmt::format("unknown manual '{}'", shell),
              "choose man, bash, zsh, fish or table");
}

}  // namespace apsis::cli
