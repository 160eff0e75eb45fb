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

# What a GoogleTest program prints for tests of these names: passes, fails, skips, dies, hangs.
suite_program() {
  cat >program <<'END'
#!/usr/bin/env bash
names=(Suite.passes Suite.fails Each/Other.skips/0 Other.dies Other.hangs Other.passes)
for argument in "$@"; do
  case "$argument" in
    --gtest_list_tests)
      printf '%s\n' 'Running main() from gtest_main.cc' Suite. '  passes' '  fails' \
        Each/Other. '  skips/0  # GetParam() = 7' Other. '  dies' '  hangs' '  passes'
      exit 0 ;;
    --gtest_flagfile=*) wanted=$(sed 's/--gtest_filter=//' "${argument#*=}") ;;
  esac
done
code=0
for name in "${names[@]}"; do
  [[ :$wanted: == *":$name:"* ]] || continue
  echo "[ RUN      ] $name"
  case "$name" in
    *passes) printf 'without an end of line' && echo "[       OK ] $name (0 ms)" ;;
    *fails) echo "what is wrong" && echo "[  FAILED  ] $name, where GetParam() = 3 (1 ms)" && code=1 ;;
    *skips*) printf '%s\n' 'x.cpp:1: Skipped' 'no device here' '' "[  SKIPPED ] $name (0 ms)" ;;
    *dies) kill -SEGV $$ ;;
    *hangs) sleep 60 ;;
  esac
done
exit "${LEAK:-$code}"
END
  chmod +x program
}

@test "every test of a program is told of by itself, also behind one that dies or hangs" {
  suite_program
  run "$root/tools/run_suite.py" name results/suite 2 --part 1/1 ./program --gtest_filter=x
  [ "$status" -eq 1 ]
  [[ $output == *"what is wrong"* ]]
  diff results/suite - <<'END'
ok name.Suite.passes
FAIL name.Suite.fails
skip name.Each/Other.skips/0: no device here
FAIL name.Other.dies: the program died of SIGSEGV
FAIL name.Other.hangs: took longer than 2 s
ok name.Other.passes
END
}

@test "tests can be left out, suites divided, and a bad end behind good tests is a failure" {
  suite_program
  export APSIS_LEAVE_OUT='dies|hangs|fails'
  "$root/tools/run_suite.py" name all 9 --part 1/1 ./program --gtest_filter=x
  for part in 1 2; do "$root/tools/run_suite.py" name "part$part" 9 --part $part/2 ./program --gtest_filter=x; done
  [ -s part1 ] && [ -s part2 ] && diff all <(cat part1 part2)
  LEAK=23 run "$root/tools/run_suite.py" name leaks 9 --part 1/1 ./program --gtest_filter=x
  [ "$status" -eq 1 ]
  [ "$(tail -n 1 leaks)" = "FAIL name.all tests: between or behind them the program ended with 23" ]
}

@test "what ctest calls failed is counted as failed" {
  cat >junit.xml <<'END'
<testsuite><testcase name="a.unit" status="run"/><testcase name="b.unit" status="fail"/>
<testcase name="c" status="run"/><testcase name="d" status="fail"/></testsuite>
END
  mkdir results
  printf '%s\n' 'ok a.one' 'skip a.two: why' >results/a.unit
  printf '%s\n' 'ok b.one' >results/b.unit
  run "$root/tools/junit_lines.py" junit.xml results
  diff <(echo "$output") - <<'END'
ok a.one
skip a.two: why
ok b.one
FAIL b.unit ended badly behind its tests
ok c
FAIL d
END
}
