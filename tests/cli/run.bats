#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# `apsis run` as a user types it.
load common

# A run of a second or less.
small_run() {
  apsis run --set initial.model=plummer --set initial.bodies=100 --set time.until=0.2 \
    --set output.pictures=false --out here
}

@test "a run ends with a summary and says where everything is" {
  expect 0 run --set initial.model=plummer --set initial.bodies=100 --set time.until=0.2 --out here
  [[ $output == *"finished: step 20, t = 0.2"* ]]
  [[ $output == *"here/"* ]]
  [[ $output == *"next: "* ]]
  for file in spec.toml energy.csv summary.json; do [ -e "here/$file" ]; done
  ls here/snapshot_0000.*
}

@test "pictures are there where they can be made" {
  need PNG
  expect 0 run --set initial.model=plummer --set initial.bodies=100 --set time.until=0.2 --out here
  for file in final.png strip.png; do
    [ "$(head -c 4 here/$file | tail -c 3)" = PNG ]
  done
  if command -v gnuplot; then [ "$(head -c 4 here/energy.png | tail -c 3)" = PNG ]; fi
}

@test "--json prints the summary and nothing else" {
  expect 0 run --set initial.model=kepler --set time.until=0.1 --out here --json
  python3 -c 'import json, sys; assert json.load(sys.stdin)["status"] == "finished"' <<<"$output"
}

@test "energy.csv has the columns of the manual" {
  small_run
  [ "$(head -1 here/energy.csv)" = \
    "step,time,kinetic,potential,total,error,px,py,pz,lx,ly,lz,cx,cy,cz,virial" ]
}

@test "a spec file is read, and --set changes it" {
  printf '[initial]\nmodel = "plummer"\nbodies = 50\n[time]\nuntil = 0.1\n' >spec.toml
  expect 0 run spec.toml --set initial.bodies=60 --set output.pictures=false --out here
  grep -q '^bodies = 60' here/spec.toml
  grep -q '^until = 0.1' here/spec.toml
  grep -q '^\[resolved\]' here/spec.toml
}

@test "a model or a file stands for a spec, and options for the keys that everyone sets" {
  expect 0 run plummer --bodies 50 --seed 7 --until 0.04 --step 0.02 --softening 0.1 --device cpu \
    --threads 1 --precision f64 --solver direct --integrator rk4 --set output.pictures=false --out a
  [[ $stderr == *"plummer: 50 bodies until t = 0.04 in steps of 0.02 (rk4)"*"direct"*"f64"* ]]
  grep -q '^seed = 7$' a/spec.toml
  grep -q '^softening = 0.1$' a/spec.toml
  expect 0 init plummer --bodies 20 -o start.csv
  expect 0 run start.csv --until 0.04 --device cpu --set output.pictures=false --out b
  [[ $stderr == *"start.csv: 20 bodies until t = 0.04"* ]]
  # a file comes before a model of that name
  echo 'initial.model = "kepler"' >plummer
  expect 0 run plummer --until 0.02 --device cpu --set output.pictures=false --out c
  [[ $stderr == *"kepler: 2 bodies"* ]]
  expect 0 run --resume b --until 0.06
}

@test "what is no spec, model or file is named, and so is a key that is given twice" {
  expect_error 65 "'plumer' is no file and no model" "'plummer'" -- run plumer
  mkdir folder kepler
  expect 0 run kepler --until 0.01 --device cpu --set output.pictures=false --out made
  expect_error 64 "folder is a folder" "--resume folder" -- run folder
  expect_error 64 "--until 1 and --set time.until=2" -- run plummer --until 1 --set time.until=2
  expect_error 65 "'5'" "direct" -- run plummer --solver 5
  expect_error 65 "--until soon" -- run plummer --until soon
  expect_error 65 "unknown key 'bodies'" "'initial.bodies'" -- run plummer --set bodies=5
  [ ! -e out ]
}

@test "a burst that is given is not cut by rows that nobody asked for, and it is said what cuts it" {
  local keys=(tutorial --bodies 20 --device cpu --set output.pictures=false)
  expect 0 run "${keys[@]}" --out usual
  [ "$(wc -l <usual/energy.csv)" -eq 102 ]
  expect 0 run "${keys[@]}" --set time.burst=20 --out asked
  [ "$(cut -d, -f1 asked/energy.csv | tr '\n' ' ')" = "step 0 20 40 60 80 100 " ]
  [[ $stderr != *"bursts end"* ]]
  expect 0 run "${keys[@]}" --set time.burst=20 --set output.energy_every=1e-4 --out cut
  [[ $stderr == *"bursts end after 1 step, not time.burst = 20, for output.energy_every = 0.0001"* ]]
  cmp usual/energy.csv cut/energy.csv
  expect 0 run "${keys[@]}" --set time.burst=20 --set output.energy_every=0.005 \
    --set output.snapshot_every=3e-4 --out both
  [[ $stderr == *"bursts end after 3 steps, not time.burst = 20, for output.snapshot_every"* ]]
}

@test "the folder of a run is refused without --force" {
  small_run
  expect_error 65 "here already holds a run" "--resume here" "--force" -- \
    run --set initial.model=kepler --out here
  expect 0 run --set initial.model=kepler --set time.until=0.1 --out here --force
}

@test "a second process is refused the folder of a running one" {
  "$APSIS" run --set initial.model=plummer --set initial.bodies=2000 --set time.until=100 \
    --set output.pictures=false --out here >log 2>&1 &
  for _ in $(seq 100); do [ -e here/energy.csv ] && break || sleep 0.1; done
  expect_error 74 here -- run --set initial.model=kepler --out here --force
  kill -TERM $!
  wait $! || [ $? -eq 75 ]
}

@test "SIGTERM and SIGINT write a checkpoint, end with 75, and --resume goes on" {
  for signal in TERM INT; do
    rm -rf here
    # a shell's background jobs ignore SIGINT, python's do not
    python3 - "$APSIS" "$signal" <<'PYTHON'
import os, signal, subprocess, sys, time
name = getattr(signal, "SIG" + sys.argv[2])
run = subprocess.Popen([sys.argv[1], "run", "--set", "initial.model=plummer", "--set",
                        "initial.bodies=500", "--set", "time.until=1000", "--set",
                        "output.pictures=false", "--out", "here"], stdout=open("log", "w"))
while not os.path.exists("here/energy.csv"):
    time.sleep(0.05)
time.sleep(0.3)
run.send_signal(name)
assert run.wait(timeout=60) == 75, run.returncode
PYTHON
    grep -q "go on with: apsis run --resume here" log
    ls here/checkpoint_*.apsis
    step=$(sed -n 's/^stopped: step \([0-9]*\),.*/\1/p' log)
    until=$(python3 -c "print(0.01 * ($step + 5))")
    expect 0 run --resume here --set time.until="$until"
    [[ $output == *"finished: step $((step + 5))"* ]]
  done
}

@test "a file named stop ends a run with 75" {
  "$APSIS" run --set initial.model=plummer --set initial.bodies=500 --set time.until=1000 \
    --set output.pictures=false --out here >log 2>&1 &
  for _ in $(seq 100); do [ -e here/energy.csv ] && break || sleep 0.1; done
  touch here/stop
  code=0
  wait $! || code=$?
  [ $code -eq 75 ]
  [ ! -e here/stop ]
}

@test "output.max_minutes ends a run with 75" {
  expect 75 run --set initial.model=plummer --set initial.bodies=500 --set time.until=1000 \
    --set output.max_minutes=0.01 --set output.pictures=false --out here
  [[ $stderr == *"output.max_minutes"* ]]
}

@test "wrong specs end with 65 and name file, line, column, value and remedy" {
  printf '[time]\nstepp = 0.1\n' >a.toml
  expect_error 65 "a.toml:2:" "unknown key 'time.stepp'" "did you mean 'time.step'?" -- run a.toml
  printf '[time]\nstep = "fast"\n' >b.toml
  expect_error 65 "b.toml:2:8" "not a number" -- run b.toml
  printf '[time]\nstep = -0.01\n' >c.toml
  expect_error 65 "c.toml:2:8" "-0.01" "> 0" -- run c.toml
  printf '[force]\nsoftening = nan\n' >d.toml
  expect_error 65 "d.toml:2:13" "nan" -- run d.toml
  printf '[initial\n' >e.toml
  expect_error 65 "e.toml:1:" -- run e.toml
  printf '[initial]\nmodel = "plumer"\n' >f.toml
  expect_error 65 "plumer" "plummer" -- run f.toml
  printf '[initial]\nmodel = "king"\nw1 = 6\n' >g.toml
  expect_error 65 "g.toml:3:6" "w1" "w0" -- run g.toml
}

@test "nothing is written for a spec that is refused" {
  expect_error 65 "" -- run --set time.step=-1 --out here
  [ ! -e here ]
  expect_error 65 "" -- run --set initial.model=plumer --out here
  [ ! -e here ]
}

@test "files that cannot be opened end with 74, damaged ones with 65" {
  expect_error 74 missing.toml -- run missing.toml
  expect_error 74 missing.csv -- run --set initial.file=missing.csv --out here
  printf 'id,m,x,y,z,vx,vy,vz\n0,1,0,0,nan,0,0,0\n' >bad.csv
  expect_error 65 bad.csv -- run --set initial.file=bad.csv --out here
  expect_error 74 nowhere -- run --resume nowhere
}

@test "a folder that cannot be made ends with 74" {
  touch file
  expect_error 74 file -- run --set initial.model=kepler --out file/here
}

@test "a device that is not there ends with 69, too many bodies with 65" {
  expect_error 69 opencl:9 -- run --set device.name=opencl:9 --out here
  expect_error 65 "bodies fit" -- run --set initial.model=uniform \
    --set initial.bodies=1000000000000 --out here
}

@test "wrong usage ends with 64" {
  expect_error 64 "" -- run --sett time.step=1
  expect_error 64 "key=value" -- run --set time.step
  expect_error 64 "" -- run --resume here --force
}

@test "numbers that go bad end with 76" {
  expect 76 run --set initial.model=plummer --set initial.bodies=50 --set time.energy_limit=1e-14 \
    --set time.until=1 --set output.pictures=false --out here
  [[ $stderr == *"energy_limit"* ]]
  python3 -c 'import json; assert json.load(open("here/summary.json"))["exit_code"] == 76'
}

# A small disk of our own, or a skip that says why there is none.
mount_small() {
  mkdir -p small
  { [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=16m tmpfs small; } 2>/dev/null ||
    skip "mounting a small tmpfs needs root"
}
teardown() { ! mountpoint -q "$BATS_TEST_TMPDIR/small" || umount "$BATS_TEST_TMPDIR/small"; }

@test "a disk that is too small for the run is refused before anything is computed" {
  mount_small
  expect_error 74 small/here "free" "snapshot_every" -- \
    run --set initial.model=plummer --set initial.bodies=20000 --out small/here
  [ -z "$(find small -type f ! -name .lock)" ]
}

@test "a disk that fills up ends the run with 74 and leaves whole files, from which it goes on" {
  mount_small
  "$APSIS" run --set initial.model=plummer --set initial.bodies=1000 --set time.until=1000 \
    --set output.snapshot_every=500 --set output.checkpoint_steps=5 \
    --set output.pictures=false --out small/here >log 2>&1 &
  local pid=$!
  # any of them: on a quick machine each is there for a moment only
  for _ in $(seq 100); do compgen -G 'small/here/checkpoint_*.apsis' >/dev/null && break || sleep 0.1; done
  # also what a checkpoint leaves that is removed, or the run might live on that
  while kill -0 "$pid" 2>/dev/null; do
    head -c 100M /dev/zero >>small/filler 2>/dev/null || sleep 0.01
  done
  code=0
  wait "$pid" || code=$?
  [ "$code" -eq 74 ] || fail "$code: $(cat log)"
  grep -q "apsis: error: .*small/here.*free" log
  [ -z "$(find small -name '*.tmp*')" ]
  for file in small/here/snapshot_* small/here/checkpoint_*; do apsis info "$file" >/dev/null; done
  rm small/filler
  expect 75 run --resume small/here --set output.max_minutes=0.005
}

@test "massless, one and no bodies are normal" {
  printf 'id,m,x,y,z,vx,vy,vz\n' >none.csv
  expect 0 run --set initial.file=none.csv --set time.until=0.1 --out none
  printf 'id,m,x,y,z,vx,vy,vz\n0,0,1,2,3,1,0,0\n' >one.csv
  expect 0 run --set initial.file=one.csv --set time.until=0.1 --out one
}

@test "progress is one line every ten seconds away from a terminal, and silent before" {
  run --separate-stderr "$APSIS" run --set initial.model=kepler --set time.until=0.1 \
    --set output.pictures=false --out here
  [[ $stderr != *$'\r'* ]]
  [ "$(grep -c . <<<"$stderr")" -eq 3 ] # what, where, in which units
}
