#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# What queues and terminals send to `apsis run`.
load common

long=(--set initial.model=plummer --set initial.bodies=200 --set time.until=100000
  --set output.pictures=false --set output.energy_every=0 --set output.snapshot_every=0)

# Starts a run that lasts, its process in $pid; returns when it hears signals.
start() { # ARGUMENT...
  # the tests themselves may run under nohup
  env --default-signal=HUP "$APSIS" run "${long[@]}" --out "${folder:-here}" "$@" >log 2>&1 &
  pid=$!
  # USR1 is the tenth bit of the signals that a process catches
  for _ in $(seq 200); do
    if ((0x$(sed -n 's/^SigCgt:\t//p' "/proc/$pid/status" || echo 0) & 0x200)); then return; fi
    sleep 0.02
  done
  fail "does not listen: $(cat log)"
}
until_line() { # TEXT: waits for a line of the log
  for _ in $(seq 300); do if grep -q "$1" log; then return; else sleep 0.05; fi; done
  fail "no line '$1': $(cat log)"
}
until_file() { for _ in $(seq 300); do if [ -e "$1" ]; then return; else sleep 0.05; fi; done; }
ends_with() { # CODE
  local code=0
  wait "$pid" || code=$?
  [ "$code" -eq "$1" ] || fail "ended with $code instead of $1: $(cat log)"
}
mount_small() {
  mkdir -p small
  { [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=16m tmpfs small; } 2>/dev/null ||
    skip "mounting a small tmpfs needs root"
}
teardown() {
  [ -z "${pid:-}" ] || kill -9 "$pid" 2>/dev/null || true
  ! mountpoint -q "$BATS_TEST_TMPDIR/small" || umount "$BATS_TEST_TMPDIR/small"
}

@test "SIGUSR1 writes a checkpoint and the run goes on, as often as it is sent" {
  start
  until_file here/checkpoint_00000000.apsis
  sleep 0.2
  kill -USR1 "$pid"
  until_line 'checkpoint of step [1-9][0-9]* written on SIGUSR1'
  local step
  step=$(sed -n 's/^checkpoint of step \([0-9]*\) written.*/\1/p' log | tail -1)
  apsis info "$(printf 'here/checkpoint_%08d.apsis' "$step")" >/dev/null
  for _ in 1 2 3 4 5; do kill -USR1 "$pid"; done # while it is written, too
  sleep 0.3
  kill -0 "$pid"
  kill -TERM "$pid"
  ends_with 75
}

# `timeout` signals a program and then its whole group.
@test "SIGTERM and SIGINT that come twice at once are one wish, and a later one kills" {
  for signal in TERM INT; do
    rm -rf here
    start
    until_file here/checkpoint_00000000.apsis
    kill -$signal "$pid"
    sleep 0.005
    kill -$signal "$pid" 2>/dev/null || true
    ends_with 75
    grep -q "stopped on SIG$signal" log
  done
  # whose steps take seconds
  start --force --set force.solver=reference --set initial.bodies=40000
  kill -TERM "$pid"
  sleep 0.7
  kill -TERM "$pid"
  ends_with 143
}

@test "SIGUSR2 and SIGHUP end a run behind a checkpoint with 75, also when they come twice" {
  for signal in USR2 HUP; do
    rm -rf here
    start
    until_file here/checkpoint_00000000.apsis
    kill -$signal "$pid"
    kill -$signal "$pid" 2>/dev/null || true
    ends_with 75
    grep -q "stopped on SIG$signal" log
    step=$(sed -n 's/^stopped: step \([0-9]*\),.*/\1/p' log)
    ls "$(printf 'here/checkpoint_%08d.apsis' "$step")"
  done
}

@test "signals before the first step leave the checkpoint of step 0" {
  start --set initial.bodies=20000
  kill -USR1 "$pid"
  kill -USR2 "$pid"
  ends_with 75
  grep -q 'checkpoint of step 0 written on SIGUSR1' log
  grep -q 'stopped: step 0,' log
  ls here/checkpoint_00000000.apsis
}

@test "under nohup SIGHUP stays ignored" {
  nohup "$APSIS" run "${long[@]}" --out here >log 2>&1 &
  pid=$!
  until_file here/checkpoint_00000000.apsis
  kill -HUP "$pid"
  kill -USR1 "$pid"
  until_line 'written on SIGUSR1'
  kill -TERM "$pid"
  ends_with 75
}

@test "a full disk at SIGUSR1 loses neither the run nor the checkpoint before it" {
  mount_small
  folder=small/here start
  until_file small/here/checkpoint_00000000.apsis
  head -c 100M /dev/zero >small/filler 2>/dev/null || true
  kill -USR1 "$pid"
  until_line 'no checkpoint on SIGUSR1: .*free.*last checkpoint is of step 0'
  apsis info small/here/checkpoint_00000000.apsis >/dev/null
  rm small/filler
  kill -USR1 "$pid"
  until_line 'checkpoint of step [1-9][0-9]* written on SIGUSR1'
  kill -TERM "$pid"
  ends_with 75
}

@test "SIGUSR1 and SIGUSR2 reach a run that is watched" {
  need "live view"
  start --view --no-open --port 0
  until_file here/checkpoint_00000000.apsis
  kill -USR1 "$pid"
  until_line 'written on SIGUSR1'
  kill -USR2 "$pid"
  ends_with 75
}
