// SPDX-License-Identifier: MIT
// What may be typed after an option or as an argument, for the completions of all shells.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace apsis::cli {

struct Candidates {
  std::vector<std::string> words;
  bool keys = false;     // words are keys to which a value is added: "time.step="
  bool devices = false;  // also those of this machine, which the program is asked for
  bool files = true;     // also names of files
};

// Of an option of `command` that takes a value ("bench", "bench scaling").
Candidates candidates_for(const std::string& command, const CLI::Option& option);
// Of an argument without a dash.
Candidates candidates_for_argument(const std::string& command);

// Values of keys that take one of some words, after "--set KEY=".
struct KeyWords {
  std::string key;
  std::vector<std::string> words;
  bool devices = false;
};
std::vector<KeyWords> words_of_keys();

}  // namespace apsis::cli
