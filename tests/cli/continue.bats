#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# `apsis run --continue`: the one line of a job that is queued again.
load common

job=(run --set initial.model=plummer --set initial.bodies=200 --set time.until=0.6
  --set output.pictures=false --set output.checkpoint_steps=5 --continue)

@test "jobs that are killed and queued again end with the bits of one run" {
  apsis "${job[@]}" --out whole
  # the last of them finds nothing to do
  for _ in 1 2 3; do
    "$APSIS" "${job[@]}" --out here >log 2>&1 &
    sleep 0.15
    kill -9 $! 2>/dev/null || true
    wait $! || true
  done
  expect 0 "${job[@]}" --out here
  cmp here/energy.csv whole/energy.csv
  expect 0 "${job[@]}" --out here
  [[ $stderr == *"the run in here is finished"* ]]
  [[ $output == *"finished: step 60"* ]]
  expect 0 "${job[@]}" --out here --json
  [ "$output" = "$(cat here/summary.json)" ]
}

@test "each job of a run goes on from where the clock stopped the one before" {
  local step=0 stopped
  for _ in 1 2 3; do
    expect 75 "${job[@]}" --set time.until=1000 --set output.max_minutes=0.003 --out here
    if [ "$step" -gt 0 ]; then [[ $stderr == *"resuming here at step $step"* ]]; fi
    stopped=$(sed -n 's/^stopped: step \([0-9]*\),.*/\1/p' <<<"$output")
    [ "$stopped" -gt "$step" ]
    step=$stopped
  done
}

@test "the usual folder is found, and the spec may lie elsewhere" {
  mkdir a
  printf '[initial]\nmodel = "plummer"\nbodies = 64\n[time]\nuntil = 0.2\n' >a/spec.toml
  expect 0 run a/spec.toml --continue --set output.pictures=false
  mv a b
  expect 0 run b/spec.toml --continue --set output.pictures=false
  [[ $stderr == *"the run in out/plummer is finished"* ]]
}

@test "another run in the folder is refused by key, with both values" {
  apsis "${job[@]}" --out here
  cp -r here before
  expect_error 65 "here holds another run" "seed = 42 in it and 7 in this spec" "--out" -- \
    "${job[@]}" --set seed=7 --out here
  expect_error 65 "time.until = 0.6 in it and 0.5" -- "${job[@]}" --set time.until=0.5 --out here
  diff -r --exclude .lock here before
  expect 0 "${job[@]}" --set time.until=0.7 --out here
  [[ $output == *"finished: step 70"* ]]
}

@test "--continue goes with neither --force nor --resume" {
  expect_error 64 "--force" -- "${job[@]}" --force
  expect_error 64 "--resume" -- run --continue --resume here
}

@test "two jobs at once: the second is refused with 74" {
  "$APSIS" "${job[@]}" --set time.until=1000 --out here >log 2>&1 &
  local first=$!
  for _ in $(seq 200); do if [ -e here/checkpoint_00000000.apsis ]; then break; else sleep 0.05; fi; done
  expect_error 74 "here is in use by process $first" -- "${job[@]}" --set time.until=1000 --out here
  kill -TERM $first
  wait $first || [ $? -eq 75 ]
}

@test "an edited spec.toml is taken or refused by key, a foreign checkpoint by name" {
  apsis "${job[@]}" --out here
  sed -i 's/^until = 0.6/until = 0.7/' here/spec.toml
  expect 0 run --resume here
  [[ $stderr == *"time.until = 0.6 in the checkpoint and 0.7 in the file"* ]]
  sed -i 's/^softening = .*/softening = 0.5/' here/spec.toml
  expect_error 65 "here/spec.toml was edited" "force.softening" -- run --resume here
  apsis "${job[@]}" --set seed=7 --set time.until=0.9 --set output.energy_every=0 --out other
  rm -r here && apsis "${job[@]}" --out here
  cp other/checkpoint_00000090.apsis here
  expect_error 65 "here/checkpoint_00000090.apsis is of another run" "move it" -- run --resume here
}
