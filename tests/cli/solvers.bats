#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Solvers by name: in run specs, apsis check and apsis bench.
load common

setup_file() { prepare_devices; }

@test "check and bench take several solvers at once" {
  expect 0 check direct bins reference --device cpu --bodies 300 --precision f64
  for solver in direct bins reference; do grep -q "^$solver " <<<"$output" || fail "no $solver"; done
  expect 0 bench direct bins --device cpu --bodies 300 --repeats 2 --warmup 1
  [[ $output == *"interactions/s"*"bins cells f32 on cpu"*"bodies/s"*"build "*"forces "* ]]
}

@test "bench --json counts pairs of exact sums only and times the parts of the others" {
  expect 0 bench direct bins --device cpu --bodies 300 --repeats 1 --warmup 0 --json
  /usr/bin/python3 -c '
import json, sys
direct, bins = json.load(sys.stdin)
assert direct["interactions_per_second"] > 0 and "seconds_build" not in direct, direct
assert "interactions_per_second" not in bins and "gflops" not in bins, bins
assert bins["seconds_build"] > 0 and bins["seconds_force"] > 0 and bins["solver"] == "bins", bins
' <<<"$output"
}

@test "bins promise no accuracy: a large error is no failure" {
  expect 0 check bins --device cpu --bodies 1000 --bins 10 --accuracy 1e-9
}

@test "bins are exact where all of them touch" {
  expect 0 check bins --device cpu --bodies 1,2,3,500 --bins 2 --precision f64 --json
  /usr/bin/python3 -c '
import json, sys
for o in json.load(sys.stdin): assert o["error_max"] < 1e-13, o
' <<<"$output"
}

@test "bins run on OpenCL devices with the same errors" {
  need_device
  expect 0 check bins --device cpu --bodies 2000 --json
  native=$(grep -E '"error_(median|p99)"' <<<"$output" | grep -o '0\.00[0-9]\{3\}')
  expect 0 check bins --device opencl --bodies 2000 --json
  [ "$native" = "$(grep -E '"error_(median|p99)"' <<<"$output" | grep -o '0\.00[0-9]\{3\}')" ] ||
    fail "$native is not in $output"
}

@test "an accuracy that these bodies do not allow is refused by what can be reached" {
  need_device
  # near pairs of a lattice cancel to 1 part in 10,000: what is left of them is rounding
  expect_error 65 "order 8 in f32 reaches a 99 % force error of 1." "not 1e-05" \
    "set accuracy = " "solver direct" -- \
    check fmm --device opencl --model lattice --bodies 10000 --accuracy 1e-5
  refused=(run --set initial.model=lattice --set initial.bodies=10000 --set force.solver=fmm
    --set force.accuracy=1e-5 --set device.name=opencl --set time.until=0.1)
  expect_error 65 "reaches a 99 % force error" -- "${refused[@]}" --out new
  [ ! -e new ] || fail "the run left a folder"
  expect 0 run --set initial.model=kepler --set time.until=0.1 --out old
  expect_error 65 "reaches a 99 % force error" -- "${refused[@]}" --out old --force
  [ -s old/summary.json ] || fail "the run that was not replaced is gone"
  expect_error 65 "solver fmm reaches a 99 % force error of 1e-05 on the cpu, not 1e-06" \
    "set accuracy = 1e-05 or more" -- check fmm --device cpu --bodies 100 --accuracy 1e-6
}

@test "options that none of the solvers takes are wrong usage" {
  expect_error 64 "--order means nothing to solver direct" -- bench direct --bodies 10 --order 4
  expect_error 64 "--bins means nothing to solver direct" "use solver bins" -- \
    check direct --bodies 10 --bins 4
  expect_error 64 "--bins 257" "256" -- check bins --bodies 10 --bins 257
  expect_error 64 "--box 0,1 is no box" -- check bins --bodies 10 --box 0,1
  expect_error 64 "is no box" -- check bins --bodies 10 --box 0,1,0,1
  expect_error 64 "--order 0 is no order" "give 1 to 64" -- check tree --bodies 10 --order 0
  expect_error 64 "--opening-angle 3 is no such angle" "above 0 and up to 2" -- \
    check fmm --bodies 10 --opening-angle 3
  expect_error 64 "--accuracy 0" -- check bins --bodies 10 --accuracy 0
  expect 0 check direct bins --device cpu --bodies 100 --bins 3
}

@test "a solver where it does not run names those that do" {
  need_device
  expect_error 65 "solver reference does not run on" direct bins -- \
    check reference --device opencl --bodies 10 --precision f64
  expect_error 65 "solver bins has no variant" -- check bins --device cpu --bodies 10 --variant rows
}

@test "solver bins sums in other ways that agree with its own, where it has them" {
  for variant in cells subtract; do
    expect 0 check bins --device cpu --bodies 700 --bins 3 --variant "$variant"
    [[ $output == *"$variant"* ]]
  done
  expect_error 65 "no variant 'bin-an-item' on the native cpu" "device opencl" -- \
    check bins --device cpu --bodies 10 --variant bin-an-item
  need_device
  for variant in cells subtract bin-an-item; do
    expect 0 check bins --device opencl --bodies 700 --bins 3 --variant "$variant"
    [[ $output == *"$variant"* ]]
  done
  expect_error 65 "no variant 'bin-an-itm'" "did you mean 'bin-an-item'" -- \
    check bins --device opencl --bodies 10 --variant bin-an-itm
}

@test "a run with bins settles, samples its error and resumes to the same bits" {
  args=(--set initial.model=plummer --set initial.bodies=500 --set force.solver=bins
    --set device.name=cpu --set time.until=0.2 --set time.burst=1 --set output.pictures=false
    --set output.checkpoint_steps=5)
  expect 0 run "${args[@]}" --out whole
  grep -q '^sizes = "bins=5"' whole/spec.toml
  grep -q '^solver = "bins"' whole/spec.toml
  /usr/bin/python3 -c '
import json
s = json.load(open("whole/summary.json"))
assert 0 < s["force_error"]["p99"] < 1 and s["resolved"]["solver"] == "bins", s
'
  [[ $output == *"force error: 99 % within"* && $output != *interactions/s* ]]
  expect 0 run "${args[@]}" --set time.until=0.1 --out cut
  expect 0 run --resume cut --set time.until=0.2
  cmp whole/energy.csv cut/energy.csv
}

@test "bodies outside a box are said once" {
  expect 0 run --set initial.model=plummer --set initial.bodies=100 --set force.solver=bins \
    --set 'force.box=[0, 0.1, 0, 0.1, 0, 0.1]' --set time.until=0.05 --set output.pictures=false
  [ "$(grep -c "^apsis: warning: .*outside the box" <<<"$stderr")" -eq 1 ]
}

@test "bench --curve goes from step to step and draws time against error" {
  expect 0 bench direct bins --device cpu --bodies 500 --repeats 1 --warmup 0 --curve
  [ "$(grep -c '^bins ' <<<"$output")" -ge 5 ]
  [ "$(grep -c '^direct ' <<<"$output")" -eq 1 ]
  if command -v gnuplot >/dev/null; then [ -s curve.png ]; fi
  expect 0 bench bins --device cpu --bodies 200 --repeats 1 --warmup 0 --curve --json
  /usr/bin/python3 -c 'import json, sys; assert len(json.load(sys.stdin)) >= 5' <<<"$output"
  expect_error 64 "sums exactly" "add solver bins" -- bench direct --bodies 10 --curve
  expect_error 64 "leave out --accuracy" -- bench bins --bodies 10 --bins 4 --curve
  expect 64 bench bins --bodies 10 --curve --roofline
}

@test "keys of the far field are checked" {
  expect_error 65 "force.solver = 'tre'" "choose auto, direct" -- run --set force.solver=tre
  expect_error 65 "force.bins = 0 is out of range" -- run --set force.bins=0
  expect_error 65 "is not a list of six numbers" "[x0, x1, y0, y1, z0, z1]" -- run --set force.box=7
  expect_error 65 "has no width along y" -- run --set 'force.box=[0, 1, 2, 2, 0, 1]'
  expect_error 65 "force.order means nothing to solver direct" -- \
    run --set force.solver=direct --set force.order=3 --set initial.bodies=10
  expect_error 65 hermite4 "use solver direct or reference" -- run --set force.solver=bins \
    --set time.integrator=hermite4 --set initial.bodies=10
}

@test "another solver than the file's leaves out what the file has for its own" {
  cat >bins.toml <<'END'
[initial]
model = "bins-box"
bodies = 20
[force]
solver = "bins"
box = [0.0, 1000.0, 0.0, 1000.0, 0.0, 1000.0]
bins = 4
[time]
until = 1.0
step = 1.0
END
  expect 0 run bins.toml --solver direct --out direct --device cpu
  [[ $stderr == *"force.box of bins.toml is left out: it means nothing to solver direct"* ]]
  [[ $stderr == *"force.bins of bins.toml is left out"* ]]
  run ! grep -q '^bins\|^box' direct/spec.toml
  expect 0 run bins.toml --set force.solver=bins --set force.bins=5 --out bins --device cpu
  [[ $stderr != *"left out"* ]]
  grep -q '^bins = 5' bins/spec.toml
  # what stands beside it is what its user wants
  sed -i '/^box/d; /^bins/d' bins.toml
  expect_error 65 "force.bins means nothing to solver direct" -- \
    run bins.toml --solver direct --set force.bins=5 --out never
}

@test "tree and fmm keep the accuracy that is asked for" {
  for accuracy in 1e-2 1e-3 1e-4; do
    expect 0 check tree fmm --device cpu --model plummer --bodies 3000 --accuracy "$accuracy"
  done
  expect_error 65 "1e-05 on the cpu, not 1e-09" "1e-05 or more" -- \
    check fmm --device cpu --bodies 100 --accuracy 1e-9
}

@test "bench of fmm has the parts of its time and its order" {
  expect 0 bench fmm --device cpu --bodies 3000 --repeats 2 --warmup 1 --json
  /usr/bin/python3 -c '
import json, sys
(fmm,) = json.load(sys.stdin)
assert fmm["seconds_build"] > 0 and fmm["seconds_force"] > 0 and fmm["order"] >= 3, fmm
assert fmm["error_p99"] <= fmm["accuracy"] == 1e-3, fmm
' <<<"$output"
}

resumes_to_the_same_bits() { # SOLVER DEVICE
  local args=(--set initial.model=plummer --set initial.bodies=3000 --set "force.solver=$1"
    --set "device.name=$2" --set time.step=0.01 --set time.until=0.12 --set time.burst=2
    --set output.pictures=false --set output.checkpoint_steps=4)
  expect 0 run "${args[@]}" --out "whole-$1"
  grep -q '^sizes = "order=' "whole-$1/spec.toml"
  expect 0 run "${args[@]}" --set time.until=0.06 --out "cut-$1"
  expect 0 run --resume "cut-$1" --set time.until=0.12
  cmp "whole-$1/energy.csv" "cut-$1/energy.csv"
}

@test "runs with fmm and tree resume to the same bits" {
  resumes_to_the_same_bits fmm cpu
  resumes_to_the_same_bits tree cpu
}

@test "tree and fmm run on OpenCL devices, keep their accuracy and resume to the same bits" {
  need_device
  expect 0 check tree fmm --device opencl --model plummer --bodies 3000
  expect 0 check fmm --device opencl --model lattice --bodies 3000
  resumes_to_the_same_bits fmm opencl
  resumes_to_the_same_bits tree opencl
}
