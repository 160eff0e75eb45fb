#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# `mpirun apsis bench scaling`, on however few cores there are.
load ../cli/common

setup_file() {
  # what Open MPI wants to hear in a container
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
  export OMPI_MCA_btl=self,vader
}

few=(bench scaling --bodies 400 --repeats 2 --warmup 0)

@test "two ranks: tables with the parts of a step, printed once" {
  run --separate-stderr mpirun -n 2 "$APSIS" "${few[@]}" --solver direct --out here
  [ "$status" -eq 0 ] || fail "$output$stderr"
  [ "$(grep -c '^strong scaling' <<<"$output")" -eq 1 ]
  [[ $output == *"on 1 to 2 ranks of "*compute*exchange*imbalance* ]]
  [[ $output == *"no fit: it takes 3 different numbers"* ]]
}

@test "three ranks: every solver on 1, 2 and 3 of them, with what each sends" {
  mpirun -n 3 "$APSIS" "${few[@]}" --json >out.json 2>log || fail "$(cat log)"
  /usr/bin/python3 - <<'PY'
import json
studies = json.load(open("out.json"))
assert [study["solver"] for study in studies] == ["direct", "tree", "fmm"]
for study in studies:
    assert study["over"] == "ranks" and study["threads"] >= 1
    assert [row["workers"] for row in study["rows"]] == [1, 2, 3, 1, 2, 3]
    for row in study["rows"]:
        assert row["ok"], row
        assert row["imbalance"] >= 1 and row["seconds_compute"] > 0
        assert (row["bytes"] > 0) == (row["workers"] > 1), row
        assert (row["messages"] > 0) == (row["workers"] > 1), row
direct = {row["workers"]: row for row in studies[0]["rows"] if row["scaling"] == "strong"}
# half a circle: of 400 bodies a block of 4 numbers goes to one other, 3 numbers come back
assert abs(direct[3]["bytes"] - (133 * 16 + 134 * 12)) < 40, direct[3]
PY
}

@test "what is wrong is said once on several ranks, and nobody waits" {
  wrong() { # CODE WORD ARGUMENT...
    local code=$1 word=$2
    shift 2
    run --separate-stderr timeout 60 mpirun -n 2 "$APSIS" bench scaling "$@"
    [ "$status" -eq "$code" ] || fail "ended with $status: $stderr"
    [ "$(grep -c 'apsis: error: ' <<<"$stderr")" -eq 1 ] || fail "$stderr"
    [[ $stderr == *"$word"* ]] || fail "$stderr"
  }
  wrong 64 "their native cpus" --device opencl:0,opencl:1
  wrong 64 "there are 2 ranks" --workers 1,3
  wrong 64 "too few for 2 ranks" --bodies 1
  wrong 64 "--bodies 0" --bodies 0
  wrong 65 "no variant 'nosuch'" --solver direct --variant nosuch --bodies 100
}

@test "a rank that dies ends the measurement" {
  mpirun -n 2 "$APSIS" bench scaling --solver direct --bodies 20000 --repeats 100000 >log 2>&1 &
  local job=$! victim=""
  for _ in $(seq 100); do
    victim=$(pgrep -n -P "$job" apsis) && break || sleep 0.1
  done
  sleep 1
  kill -9 "$victim"
  local code=0
  wait $job || code=$?
  [ "$code" -ne 0 ]
}
