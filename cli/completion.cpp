// SPDX-License-Identifier: MIT
// Completion scripts for bash, zsh and fish: commands, options, and the words of
// completion_words.hpp; file names elsewhere. Devices are asked for when somebody wants to complete
// one.
#include "completion_words.hpp"
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

// What sets the words for some candidates in bash.
std::string bash_action(const Candidates& candidates) {
  std::string text = fmt::format("words=\"{}\"", joined(candidates.words));
  if (candidates.devices) text += "; words+=\" $(_apsis_devices)\"";
  if (candidates.keys) text += "; compopt -o nospace 2>/dev/null";
  if (!candidates.files) text += "; files=";
  return text;
}

// case patterns of "command:option" → its values, for one command.
std::string bash_values(const CLI::App& command, const std::string& words) {
  std::string text;
  for (const CLI::Option* option : visible_options(command)) {
    if (!takes_value(*option)) continue;
    std::string pattern;
    for (const auto& name : dashed_names(*option)) {
      pattern += fmt::format("{}\"{}:{}\"", pattern.empty() ? "" : "|", words, name);
    }
    text += fmt::format("    {}) value=yes; {} ;;\n", pattern,
                        bash_action(candidates_for(words, *option)));
  }
  return text;
}

std::string bash_keys() {
  std::string text;
  for (const auto& [key, words, devices] : words_of_keys()) {
    text += fmt::format("      {}) {} ;;\n", key, bash_action({words, false, devices, false}));
  }
  return text;
}

// The word before the present one, beyond the = at which bash divides words.
constexpr std::string_view bash_text = R"(# bash completion for apsis
_apsis_devices() {{
  "${{COMP_WORDS[0]}}" devices 2>/dev/null | awk 'NR > 1 {{ print $1 }}'
}}
_apsis() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}}
  local before=${{COMP_WORDS[COMP_CWORD-2]-}} set=${{COMP_WORDS[COMP_CWORD-3]-}}
  local command=${{COMP_WORDS[1]}} words="" value="" files=yes
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W "{commands} help {options}" -- "$current")
    return
  fi
  case "$command ${{COMP_WORDS[2]}}" in
{inner}  esac
  if [ "$current" = "=" ]; then
    set=$before before=$previous previous="=" current=""
  fi
  if [ "$previous" = "=" ]; then
    previous=$before
    if [ "$set" = --set ]; then
      value=yes
      case "$before" in
{keys}      esac
    fi
  fi
  [ -n "$value" ] || case "$command:$previous" in
{values}  esac
  if [ -z "$value" ]; then
    if [[ $current == -* ]]; then
      files=
      case "$command" in
{command_options}      esac
    else
      case "$command" in
        help) words="{commands}"; files= ;;
{arguments}      esac
    fi
  fi
  [ -z "$words" ] || mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  if [ -n "$files" ]; then
    local -a found
    mapfile -t found < <(compgen -f -- "$current")
    [ "${{#found[@]}}" -eq 0 ] || compopt -o filenames 2>/dev/null
    COMPREPLY+=("${{found[@]}}")
  fi
}}
complete -F _apsis apsis
)";

std::string bash_completion(const CLI::App& app) {
  std::string values, options, inner, arguments;
  for (const auto& [words, command] : typed_commands(app)) {
    values += bash_values(*command, words);
    options +=
        fmt::format("        \"{}\") words=\"{}\" ;;\n", words, joined(dashed_names(*command)));
    if (const Candidates candidates = candidates_for_argument(words); !candidates.words.empty()) {
      arguments += fmt::format("        \"{}\") {} ;;\n", words, bash_action(candidates));
    }
    for (const auto& name : command_names(*command)) {
      inner += fmt::format("    \"{} {}\") command=\"{} {}\" ;;\n", words, name, words, name);
    }
  }
  return fmt::format(fmt::runtime(bash_text), fmt::arg("commands", joined(command_names(app))),
                     fmt::arg("options", joined(dashed_names(app))), fmt::arg("inner", inner),
                     fmt::arg("keys", bash_keys()), fmt::arg("values", values),
                     fmt::arg("command_options", options), fmt::arg("arguments", arguments));
}

// What follows the name of an option or argument in a spec of _arguments, inside single quotes.
std::string zsh_action(const Candidates& candidates) {
  if (candidates.keys) return ":key:_apsis_keys";
  const std::string words = joined(candidates.words);
  if (candidates.devices) return fmt::format(":value:_apsis_with_devices {}", words);
  if (!candidates.files) return fmt::format(":value:({})", words);
  if (words.empty()) return ":value:_files";
  return fmt::format(":value:_apsis_with_files {}", words);
}

std::string zsh_argument(const std::string& words, const CLI::Option& option) {
  std::string text;
  for (const auto& name : dashed_names(option)) {
    text += fmt::format("        '{}[{}]{}' \\\n", name, quoted(option.get_description(), "[]:"),
                        takes_value(option) ? zsh_action(candidates_for(words, option)) : "");
  }
  return text;
}

// The words after --set.
std::vector<std::string> keys_of(const CLI::App& app, const std::string& command) {
  for (const CLI::Option* option : visible_options(*app.get_subcommand(command))) {
    if (option->check_lname("set")) return candidates_for(command, *option).words;
  }
  return {};
}

std::string zsh_completion(const CLI::App& app) {
  std::string commands;
  std::string cases;
  for (const CLI::App* command : visible_commands(app)) {
    const std::string name = command->get_name();
    commands += fmt::format("    '{}:{}'\n", name, quoted(command->get_description(), ":"));
    cases += fmt::format("    {})\n      _arguments \\\n", name);
    for (const CLI::Option* option : visible_options(*command)) {
      cases += zsh_argument(name, *option);
    }
    cases += fmt::format("        '*{}' ;;\n", zsh_action(candidates_for_argument(name)));
  }
  return fmt::format(R"(#compdef apsis
_apsis_devices() {{
  apsis devices 2>/dev/null | awk 'NR > 1 {{ print $1 }}'
}}
_apsis_with_devices() {{ compadd "$@" $(_apsis_devices) }}
_apsis_with_files() {{ compadd "$@"; _files }}
_apsis_keys() {{
  local -a keys=({})
  [[ $command == init ]] && keys=({})
  compadd -S '' -- $keys
}}
_apsis() {{
  local -a commands=(
{}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    compadd -- help {}
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
{}    help) _describe command commands ;;
  esac
}}
_apsis "$@"
)",
                     joined(keys_of(app, "run")), joined(keys_of(app, "init")), commands,
                     joined(dashed_names(app)), cases);
}

std::string fish_words(const Candidates& candidates) {
  std::string text = joined(candidates.words);
  if (candidates.devices) {
    text += " (apsis devices 2>/dev/null | string match -r \"^\\S+\" | tail -n +2)";
  }
  return text;
}

// `words`: of the command; empty for the program.
std::string fish_option(const std::string& condition, const std::string& words,
                        const CLI::Option& option) {
  std::string text = fmt::format("complete -c apsis -n '{}'", condition);
  for (const auto& name : option.get_snames()) text += " -s " + name;
  for (const auto& name : option.get_lnames()) text += " -l " + name;
  if (takes_value(option)) {
    const Candidates candidates = candidates_for(words, option);
    text += candidates.files ? " -r" : " -x";
    if (!candidates.words.empty()) {
      text += fmt::format(" -a '{}'", quoted(fish_words(candidates), ""));
    }
  }
  return text + fmt::format(" -d '{}'\n", quoted(option.get_description(), ""));
}

std::string fish_completion(const CLI::App& app) {
  std::string text = "# fish completion for apsis\n";
  for (const CLI::Option* option : visible_options(app)) {
    text += fish_option("__fish_use_subcommand", "", *option);
  }
  for (const CLI::App* command : visible_commands(app)) {
    const std::string name = command->get_name();
    text += fmt::format("complete -c apsis -n __fish_use_subcommand -f -a {} -d '{}'\n", name,
                        quoted(command->get_description(), ""));
    const std::string condition = "__fish_seen_subcommand_from " + name;
    for (const CLI::Option* option : visible_options(*command)) {
      text += fish_option(condition, name, *option);
    }
    const Candidates candidates = candidates_for_argument(name);
    if (candidates.words.empty()) continue;
    text += fmt::format("complete -c apsis -n '{}'{} -a '{}'\n", condition,
                        candidates.files ? "" : " -f", fish_words(candidates));
  }
  return text + fmt::format(
                    "complete -c apsis -n __fish_use_subcommand -f -a help -d 'Explain a command'\n"
                    "complete -c apsis -n '__fish_seen_subcommand_from help' -f -a '{}'\n",
                    joined(command_names(app)));
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
