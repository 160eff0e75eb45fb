// SPDX-License-Identifier: MIT
#include <apsis/core/printable.hpp>

#include <gtest/gtest.h>

namespace apsis {
namespace {

TEST(Printable, leaves_ordinary_texts_alone) {
  for (const char* text : {"", "two galaxies", "Ω = 0.3, ±5 %, ☉", "日本語", "a\\b", "𝕏"}) {
    EXPECT_EQ(printable(text), text);
  }
}

TEST(Printable, shows_what_a_terminal_would_obey) {
  EXPECT_EQ(printable("\x1b[31mred\x1b]0;title\x07"), "\\x1b[31mred\\x1b]0;title\\x07");
  EXPECT_EQ(printable("a\rb\x7f"
                      "c\b"),
            "a\\x0db\\x7fc\\x08");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\u009b31m");  // the same as one character
  EXPECT_EQ(printable("evil\xe2\x80\xae"
                      "gnp.exe"),
            "evil\\u202egnp.exe");
}

TEST(Printable, shows_bytes_that_are_no_text) {
  EXPECT_EQ(printable("\x9b"
                      "31m"),
            "\\x9b31m");
  EXPECT_EQ(printable("\xc0\x9b"), "\\xc0\\x9b");           // overlong
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // half of a pair
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
  EXPECT_EQ(printable("cut \xe2\x80"), "cut \\xe2\\x80");
}

TEST(Printable, keeps_line_breaks_only_where_there_may_be_lines) {
  EXPECT_EQ(printable("a\n\tb"), "a\\x0a\\x09b");
  EXPECT_EQ(printable("a\n\tb\r", Lines::several), "a\n\tb\\x0d");
}

}  // namespace
}  // namespace apsis
