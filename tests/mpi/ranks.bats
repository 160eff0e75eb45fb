#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# `mpirun apsis run` as a user types it, on however few cores there are.
load ../cli/common
load launcher

setup_file() { prepare_launcher; }

small=(--set initial.model=plummer --set initial.bodies=200 --set time.step=0.01
  --set time.until=0.2 --set output.pictures=false)
exact=(--set device.precision=f64 --set device.reproducible=true)

@test "a run on three ranks leaves what a run leaves, and one rank speaks" {
  expect_on 3 0 run "${small[@]}" --out here
  [ "$(grep -c 'finished: step 20' <<<"$output")" -eq 1 ]
  [[ $stderr == *"on 3 ranks, cpu, 1 thread each"* ]]
  for file in spec.toml energy.csv summary.json; do [ -e "here/$file" ]; done
  grep -q '^ranks = "3"' here/spec.toml
  expect 0 info "$(find here -name 'snapshot_0000.*')"
  [[ $output == *200* ]]
  expect 0 info here/checkpoint_00000020.apsis
}

@test "reproducible runs end with the bits of one process, also with tree, fmm and bins" {
  for keys in "device.precision=f64" "force.solver=fmm" "force.solver=tree" "force.solver=bins"; do
    rm -rf one three
    local same=("${small[@]}" --set device.reproducible=true --set "$keys"
      --set "output.analyse=lagrangian,bound,orbits")
    apsis run "${same[@]}" --out one
    expect_on 3 0 run "${same[@]}" --out three
    for file in energy lagrangian bound orbits; do cmp one/$file.csv three/$file.csv; done
  done
}

@test "a run goes on on other numbers of ranks: 4, 2, 3, and without mpirun" {
  apsis run "${small[@]}" "${exact[@]}" --out whole
  expect_on 4 0 run "${small[@]}" "${exact[@]}" --set time.until=0.05 --out here
  expect_on 2 0 run --resume here --set time.until=0.1
  expect_on 3 0 run --resume here --set time.until=0.15
  expect 0 run --resume here --set time.until=0.2
  [ "$(tail -n 1 here/energy.csv)" = "$(tail -n 1 whole/energy.csv)" ]
  grep -q '"bit_identical": true' here/summary.json
}

@test "without reproducible, another number of ranks is named" {
  expect_on 2 0 run "${small[@]}" --out here
  expect_on 3 0 run --resume here --set time.until=0.3
  [[ $stderr == *"began on 2 ranks and goes on on 3"*"not bit for bit"* ]]
  grep -q '"bit_identical": false' here/summary.json
}

@test "tree and fmm resumed on as many ranks end with the bits of an unbroken run" {
  for solver in tree fmm; do
    rm -rf whole here
    expect_on 3 0 run "${small[@]}" --set force.solver=$solver --out whole
    expect_on 3 0 run "${small[@]}" --set force.solver=$solver --set time.until=0.1 --out here
    expect_on 3 0 run --resume here --set time.until=0.2
    grep -q '"bit_identical": true' here/summary.json
    [ "$(tail -n 1 here/energy.csv)" = "$(tail -n 1 whole/energy.csv)" ]
    expect_on 2 0 run --resume here --set time.until=0.3
    [[ $stderr == *"began on 3 ranks and goes on on 2"* ]]
  done
}

@test "a file named stop ends all ranks behind a checkpoint" {
  mpirun -n 2 "$APSIS" run "${small[@]}" --set time.until=1000 --out here >log 2>&1 &
  local job=$!
  for _ in $(seq 200); do if [ -e here/checkpoint_00000000.apsis ]; then break; else sleep 0.1; fi; done
  touch here/stop
  local code=0
  wait $job || code=$?
  [ "$code" -eq 75 ] || fail "ended with $code: $(cat log)"
  grep -q 'a file named stop was found' log
  ls here/checkpoint_*_2of2.apsis
}

@test "what is wrong is said once, with its exit code" {
  expect_on 3 65 run --set initial.bodies=-5 --out here
  [ "$(grep -c 'apsis: error: ' <<<"$stderr")" -eq 1 ]
  expect_on 3 65 run "${small[@]}" --set force.solver=bins --set time.integrator=hermite4 --out here
  [ "$(grep -c 'apsis: error: ' <<<"$stderr")" -eq 1 ]
  [ ! -e here/spec.toml ]
}

@test "numbers that go bad end all ranks with 76" {
  expect_on 2 76 run "${small[@]}" --set time.energy_limit=1e-300 --out here
  [[ $stderr == *"energy_limit"* ]]
}

@test "what 0.1 left on two ranks goes on on two, three and one" {
  local ranks run
  for ranks in 2 3; do
    for run in two-ranks two-ranks-tree; do
      rm -rf here && cp -r "$root/tests/files/0.1/runs/$run" here
      expect_on "$ranks" 0 run --resume here
      [[ $output == *"finished: step 40"* ]]
      [ "$run" = two-ranks-tree ] || cmp here/energy.csv here/end/energy.csv
    done
  done
  rm -rf here && cp -r "$root/tests/files/0.1/runs/two-ranks" here
  expect 0 run --resume here
  cmp here/energy.csv here/end/energy.csv
}

@test "--strict on ranks: 76 behind all files, 65 before any" {
  expect_on 2 76 run "${small[@]}" --set force.softening=0 --set time.step=0.1 --set time.until=8 --strict --out rough
  [ "$(grep -c '^apsis: warning: energy error' <<<"$stderr")" -eq 1 ]
  grep -q '"code": "energy-error"' rough/summary.json
  printf 'x,y,z\n0,0,0\n0,0,0\n1,0,0\n' >start.csv
  expect_on 2 65 run --set initial.file=start.csv --strict --out here
  [ "$(grep -c -- '--strict refuses coincident-bodies' <<<"$stderr")" -eq 1 ]
  [ ! -e here ]
}

# Starts a run of two ranks that lasts, with the launcher in $job and the ranks in $first and $second.
start_ranks() {
  mpirun -n 2 "$APSIS" run "${small[@]}" --set time.until=100000 --set output.energy_every=0 \
    --set output.snapshot_every=0 --out here >log 2>&1 &
  job=$!
  for _ in $(seq 200); do if [ -e here/checkpoint_00000000.apsis ]; then break; else sleep 0.1; fi; done
  local process
  for process in $(pgrep -P "$job"); do
    case "$(tr '\0' '\n' <"/proc/$process/environ" | grep OMPI_COMM_WORLD_RANK=)" in
      *=0) first=$process ;;
      *=1) second=$process ;;
    esac
  done
}
until_line() { # TEXT
  for _ in $(seq 200); do if grep -q "$1" log; then return; else sleep 0.1; fi; done
  fail "no line '$1': $(cat log)"
}

@test "SIGUSR1 to any rank writes a checkpoint, and SIGUSR2 ends all with 75" {
  start_ranks
  kill -USR1 "$first"
  until_line 'checkpoint of step [0-9]* written on SIGUSR1'
  sleep 0.5
  : >log
  kill -USR1 "$second"
  until_line 'checkpoint of step [0-9]* written on SIGUSR1'
  kill -USR2 "$second"
  local code=0
  wait "$job" || code=$?
  [ "$code" -eq 75 ] || fail "ended with $code: $(cat log)"
  grep -q 'stopped on SIGUSR2' log
  ls here/checkpoint_*_2of2.apsis
}

@test "--continue starts, goes on on another number of ranks, and says that it is finished" {
  apsis run "${small[@]}" "${exact[@]}" --out whole
  expect_on 3 75 run "${small[@]}" "${exact[@]}" --set time.until=50000 --set output.max_minutes=0.01 \
    --continue --out here
  expect_on 2 75 run "${small[@]}" "${exact[@]}" --set time.until=50000 --set output.max_minutes=0.01 \
    --continue --out here
  [[ $stderr == *"resuming here at step"* ]]
  grep -q '"bit_identical": true' here/summary.json
  expect_on 2 65 run "${small[@]}" "${exact[@]}" --set seed=7 --continue --out here
  [ "$(grep -c 'apsis: error: ' <<<"$stderr")" -eq 1 ]
  expect_on 2 0 run "${small[@]}" "${exact[@]}" --continue --out there
  expect_on 3 0 run "${small[@]}" "${exact[@]}" --continue --out there
  [[ $stderr == *"the run in there is finished"* ]]
  cmp there/energy.csv whole/energy.csv
}

@test "bodies that touch do so on any number of ranks with the same bits" {
  case_of() { # NAME : its keys
    local common="device.name=cpu device.precision=f64 device.reproducible=true force.solver=direct
      force.softening=0.05 time.step=0.01 time.until=0.3 output.pictures=false"
    case $1 in
      merge) echo "$common initial.model=planetesimals initial.bodies=120 initial.filling=0.1" ;;
      bounce) echo "$common initial.model=sphere initial.bodies=120 contacts.on=bounce
        contacts.radius=0.1 contacts.restitution=0.7 space.remove_beyond=0.9" ;;
      soft) echo "$common initial.model=sphere initial.bodies=120 contacts.on=soft
        contacts.radius=0.1 contacts.duration=0.1" ;;
    esac
  }
  for kind in merge bounce soft; do
    rm -rf one two three
    keys=()
    for key in $(case_of $kind); do keys+=(--set "$key"); done
    apsis run "${keys[@]}" --out one
    [ "$(wc -l <one/events.csv)" -gt 5 ]
    expect_on 2 0 run "${keys[@]}" --out two
    expect_on 3 0 run "${keys[@]}" --out three
    for many in two three; do
      cmp one/events.csv $many/events.csv
      cmp one/energy.csv $many/energy.csv
    done
  done
}
