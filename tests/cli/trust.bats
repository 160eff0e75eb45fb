#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Files of strangers: what they may ask for, and what only the person at the command line may.
load common

setup_file() { prepare_devices; }

# A kernel that acts by another law, and a spec that names its folder.
write_kernels_and_spec() {
  mkdir mine
  sed 's/return SOFTENED ? inverse \*/return SOFTENED ? 2 * inverse */' "$root/kernels/pair.cl" \
    >mine/pair.cl
  cat >plain.toml <<'TOML'
[initial]
model = "plummer"
bodies = 64
[time]
step = 0.01
until = 0.05
[output]
pictures = false
[device]
name = "opencl"
TOML
  { cat plain.toml && echo 'kernel_dir = "mine"'; } >spec.toml
}

@test "kernels that a spec names are not compiled; the command that trusts them is shown" {
  need_device
  write_kernels_and_spec
  need HDF5
  local command="apsis run spec.toml --kernel-dir mine"
  expect_error 65 "spec.toml:11:14: device.kernel_dir = \"mine\"" "$command" -- run spec.toml --out here
  expect_error 65 "$command" -- run spec.toml --out here --continue
  expect_error 65 "apsis view spec.toml --kernel-dir mine" -- view spec.toml
  [ ! -e here ]
  expect 0 run spec.toml --kernel-dir mine --out here
  [[ $stderr == *"kernels from mine take the place"* ]]
  expect 0 run plain.toml --set device.kernel_dir=mine --out there
  cmp <(apsis convert here/snapshot_0020.hdf5 a.csv && cat a.csv) \
    <(apsis convert there/snapshot_0020.hdf5 b.csv && cat b.csv)
}

@test "a run with kernels of its own goes on only with the same ones, named again" {
  need_device
  write_kernels_and_spec
  expect 0 run plain.toml --kernel-dir mine --out here
  grep -q '^kernel_dir = "mine"$' here/spec.toml
  grep -qE '^kernel_hash = "[0-9a-f]{32}"$' here/spec.toml
  [ "$(sed -n '/^\[resolved\]/,$p' here/spec.toml | grep -c '^kernel_')" -eq 2 ]
  expect_error 65 "kernels from mine" "apsis run --resume here --kernel-dir mine" -- \
    run --resume here --set time.until=0.1
  expect_error 65 "apsis run --resume here --kernel-dir mine" -- run plain.toml --out here --continue
  expect 0 run --resume here --set time.until=0.1 --kernel-dir mine
  cp -r mine moved
  expect 0 run --resume here --set time.until=0.12 --set device.kernel_dir=moved
  echo '// changed' >>mine/pair.cl
  expect_error 65 "not those that the run in here began with" -- \
    run --resume here --set time.until=0.2 --kernel-dir mine
  expect_error 65 "no folder of kernels nowhere" -- \
    run --resume here --set time.until=0.2 --kernel-dir nowhere
}

@test "a run without kernels of its own gets none later, from the command line or from its folder" {
  need_device
  write_kernels_and_spec
  expect 0 run plain.toml --out here
  expect_error 64 "would change a run that has begun" -- run --resume here --kernel-dir mine
  expect_error 65 "device.kernel_dir" "here" -- run plain.toml --out here --continue --kernel-dir mine
  sed -i 's/^name = "opencl"/&\nkernel_dir = "mine"/' here/spec.toml
  expect_error 65 "here/spec.toml" "device.kernel_dir = \"mine\"" "take the line out" -- \
    run --resume here --set time.until=0.1
}

@test "a spec of a run with kernels of its own says so where it starts another one without them" {
  need_device
  write_kernels_and_spec
  expect 0 run plain.toml --kernel-dir mine --out here
  expect 0 run here/spec.toml --out there
  [[ $stderr == *"of a run with kernels from mine"*"--kernel-dir mine takes those"* ]]
}

@test "closed standard descriptors end in no file of the run" {
  run bash -c '"$0" run --set initial.model=plummer --set initial.bodies=20 --set time.step=0.01 \
    --set time.until=0.02 --set device.name=cpu --set output.pictures=false --out here <&- >&- 2>&-' \
    "$APSIS"
  [ "$status" -eq 0 ]
  [[ $(head -n 1 here/energy.csv) == step,time,* ]]
  [ "$(wc -l <here/.lock)" -eq 1 ]
}

@test "a key of very many parts is refused" {
  python3 -c 'print(".".join(["a"] * 500000) + " = 1")' >long.toml
  expect_error 65 "long.toml:1" "32 parts" -- run long.toml --out here
  python3 -c 'print("title = \"x\"\n[" + ".".join(["a"] * 500000) + "]")' >long.toml
  expect_error 65 "long.toml:2" "32 parts" -- run long.toml --out here
  python3 -c 'print("a = {" + ".".join(["a"] * 500000) + " = 1}")' >long.toml
  expect_error 65 "long.toml:1" "32 parts" -- run long.toml --out here
  # dots elsewhere are no keys
  printf 'title = """\n%s\n"""\n# %s\n[initial]\nmodel = "kepler"\n[time]\nuntil = 0.1\n[output]\npictures = false\n' \
    "$(printf '.%.0s' {1..100})" "$(printf '.%.0s' {1..100})" >dots.toml
  [ ! -e here ]
  expect 0 run dots.toml --out here
}
