// SPDX-License-Identifier: MIT
#include <apsis/core/typed_command.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

namespace apsis {
namespace {

std::string& typed_program() {
  static std::string program = "apsis";
  return program;
}

}  // namespace

void set_typed_program(std::string program) {
  typed_program() = program.empty() ? "apsis" : std::move(program);
}

std::string typed_command(std::string_view rest) {
  return fmt::format("{} {}", typed_program(), rest);
}

std::string shell_word(const std::string& text) {
  const bool plain = !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("_-./,:+@%").find(c) != std::string_view::npos;
  });
  if (plain) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace apsis
