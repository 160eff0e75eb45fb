#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# apsis check and apsis bench as people and scripts use them.
load common

keys() { /usr/bin/python3 -c 'import json,sys; [print(k) for o in json.load(sys.stdin) for k in o]'; }

@test "bench --json has every promised key" {
  expect 0 bench direct --device cpu --bodies 512 --repeats 2 --warmup 1 --json
  found=$(keys <<<"$output")
  for key in device driver commit solver variant precision bodies model masses softening threads \
    seconds_min seconds_median seconds_max seconds_kernel interactions_per_second \
    bodies_per_second gflops samples error_median error_p99 error_max; do
    grep -qx "$key" <<<"$found" || fail "no key $key"
  done
}

@test "check --json adds the rest of the distribution" {
  expect 0 check --device cpu --bodies 512 --json
  found=$(keys <<<"$output")
  for key in error_rms error_p90 error_p999 error_rms_normalized; do
    grep -qx "$key" <<<"$found" || fail "no key $key"
  done
}

@test "bench prints a line per step, marks the warm-up and gives mean and deviation" {
  expect 0 bench direct --bodies 256 --repeats 2 --warmup 3
  [ "$(grep -cE '^ *[0-9]+\*' <<<"$output")" -eq 3 ]
  [ "$(grep -cE '^ *[0-9]+ ' <<<"$output")" -eq 2 ]
  [[ $output == *"interactions/s"*"GFLOP/s"*"mean "*" ± "* ]]
}

@test "check shows float and double inputs side by side for f32" {
  expect 0 check --bodies 300 --precision f32,f64
  [ "$(grep -c '^direct ' <<<"$output")" -eq 3 ]
  [[ $output == *median*rms*"90 %"*"99 %"*"99.9 %"*max* ]]
}

@test "bodies is a list" {
  expect 0 bench direct --bodies 100,200,300 --repeats 1 --warmup 0 --json
  [ "$(keys <<<"$output" | grep -cx bodies)" -eq 3 ]
}

@test "a number below zero is named as it was typed" {
  local command
  for command in "bench direct" check tune "lab cpu" "init plummer -o x.csv"; do
    # shellcheck disable=SC2086
    expect_error 64 "--bodies: -5 is below zero" "--help" -- $command --bodies -5
  done
  expect_error 64 "--seed: -1 is below zero" "--help" -- bench direct --seed -1
  [ ! -e x.csv ]
}

@test "check reads bodies from a file" {
  apsis init plummer --bodies 200 -o cluster.csv 2>/dev/null
  expect 0 check --file cluster.csv --json
  [[ $output == *'"bodies": 200'* && $output == *'"model": "cluster.csv"'* ]]
  expect_error 74 missing.csv -- check --file missing.csv
}

@test "softening 0 and few bodies are checked too" {
  expect 0 check --bodies 1,2,3,64 --softening 0 --precision f32,mixed,f64
}

@test "the same seed gives the same errors for one and two threads" {
  expect 0 check --bodies 2000 --threads 1 --json
  one=$(grep error_ <<<"$output")
  expect 0 check --bodies 2000 --threads 2 --json
  [ "$one" = "$(grep error_ <<<"$output")" ]
}

@test "wrong use is one line with a remedy" {
  expect_error 65 "did you mean 'direct'" -- bench dirct --bodies 10
  expect_error 65 "did you mean 'f32'" -- check --precision f33 --bodies 10
  expect_error 65 1152921504606846976 "at most" -- bench --bodies 1152921504606846976
  expect_error 64 --group "leave out" -- bench --device cpu --bodies 10 --group 64
  expect_error 65 softening -- check --bodies 10 --softening nan
  expect_error 64 --repeats -- bench --bodies 10 --repeats 0
  expect_error 69 gpu -- bench --bodies 10 --device gpu
}

@test "forces beyond the bound of their precision end with 76, after the table" {
  # 1e-25 apart among bodies that are 1 apart: the square of that is 0 in float
  printf '%s\n' x,y,z 0,0,0 1e-25,0,0 1,0,0 0,1,0 0,0,1 -1,0,0 0,-1,0 0,0,-1 >close.csv
  expect_error 76 "exceeds" f32 "8 bodies" -- check --file close.csv --softening 0
  [[ $output == *"1.0e+00"* ]]
  expect 0 check --file close.csv --softening 0 --precision f64
}

@test "bodies whose pulls do not fit one float are refused with what to do" {
  printf '%s\n' x,y,z 0,0,0 1e-25,0,0 1,0,0 >far.csv
  expect_error 65 "body 2" "1e+25 times as far" "precision f64" -- check --file far.csv --softening 0
  expect 0 check --file far.csv --softening 0 --precision f64
}

@test "softening can be given squared, as the tutorials do" {
  run --separate-stderr "$APSIS" check --device cpu --bodies 100 --softening-squared 1e-4
  [ "$status" -eq 0 ]
  [[ "$output" == *"softening 0.01)"* ]]
  run --separate-stderr "$APSIS" check --bodies 100 --softening-squared 1e-4 --softening 0.1
  [ "$status" -eq 64 ]
  run --separate-stderr "$APSIS" check --bodies 100 --softening-squared -1
  [ "$status" -eq 64 ]
}

@test "bench --roofline has a line for every rung and draws a picture" {
  expect 0 bench direct --device cpu --bodies 512 --repeats 1 --warmup 0 --roofline
  for rung in aos-serial aos-openmp reduced soa tiled-i; do
    grep -q "^$rung " <<<"$output" || fail "no rung $rung in: $output"
  done
  if command -v gnuplot >/dev/null; then [ -s roofline.png ]; fi
  expect_error 64 "native cpu" -- bench direct --device opencl --roofline
}

@test "bench --variant all climbs the ladder, and is about solver direct alone" {
  expect 0 bench direct --device cpu --variant all --bodies 200 --repeats 1 --warmup 0
  [[ $output == *"speed-up"*"aos-serial "*"reduced "*"soa "*"tiled-i "* ]]
  expect_error 64 "--variant all is about solver direct alone" -- \
    bench direct bins --device cpu --variant all --bodies 200
  expect_error 64 "--variant all needs to know where" -- bench direct --variant all --bodies 200
}

@test "bench --threads takes several numbers, and prints what was used" {
  expect 0 bench direct --device cpu --variant aos-serial,soa --threads 1,2 --bodies 300 \
    --repeats 1 --warmup 0 --json
  /usr/bin/python3 -c '
import json, sys
got = [(o["variant"], o["threads"]) for o in json.load(sys.stdin)]
assert got == [("aos-serial", 1), ("aos-serial", 1), ("soa", 1), ("soa", 2)], got
' <<<"$output"
}

@test "bench --reuse and --unroll are lists, and each kernel is a row of its own" {
  need_device
  expect 0 bench direct --device opencl:0 --reuse on,off --unroll 1,4 --bodies 300 --repeats 1 \
    --warmup 0 --json
  /usr/bin/python3 -c '
import json, sys
rows = json.load(sys.stdin)
got = [(o["variant"], dict(w.split("=") for w in o["sizes"].split()).get("unroll")) for o in rows]
assert got == [("tiled", "1"), ("tiled", "4"), ("float4", None)], got
assert all(o["place"] == "opencl:0" and o["ok"] for o in rows), rows
' <<<"$output"
  expect 0 bench direct --device opencl:0 --reuse on --unroll 1,4 --bodies 300 --repeats 1
  [[ $output == *" sizes "*"unroll=1 "*"unroll=4 "* ]]
  # one factor is what it was
  expect 0 bench direct --device opencl:0 --variant unrolled --unroll 2 --bodies 300 --repeats 1
  [[ $output == *"unroll=2"* ]]
}

@test "what reuse and unrolling cannot mean is refused" {
  expect_error 64 "--reuse is about kernels of OpenCL devices" "--device opencl" -- \
    bench direct --device cpu --reuse on --bodies 10
  expect_error 64 "no tile to unroll" "leave out --unroll" -- \
    bench direct --device opencl --reuse off --unroll 4 --bodies 10
  expect_error 64 "--reuse is about solver direct alone" -- bench fmm --device opencl --reuse on
  expect_error 64 "--variant excludes --reuse" -- bench direct --variant tiled --reuse on
  expect_error 64 "--reuse" "off" -- bench direct --reuse maybe
  expect_error 64 "--unroll 0 is no size" -- bench direct --device cpu --unroll 0 --bodies 10
}

@test "devices given one by one are timed one after the other, and keep apart" {
  need_device
  export POCL_DEVICES="pthread pthread"
  apsis devices | grep -q '^opencl:1' || skip "PoCL does not give two devices here"
  expect 0 bench direct --device cpu --device opencl:0 --device opencl:1 --bodies 300 --repeats 1 \
    --warmup 0 --chart here.png
  [ "$(grep -cE '^cpu +direct ' <<<"$output")" -eq 1 ]
  [ "$(grep -cE ' #0 +direct ' <<<"$output")" -eq 1 ]
  [ "$(grep -cE ' #1 +direct ' <<<"$output")" -eq 1 ]
  if command -v gnuplot >/dev/null; then [ "$(head -c 4 here.png | tail -c 3)" = PNG ]; fi
  expect 0 check direct --device opencl:0 --device opencl:1 --bodies 100
  [ "$(grep -cE ' #[01] +direct ' <<<"$output")" -eq 4 ]
  expect 0 bench direct --device opencl:0 --device opencl:1 --bodies 100 --repeats 1 --json
  [ "$(grep -cE '"place": "opencl:[01]"' <<<"$output")" -eq 2 ]
  expect_error 64 "--timeline is about one --device" -- \
    bench direct --device opencl:0 --device opencl:1 --bodies 100 --timeline steps.png
  # the lessons' names of equal devices differ as well
  expect 0 lab reuse --quick --bodies 300 --device opencl:0,opencl:1
  [ "$(cut -d, -f1 lab/reuse/results.csv | tail -n +2 | sort -u | tr '\n' ' ')" = "PoCL opencl:0 PoCL opencl:1 " ]
}
