#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The checks must be able to fail: each is shown a fault that it has to find.
# shellcheck disable=SC2016
load common

# A repository of one file, with our tools.
tree_with() { # PATH TEXT
  mkdir -p "$(dirname "$1")" tools docs examples
  cp "$root"/tools/check_layers "$root"/tools/run_docs tools/
  printf '%b\n' "$2" >"$1"
  touch README.md
}

@test "the layers' check finds an include of a folder to the right" {
  tree_with src/apsis/core/bodies.hpp '#include <apsis/io/snapshot.hpp>'
  run tools/check_layers
  [ "$status" -eq 1 ]
  [[ $output == "src/apsis/core/bodies.hpp:1: core/ may not include io/"* ]]
}

@test "the layers' check finds folders in the same braces" {
  tree_with src/apsis/io/snapshot.cpp '#include <apsis/render/image.hpp>'
  run tools/check_layers
  [ "$status" -eq 1 ]
}

@test "the layers' check finds prints and open files in the library, but not in comments" {
  tree_with src/apsis/sim/loop.cpp '// std::ofstream is not for us\nstd::ofstream out("x");\nexit(1);'
  run tools/check_layers
  [ "$status" -eq 1 ]
  [ "${#lines[@]}" -eq 2 ]
  [[ ${lines[0]} == *"loop.cpp:2: opens files"* ]]
  [[ ${lines[1]} == *"loop.cpp:3: prints, exits"* ]]
}

@test "the layers' check passes what is in order" {
  tree_with src/apsis/run/run.cpp '#include <apsis/core/bodies.hpp>\n#include <apsis/io/snapshot.hpp>'
  run tools/check_layers
  [ "$status" -eq 0 ]
}

@test "documents that print something else are found" {
  tree_with docs/page.md '```console run\n$ echo 4.00 apples\n4.1 apples\n$ echo 4.00 apples\n5.9 apples\n```'
  run tools/run_docs
  [ "$status" -eq 1 ]
  [ "${lines[0]}" = "ok docs/page.md:1 echo 4.00 apples" ]
  [ "${lines[-1]}" = "FAIL docs/page.md:1 echo 4.00 apples" ]
}

@test "a command of the documents that fails is found" {
  tree_with docs/page.md '```console run\n$ exit 3\n```'
  run tools/run_docs
  [ "$status" -eq 1 ]
  [[ $output == *"exit code 3"* ]]
}

@test "stale tables are found, and renewed on request" {
  tree_with docs/page.md '<!-- table exit-codes -->\nold\n<!-- end table -->'
  run tools/run_docs --tables
  [ "$status" -eq 1 ]
  [[ $output == *"stale: exit-codes"* ]]
  tools/run_docs --update
  tools/run_docs --tables
  grep -q '| 65 |' docs/page.md
}

@test "quoted code that changed, moved away or became ambiguous is found" {
  tree_with docs/page.md '<!-- code kernels/k.cl "first" to "last" -->\n<!-- end code -->'
  mkdir kernels
  printf 'before\n  first line\n  last line\nbehind\n' >kernels/k.cl
  run tools/run_docs --tables
  [ "$status" -eq 1 ]
  [[ $output == *"stale: code of kernels/k.cl"* ]]
  tools/run_docs --update
  tools/run_docs --tables
  grep -qx 'first line' docs/page.md
  run ! grep -q behind docs/page.md
  sed -i 's/last/final/' kernels/k.cl
  run tools/run_docs --update
  [ "$status" -eq 1 ]
  [[ $output == *'contains "last"'* ]]
  printf 'first\nfirst\nlast\n' >kernels/k.cl
  run tools/run_docs --tables
  [[ $output == *'2 lines of kernels/k.cl contain "first"'* ]]
}

@test "./test refuses a part that it does not have, and lists those it has" {
  run "$root/test" nonsense
  [ "$status" -eq 64 ]
  run "$root/test" --list
  [ "$status" -eq 0 ]
  [[ $output == *"unit"*"physics"*"asan"* ]]
}
