// SPDX-License-Identifier: MIT
// The hidden command `apsis manual`: man pages, shell completions and the tables of the
// documentation, all made from the option table and the library's own lists.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace apsis::cli {

void add_manual(CLI::App& app);

// The overview page for command "", else the page of that command.
std::string man_page(const CLI::App& app, const std::string& command);
std::string completion(const CLI::App& app, const std::string& shell);
// A Markdown table: exit-codes, integrators, keys or models.
std::string documentation_table(const std::string& name);
std::vector<std::string> documentation_tables();

// Commands and options that people are meant to see, in the order of their declaration.
std::vector<const CLI::App*> visible_commands(const CLI::App& app);
std::vector<const CLI::Option*> visible_options(const CLI::App& command);
// Options that are used without a dash.
std::vector<const CLI::Option*> positionals(const CLI::App& command);
bool takes_value(const CLI::Option& option);
// "{a,b,c}" in an option's type, as words.
std::vector<std::string> choices_of(const CLI::Option& option);

}  // namespace apsis::cli
