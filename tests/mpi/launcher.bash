# SPDX-License-Identifier: MIT
# Loaded by the tests of the command line on several ranks.
# shellcheck shell=bash disable=SC2154

# What Open MPI wants to hear in a container.
prepare_launcher() {
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
  export OMPI_MCA_btl=self,vader
}

# The launcher adds a few lines of its own where a program fails.
expect_on() { # RANKS CODE ARGUMENT...
  local ranks=$1 code=$2
  shift 2
  run --separate-stderr mpirun -n "$ranks" "$APSIS" "$@"
  [ "$status" -eq "$code" ] || fail "$ranks ranks, apsis $* ended with $status instead of $code:
$output
$stderr"
}
