#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The check that every question of the lessons has an answer: that it passes, and that it can fail.
load ../cli/common

setup() {
  mkdir -p "$BATS_TEST_TMPDIR/tools" "$BATS_TEST_TMPDIR/docs"
  cp "$root/tools/check_lessons" "$BATS_TEST_TMPDIR/tools"
  cp -r "$root/docs/lessons" "$BATS_TEST_TMPDIR/docs"
  cd "$BATS_TEST_TMPDIR" || return
}

refused() { # WORD...
  run tools/check_lessons
  [ "$status" -eq 1 ] || fail "passed"
  for word in "$@"; do [[ $output == *"$word"* ]] || fail "'$word' is missing from: $output"; done
}

@test "every question of the lessons has an answer" {
  tools/check_lessons
  [ "$(tools/check_lessons --list | grep -c '^### ')" -gt 50 ]
}

@test "a new question, a changed one and one that is gone are told" {
  echo '9. Why nine?' >>docs/lessons/cpu.md
  refused "Why nine?" "has no answer"
  sed -i 's/Why is it not the same/Why is it another/' docs/lessons/cpu.md
  refused "cpu Q3 answers another question"
  sed -i '/^## Questions/,$d' docs/lessons/unroll.md
  refused "unroll Q1 is answered, but nobody asks it"
}

@test "an empty answer and a page without its objectives are told" {
  sed -i '/^### cpu Q2/,/^### cpu Q3/{/^[^>#]/d}' docs/lessons/answers.md
  refused "cpu Q2 has no answer of more than a few words"
  sed -i '/^\*\*Objectives/d' docs/lessons/burst.md
  refused "burst.md does not say its objectives"
}
