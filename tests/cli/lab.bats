#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# apsis lab as people type it.
load common

setup_file() { prepare_devices; }

@test "lab alone lists the lessons and measures nothing" {
  expect 0 lab
  [ "$(grep -cE '^(direct|reuse|unroll|cpu|burst|far-field|matmul|integrators|precision|contacts|relaxation|your-own) ' <<<"$output")" -eq 12 ]
  [ ! -e lab ]
}

@test "a lesson prints a table, says what was seen and writes its folder" {
  expect 0 lab cpu --quick --bodies 200 --steps 2 --warmup 1
  [[ $output == *"aos-serial"*"simd"*"the fastest is"*"lab/cpu/: results.json"* ]]
  [ "$(grep -cE '^aos-serial +200 +1\*' <<<"$output")" -eq 1 ]
  [ -s lab/cpu/report.html ]
  grep -q '"command": "apsis lab cpu --quick --bodies 200 --steps 2 --warmup 1"' lab/cpu/results.json
}

@test "--json prints what results.json holds, and nothing else" {
  expect 0 lab integrators --quick --bodies 16 --json
  [ "$output" = "$(cat lab/integrators/results.json)" ]
}

@test "--json of several lessons is one array, and options may stand before lessons" {
  expect 0 lab --quick --bodies 16 cpu integrators --json
  /usr/bin/python3 -c 'import json,sys; print([r["lesson"] for r in json.load(sys.stdin)])' \
    <<<"$output" | grep -qx "\['cpu', 'integrators'\]"
}

@test "of several lessons, those that have nothing to measure here are left out with a reason" {
  expect 0 lab reuse integrators --quick --bodies 16 --device cpu
  [[ $stderr == *"reuse left out: "*"native cpu"* ]]
  [ -s lab/integrators/results.csv ]
}

@test "--out says where, several lessons at once" {
  expect 0 lab cpu integrators --quick --bodies 32 --out elsewhere
  [ -s elsewhere/cpu/results.csv ]
  [ -s elsewhere/integrators/results.csv ]
}

@test "files that no lesson wrote are not replaced" {
  mkdir -p lab/cpu
  echo mine >lab/cpu/results.csv
  expect_error 74 lab/cpu/results.csv --force -- lab cpu --quick --bodies 32
  [ "$(cat lab/cpu/results.csv)" = mine ]
  expect 0 lab cpu --quick --bodies 32 --force
  expect 0 lab cpu --quick --bodies 32
}

@test "without gnuplot everything else is written, and redrawn later" {
  mkdir bin
  env PATH="$PWD/bin" "$APSIS" lab cpu --quick --bodies 64 >printed.txt 2>errors.txt
  grep -q "gnuplot is not installed" errors.txt
  [ ! -e lab/cpu/chart.png ]
  command -v gnuplot >/dev/null || skip "gnuplot is not installed"
  expect 0 lab --redraw lab/cpu
  [[ $output == *"the fastest is"*"chart.png"* ]]
  [ -s lab/cpu/chart.png ]
}

@test "redrawing refuses what is no result of a lesson" {
  echo '{}' >results.json
  expect_error 65 results.json -- lab --redraw results.json
  expect_error 74 missing -- lab --redraw missing/results.json
  expect_error 64 --redraw -- lab cpu --redraw .
}

@test "wrong use is one line with a remedy" {
  expect_error 64 "did you mean 'direct'" -- lab dirct
  expect_error 64 "--group means nothing to lesson cpu" direct -- lab cpu --group 64
  expect_error 64 "--bodies 0" -- lab cpu --bodies 0
  expect_error 64 "--steps 0" -- lab cpu --steps 0
  expect_error 64 "--unroll 99" -- lab unroll --unroll 99
  expect_error 64 "native cpu" -- lab reuse --device cpu
  expect_error 69 gpu -- lab direct --device gpu --quick
}

@test "matrices that do not fit are refused" {
  expect_error 64 "2 columns meet 4 rows" 2x5 -- lab matmul --left 3x2 --right 4x5
  expect_error 64 "is no shape" -- lab matmul --shapes 3x2
  expect_error 64 "is no shape" -- lab matmul --shapes 0x2x2
  expect_error 64 --right -- lab matmul --left 3x2
}

@test "matmul agrees with the plain product for shapes of all kinds" {
  need_device
  expect 0 lab matmul --quick --shapes 1x1x1,3x2x2,17x31x5,512x512x512,1000x37x999
  [[ $output == *"products agree with the plain one"* ]]
  # exactly, for whole numbers
  ! awk -F, '$3 == "int" && $13 != 0' lab/matmul/results.csv | grep . || fail "an int product is off"
  [ "$(awk -F, '$3 == "int" && $6 == "tiled"' lab/matmul/results.csv | wc -l)" -eq 5 ]
}

@test "the newcomer's path: an edited kernel is a new row beside the built-in one" {
  need_device
  expect 0 lab cpu --quick --bodies 100
  mkdir my_kernels
  cp "$root/kernels/direct_float4.cl" my_kernels/
  sed -i 's/sources\[j\]/vload4(j, (global const state*)sources)/' my_kernels/direct_float4.cl
  expect 0 lab direct --quick --device opencl --bodies 500 --kernel-dir my_kernels
  # a row of the table; a sentence may name it as the fastest
  [ "$(grep -cE ' float4 \(edited\) +500 ' <<<"$output")" -eq 1 ]
  [[ $output == *"your float4 "*"the built-in one"* ]]
  [ "$(grep -c 'float4 (edited)' lab/direct/results.csv)" -eq 1 ]
  grep -q 'float4 (edited)' lab/direct/report.html
}

@test "an edited kernel that computes nonsense is named and ends with 76, after its row" {
  need_device
  mkdir my_kernels
  sed 's/sources\[j\]/(2 * sources[j])/' "$root/kernels/direct_float4.cl" >my_kernels/direct_float4.cl
  expect 76 lab direct --quick --device opencl --bodies 500 --kernel-dir my_kernels
  [[ $output == *"float4 (edited)"*"is wrong"* ]]
}

@test "an edited kernel that does not compile is answered with its file" {
  need_device
  mkdir my_kernels
  sed 's/sources\[j\]/sources[q]/' "$root/kernels/direct_float4.cl" >my_kernels/direct_float4.cl
  expect 65 lab direct --quick --device opencl --bodies 500 --kernel-dir my_kernels
  [[ $stderr == *"direct_float4.cl does not compile"* ]]
}

@test "an edited law is a row beside each variant that follows it, and the others are named" {
  need_device
  mkdir my_kernels
  sed 's/return SOFTENED ? inverse \*/return SOFTENED ? 1 * inverse */' "$root/kernels/pair.cl" \
    >my_kernels/pair.cl
  expect 0 lab direct --quick --device opencl --bodies 300 --kernel-dir my_kernels
  [[ $stderr == *"kernels from my_kernels take the place of built-in ones: pair.cl (read by "* ]]
  [[ $stderr == *"no edited row of wide, which has the law in vectors of its own"* ]]
  [ "$(grep -c '(edited)' lab/direct/results.csv)" -eq 6 ]
  mv my_kernels/pair.cl my_kernels/par.cl
  expect_error 65 "my_kernels/par.cl" "did you mean 'pair.cl'" -- \
    lab direct --quick --device opencl --bodies 300 --kernel-dir my_kernels
}

@test "a folder without a kernel of the lesson is refused" {
  mkdir empty
  expect_error 65 empty direct_rows.cl -- lab direct --quick --kernel-dir empty
}

@test "reuse on or off, and factors of unrolling, are what is measured" {
  need_device
  expect 0 lab reuse --quick --bodies 300 --reuse off
  [[ $output == *"only one side was measured"* ]]
  run ! grep -q ',tiled,' lab/reuse/results.csv
  expect 0 lab unroll --quick --bodies 300 --unroll 2,8
  [ "$(cut -d, -f4 lab/unroll/results.csv | tail -n +2 | tr '\n' ' ')" = "unroll 2 unroll 8 " ]
}

@test "a signal ends a lesson behind the present measurement, with what there is" {
  "$APSIS" lab cpu --bodies 512,1024,20000 >printed.txt 2>errors.txt &
  pid=$!
  for _ in $(seq 100); do
    ! grep -q '^aos-serial' printed.txt || break
    sleep 0.1
  done
  kill -INT "$pid"
  status=0
  wait "$pid" || status=$?
  [ "$status" -eq 75 ] || fail "ended with $status"
  grep -q "stopped on request" printed.txt
  [ -s lab/cpu/results.csv ]
}

# What an assignment hands out, small: 400 points, and 65 more to choose from.
hand_out() { expect 0 lab far-field --export task --bodies 400,65 --seed 3; }

@test "--export writes an assignment that our own forces pass" {
  hand_out
  [[ $output == *"task/points-400.csv"*"task/check.sh"* ]]
  [ "$(find task -type f | wc -l)" -eq 8 ]
  head -1 task/points-400.csv | grep -qx 'id,x,y,z,m'
  for solver in direct bins; do
    args=(--solver "$solver" --device cpu --precision f32 --softening 1)
    [ "$solver" = direct ] || args+=(--set 'force.box=[0,1000,0,1000,0,1000]' --set force.bins=10)
    expect 0 forces task/points-400.csv -o "$solver.csv" "${args[@]}"
    run sh task/check.sh "$solver" "$solver.csv" 400
    [ "$status" -eq 0 ] && [[ $output == *"PASS: $solver.csv, $solver, 400 points" ]] ||
      fail "$status: $output"
  done
  # bins are an approximation, which is not what all pairs give
  run sh task/check.sh direct bins.csv 400
  [ "$status" -eq 76 ] && [[ $output == *"body "*" has ("*") instead of ("*"FAIL: bins.csv"* ]]
}

@test "the script of an assignment refuses what is wrong, by name" {
  hand_out
  grep -v '^#' task/direct-65.csv >mine.csv
  run sh task/check.sh direct mine.csv
  [ "$status" -eq 0 ]
  cut -d, -f2-4 mine.csv >nameless.csv && sed -i 1d nameless.csv
  run sh task/check.sh direct nameless.csv 65
  [ "$status" -eq 0 ]
  # one body of 65, by two parts in a thousand
  awk -F, 'NR == 9 { $2 *= 1.002; $3 *= 1.002; $4 *= 1.002 } { print $1 "," $2 "," $3 "," $4 }' \
    mine.csv >off.csv
  run sh task/check.sh direct off.csv
  [ "$status" -eq 76 ] && [[ $output == *"body 7 has ("*"FAIL: off.csv, direct, 65 points" ]] ||
    fail "$output"
  head -40 mine.csv >cut.csv
  run sh task/check.sh direct cut.csv
  [ "$status" -eq 76 ] && [[ $output == *"cut.csv lacks 39, 40, 41, ..."*FAIL* ]] || fail "$output"
  head -40 nameless.csv >cut.csv
  run sh task/check.sh direct cut.csv
  [ "$status" -eq 65 ] && [[ $output == *"cut.csv has 40"*FAIL* ]] || fail "$output"
  head -c 300 mine.csv >cut.csv
  run sh task/check.sh direct cut.csv
  [ "$status" -ne 0 ] && [[ $output == *cut.csv*FAIL* ]] || fail "$output"
  run sh task/check.sh direct missing.csv
  [ "$status" -eq 74 ] && [[ $output == *missing.csv*FAIL* ]]
  run sh task/check.sh direct task/points-65.csv
  [ "$status" -eq 65 ] && [[ $output == *"points-65.csv has none"*"ax, ay and az"* ]] || fail "$output"
}

@test "the script of an assignment explains itself" {
  hand_out
  for wrong in "" "direct" "tree mine.csv" "direct mine.csv 66" "direct mine.csv 65 more"; do
    # shellcheck disable=SC2086
    run sh task/check.sh $wrong
    [ "$status" -eq 64 ] && [[ $output == "usage: sh check.sh direct|bins FILE [65|400]" ]] ||
      fail "$wrong: $output"
  done
  APSIS=nowhere/apsis run sh task/check.sh direct task/direct-65.csv
  [ "$status" -eq 69 ] && [[ $output == *"no 'nowhere/apsis'"*"APSIS"* ]]
  ! command -v shellcheck >/dev/null || shellcheck task/check.sh
}

@test "--export replaces nothing, is for one lesson, and leaves nothing half done" {
  mkdir task
  echo mine >task/README.md
  expect_error 74 "task/README.md exists" --force -- lab far-field --export task --bodies 65
  [ "$(find task -type f)" = task/README.md ] && [ "$(cat task/README.md)" = mine ]
  expect 0 lab far-field --export task --bodies 65 --force
  grep -q 'points of mass 1' task/README.md
  echo file >plain
  expect_error 74 "plain is no folder" -- lab far-field --export plain --bodies 65
  expect_error 64 "lesson far-field" -- lab direct --export new
  expect_error 64 "lesson far-field" -- lab --export new
  expect_error 64 "--device means nothing to --export" -- lab far-field --export new --device cpu
  expect_error 64 "--quick means nothing to --export" -- lab far-field --export new --quick
  expect_error 64 "--bodies 0" -- lab far-field --export new --bodies 0
  expect_error 64 "--seed" "--export DIR" -- lab far-field --seed 3
  expect_error 64 "--export needs a folder" -- lab far-field --export ''
  [ ! -e new ]
}

@test "matrices of one's own are multiplied, shown with who computes what, or refused by name" {
  need_device
  printf '1 2\n3 4\n5 6\n' >A.txt
  printf '1, 0, 2\n0, 1, -3\n' >B.txt
  expect 0 lab matmul --quick --device opencl --a A.txt --b B.txt
  [[ $output == *"(1, 2)"*"c[2][1]: row 2 of a, column 1 of b"* ]]
  grep -qE '^ +2 +5 +6 +-8$' <<<"$output" || fail "no product: $output"
  expect_error 65 "A.txt is 3x2" "2 columns meet 3 rows" -- lab matmul --a A.txt --b A.txt
  echo '1 x' >B.txt
  expect_error 65 "B.txt:1: 'x'" -- lab matmul --a A.txt --b B.txt
  expect_error 64 --b -- lab matmul --a A.txt
  expect_error 64 "--shapes" -- lab matmul --a A.txt --b B.txt --shapes 1x1x1
}
