// SPDX-License-Identifier: MIT
// Markdown tables that tools/check compares with the documentation, so that neither drifts.
#include "tables.hpp"

#include "manual.hpp"
#include <apsis/core/names.hpp>

#include <fmt/format.h>

#include <map>

namespace apsis::cli {
namespace {

std::string exit_code_table() {
  std::string text = "| code | meaning |\n|---|---|\n";
  for (const auto& [code, meaning] : exit_codes()) {
    text += fmt::format("| {} | {} |\n", static_cast<int>(code), meaning);
  }
  return text;
}

using Table = std::string (*)();
const std::map<std::string, Table>& tables() {
  static const std::map<std::string, Table> all = {{"exit-codes", exit_code_table}};
  return all;
}

}  // namespace

std::vector<std::pair<ExitCode, std::string>> exit_codes() {
  return {{ExitCode::done, "done"},
          {ExitCode::wrong_usage, "wrong usage: an unknown command, option or argument"},
          {ExitCode::bad_data, "bad input data: a spec, file or value that cannot be used"},
          {ExitCode::unavailable, "a device or service is not available"},
          {ExitCode::internal_error, "a bug in Apsis"},
          {ExitCode::file_error, "a file or disk error"},
          {ExitCode::stopped, "stopped on request after writing a checkpoint; --resume goes on"},
          {ExitCode::numbers_went_bad, "the numbers went bad: NaN, or the energy limit exceeded"}};
}

std::vector<std::string> documentation_tables() {
  std::vector<std::string> names;
  for (const auto& [name, table] : tables()) names.push_back(name);
  return names;
}

std::string documentation_table(const std::string& name) {
  const auto found = tables().find(name);
  if (found != tables().end()) return found->second();
  const auto names = documentation_tables();
  throw Error(ExitCode::wrong_usage, fmt::format("unknown table '{}'", name),
              "choose " + list_of(names));
}

}  // namespace apsis::cli
