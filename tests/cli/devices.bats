#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# apsis devices and apsis doctor, with and without OpenCL devices.
load common

setup_file() { prepare_devices; }

# Prints the value of a Python expression over the JSON in $output.
of_json() { /usr/bin/python3 -c "import json,sys; j = json.load(sys.stdin); print($1)" <<<"$output"; }

@test "devices lists the native CPU first" {
  expect 0 devices
  [[ ${lines[0]} == device*kind*units*memory*f64*name*driver* ]]
  [[ ${lines[1]} == cpu*"native CPU"* ]]
}

@test "devices lists the OpenCL devices with what they can do" {
  need_device
  expect 0 devices
  [[ $output == *"opencl:0"* ]]
  expect 0 devices --json
  [ "$(of_json 'j[0]["device"], j[0]["index"]')" = "cpu None" ]
  [ "$(of_json 'j[1]["device"], j[1]["index"]')" = "opencl:0 0" ]
  for key in name kind platform vendor driver version; do
    [ -n "$(of_json "j[1]['$key']")" ] || fail "no $key"
  done
  for key in compute_units memory largest_buffer local_memory largest_group; do
    [ "$(of_json "j[1]['$key']")" -gt 0 ] || fail "no $key"
  done
}

@test "devices without a driver says what is missing and which package brings it" {
  need OpenCL
  OCL_ICD_VENDORS=/nonexistent-folder expect 0 devices
  [[ $output == *"native CPU"* && $output != *"opencl:"* ]]
  [[ $stderr == *"no OpenCL driver is installed"*pocl-opencl-icd* ]]
  mkdir empty
  OCL_ICD_VENDORS=$PWD/empty expect 0 devices --json
  [ "$(of_json 'len(j)')" -eq 1 ]
}

@test "doctor finds every device healthy" {
  expect 0 doctor --bodies 200
  [[ $output == *CPU*OpenCL*cache*HDF5*PNG*gnuplot* ]]
  [[ $output == *"cpu native"*f32*ok* && $output != *FAILED* ]]
}

@test "doctor looks for programs, page, MPI and the cache, and tells what is missing from what is so by design" {
  mkdir empty
  expect_without_programs() {
    run --separate-stderr env PATH="$PWD/empty" "$APSIS" "$@"
    [ "$status" -eq 0 ] || fail "$stderr"
  }
  expect_without_programs doctor --device cpu --bodies 100
  [[ $output == *"gnuplot   missing   runs draw no charts"*"install gnuplot-nox"* ]] || fail "$output"
  [[ $output == *"ffmpeg    missing   there are pictures and no movies"*"install ffmpeg"* ]]
  [[ $output == *"page "* ]]
  if "$APSIS" --version | grep -q "^ *MPI *no"; then
    [[ $output == *"MPI       by design "*"=O"* || $output == *"MPI       missing "*libopenmpi-dev* ]]
  else
    [[ $output == *"MPI       missing "*"no mpirun"*"install openmpi-bin"* ]]
  fi
  [[ $output == *"cache     ok        $XDG_CACHE_HOME/apsis, writable, "*" in "*" file"*" free)"* ]]
  expect 0 doctor --device cpu --bodies 100 --json
  [ "$(of_json '{f["what"] for f in j["findings"]} >= {"ffmpeg", "MPI", "page", "cache"}')" = True ]
  [ "$(of_json '{type(f["by_design"]).__name__ for f in j["findings"] + j["self_tests"]}')" = "{'bool'}" ]
  # a variant of doubles alone is so by design, and stays "missing" for programs that read 0.1's words
  [ "$(of_json '{t["by_design"] for t in j["self_tests"] if t["health"] == "missing"} <= {True}')" = True ]
}

@test "doctor tests tree and fmm on every device" {
  expect 0 doctor --bodies 100 --json
  [ "$(of_json '{t["solver"] for t in j["self_tests"] if t["device"] == "cpu"} == {"direct", "tree", "fmm"}')" = True ]
  [ "$(of_json 'len({t["device"] for t in j["self_tests"]}) == sum(t["solver"] == "fmm" for t in j["self_tests"])')" = True ]
  # they sum what direct does not: an error far above rounding, and within the promise
  [ "$(of_json 'all(1e-6 < t["error"] <= t["bound"] == 1e-3 for t in j["self_tests"] if t["solver"] != "direct")')" = True ]
}

@test "doctor tests every variant and precision of a device" {
  need_device
  expect 0 doctor --device opencl:0 --bodies 100 --json
  [ "$(of_json 'len({t["device"] for t in j["self_tests"]})')" -eq 1 ]
  [ "$(of_json '{t["precision"] for t in j["self_tests"]} == {"f32", "mixed", "f64"}')" = True ]
  [ "$(of_json 'len({t["variant"] for t in j["self_tests"]}) >= 8')" = True ]
  [ "$(of_json 'all(t["error"] <= t["bound"] for t in j["self_tests"])')" = True ]
  [ "$(of_json '[t for t in j["self_tests"] if t["health"] == "FAILED"]')" = "[]" ]
}

@test "doctor without a driver still tests the native CPU and names the packages" {
  need OpenCL
  OCL_ICD_VENDORS=/nonexistent-folder expect 0 doctor --bodies 100
  [[ $output == *"OpenCL    missing"*pocl-opencl-icd*nvidia-opencl-icd* ]]
  [[ $output == *"cpu native"*ok* && $output != *"opencl:"* ]]
}

@test "a driver that does not load is told apart from none" {
  need OpenCL
  mkdir drivers
  echo libnowhere.so >drivers/lost.icd
  OCL_ICD_VENDORS=$PWD/drivers expect 0 doctor --bodies 100
  [[ $output == *"install the drivers anew"*"lost.icd in "* ]]
}

@test "doctor says where kernels can not be kept" {
  touch file
  HOME=$PWD/file XDG_CACHE_HOME=$PWD/file/cache TMPDIR=/nonexistent-folder \
    expect 0 doctor --device cpu --bodies 100
  [[ $output == *"cache     missing"*XDG_CACHE_HOME* ]]
}

@test "a device that is not there ends with 69 and what there is" {
  expect_error 69 "'warp core'" -- doctor --device "warp core"
  expect_error 65 "opencl:x" -- doctor --device opencl:x
  expect_error 64 bodies -- doctor --bodies 0
}

@test "a broken kernel shows the compiler's complaint with file and line, and the defines" {
  need_device
  mkdir kernels
  printf 'typedef float real;\nnonsense here;\n' >kernels/numbers.cl
  expect 65 run --set device.name=opencl --set device.kernel_dir=kernels \
    --set initial.model=plummer --set initial.bodies=100
  [[ $stderr == *"apsis: error: "*"numbers.cl:2"*nonsense* ]]
  [[ $stderr == *"-DPRECISION=32"*"mend the file in kernels"* ]]
  expect_error 65 nowhere -- run --set device.name=opencl --set device.kernel_dir=nowhere \
    --set initial.model=plummer --set initial.bodies=100
}

@test "doctor ends with 69 where a kernel of a device fails" {
  need_device
  local loader
  loader=$(dirname "$APSIS")/tests/device/libfailing_opencl.so
  [ -e "$loader" ] || skip "built without the loader that fails"
  LD_PRELOAD=$loader APSIS_FAIL_CALL=200 expect_error 69 "1 of " "self-tests failed" \
    -- doctor --device opencl:0 --bodies 100
  [[ $output == *FAILED* ]]
}

@test "tune prints what it tried, remembers it, and bench uses it" {
  need_device
  expect 0 tune --device opencl --bodies 300 --variant naive,tiled
  [[ $output == *"300 bodies"*"naive"*"Remembered in $XDG_CACHE_HOME"* ]]
  expect 0 bench direct --device opencl --bodies 300 --repeats 1 --warmup 0 --json
  [[ $(of_json 'j[0]["variant"]') =~ ^(naive|tiled)$ ]]
  rm "$XDG_CACHE_HOME/apsis/tuned.json"
  expect 0 tune --device opencl --bodies 300 --variant naive --dry-run --json
  [ "$(of_json 'j[0]["trials"][0]["variant"]')" = naive ]
  [ ! -e "$XDG_CACHE_HOME/apsis/tuned.json" ]
  expect_error 64 "'naiv'" "did you mean 'naive'?" -- tune --variant naiv
  expect_error 69 "nowhere" -- tune --device nowhere
}
