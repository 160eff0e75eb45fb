#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# What a run says when its numbers or its input are doubtful, and what scripts see of it.
load common

rough=(--set initial.model=plummer --set initial.bodies=300 --set force.softening=0
  --set time.step=0.1 --set time.until=8 --set output.pictures=false --set device.name=cpu)

@test "a run that lost its energy says so when it happens and at the end, and exits with 0" {
  expect 0 run "${rough[@]}" --out here
  [ "$(grep -c '^apsis: warning: energy error .*\[energy-error\]$' <<<"$stderr")" -eq 1 ]
  [[ $stderr == *"a warning in this run:"*"  [energy-error] energy error "* ]]
  grep -q '"code": "energy-error"' here/summary.json
  expect 0 info here
  [[ $output == *"finished, ended by until"*"[energy-error]"* ]]
  expect 0 info here --json
  [[ $output == *'"summary": {'*'"class": "numbers"'* ]]
}

@test "--strict ends such a run with 76 behind all files, and a resumed one too" {
  expect 76 run "${rough[@]}" --out here --strict
  [[ $stderr == *"not as good as asked for (energy-error)"* ]]
  [[ $output == *"finished: step 80"* ]]
  for file in spec.toml energy.csv summary.json checkpoint_00000080.apsis; do [ -e "here/$file" ]; done
  grep -q '"exit_code": 76' here/summary.json
  expect 76 run --resume here --set time.until=8.2 --strict
  expect 0 run --resume here --set time.until=8.4
  [ "$(grep -c '"code": ' here/summary.json)" -eq 1 ]
}

@test "--strict refuses doubtful input with 65 and writes nothing" {
  printf 'x,y,z\n0,0,0\n0,0,0\n1,0,0\n' >start.csv
  expect_error 65 coincident-bodies "leave --strict out" -- run --set initial.file=start.csv --strict --out here
  [ ! -e here ]
  expect 0 run --set initial.file=start.csv --set output.pictures=false --out here
}

@test "a run that is stopped at once claims no energy error" {
  touch_stop() { # as soon as the folder is there
    for _ in $(seq 200); do [ -e here/spec.toml ] && touch here/stop && return; sleep 0.02; done
  }
  touch_stop &
  expect 75 run --set initial.model=plummer --set initial.bodies=2000 --set time.until=1e6 \
    --set output.pictures=false --set device.name=cpu --set force.solver=direct --out here
  [[ $output != *"0.0e+00"* ]]
  grep -q '"ended_by": "stop file"' here/summary.json
}

@test "every run says its units and where they come from" {
  brief=(--set time.until=0.01 --set output.pictures=false --set device.name=cpu)
  expect 0 run --set initial.model=solar-system "${brief[@]}" --out model
  [[ $stderr == *"units: AU, Msun, AU/yr, G = 39.4"*"(model solar-system)"* ]]
  expect 0 run --set initial.model=plummer --set initial.bodies=50 --set units.system=henon "${brief[@]}" --out spec
  [[ $stderr == *"units: henon, G = 1 (spec)"* ]]
  printf 'x,y,z\n0,0,0\n1,0,0\n' >start.csv
  expect 0 run --set initial.file=start.csv "${brief[@]}" --out file
  [[ $stderr == *"units: dimensionless, G = 1 (assumed: start.csv names none)"* ]]
  expect 0 run --resume file --set time.until=0.02
  [[ $stderr == *"(assumed: start.csv names none)"* ]]
}
