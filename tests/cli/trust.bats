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
  [ ! -e here ]
  # dots elsewhere are no keys
  local dots
  dots=$(printf '.%.0s' {1..100})
  for title in "\"\"\"$dots\"\"\"" "'$dots'" "\"a\\\"$dots\""; do
    printf 'title = %s # %s\n[initial]\nmodel = "kepler"\n[time]\nuntil = 0.1\n[output]\npictures = false\n' \
      "$title" "$dots" >dots.toml
    expect 0 run dots.toml --out here --force
  done
}

@test "links and pipes in a run's folder are not written through" {
  local keys=(--set initial.model=plummer --set initial.bodies=20 --set time.step=0.01
    --set time.until=0.02 --set device.name=cpu --set output.pictures=false)
  echo precious >victim
  local name
  for name in energy.csv .lock; do
    rm -rf here && mkdir here && ln -s ../new "here/$name"
    expect_error 74 "here/$name is a link" -- run "${keys[@]}" --out here
    rm -rf here && mkdir here && mkfifo "here/$name"
    run timeout 20 "$APSIS" run "${keys[@]}" --out here
    [ "$status" -eq 74 ]
  done
  rm -rf here && mkdir here && ln -s ../victim here/.lock
  expect_error 74 "here/.lock is a link" -- run "${keys[@]}" --out here
  rm -rf here && mkdir here && ln -s ../victim here/energy.csv
  expect_error 74 "here holds energy.csv" -- run "${keys[@]}" --out here
  [ "$(cat victim)" = precious ]
  [ ! -e new ]
  # what is renamed into its place takes the place of a link, not of what it names
  for name in energy.csv spec.toml summary.json snapshot_0000.hdf5 checkpoint_00000000.apsis; do
    rm -rf here && mkdir here && ln -s ../victim "here/$name"
    expect 0 run "${keys[@]}" --out here --force
    [ "$(cat victim)" = precious ]
  done
  rm -rf here && expect 0 run "${keys[@]}" --out here
  mv here/energy.csv kept && ln -s ../kept here/energy.csv
  expect_error 74 "here/energy.csv is a link" -- run --resume here --set time.until=0.04
}

@test "a user's own files in the folder of a run stay" {
  local keys=(--set initial.model=plummer --set initial.bodies=20 --set time.step=0.01
    --set time.until=0.04 --set output.checkpoint_steps=1 --set device.name=cpu
    --set output.pictures=false)
  local own=(notes.tmp energy.csv.tmp snapshot_notes.txt checkpoint_mine.apsis checkpoint_7.apsis
    snapshot_1.hdf5 snapshot_0000.txt mine.7-1.tmp checkpoint_1of2.apsis) name
  mkdir here
  for name in "${own[@]}"; do echo mine >"here/$name"; done
  expect 0 run "${keys[@]}" --out here
  expect 0 run "${keys[@]}" --out here --force
  expect 0 run --resume here --set time.until=0.06
  for name in "${own[@]}"; do [ "$(cat "here/$name")" = mine ] || fail "$name was touched"; done
  for name in energy.csv summary.json snapshot_0000.csv checkpoint_00000000_1of2.apsis final.png; do
    rm -rf there && mkdir there && echo mine >"there/$name"
    expect_error 74 "there holds $name" "--force" -- run "${keys[@]}" --out there
    [ "$(cat "there/$name")" = mine ]
    [ "$(find there -type f | wc -l)" -le 2 ]
  done
}

@test "the link of the live view, which carries a token, is in nobody's list of processes" {
  if "$APSIS" --version | grep -q '^ *live view *no'; then skip "built without the live view"; fi
  mkdir bin
  # shellcheck disable=SC2016
  printf '#!/bin/sh\necho "$@" >arguments\nstat -c %%a "$1" >mode\ncp "$1" opened.html\n' >bin/xdg-open
  chmod +x bin/xdg-open
  PATH=$PWD/bin:$PATH DISPLAY=:9 XDG_RUNTIME_DIR=$PWD timeout 30 script -qec "timeout -s INT 5 '$APSIS' view \
    --port 0 --set initial.model=plummer --set initial.bodies=20 --set device.name=cpu" log </dev/null || true
  [[ $(cat arguments) == "$PWD"/apsis-view-*.html ]]
  [ "$(cat mode)" = 600 ]
  local link
  link=$(grep -oE 'http://[^ ]*token=[A-Za-z0-9_-]+' log | head -n 1)
  [ -n "$link" ] && grep -qF "url=$link\"" opened.html
  [ -z "$(find . -name 'apsis-view-*')" ] # gone with the page
}

@test "a cache that others may write to is not used" {
  # so many that what was measured for the choice of a solver is kept
  local keys=(--set initial.model=plummer --set initial.bodies=20000 --set time.step=0.01
    --set time.until=0.01 --set output.pictures=false)
  mkdir -p open/cache own
  chmod 0777 open
  export TMPDIR=$PWD/own
  XDG_CACHE_HOME=$PWD/open/cache expect 0 --version # which asks, and makes nothing
  [ -z "$(find open/cache -mindepth 1)" ]
  XDG_CACHE_HOME=$PWD/open/cache expect 0 run "${keys[@]}" --out a
  [[ $stderr == *"note: the cache $PWD/open/cache/apsis is not used, since other users can write to $PWD/open;"* ]]
  [ -z "$(find open/cache/apsis -type f)" ] # what PoCL keeps beside it is its own
  [ -n "$(find own/apsis-* -type f)" ]
  chmod 1777 open # whoever may write to it may not rename what is ours
  XDG_CACHE_HOME=$PWD/open/cache expect 0 run "${keys[@]}" --out b
  [[ $stderr != *"is not used"* ]]
  [ -n "$(find open/cache/apsis -type f)" ]
  chmod 0755 open && chmod 0775 open/cache/apsis # ours, from an earlier version
  XDG_CACHE_HOME=$PWD/open/cache expect 0 run "${keys[@]}" --out c
  [[ $stderr != *"is not used"* ]]
  [ "$(stat -c %a open/cache/apsis)" = 755 ]
}

@test "PoCL gets a cache of its own where the usual one is open to others or cannot be written" {
  need_device
  mkdir -p open/cache own
  chmod 0777 open
  export TMPDIR=$PWD/own
  unset POCL_CACHE_DIR
  XDG_CACHE_HOME=$PWD/open/cache expect 0 check direct --device opencl --bodies 64
  [ -z "$(find open/cache -name pocl)" ]
  [ -n "$(find own/apsis-*/pocl -type f)" ]
  # before, it was said that no driver is installed
  run --separate-stderr env -u XDG_CACHE_HOME HOME=/proc "$APSIS" devices
  [[ $output == *opencl:0* ]] || fail "$output $stderr"
}

@test "a cache that is yet to be made under /tmp is used without a word" {
  local folder
  folder=$(mktemp -d /tmp/apsis-test-XXXXXX) && rmdir "$folder"
  XDG_CACHE_HOME=$folder expect 0 init --list
  rm -rf "$folder"
  [[ $stderr != *"is not used"* ]] || fail "$stderr"
}

@test "drivers that would end the program for want of memory are not asked" {
  need_device
  if ! (ulimit -v 300000 && "$APSIS" --version) >/dev/null 2>&1; then
    skip "a sanitizer maps more than the limit that is tried"
  fi
  run --separate-stderr bash -c "ulimit -v 300000; '$APSIS' check direct --device opencl --bodies 64"
  [ "$status" -eq 69 ] || fail "$status $stderr"
  [[ $stderr == *"the limit on memory (ulimit -v) leaves"* ]] || fail "$stderr"
  run --separate-stderr bash -c "ulimit -v 400000; '$APSIS' check direct --device cpu --bodies 64"
  [ "$status" -eq 0 ] || fail "$status $stderr"
}

@test "what files bring along is shown on the terminal and not obeyed" {
  local escape=$'\e' keys=(--set initial.model=plummer --set initial.bodies=20 --set time.step=0.01
    --set time.until=0.02 --set device.name=cpu --set output.pictures=false)
  printf 'title = "a\\u001b[2Jb\\u009b3m\\u202ec"\n[initial]\nmodel = "plummer"\nbodies = 20\n' >spec.toml
  expect 0 run spec.toml "${keys[@]}" --out here
  [[ $stderr == *'a\x1b[2Jb\u009b3m\u202ec'* ]] || fail "$stderr"
  [[ $stderr$output != *$escape* ]]
  local file
  for file in here/snapshot_0000.* here/checkpoint_*; do
    expect 0 info "$file"
    [[ $output != *$escape* ]] || fail "$file: $output"
  done
  printf '"k\\u001b[2Jey" = 1\n' >key.toml
  expect 65 run key.toml
  [[ $stderr == *'k\x1b[2Jey'* && $stderr != *$escape* ]] || fail "$stderr"
  expect 74 info "no${escape}[2Jfile"
  [[ $stderr != *$escape* ]]
  echo '{"status": 7, "warnings": [1, {"text": 2}, "x"]}' >here/summary.json
  expect 0 info here
}

@test "a movie's name may have a colon" {
  if ! command -v ffmpeg >/dev/null; then skip "ffmpeg is not installed"; fi
  expect 0 run --set initial.model=plummer --set initial.bodies=20 --set time.step=0.01 \
    --set time.until=0.02 --set device.name=cpu --set output.pictures=false --out here
  expect 0 render here -o t:5.mp4 --size 64x64 --fps 5 --duration 1
  [ -s t:5.mp4 ]
}

@test "ranks that MPI does not know of are said" {
  if "$APSIS" --version | grep -q '^ *MPI *no'; then skip "built without MPI"; fi
  local keys=(--set initial.model=plummer --set initial.bodies=20 --set time.until=0.01)
  PMI_RANK=0 PMI_SIZE=2 expect_error 69 "PMI_RANK = 0 and PMI_SIZE = 2" "say 2 ranks" "knows 1" \
    "unset PMI_RANK and PMI_SIZE" -- run "${keys[@]}" --out here
  [ ! -e here ]
  PMI_RANK=1 PMI_SIZE=2 expect_error 69 "say 2 ranks" -- run "${keys[@]}" --out here
}

@test "strangers at the live view take no descriptor that the run needs" {
  if "$APSIS" --version | grep -q '^ *live view *no'; then skip "built without the live view"; fi
  (
    ulimit -n 200
    exec "$APSIS" run --view --no-open --port 0 --set initial.model=plummer --set initial.bodies=200 \
      --set time.step=0.001 --set time.until=4 --set device.name=cpu --set output.pictures=false \
      --set output.checkpoint_steps=100 --out here >log 2>errors </dev/null
  ) &
  local run=$! port
  for _ in {1..100}; do
    port=$(grep -oE ':[0-9]+/' log | tr -d ':/' || true)
    [ -z "$port" ] || break
    sleep 0.1
  done
  /usr/bin/python3 - "$port" <<'PYTHON'
import socket, sys, time
idle = []
for _ in range(300):
    one = socket.socket()
    one.settimeout(2)
    try:
        one.connect(("127.0.0.1", int(sys.argv[1])))
        idle.append(one)
    except OSError:
        pass
time.sleep(3)
PYTHON
  wait "$run" || fail "ended with $?: $(cat errors)"
  grep -q '"status": "finished"' here/summary.json
}

@test "a folder that is swapped for a link while a run writes to it gets nothing" {
  mkdir victim && echo mine >victim/energy.csv
  "$APSIS" run --set initial.model=plummer --set initial.bodies=300 --set time.step=0.001 \
    --set time.until=2 --set device.name=cpu --set output.pictures=false \
    --set output.checkpoint_steps=50 --out here >log 2>&1 &
  local run=$!
  for _ in {1..100}; do
    [ ! -e here/checkpoint_00000050.apsis ] || break
    sleep 0.05
  done
  mv here moved && ln -s victim here
  wait "$run" || fail "ended with $?: $(cat log)"
  [ "$(ls victim)" = energy.csv ] && [ "$(cat victim/energy.csv)" = mine ]
  grep -q '"status": "finished"' moved/summary.json
  expect 0 info moved/checkpoint_00002000.apsis
}

@test "a pipe under the name of a run's file is not waited for" {
  expect 0 run --set initial.model=plummer --set initial.bodies=20 --set time.step=0.01 \
    --set time.until=0.02 --set device.name=cpu --set output.pictures=false --out here
  rm here/spec.toml && mkfifo here/spec.toml
  run --separate-stderr timeout 10 "$APSIS" run --resume here
  [ "$status" -eq 74 ] || fail "$status $stderr"
  [[ $stderr == *"here/spec.toml is no regular file"* ]] || fail "$stderr"
}
