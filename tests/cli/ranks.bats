#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# What a process does that a launcher started beside others; without a launcher, by its environment.
load common

as_rank() { # RANK
  export OMPI_COMM_WORLD_RANK=$1 OMPI_COMM_WORLD_SIZE=2
}

@test "commands for one process refuse several, and one of them says so" {
  as_rank 0
  expect_error 64 "apsis devices" "started 2 times" "mpirun" -- devices
  as_rank 1
  expect 64 devices
  [ -z "$output$stderr" ]
}

@test "help and version are printed once" {
  as_rank 0
  expect 0 --version
  [[ $output == "apsis "* ]]
  as_rank 1
  expect 0 --version
  [ -z "$output$stderr" ]
}

@test "without MPI several ranks are refused before they share a folder" {
  "$APSIS" --version | grep -q '^ *MPI *no' || skip "built with MPI"
  as_rank 0
  expect_error 69 "built without MPI" "libopenmpi-dev" -- run --out here
  [ ! -e here ]
}
