#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# `apsis bench scaling` of one process: over threads and over devices.
load common

setup_file() { prepare_devices; }

few=(bench scaling --bodies 300 --repeats 2 --warmup 0)

@test "threads: strong and weak tables, a verdict on the fit, and a chart" {
  expect 0 "${few[@]}" --solver direct,fmm --workers 1,2,4 --out here
  [ "$(grep -c '^strong scaling' <<<"$output")" -eq 2 ]
  [ "$(grep -c '^weak scaling' <<<"$output")" -eq 2 ]
  [ "$(grep -cE '^ +[124][ *] ' <<<"$output")" -eq 12 ]
  [[ $output == *"N·√r bodies"*"N·r in all"* ]]
  [[ $output == *"model with 3 parameters"*"stops scaling"* || $output == *"does not scale"* ||
    $output == *"no fit: it takes 3 different numbers of workers that count"* ]]
  if command -v gnuplot >/dev/null; then
    [ "$(head -c 4 here/scaling.png | tail -c 3)" = PNG ]
    [[ $stderr == *"drawn in here/scaling.png"* ]]
  else
    [[ $stderr == *"gnuplot is not installed"* ]]
  fi
}

@test "JSON has the rows with their parts, the fit or why there is none, and predictions" {
  "$APSIS" "${few[@]}" --solver direct --workers 1,2,3 --json >out.json 2>/dev/null
  /usr/bin/python3 - <<'PY'
import json
(study,) = json.load(open("out.json"))
for key in """device driver commit solver variant precision bodies model masses softening over
              threads repeats rows fit predictions stops_scaling_at""".split():
    assert key in study, key
assert study["over"] == "threads" and study["bodies"] == 300
rows = [(row["scaling"], row["workers"], row["bodies"]) for row in study["rows"]]
assert rows == [("strong", 1, 300), ("strong", 2, 300), ("strong", 3, 300),
                ("weak", 1, 300), ("weak", 2, 424), ("weak", 3, 520)], rows
for row in study["rows"]:
    assert row["seconds_min"] <= row["seconds_median"] <= row["seconds_max"]
    assert row["ok"] and row["samples"] > 0
    assert isinstance(row["oversubscribed"], bool) and isinstance(row["in_fit"], bool)
assert ("fit_refused" in study) == (study["fit"] is None)
assert (study["predictions"] == []) == (study["fit"] is None)
PY
}

@test "more threads than cores are marked, and are not in the fit" {
  cores=$(nproc)
  expect 0 "${few[@]}" --solver direct --workers "1,$((cores + 1))"
  [[ $output == *" $((cores + 1))* "* ]]
  [[ $output == *"warning: more threads than cores"* ]]
}

@test "devices: halves of the first one" {
  need_device
  apsis bench direct --device opencl:0/2:1 --bodies 10 --repeats 1 --warmup 0 >/dev/null 2>why ||
    skip "the first device can't be used in two halves: $(tail -n 1 why)"
  expect 0 "${few[@]}" --solver direct --device opencl:0/2
  [[ $output == *"on 1 to 2 devices"*compute*exchange*imbalance* ]]
  [[ $output == *"no fit: it takes 3 different numbers"* ]]
}

@test "what is wrong is said before anything is measured" {
  expect_error 64 "--bodies 0" -- bench scaling --bodies 0
  expect_error 64 "--bodies: -5 is below zero" -- bench scaling --bodies -5
  expect_error 64 "too few for 4 threads" -- bench scaling --bodies 3 --workers 4
  expect_error 65 "unknown solver 'drect'" "direct" -- bench scaling --solver drect
  expect_error 64 "solver bins" -- bench scaling --solver bins
  expect_error 64 "nobody works" -- bench scaling --workers 0
  expect_error 64 "kepler has its own number" -- bench scaling --model kepler
  expect_error 64 "one process" "mpirun" -- bench scaling --latency-us 1
  expect_error 64 "--bandwidth-gbs 0" -- bench scaling --bandwidth-gbs 0
  expect_error 64 "--workers" -- bench scaling --threads 2
  expect_error 64 "--repeats 0" -- bench scaling --repeats 0
  expect_error 65 "memory" "at most" -- bench scaling --bodies 1000000000000
  expect_error 64 "unknown option '--bodis'" "apsis bench scaling --help" -- bench scaling --bodis 5
  expect_error 64 "unexpected argument 'direct'" -- bench scaling direct
  expect_error 64 "SOLVER is not for" "--solver" -- bench direct scaling
  expect_error 69 "no-such-thing" -- bench scaling --device no-such-thing,opencl:7
  [ ! -e scaling.png ]
}

@test "a folder that can't be made is an error behind the tables" {
  touch file
  expect 74 "${few[@]}" --solver direct --workers 1 --out file/here
  [[ $output == *"strong scaling"* ]]
  [[ $stderr == *"apsis: error: "* ]]
}

@test "Ctrl-C ends it at once and leaves nothing" {
  "$APSIS" bench scaling --solver direct --bodies 3000 --repeats 100000 --workers 1,2 >log 2>&1 &
  local job=$! code=0
  sleep 1
  kill -TERM $job
  wait $job || code=$?
  [ "$code" -ne 0 ]
  [ ! -e scaling.png ]
}

@test "it is part of the help, the manual and the completion" {
  expect 0 bench scaling --help
  [[ $output == *--latency-us*--bandwidth-gbs*--out* ]]
  apsis manual man bench | grep -q 'latency'
  apsis manual bash >completion
  run bash -c 'source ./completion
    COMP_WORDS=(apsis bench scaling --lat) COMP_CWORD=3 && _apsis && echo "${COMPREPLY[@]}"'
  [ "$output" = --latency-us ]
}
