#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# One run on several devices: two halves of the first one, two devices of PoCL, and lists that are
# no lists of devices.
load common

setup_file() { prepare_devices; }

two_halves() {
  need_device
  apsis bench direct --device opencl:0/2:1 --bodies 10 --repeats 1 --warmup 0 >/dev/null 2>why ||
    skip "the first device can't be used in two halves: $(tail -n 1 why)"
}

# Ten steps of 8192 bodies, for which two halves are faster than one.
small() { # CODE FOLDER ARGUMENT...
  local code=$1 folder=$2
  shift 2
  expect "$code" run --set initial.model=plummer --set initial.bodies=8192 --set time.step=0.01 \
    --set time.until=0.1 --set output.pictures=false --set force.solver=direct --out "$folder" "$@"
}

resolved() { # FOLDER KEY
  /usr/bin/python3 -c "import json; print(json.load(open('$1/summary.json'))['resolved'].get('$2', ''))"
}

@test "two halves share a run, say how, and have the bits of one device in reproducible mode" {
  two_halves
  small 0 one --set device.name=opencl:0/2:0 --set device.reproducible=true
  small 0 two --set device.name=opencl:0/2 --set device.reproducible=true
  [[ $stderr == *"bodies are split "*" over opencl:0/2:0, opencl:0/2:1"* || $stderr == *"works alone"* ]]
  cmp one/energy.csv two/energy.csv
}

@test "two devices of PoCL have the bits of one in reproducible mode" {
  need_device
  export POCL_DEVICES="pthread pthread"
  apsis devices | grep -q '^opencl:1' || skip "PoCL does not give two devices here"
  small 0 one --set device.name=opencl:0 --set device.reproducible=true
  small 0 two --set device.name=opencl:0,opencl:1 --set device.reproducible=true
  cmp one/energy.csv two/energy.csv
  small 0 all --set device.name=all --set device.reproducible=true
  cmp one/energy.csv all/energy.csv
}

# A spec for two devices with a split that nobody measures, from a run on the first of them.
shared_spec() { # FIRST-DEVICE DEVICES
  small 0 first --set device.name="$1" --set output.checkpoint_steps=4
  /usr/bin/python3 "$root/tests/support/shared_spec.py" first/spec.toml two.toml "$2" "5000 3192"
}

@test "a run on several devices is resumed with its split and ends with the same bits" {
  two_halves
  shared_spec opencl:0/2:0 opencl:0/2
  expect 0 run two.toml --out whole
  [ "$(resolved whole split)" = "5000 3192" ]
  [[ $(resolved whole device) == *" part 1 of 2 + "*" part 2 of 2" ]]
  grep -q '^split = "5000 3192"' whole/spec.toml
  cp -r whole broken
  rm broken/summary.json
  newest=$(find broken -name 'checkpoint_*' | sort | tail -n 1)
  rm "$newest"
  expect 0 run --resume broken
  [ "$(resolved broken split)" = "5000 3192" ]
  cmp whole/energy.csv broken/energy.csv
  /usr/bin/python3 -c "import json; assert json.load(open('broken/summary.json'))['bit_identical']"
}

@test "a run on a part of a device goes on there and ends with the same bits" {
  two_halves
  local part=(--set device.name=opencl:0/2:1 --set initial.bodies=300 --set output.energy_every=0.02)
  small 0 whole "${part[@]}"
  small 0 broken "${part[@]}" --set time.until=0.06
  expect 0 run --resume broken --set time.until=0.1
  [[ $stderr != *"not there any more"* ]] || fail "$stderr"
  [ "$(resolved broken device)" = "$(resolved whole device)" ] || fail "$(resolved broken device)"
  cmp whole/energy.csv broken/energy.csv
}

@test "a run whose second device is gone goes on with those that are left, and says so" {
  need_device
  export POCL_DEVICES="pthread pthread"
  apsis devices | grep -q '^opencl:1' || skip "PoCL does not give two devices here"
  shared_spec opencl:0 opencl:0,opencl:1
  expect 0 run two.toml --out here
  [ "$(resolved here split)" = "5000 3192" ]
  rm here/summary.json
  newest=$(find here -name 'checkpoint_*' | sort | tail -n 1)
  rm "$newest"
  export POCL_DEVICES=pthread
  expect 0 run --resume here
  [[ $stderr == *"not all devices of this run"*"goes on on opencl:0"* ]]
  [ -z "$(resolved here split)" ]
  /usr/bin/python3 -c "import json; assert not json.load(open('here/summary.json'))['bit_identical']"
}

@test "lists that name no devices, or one twice, are errors that say what to do" {
  need_device
  expect_error 65 "names" "twice" -- bench --device opencl:0,opencl:0 --bodies 100
  expect_error 65 "cpu can't be one of several devices" "OpenCL device instead" -- \
    bench --device opencl:0,cpu --bodies 100
  expect_error 65 "empty place" -- bench --device opencl:0,,opencl --bodies 100
  expect_error 65 "a part that there is not" -- bench --device opencl:0/2:2 --bodies 100
  expect_error 65 "does not say in how many parts" -- bench --device opencl:0/x --bodies 100
  expect_error 65 "compute units" -- bench --device opencl:0/100000 --bodies 100
  expect_error 69 "opencl:77" -- bench --device opencl:0,opencl:77 --bodies 100
  expect_error 65 "symmetric works on one device" -- \
    bench --device opencl:0/2 --variant symmetric --bodies 100
}

@test "all is the one device where there is one" {
  need_device
  [ "$(apsis devices | grep -c '^opencl:')" -eq 1 ] || skip "there is more than one device"
  expect 0 bench direct --device all --bodies 100 --repeats 1 --warmup 0
  [[ $stderr != *"split"* ]]
}

@test "bench --timeline shows what each device does when" {
  two_halves
  expect 0 bench direct --device opencl:0/2 --bodies 8192 --timeline steps.png
  [[ $output == *"kernels"*"transfers"*"2 steps in "*"step 2: "*" x the kernels of device "*"over "*" steps: "*" x in the middle"* ]]
  if command -v gnuplot >/dev/null; then [ -s steps.png ]; fi
  expect 0 bench direct --device opencl:0/2 --bodies 8192 --timeline steps.png --json
  /usr/bin/python3 -c 'import json, sys
for d in json.load(sys.stdin):
    assert d["step_over_kernels"] > 0 and d["commands"] and all(c["end"] >= c["start"] >= 0 for c in d["commands"]), d' <<<"$output"
  expect_error 65 "no timeline of cpu" -- bench direct --device cpu --bodies 10 --timeline steps.png
}
