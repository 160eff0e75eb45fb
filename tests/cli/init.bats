#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Initial conditions: the list, files by ending, options, errors.
load common

# There is an example of each.
models=$(sed -n 's/^model = "\(.*\)".*/\1/p' "$examples"/*.toml | sort -u)

@test "--list describes every model with its defaults and options" {
  expect 0 init --list
  for model in $models; do grep -qx "$model" <<<"$output" || fail "$model"; done
  [[ $output == *"4096 bodies, henon units, law gravity, softening 0.05, step 0.01, until 10"* ]]
  [[ $output == *"w0 "*"6 (0.1 to 14)"* ]]
}

@test "--list of one model describes that one alone" {
  expect 0 init king --list
  [[ $output == king* ]]
  [[ $output != *plummer* ]]
}

@test "--list --json is a list of objects with options and defaults" {
  expect 0 init --list --json
  /usr/bin/env python3 -c '
import json, sys
models = {m["name"]: m for m in json.load(sys.stdin)}
assert set(sys.argv[1].split()) == set(models), models.keys()
king = models["king"]
assert king["bodies"] == 4096 and king["units"] == "henon" and not king["fixed_count"]
option = next(o for o in king["options"] if o["name"] == "w0")
assert option["default"] == 6 and option["minimum"] == 0.1 and option["maximum"] == 14
masses = next(o for o in king["options"] if o["name"] == "masses")
assert masses["default"] == "equal" and "kroupa" in masses["choices"]
for m in models.values():
    for key in ("softening", "step", "until", "precision", "law"): assert key in m' \
    "$models" <<<"$output"
}

@test "the ending of the file chooses its format" {
  expect 0 init plummer --bodies 100 -o start.csv
  [ "$(grep -vc '^#' start.csv)" -eq 101 ]
  expect 0 init plummer --bodies 100 -o start.tipsy
  [ -s start.tipsy ]
  expect_error 65 "start.none" -- init plummer --bodies 100 -o start.none
}

@test "HDF5 files are written and read back" {
  need HDF5
  expect 0 init plummer --bodies 100 -o start.hdf5
  expect 0 info start.hdf5
  [[ $output == *100* ]]
}

@test "the same seed gives the same file, another seed another one" {
  expect 0 init king -n 500 --seed 7 -o a.csv
  expect 0 init king -n 500 --seed 7 -o b.csv
  expect 0 init king -n 500 --seed 8 -o c.csv
  cmp a.csv b.csv
  run ! cmp -s a.csv c.csv
}

@test "options are given by --set or by their own names" {
  expect 0 init king -n 200 --set w0=9 --set masses=kroupa -o a.csv
  expect 0 init king -n 200 --w0 9 --masses kroupa -o b.csv
  cmp <(grep -v '^#' a.csv) <(grep -v '^#' b.csv)
}

@test "an existing file is kept unless --force is given" {
  echo mine >start.csv
  expect_error 74 "start.csv exists already" "--force" -- init plummer -n 10 -o start.csv
  [ "$(cat start.csv)" = mine ]
  expect 0 init plummer -n 10 -o start.csv --force
  [ "$(cat start.csv)" != mine ]
}

@test "wrong names and values are explained and leave no file" {
  expect_error 64 "needs the name of a model" "--list" -- init
  expect_error 64 "needs a file" "-o" -- init plummer
  expect_error 65 "unknown model 'plumer'" "did you mean 'plummer'" -- init plumer -o a.csv
  expect_error 65 "has no option 'w'" "did you mean 'w0'" -- init king --set w=3 -o a.csv
  expect_error 65 "--w0 99" "0.1 to 14" -- init king --w0 99 -o a.csv
  expect_error 65 "model plummer has no option 'w0'" -- init plummer --w0 5 -o a.csv
  expect_error 64 "no value" -- init king --set w0 -o a.csv
  expect_error 65 "has 2 bodies, not 3" -- init kepler -n 3 -o a.csv
  expect_error 65 "unit system 'henno'" "did you mean 'henon'" -- init king --units henno -o a.csv
  expect_error 74 "nowhere" -- init king -n 10 -o nowhere/a.csv
  [ ! -e a.csv ]
}

@test "no bodies and one body are files too" {
  expect 0 init plummer -n 0 -o none.csv
  expect 0 init plummer -n 1 -o one.csv
  [ "$(grep -vc '^#' one.csv)" -eq 2 ]
}

@test "a written start can be run" {
  expect 0 init plummer -n 64 -o start.csv
  expect 0 run --set initial.file=start.csv --set time.step=0.01 --set time.until=0.05 --out run
  [ -s run/summary.json ]
}

@test "every example parses and runs its first steps" {
  for spec in "$examples"/*.toml; do
    name=$(basename "$spec" .toml)
    args=()
    # the few-body models have their own number of bodies
    case $name in
      kepler | figure-eight | pythagorean | solar-system) ;;
      *) args=(--set initial.bodies=64) ;;
    esac
    step=$(sed -n 's/^step = \([0-9.e-]*\).*/\1/p' "$spec")
    expect 0 run "$spec" "${args[@]}" --set "time.until=${step:-0.001}" \
      --set output.snapshot_every=0 --out "run-$name"
  done
}
