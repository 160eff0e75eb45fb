#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# How much commands say, in which colours, and the line that shows how a run goes.
load common

small=(run plummer --bodies 50 --until 0.05 --step 0.01 --threads 1 --set output.pictures=false)

# Runs a command on a terminal so many columns wide; its output with all that it draws.
on_terminal() { # COLUMNS COMMAND...
  local columns=$1
  shift
  command -v script >/dev/null || skip "no script(1), which gives a terminal"
  run script -qec "stty cols $columns; $(printf '%q ' "$@")" /dev/null </dev/null
}

@test "-q says warnings and errors only" {
  expect 0 "${small[@]}" --device cpu --out a -q
  [ -z "$output$stderr" ] || fail "$output$stderr"
  [ -e a/summary.json ]
  expect 0 "${small[@]}" --device cpu --out b -q --json
  [[ $output == "{"*'"status": "finished"'* ]]
  [ -z "$stderr" ]
  expect 0 run plummer --bodies 500 --until 5 --step 0.1 --softening 0 --device cpu \
    --set output.pictures=false --out c -q
  [[ $stderr == "apsis: warning: energy error"*"[energy-error]" ]] || fail "$stderr"
  [ -z "$output" ]
  expect_error 65 "a already holds a run" -- "${small[@]}" --device cpu --out a --quiet
  expect 0 init plummer -n 10 -o start.csv -q
  expect 0 convert start.csv other.tipsy -q
  expect 0 forces start.csv -o forces.csv -q
  [ -z "$output$stderr" ] || fail "$output$stderr"
  if "$APSIS" --version | grep -q "^ *PNG *no"; then
    expect_error 69 "pictures are not built in" -- render a -o frame.png --size 64x64 -q
  else
    expect 0 render a -o frame.png --size 64x64 -q
    [ -z "$output$stderr" ] || fail "$output$stderr"
  fi
  expect_error 64 "--verbose" "--quiet" -- run -q -v
}

@test "a quiet lesson writes its files and says nothing" {
  expect 0 lab cpu --quick --bodies 32 -q
  [ -z "$output$stderr" ] || fail "$output$stderr"
  [ -e lab/cpu/report.html ]
}

@test "-v says what was chosen, bursts and files, and changes no result" {
  expect 0 "${small[@]}" --device cpu --out a
  local usual=$output
  expect 0 "${small[@]}" --device cpu --out b -v
  for word in "force.solver = direct" "device.name = cpu: as set" "variant" "resolved.threads" \
    "step 0: snapshot_0000" "step 5: checkpoint written" "(time.burst)" "b/energy.csv  "; do
    [[ $stderr == *"$word"* ]] || fail "'$word' is missing from: $stderr"
  done
  [ "$(grep -c . <<<"$output")" -eq "$(grep -c . <<<"$usual")" ]
  cmp a/energy.csv b/energy.csv
  expect 0 "${small[@]}" --device cpu --out c -v --json
  python3 -c 'import json, sys; json.load(sys.stdin)' <<<"$output"
}

@test "-v says which kernels were built" {
  need_device
  prepare_devices
  expect 0 "${small[@]}" --device opencl:0 --out a -v
  [[ $stderr == *"kernels: "*".cl built for "*" s"* ]] || fail "$stderr"
}

@test "pipes have no colours, terminals have, and NO_COLOR, TERM=dumb and --color decide" {
  local escape=$'\033['
  expect 65 run plumer
  [[ $stderr != *"$escape"* ]]
  expect 65 run plumer --color always
  [[ $stderr == *"${escape}1;31mapsis: error:${escape}0m"* ]] || fail "$stderr"
  unset NO_COLOR
  export TERM=xterm
  on_terminal 80 "$APSIS" run plumer
  [[ $output == *"${escape}1;31mapsis: error:"* ]] || fail "$output"
  on_terminal 80 "$APSIS" run plumer --color never
  [[ $output == *"apsis: error:"* && $output != *"$escape"* ]] || fail "$output"
  NO_COLOR=1 on_terminal 80 "$APSIS" run plumer
  [[ $output == *"apsis: error:"* && $output != *"$escape"* ]] || fail "$output"
  TERM=dumb on_terminal 80 "$APSIS" "${small[@]}" --device cpu --out a
  [[ $output == *"finished"* && $output != *"$escape"* ]] || fail "$output"
  on_terminal 80 "$APSIS" "${small[@]}" --device cpu --out b
  [[ $output == *"${escape}32mfinished${escape}0m"* ]] || fail "$output"
  expect_error 64 "--color" -- run --color sometimes
}

@test "the line of progress is whole at 80 and at 40 columns, also of very long runs" {
  export TERM=xterm
  local columns
  for columns in 80 40; do
    on_terminal "$columns" "$APSIS" run plummer --bodies 3000 --until 1e6 --step 1e-6 --device cpu \
      --threads 1 --set output.max_minutes=0.02 --set output.pictures=false --out "long$columns"
    tr '\r' '\n' <<<"$output" | grep ETA | sed 's/\x1b\[K//' >lines
    [ "$(wc -l <lines)" -ge 2 ]
    python3 - "$columns" lines <<'P'
import re, sys
columns, lines = int(sys.argv[1]), open(sys.argv[2], encoding="utf-8").read().splitlines()
for line in lines:
    assert len(line) < columns, (len(line), line)
    assert re.search(r"ETA (\?|\d+ d \d\d h|\d+(:\d\d)+)$", line), line
    assert re.search(r"(^|[│ ])\d+ %", line), line
P
  done
}

@test "--verbose of commands that measure says what was built of kernels, on stderr alone" {
  need OpenCL
  prepare_devices
  "$APSIS" devices | grep -q '^opencl:0' || skip "no OpenCL device"
  expect 0 check direct --device opencl:0 --bodies 64 -v
  [[ $stderr == "apsis "*" usable"* ]] || fail "$stderr"
  # some drivers keep what they built, and this program asks them for it
  [[ $stderr =~ kernels:\ [a-z_0-9]+\.cl\ (built|taken\ from\ the\ cache)\ for\  ]] || fail "$stderr"
  [[ $output != *"kernels: "* ]]
  expect 0 check direct --device opencl:0 --bodies 64
  [[ $stderr != *"kernels: "* ]]
  expect_error 64 "--verbose" "--quiet" -- check direct -q -v
}
