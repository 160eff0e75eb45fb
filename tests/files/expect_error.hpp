// SPDX-License-Identifier: MIT
// Expects an Error of a kind whose text holds a word; prints what came instead.
#pragma once

#include <apsis/core/error.hpp>

#include <gtest/gtest.h>

#include <string>

namespace apsis {

template <class Action>
std::string error_text(ExitCode code, Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    EXPECT_FALSE(error.remedy().empty()) << "no remedy for: " << error.what();
    return std::string(error.what()) + "; " + error.remedy();
  }
  ADD_FAILURE() << "no error was thrown";
  return {};
}

template <class Action>
void expect_error(ExitCode code, const std::string& word, Action&& action) {
  const std::string text = error_text(code, action);
  EXPECT_NE(text.find(word), std::string::npos) << "'" << word << "' is not in: " << text;
}

}  // namespace apsis
