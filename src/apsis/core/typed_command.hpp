// SPDX-License-Identifier: MIT
// Commands in messages as they can be typed where the program runs: "./run doctor" for who started
// it so, "apsis doctor" where the shell finds it by its name.
#pragma once

#include <string>
#include <string_view>

namespace apsis {

// What starts this program, as a shell takes it. A program says it once, before it starts threads;
// until then, and where it is empty, "apsis".
void set_typed_program(std::string program);

// The program with `rest`: "./run init --list".
std::string typed_command(std::string_view rest);

// As a shell takes it for one word.
std::string shell_word(const std::string& text);

}  // namespace apsis
