#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# apsis forces and apsis compare: a reference for others' programs, and how far off they are.
# shellcheck disable=SC2154
load common

some_bodies() { apsis init plummer --bodies 500 --seed 3 -o bodies.csv 2>/dev/null; }

@test "forces writes what the bodies of a file do to each other, for any program to read" {
  some_bodies
  expect 0 forces bodies.csv -o reference.csv --softening 0.01
  [[ $stderr == *"500 bodies by reference"*"f64"* ]]
  grep -q '^id,m,x,y,z,vx,vy,vz,potential,ax,ay,az$' reference.csv
  # pulls of all cancel, and half of m * potential is the potential energy of the run
  awk -F, '/^[0-9]/ { px += $2 * $10; e += $2 * $9 / 2; size += $2 * sqrt($10^2) }
    END { exit !(px^2 < 1e-24 * size^2 && e < -0.3 && e > -0.7) }' reference.csv
}

@test "solvers are compared with the reference, and fail a tolerance that they do not keep" {
  some_bodies
  expect 0 forces bodies.csv -o reference.csv --softening 0.01
  expect 0 forces bodies.csv -o tree.csv --softening 0.01 --solver tree --device cpu
  expect 0 compare reference.csv tree.csv --only acceleration,potential --tolerance 2e-3 --at 99
  [[ $output == *"acceleration"*"the body's own"* ]]
  expect_error 76 "acceleration differs" "--tolerance 1e-09" -- compare reference.csv tree.csv \
    --only acceleration --tolerance 1e-9
}

@test "on a device forces and potentials are the same to rounding" {
  need_device
  prepare_devices
  some_bodies
  expect 0 forces bodies.csv -o reference.csv --softening 0.01
  expect 0 forces bodies.csv -o device.csv --softening 0.01 --solver direct --device opencl \
    --precision f64
  expect 0 compare reference.csv device.csv --tolerance 1e-10
}

@test "a student's table of forces needs no places, and no ids where rows are as many" {
  some_bodies
  expect 0 forces bodies.csv -o reference.csv --softening 0.01
  { echo ax,ay,az && grep '^[0-9]' reference.csv | cut -d, -f10-12; } >mine.csv
  expect 0 compare reference.csv mine.csv --tolerance 0
  [[ $output == *"by their rows"* ]]
  sed -i '7s/^[^,]*/1e3/' mine.csv
  expect_error 76 "row 5" -- compare reference.csv mine.csv --tolerance 1e-3
  expect 0 compare reference.csv mine.csv --tolerance 1e-3 --at 99
}

@test "three numbers a row are accelerations where these alone are compared" {
  some_bodies
  expect 0 forces bodies.csv -o reference.csv --softening 0.01
  grep '^[0-9]' reference.csv | cut -d, -f10-12 >nameless.csv
  { echo x,y,z && cat nameless.csv; } >named_x.csv
  tr , ' ' <nameless.csv >spaces.txt
  awk -F, '{ print "(0,0,0,1) (" $1 "," $2 "," $3 ")" }' nameless.csv >brackets.txt
  for file in nameless.csv named_x.csv spaces.txt brackets.txt; do
    expect 0 compare reference.csv $file --only acceleration --tolerance 0
    [[ $output == *"acceleration is within 0 of the body's own (max)"* ]]
  done
  expect_error 65 "only one of the two has potential" "nameless.csv has none" -- \
    compare nameless.csv reference.csv --only potential
  cut -d, -f1,2 nameless.csv >two.csv
  expect_error 65 "two.csv:1:1: 2 columns of forces" "id,ax,ay,az" -- \
    compare reference.csv two.csv --only acceleration
  sed '3s/,.*//' nameless.csv >short.csv
  expect_error 65 "short.csv:3:1: 1 value where there are 3 columns" -- \
    compare reference.csv short.csv --only acceleration
  head -99 nameless.csv >fewer.csv
  expect_error 65 "fewer.csv has 99" -- compare reference.csv fewer.csv --only acceleration
}

@test "what fails a tolerance is shown with the right numbers, what keeps it with the worst body" {
  printf 'id,ax,ay,az\n1,1,0,0\n2,0,2,0\n' >right.csv
  printf 'id,ax,ay,az\n2,0,2.5,0\n1,1,0,0\n' >mine.csv
  expect_error 76 "(max)" "at worst body 2 has (0, 2.5, 0) instead of (0, 2, 0)" -- \
    compare right.csv mine.csv --tolerance 0.1
  expect 0 compare right.csv mine.csv --tolerance 0.3
  [[ $output == *"acceleration is within 0.3 of the body's own (max); the worst, body 2, is 2.5e-01 off" ]]
  expect 0 compare right.csv mine.csv --tolerance 0.3 --json
  /usr/bin/python3 -c '
import json, sys
d = json.load(sys.stdin)["differences"][0]
assert d["worst"] == 2 and d["worst_first"] == [0, 2, 0] and d["worst_second"] == [0, 2.5, 0], d
' <<<"$output"
}

@test "a run is compared by its last snapshot" {
  some_bodies
  for solver in direct tree; do
    expect 0 run --set initial.file=bodies.csv --set force.softening=0.05 --set time.until=0.1 \
      --set time.step=0.01 --set output.pictures=false --set device.name=cpu \
      --set force.solver=$solver --out "$solver"
  done
  expect 0 compare direct tree --json
  [[ $output == *'"first_time": 0.1,'* && $output == *'"quantity": "position"'* ]]
  expect 0 compare direct tree --only position,velocity --tolerance 1e-3
  expect_error 65 "without snapshots" -- compare direct .
}

@test "bodies that only one of the two has fail a tolerance" {
  printf 'id,x,y,z\n1,0,0,0\n2,1,0,0\n3,2,0,0\n' >three.csv
  printf 'id,x,y,z\n1,0,0,0\n2,1,0,0\n' >two.csv
  expect 0 compare three.csv two.csv
  [[ $output == *"1 body is only in three.csv: 3"* ]]
  expect_error 76 "1 body is only in one" "two.csv lacks 3" -- \
    compare three.csv two.csv --tolerance 1
}

@test "forces does not overwrite, and names what it cannot use" {
  some_bodies
  expect 0 forces bodies.csv -o out.csv
  expect_error 74 "out.csv exists" -- forces bodies.csv -o out.csv
  expect 0 forces bodies.csv -o out.csv --force
  expect_error 64 "input and output" -- forces bodies.csv -o bodies.csv --force
  expect_error 65 "'tre'" "'tree'" -- forces bodies.csv -o other.csv --solver tre
  [ ! -e other.csv ]
  expect_error 64 "TIPSY has no place for forces" ".csv" -- forces bodies.csv -o out.tipsy
  expect_error 74 "no folder nowhere" -- forces bodies.csv -o nowhere/out.csv
  expect_error 74 "missing.csv" -- forces missing.csv -o other.csv
  expect_error 64 "--tolerance -1 must be 0 or more" -- compare out.csv out.csv --tolerance -1
}
