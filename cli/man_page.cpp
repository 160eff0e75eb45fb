// SPDX-License-Identifier: MIT
// Man pages in the classic macros, which every man program renders.
#include "help.hpp"
#include "manual.hpp"
#include "tables.hpp"
#include <apsis/core/error.hpp>
#include <apsis/core/typed_command.hpp>
#include <apsis/version.hpp>

#include <fmt/format.h>

#include <sstream>

namespace apsis::cli {
namespace {

// Backslashes, hyphens (options must survive copy and paste) and a control dot at a line's start.
std::string roff(const std::string& text) {
  std::string out;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
    line_start = c == '\n';
  }
  return out;
}

std::string title_of(const std::string& command) {
  return command.empty() ? "apsis" : "apsis-" + command;
}

std::string heading(const std::string& command, const std::string& description) {
  std::string upper = title_of(command);
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return fmt::format(".TH {} 1 \"\" \"Apsis {}\" \"Apsis manual\"\n.SH NAME\n{} \\- {}\n",
                     roff(upper), version, roff(title_of(command)), roff(description));
}

std::string option_entry(const CLI::Option& option) {
  std::string names;
  for (const auto& name : option.get_snames()) names += fmt::format("\\fB\\-{}\\fR, ", roff(name));
  for (const auto& name : option.get_lnames()) {
    names += fmt::format("\\fB\\-\\-{}\\fR, ", roff(name));
  }
  if (names.size() > 2) names.resize(names.size() - 2);
  if (takes_value(option)) names += fmt::format(" \\fI{}\\fR", roff(value_name(option)));
  std::string text = option.get_description();
  if (takes_value(option) && !option.get_default_str().empty() &&
      option.get_default_str() != "[]") {
    text += fmt::format(" (default: {})", option.get_default_str());
  }
  return fmt::format(".TP\n{}\n{}\n", names, roff(text));
}

std::string positional_entry(const CLI::Option& option) {
  return fmt::format(".TP\n\\fI{}\\fR\n{}\n", roff(option.get_name(true)),
                     roff(option.get_description()));
}

std::string synopsis(const CLI::App& command) {
  std::string line =
      fmt::format(".SH SYNOPSIS\n\\fBapsis {}\\fR [\\fIoptions\\fR]", roff(command.get_name()));
  for (const CLI::Option* option : positionals(command)) {
    const std::string name = roff(option->get_name(true));
    const bool many = option->get_items_expected_max() > 1;
    const char* more = many ? "..." : "";
    line += option->get_required() ? fmt::format(" \\fI{}\\fR{}", name, more)
                                   : fmt::format(" [\\fI{}\\fR]{}", name, more);
  }
  return line + "\n";
}

// A footer is printed as it stands: colleagues put examples there.
std::string verbatim(const std::string& title, const std::string& text) {
  if (text.find_first_not_of(" \n") == std::string::npos) return {};
  return fmt::format(".SH {}\n.nf\n{}\n.fi\n", title, roff(text));
}

std::string options_section(const CLI::App& command) {
  std::string page = ".SH OPTIONS\n";
  for (const CLI::Option* option : positionals(command)) page += positional_entry(*option);
  for (const CLI::Option* option : visible_options(command)) page += option_entry(*option);
  return page;
}

// A command of a command, as a section of its page.
std::string inner_command(const CLI::App& outer, const CLI::App& command) {
  std::string page = fmt::format(".SH COMMAND {}\n\\fBapsis {} {}\\fR [\\fIoptions\\fR]\n.PP\n{}\n",
                                 roff(command.get_name()), roff(outer.get_name()),
                                 roff(command.get_name()), roff(command.get_description()));
  for (const CLI::Option* option : visible_options(command)) page += option_entry(*option);
  return page + fmt::format(".PP\n.nf\n{}\n.fi\n", roff(command.get_footer()));
}

std::string command_page(const CLI::App& command) {
  std::string page = heading(command.get_name(), command.get_description()) + synopsis(command) +
                     options_section(command) + verbatim("NOTES", command.get_footer());
  for (const CLI::App* inner : visible_commands(command)) page += inner_command(command, *inner);
  return page + ".SH SEE ALSO\n\\fBapsis\\fR(1)\n";
}

std::string overview_page(const CLI::App& app) {
  std::string page = heading("", app.get_description());
  page += ".SH SYNOPSIS\n\\fBapsis\\fR \\fIcommand\\fR [\\fIoptions\\fR]\n.SH COMMANDS\n";
  for (const CLI::App* command : visible_commands(app)) {
    page += fmt::format(".TP\n\\fBapsis\\-{}\\fR(1)\n{}\n", roff(command->get_name()),
                        roff(command->get_description()));
  }
  page += options_section(app) + ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : exit_codes()) {
    page += fmt::format(".TP\n{}\n{}\n", static_cast<int>(code), roff(meaning));
  }
  return page + verbatim("NOTES", app.get_footer());
}

}  // namespace

std::string man_page(const CLI::App& app, const std::string& name) {
  if (name.empty()) return overview_page(app);
  for (const CLI::App* command : visible_commands(app)) {
    if (command->get_name() == name) return command_page(*command);
  }
  throw Error(ExitCode::wrong_usage, fmt::format("no command '{}' to describe", name),
              fmt::format("see '{}'", typed_command("--help")));
}

}  // namespace apsis::cli
