#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Where a run runs: by name, by measuring, without any OpenCL, and after its device has gone.
load common

setup_file() { prepare_devices; }

# A run of some steps, as `here`; the rest by arguments.
small() { # CODE ARGUMENT...
  local code=$1
  shift
  expect "$code" run --set initial.model=plummer --set time.until=0.1 --set time.step=0.01 \
    --set output.pictures=false --out here "$@"
}

of_summary() {
  /usr/bin/python3 -c "import json; j = json.load(open('here/summary.json')); print($1)"
}

@test "a run goes to the device that is named, and says so" {
  need_device
  small 0 --set initial.bodies=300 --set device.name=opencl
  [[ $stderr == *"on "*", direct "* ]]
  [ "$(of_summary 'j["resolved"]["device"]')" != cpu ]
  [ -n "$(of_summary 'j["resolved"]["variant"]')" ]
  grep -q '^device = ' here/spec.toml
}

@test "a device that is not there is exit 69 with what there is" {
  need OpenCL
  expect_error 69 "no OpenCL device 'Voodoo 2'" -- \
    run --set initial.bodies=100 --set device.name="Voodoo 2" --out here
  [ ! -e here ]
  expect_error 69 "opencl:77" -- bench --device opencl:77 --bodies 100
  expect_error 65 "opencl:x" -- check --device opencl:x --bodies 100
}

@test "an unknown variant is exit 65 with those that there are" {
  need_device
  expect_error 65 "'symetric'" "did you mean 'symmetric'?" -- \
    run --set initial.bodies=100 --set device.name=opencl --set device.variant=symetric --out here
  expect_error 65 "'symetric'" "did you mean 'symmetric'?" -- \
    bench --bodies 100 --variant symetric
  expect_error 65 "'tiled'" "soa" -- bench --bodies 100 --variant tiled --device cpu
}

@test "auto says what it took and why" {
  need_device
  small 0 --set initial.bodies=2048
  [[ $stderr == *"device auto: "* ]]
  expect 0 bench --bodies 2048 --repeats 1 --warmup 0 --json
  [[ $stderr == *"device auto: "* ]]
}

only_the_cpu_itself() {
  "$APSIS" devices --json |
    /usr/bin/python3 -c "import json, sys
sys.exit(any(device['kind'] != 'cpu' for device in json.load(sys.stdin)))"
}

@test "auto leaves an OpenCL device that is the cpu itself to those who name it" {
  need_device
  only_the_cpu_itself || skip "there is a device beside the cpu"
  for run in 1 2 3; do
    XDG_CACHE_HOME=$PWD/cache$run small 0 --set initial.bodies=3000
    [[ $stderr == *"device auto: the native cpu; "*" is the same cores"* ]]
    mv here "here$run"
    cmp here1/energy.csv "here$run/energy.csv"
  done
  small 0 --set initial.bodies=300 --set device.name=opencl:0
  [ "$(of_summary 'j["resolved"]["device"]')" != cpu ]
}

@test "the same command is answered as before, without measuring" {
  export XDG_CACHE_HOME=$PWD/cache
  small 0 --set initial.bodies=3000 --set device.name=cpu
  mv here first
  [[ $stderr == *"solver auto: "*" ms for 3000 bodies)"* ]]
  small 0 --set initial.bodies=3000 --set device.name=cpu
  [[ $stderr == *"solver auto: "*", as found by earlier measurements"* ]]
  cmp first/energy.csv here/energy.csv
}

@test "few bodies go to the native cpu unmeasured" {
  small 0 --set initial.bodies=100
  [[ $stderr != *"device auto"* ]]
  [ "$(of_summary 'j["resolved"]["device"]')" = cpu ]
}

@test "auto without any OpenCL is the native cpu, with one line that says so" {
  need OpenCL
  export OCL_ICD_VENDORS=/nonexistent-folder
  small 0 --set initial.bodies=2048
  [ "$(grep -c "device auto: the native cpu; no OpenCL device" <<<"$stderr")" -eq 1 ]
  [ "$(of_summary 'j["resolved"]["device"]')" = cpu ]
}

@test "a variant that only devices have asks for one" {
  need_device
  small 0 --set initial.bodies=100 --set device.variant=tiled
  [ "$(of_summary 'j["resolved"]["variant"]')" = tiled ]
  export OCL_ICD_VENDORS=/nonexistent-folder
  expect_error 69 "no OpenCL device" -- \
    run --set initial.bodies=100 --set device.variant=tiled --out no
}

@test "a written spec repeats what auto chose, without measuring again" {
  need_device
  small 0 --set initial.bodies=2048
  expect 0 run here/spec.toml --out again
  [[ $stderr != *"as fast as"* ]]
  cmp <(sed -n '/resolved/,$p' here/spec.toml) <(sed -n '/resolved/,$p' again/spec.toml)
  cmp here/energy.csv again/energy.csv
}

@test "a run on a device is resumed there to the same bits" {
  need_device
  local keys=(--set initial.model=plummer --set initial.bodies=200 --set time.until=0.3
    --set time.step=0.01 --set device.name=opencl --set output.pictures=false)
  expect 0 run "${keys[@]}" --out whole
  expect 0 run "${keys[@]}" --set time.until=0.1 --out parts
  expect 0 run --resume parts --set time.until=0.3
  cmp whole/energy.csv parts/energy.csv
  grep -q '"bit_identical": true' parts/summary.json
}

@test "a run whose device has gone goes on elsewhere and says so" {
  need_device
  small 0 --set initial.bodies=200 --set device.name=opencl --set device.variant=rows
  export OCL_ICD_VENDORS=/nonexistent-folder
  expect 0 run --resume here --set time.until=0.2
  [[ $stderr == *"of this run is not there any more"* ]]
  [[ $stderr == *"agree to rounding, not bit for bit"* ]]
  [ "$(of_summary 'j["bit_identical"], j["resolved"]["device"], j["steps"]')" = "False cpu 20" ]
}

@test "a folder of kernels acts, says so, or is refused" {
  need_device
  local keys=(--set initial.bodies=100 --set device.name=opencl --set device.kernel_dir=mine)
  mkdir mine
  sed 's/return SOFTENED ? inverse \*/return SOFTENED ? 2 * inverse */' "$root/kernels/pair.cl" \
    >mine/pair.cl
  small 0 "${keys[@]}"
  [[ $stderr == *"kernels from mine take the place of built-in ones: pair.cl (read by "* ]]
  [ "$(of_summary 'j["resolved"]["variant"]')" = rows ]
  expect_error 65 "variant wide" "rows" -- run "${keys[@]}" --set device.variant=wide --out there
  expect_error 65 "solver fmm" "force.solver = direct" -- run "${keys[@]}" --set force.solver=fmm \
    --out there
  expect_error 65 "jerks" "leapfrog" -- run "${keys[@]}" --set time.integrator=hermite4 --out there
  mv mine/pair.cl mine/par.cl
  expect_error 65 "mine/par.cl" "did you mean 'pair.cl'" -- run "${keys[@]}" --out there
  [ ! -e there ]
}

@test "kernels of one's own take the place of the built-in ones, and a broken one is exit 65" {
  need_device
  mkdir mine
  cp "$root"/kernels/motion.cl mine/
  small 0 --set initial.bodies=100 --set device.name=opencl --set device.kernel_dir=mine
  echo 'kernel void motion(global float* x) { x[0] = no_such_thing; }' >mine/motion.cl
  expect 65 run --set initial.bodies=100 --set device.name=opencl --set device.kernel_dir=mine \
    --out there
  [[ $stderr == *"motion.cl:1"*"no_such_thing"*"mend the file in mine"* ]]
  [ ! -e there ]
  expect_error 65 "kernel" -- bench --bodies 100 --device cpu --kernel-dir mine
  expect_error 65 "nowhere" -- bench --bodies 100 --device opencl --kernel-dir nowhere
}

@test "device.group is the size of work-groups, kept when the run goes on, also elsewhere" {
  need_device
  local keys=(tutorial --bodies 300 --device opencl --set device.group=4 --set output.pictures=false)
  expect 0 run "${keys[@]}" --until 0.004 --out whole
  grep -q '^sizes = "group=4 ' whole/spec.toml
  expect 0 run "${keys[@]}" --until 0.002 --out parts
  expect 0 run --resume parts --set time.until=0.004
  [ "$(sed 1d whole/energy.csv | tail -1)" = "$(tail -1 parts/energy.csv)" ]
  grep -q '"bit_identical": true' parts/summary.json
  export OCL_ICD_VENDORS=/nonexistent-folder
  expect 0 run --resume whole --set time.until=0.005
  [[ $stderr == *"of this run is not there any more"* ]]
}

@test "device.group that nothing is built with is exit 65" {
  expect_error 65 "device.group = 64" "direct on cpu" "leave it out" -- \
    run tutorial --bodies 10 --device cpu --set device.group=64 --out here
  [ ! -e here ]
  expect_error 65 "device.group = 0" "> 0" -- run tutorial --set device.group=0 --out here
  need_device
  expect_error 65 "work-groups of 6" "1, 2, 4, 8, 16 or a multiple of 32" -- \
    run tutorial --bodies 10 --device opencl --set device.group=6 --out here
  expect_error 65 "variant wide" "leave their size out" -- \
    run tutorial --bodies 10 --device opencl --set device.group=4 --set device.variant=wide --out here
  expect_error 65 "device.group = 64" "solver bins" -- \
    run tutorial --bodies 10 --device opencl --solver bins --set device.group=64 --out here
}
