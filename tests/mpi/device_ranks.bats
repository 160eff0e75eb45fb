#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# `mpirun apsis run` on OpenCL devices, as a user types it; the ranks share PoCL's.
load ../cli/common
load launcher

setup_file() {
  prepare_launcher
  prepare_devices
}

setup() {
  cd "$BATS_TEST_TMPDIR" || return
  need_device
}

small=(--set initial.model=plummer --set initial.bodies=200 --set time.step=0.01
  --set time.until=0.1 --set output.pictures=false --set device.name=opencl:0)
exact=(--set device.reproducible=true)

@test "reproducible runs of direct and bins on devices end with the bits of one device" {
  for solver in direct bins; do
    rm -rf one two
    apsis run "${small[@]}" "${exact[@]}" --set force.solver=$solver --out one
    expect_on 2 0 run "${small[@]}" "${exact[@]}" --set force.solver=$solver --out two
    [[ $stderr == *"bodies are split "*" over the devices of 2 ranks"* ]]
    [[ $stderr == *"on 2 ranks, "*" each, $solver "* ]]
    cmp one/energy.csv two/energy.csv
    grep -q '^ranks = "2"' two/spec.toml
    grep -q '^split = "' two/spec.toml
  done
}

@test "a run on devices goes on on other numbers of ranks: 2, without mpirun, 3" {
  apsis run "${small[@]}" "${exact[@]}" --out whole
  expect_on 2 0 run "${small[@]}" "${exact[@]}" --set time.until=0.03 --out here
  expect 0 run --resume here --set time.until=0.06
  [[ $stderr == *"began on 2 ranks and goes on in one process on opencl:0"* ]]
  expect_on 3 0 run --resume here --set time.until=0.1
  [[ $stderr == *"over the devices of 3 ranks"* ]]
  [ "$(tail -n 1 here/energy.csv)" = "$(tail -n 1 whole/energy.csv)" ]
  grep -q '"bit_identical": true' here/summary.json
}

@test "tree and fmm on devices go on on other numbers of ranks with the same bits" {
  for solver in tree fmm; do
    rm -rf whole here
    apsis run "${small[@]}" --set force.solver=$solver --out whole
    expect_on 2 0 run "${small[@]}" --set force.solver=$solver --set time.until=0.03 --out here
    expect 0 run --resume here --set time.until=0.06
    expect_on 3 0 run --resume here --set time.until=0.1
    [[ $stderr != *"not bit for bit"* ]]
    [ "$(tail -n 1 here/energy.csv)" = "$(tail -n 1 whole/energy.csv)" ]
    grep -q '"bit_identical": true' here/summary.json
  done
}

@test "without reproducible, other devices and ranks are named" {
  expect_on 2 0 run "${small[@]}" --out here
  expect_on 3 0 run --resume here --set time.until=0.15
  [[ $stderr == *"the run began on "*"and goes on"*"not bit for bit"* ]]
  grep -q '"bit_identical": false' here/summary.json
}

@test "two ranks take a half of the device each, and one rank takes both" {
  apsis devices --json | grep -q '"compute_units": 1,' && skip "one compute unit has no halves"
  expect_on 2 0 run "${small[@]}" --set device.name=opencl:0/2 --out here
  grep '^device = ' here/spec.toml | grep -q 'part 1 of 2 + .* part 2 of 2"'
}

@test "what is wrong with a device is said once, before there is a folder" {
  expect_on 2 69 run "${small[@]}" --set device.name=opencl:99 --out here
  [ "$(grep -c 'apsis: error: ' <<<"$stderr")" -eq 1 ]
  [[ $stderr == *"opencl:99"* ]]
  expect_on 2 65 run "${small[@]}" --set device.variant=symmetric --out here
  [ "$(grep -c 'apsis: error: ' <<<"$stderr")" -eq 1 ]
  [[ $stderr == *"symmetric"* ]]
  [ ! -e here ]
}

@test "a rank whose machine lacks the device ends the job, and is named" {
  local run=("$APSIS" run "${small[@]}" --out here)
  run --separate-stderr mpirun -n 1 "${run[@]}" : -n 1 env OCL_ICD_VENDORS=/nowhere "${run[@]}"
  [ "$status" -eq 69 ] || fail "ended with $status: $stderr"
  [ "$(grep -c 'apsis: error: ' <<<"$stderr")" -eq 1 ]
  [[ $stderr == *"apsis: error: rank 1: "* ]]
  [ ! -e here ]
}
