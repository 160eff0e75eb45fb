#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# The program as a whole: help, version, errors, exit codes, pipes, manual and completion.
load common

@test "apsis alone prints help and succeeds" {
  expect 0
  [[ $output == *"Usage: apsis"* ]]
  for command in run init info convert check bench; do [[ $output == *"$command"* ]]; done
  [ -z "$stderr" ]
}

@test "every command explains itself with --help" {
  for command in run init info convert check bench; do
    expect 0 "$command" --help
    [[ $output == *"Usage: apsis $command"* ]]
  done
}

@test "help prints what --help does" {
  expect 0 help
  [[ $output == *"Usage: apsis"*"Commands"* ]]
  expect 0 help compare
  local said=$output
  expect 0 compare --help
  [ "$output" = "$said" ]
}

@test "--version names the version, the commit and what is built in" {
  expect 0 --version
  [[ $output == "apsis $(cat "$root/VERSION")"* ]]
  for word in commit compiler HDF5 PNG; do [[ $output == *"$word"* ]]; done
}

@test "--licenses shows the notices of what is linked" {
  expect 0 --licenses
  for word in Apsis fmt CLI11 toml++ Random123 xxHash "MIT License" "GNU C++ library"; do
    [[ $output == *"$word"* ]] || fail "$word"
  done
}

@test "a mistyped command is wrong usage and the nearest one is named" {
  expect_error 64 "unknown command 'bnech'" "did you mean 'bench'" "apsis --help" -- bnech
}

@test "an unknown option is wrong usage and the nearest one is named" {
  expect_error 64 "unknown option '--forse'" "did you mean '--force'" "apsis run --help" -- \
    run --forse
}

@test "an argument too many is wrong usage" {
  expect_error 64 "unexpected argument 'two'" -- run one two
}

@test "a missing argument is wrong usage" {
  expect_error 64 "see 'apsis info --help'" -- info
}

@test "the hidden manual is not listed, but its errors are as clear" {
  expect 0 --help
  [[ $output != *manual* ]]
  expect_error 64 "tables" "choose" -- manual tables
  expect_error 64 "unknown table" "exit-codes" -- manual table nonsense
}

@test "a reader that has had enough is no error" {
  run bash -o pipefail -c '"$0" --licenses | head -n 1' "$APSIS"
  [ "$status" -eq 0 ]
  [ "$output" = "Apsis" ]
}

@test "results that cannot be written are a file error" {
  run bash -c '"$0" --version >/dev/full' "$APSIS"
  [ "$status" -eq 74 ]
  [[ $output == "apsis: error: cannot write"*"No space left"* ]]
}

@test "a closed stdin and no terminal change nothing" {
  run bash -c '"$0" --help <&- | cat' "$APSIS"
  [ "$status" -eq 0 ]
  [[ $output != *$'\033'* ]]
}

@test "each man page renders without a warning" {
  command -v man >/dev/null || skip "man-db is not installed"
  for command in "" run init info convert check bench; do
    apsis manual man $command >page.1
    MANWIDTH=80 man --warnings -E UTF-8 -l page.1 >page.txt 2>warnings.txt
    [ ! -s warnings.txt ] || fail "$command: $(cat warnings.txt)"
    grep -q SYNOPSIS page.txt
  done
}

@test "bash completion offers commands and options" {
  apsis manual bash >completion
  run bash -c 'source ./completion
    COMP_WORDS=(apsis be) COMP_CWORD=1 && _apsis && echo "${COMPREPLY[@]}"
    COMP_WORDS=(apsis run --fo) COMP_CWORD=2 && _apsis && echo "${COMPREPLY[@]}"'
  [ "$output" = $'bench\n--force' ]
}

@test "zsh and fish completions name every command" {
  for shell in zsh fish; do
    apsis manual "$shell" >completion
    for command in run init info convert check bench; do grep -q "$command" completion; done
    if command -v "$shell" >/dev/null; then "$shell" -n completion; fi
  done
}

@test "hints name the program as it was started" {
  unset APSIS_STARTED_AS
  # by a path that no shell would find by name
  run "$APSIS" run --nonsense
  [[ $output == *"see '$APSIS run --help'" ]] || fail "$output"
  mkdir 'my tools' && ln -s "$APSIS" 'my tools/apsis'
  run './my tools/apsis' run --nonsense
  [[ $output == *"see ''./my tools/apsis' run --help'" ]] || fail "$output"
  # by its name, or by the path of what that name finds
  PATH="$PWD/my tools:$PATH" run apsis_by_name
  [[ $output == *"see 'apsis run --help'" ]] || fail "$output"
  PATH="$PWD/my tools:$PATH" run './my tools/apsis' run --nonsense
  [[ $output == *"see 'apsis run --help'" ]] || fail "$output"
  # by a script, whose name is no means to move anybody's cursor
  APSIS_STARTED_AS=./run run "$APSIS" run --nonsense
  [[ $output == *"see './run run --help'" ]] || fail "$output"
  APSIS_STARTED_AS=$'\033[2J' run "$APSIS" run --nonsense
  [[ $output != *$'\033'* ]]
  APSIS_STARTED_AS=./run run "$APSIS" run kepler --until 0.1 --device cpu --threads 1 \
    --set output.pictures=false --out 'a b'
  [[ $output == *"next: ./run run plummer    another model; ./run init --list shows all"* ]]
  [[ $output == *"./run run 'a b/spec.toml' --seed 7"* ]]
  [[ $output == *"kepler: 2 bodies"*"1 thread,"* ]] || fail "$output"
}

# The function of the same name is of the tests.
apsis_by_name() { command apsis run --nonsense; }

@test "./run says its own name" {
  mkdir -p here/build/release here/tools
  cp "$root/run" here/
  printf 'ensure_packages() { :; }\nbuild_preset() { :; }\n' >here/tools/setup.sh
  ln -s "$APSIS" here/build/release/apsis
  run here/run --nonsense
  [[ $output == *"see 'here/run --help'" ]] || fail "$output"
  cd here
  run ./run --nonsense
  [[ $output == *"see './run --help'" ]] || fail "$output"
  run bash run --nonsense
  [[ $output == *"see 'bash run --help'" ]] || fail "$output"
}

@test "a file that exists is one exit code, whichever command would replace it" {
  apsis init kepler -o start.csv 2>/dev/null
  cp start.csv other.csv
  expect_error 74 "other.csv exists" "--force" -- init kepler -o other.csv
  expect_error 74 "other.csv exists" "--force" -- convert start.csv other.csv
  expect_error 74 "other.csv exists" "--force" -- forces start.csv -o other.csv
  touch frame.png
  expect_error 74 "frame.png exists" "--force" -- render start.csv -o frame.png
  mkdir -p here lab/cpu && echo mine | tee here/energy.csv >lab/cpu/results.csv
  expect_error 74 "here holds energy.csv" "--force" -- run kepler --until 0.1 --out here
  expect_error 74 "lab/cpu/results.csv" "--force" -- lab cpu --quick
  cmp start.csv other.csv
}
