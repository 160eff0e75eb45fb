#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# Bodies that touch, as a user types it.
load common

setup() { cd "$BATS_TEST_TMPDIR" || return; }

quick=(--set device.name=cpu --set output.pictures=false)

# Two bodies of radius 0.1 that meet head-on at t = 0.4, without forces.
two_bodies() {
  printf 'm,x,y,z,vx,vy,vz,radius\n1,-0.5,0,0,1,0,0,0.1\n1,0.5,0,0,-1,0,0,0.1\n' >two.csv
  meet=(--set initial.file=two.csv --set force.solver=none --set time.step=0.03 --set time.until=0.6
    --set device.precision=f64 "${quick[@]}")
}

@test "a run that stops at a contact ends with 0, says how to go on, and goes on" {
  two_bodies
  expect 0 run "${meet[@]}" --set contacts.on=stop --out here
  [[ $stderr == *"bodies 0 and 1 touch at t = 0.4, at a speed of 2; go on with --resume here "* ]]
  [[ $output == *"stopped: step 13,"* ]]
  [[ $output == *"go on with: apsis run --resume here --set contacts.on=bounce"* ]]
  grep -q '"ended_by": "contact"' here/summary.json
  grep -q '"contact": "bodies 0 and 1 touch' here/summary.json
  [ "$(sed -n 2p here/events.csv | cut -d , -f 3-5)" = stop,0,1 ]
  expect 0 run "${meet[@]}" --set contacts.on=stop --out here --continue
  [[ $stderr == *"has ended: bodies 0 and 1 touch"* ]]
  expect_error 64 "time.step=0.1" "" -- run --resume here --set time.step=0.1
  expect 0 run --resume here --set contacts.on=bounce --set contacts.restitution=0.5
  [[ $output == *"events: 1 bounced; they took an energy of 0.75"* ]]
  apsis convert here/snapshot_0020.* end.csv
  [[ $(tail -n 1 end.csv) == *,0.5,0,0,* ]]
}

@test "bodies pass through each other where nothing is said, and a wall turns them" {
  two_bodies
  expect 0 run "${meet[@]}" --out here
  [ ! -e here/events.csv ]
  [[ $(head -n 1 here/energy.csv) != *lost* ]]
  expect 0 run "${meet[@]}" --set 'space.walls=[-0.7,0.7,-1,1,-1,1]' --set time.until=2 --out walls
  [[ $output == *"events: 2 hits at walls; they took an energy of 0"* ]]
}

@test "bodies that merge and those that leave are counted, also in the energy" {
  expect 0 run --set initial.model=planetesimals --set initial.bodies=300 --set initial.filling=0.1 \
    --set time.until=0.5 --set space.remove_beyond=1.02 "${quick[@]}" --out here
  [[ $output =~ events:\ [0-9]+\ merged,\ [0-9]+\ left\; ]]
  [[ $output == *"events.csv    every contact, and every body that left"* ]]
  local merged left
  merged=$(grep -c ,merge, here/events.csv)
  left=$(grep -c ,left, here/events.csv)
  [[ $output == *"events: $merged merged, $left left;"* ]]
  grep -q "\"bodies\": $((300 - merged - left))," here/summary.json
  [[ $(head -n 1 here/energy.csv) == *,lost ]]
}

@test "what makes no sense is refused with the key and the remedy" {
  two_bodies
  expect_error 65 'contacts.on = "soft" without contacts.duration' "some 20 steps" -- \
    run "${meet[@]}" --set contacts.on=soft --out here
  expect_error 65 "contacts.on = 'bump' is not known" "merge, bounce, soft or stop" -- \
    run "${meet[@]}" --set contacts.on=bump --out here
  printf 'm,x,y,z,radius\n1,0,0,0,-0.1\n' >bad.csv
  expect_error 65 "radius of body 0 (id 0) is -0.1, below zero" "0 is a point" -- \
    run --set initial.file=bad.csv --set time.step=0.1 --set time.until=1 --out here
  printf 'm,x,y,z,sx\n1,0,0,0,1\n' >bad.csv
  expect_error 65 "spin without all of sx, sy and sz" "" -- \
    run --set initial.file=bad.csv --set time.step=0.1 --set time.until=1 --out here
  [ ! -e here ]
}

@test "a heap of bodies in one place is refused at once" {
  { echo m,x,y,z,radius && yes 1e-5,0,0,0,0.1 | head -n 20000; } >heap.csv
  expect_error 65 "20000 bodies touch or nearly do in one step" "smaller radii" -- run --set initial.file=heap.csv \
    --set contacts.on=merge --set time.step=0.01 --set time.until=0.02 "${quick[@]}" --out here
}
