#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# apsis info and apsis convert as a user types them, on whole, damaged and hostile files.
# shellcheck disable=SC2154
load common

export LSAN_OPTIONS=suppressions=$root/tests/io/leaks.supp

# A table with charges, units, time and ids that no other format numbers by itself.
sample() { # FILE
  cat >"$1" <<'END'
# units = au-msun-yr
# time = 2.5
# law = coulomb
# constant = 1
id,m,x,y,z,vx,vy,vz,q
18446744073709551615,1,0.1,0.2,0.3,1,2,3,-1
7,0.5,-0.1,4,5,6,7,8,1
END
}

@test "info describes a table" {
  sample a.csv
  expect 0 info a.csv
  [[ $output == *"format"*"CSV"* ]]
  [[ $output == *"bodies"*"2"* ]]
  [[ $output == *"time"*"2.5 yr"* ]]
  [[ $output == *"au-msun-yr"* ]]
  [[ $output == *"1 positive, 1 negative"* ]]
}

@test "info --json has the keys that scripts use" {
  sample a.csv
  expect 0 info --json a.csv
  for key in format length hash bodies time units law total_mass box center_of_mass charges \
    provenance; do
    [[ $output == *"\"$key\""* ]] || fail "no key $key: $output"
  done
}

@test "info prints the hash that xxhsum prints" {
  command -v xxhsum >/dev/null || skip "xxhsum (package xxhash) is not installed"
  sample a.csv
  expect 0 info a.csv
  [[ $output == *"$(xxhsum -H2 a.csv | cut -d' ' -f1)"* ]]
}

@test "info of an HDF5 snapshot prints the line that loads it in yt" {
  need HDF5
  sample a.csv
  expect 0 convert a.csv a.hdf5
  expect 0 info a.hdf5
  [[ $output == *'yt.load("a.hdf5", unit_base={"UnitLength_in_cm": '*'bounding_box=[['* ]]
}

@test "info of a folder says what is in it and what to do" {
  mkdir run
  sample run/snapshot_0000.csv
  expect 0 info run
  [[ $output == *"apsis info run/snapshot_0000.csv"* ]]
  mkdir empty
  expect_error 65 empty "without snapshots" -- info empty
}

@test "CSV to HDF5 and back loses nothing" {
  need HDF5
  sample a.csv
  expect 0 convert a.csv a.hdf5
  expect 0 convert a.hdf5 b.csv
  expect 0 convert b.csv b.hdf5
  cmp a.hdf5 b.hdf5
  grep -q '^18446744073709551615,1,0.10000000000000001,' b.csv
  [ -z "$output" ]
}

@test "convert to TIPSY says what is lost, in either byte order" {
  sample a.csv
  expect 0 convert a.csv big.tipsy
  for word in digits ids charge units law; do [[ $stderr == *"$word"* ]] || fail "$stderr"; done
  expect 0 convert a.csv little.tipsy --native-endian
  [ "$(od -An -tx1 -j8 -N4 big.tipsy)" = " 00 00 00 02" ]
  expect 0 info big.tipsy
  [[ $output == *"TIPSY, big-endian"* ]]
  expect 0 convert big.tipsy big.csv
  expect 0 convert little.tipsy little.csv
  cmp big.csv little.csv
}

@test "convert overwrites only with --force, and never its input" {
  sample a.csv
  echo precious >b.csv
  expect_error 74 b.csv --force -- convert a.csv b.csv
  [ "$(cat b.csv)" = precious ]
  expect 0 convert --force a.csv b.csv
  expect_error 64 "input and output" -- convert --force a.csv a.csv
}

@test "wrong use and wrong names are told apart" {
  sample a.csv
  expect_error 64 -- convert a.csv
  expect_error 64 native-endian -- convert a.csv b.csv --native-endian
  expect_error 65 "b.none" ".hdf5" -- convert a.csv b.none
  expect_error 74 "missing.csv" "No such file" -- info missing.csv
  expect_error 74 "nowhere/b.csv" -- convert a.csv nowhere/b.csv
}

@test "a table's error names line and column" {
  printf 'x,y,z\n1,2,3\n1,zwei,3\n' >bad.csv
  expect_error 65 "bad.csv:3:3" "'zwei'" -- info bad.csv
}

@test "a claim of 2^60 bodies is refused at once in each format" {
  printf '# bodies = 1152921504606846976\nx,y,z\n1,2,3\n' >claim.csv
  expect_error 65 1152921504606846976 -- info claim.csv
  printf '\0\0\0\0\0\0\0\0\177\377\377\377\0\0\0\3\0\0\0\0\177\377\377\377\0\0\0\0\0\0\0\0' \
    >claim.tipsy
  expect_error 65 2147483647 -- info claim.tipsy
}

@test "a cut HDF5 snapshot is refused and leaves no output" {
  need HDF5
  sample a.csv
  expect 0 convert a.csv a.hdf5
  head -c 5000 a.hdf5 >cut.hdf5
  expect_error 65 cut.hdf5 truncated -- convert cut.hdf5 b.csv
  [ ! -e b.csv ]
}

@test "a full disk ends with 74 and leaves nothing half-written" {
  mkdir disk
  mount -t tmpfs -o size=64k tmpfs disk 2>/dev/null || skip "mounting a tmpfs is not permitted here"
  { echo x,y,z && seq -f '%g,0,1' 5000; } >large.csv
  echo old >disk/small
  run --separate-stderr "$APSIS" convert large.csv disk/large.csv
  left=$(ls -A disk)
  umount disk
  [ "$status" -eq 74 ]
  [[ $stderr == *"disk/large.csv"*"No space left"*"bytes needed"* ]] || fail "$stderr"
  [ "$left" = small ]
}

@test "what 0.1 wrote is described, converted and gone on with" {
  local old=$root/tests/files/0.1 file
  for file in "$old"/snapshots/* "$old"/runs/*/checkpoint_00000020.apsis; do
    [[ $file != *.hdf5 || ! $(apsis --version) =~ HDF5\ +no ]] || continue
    expect 0 info "$file"
  done
  expect 0 convert "$old/snapshots/charges.csv" charges.csv
  diff <(grep -v '^# provenance' "$old/snapshots/charges.csv") <(grep -v '^# provenance' charges.csv)
  cp -r "$old/runs/cpu-f64" here
  mv here/end end
  expect 0 run --resume here
  [[ $stderr == *"not bit for bit"* ]]
  [[ $stderr == *"the run began on cpu"* ]] || # by other vectors than 0.1 had
    { [[ $stderr == *"began with Apsis 0.1.0"* ]] && cmp here/energy.csv end/energy.csv; }
}

@test "types of particles go through every format and into a run's snapshots" {
  need HDF5
  printf 'id,m,x,y,z,vx,vy,vz,type\n' >start.csv
  for i in 0 1 2 3 4 5; do echo "$i,1,$i,$((i * i)),0,0,0,0,$((i % 2 * 4))"; done >>start.csv
  expect 0 convert start.csv a.hdf5
  expect 0 convert a.hdf5 b.tipsy
  expect 0 convert b.tipsy c.csv
  [ "$(grep -c ',0$' c.csv)" -eq 3 ] && [ "$(grep -c ',4$' c.csv)" -eq 3 ] || fail "$(cat c.csv)"
  for file in start.csv a.hdf5 b.tipsy c.csv; do
    expect 0 info "$file"
    [[ $output == *"types           3 gas (0), 3 stars (4)"* ]] || fail "$file: $output"
    expect 0 info --json "$file"
    /usr/bin/python3 -c 'import json, sys
assert json.load(sys.stdin)["types"] == {"0": 3, "4": 3}' <<<"$output" || fail "$file: $output"
  done
  apsis run --set initial.file=a.hdf5 --set time.step=0.01 --set time.until=0.05 \
    --set force.softening=1 --set output.pictures=false --set device.name=cpu --out run
  for file in run/snapshot_*; do
    expect 0 info "$file"
    [[ $output == *"3 gas (0), 3 stars (4)"* ]] || fail "$file: $output"
  done
}

@test "types that a format lacks, or that there are not, are said" {
  printf 'x,y,z,type\n0,0,0,1\n1,0,0,2\n2,0,0,3\n' >start.csv
  expect 0 convert start.csv a.tipsy
  [[ $stderr == *"2 bodies of type 2, 3 become dark matter"* ]] || fail "$stderr"
  printf 'x,y,z,type\n0,0,0,1\n1,0,0,16\n' >bad.csv
  expect_error 65 "bad.csv:3:7" "'16' is no type" "0 to 15" -- convert bad.csv b.tipsy
}

# A big-endian file of format 1, written by Python as GADGET's manual lays it out: two of dark matter
# with one mass for both, one star.
others_gadget() {
  /usr/bin/python3 - "$1" <<'END'
import struct, sys
def record(data):
    return struct.pack(">I", len(data)) + data + struct.pack(">I", len(data))
head = struct.pack(">6I6d2d2i6I2i4d", 0, 2, 0, 0, 1, 0, 0, 0.5, 0, 0, 0, 0, 1.25, 0, 0, 0,
                   0, 2, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0.7)
with open(sys.argv[1], "wb") as out:
    out.write(record(head.ljust(256, b"\0")))
    out.write(record(struct.pack(">9f", *range(1, 10))))
    out.write(record(struct.pack(">9f", *range(11, 20))))
    out.write(record(struct.pack(">3I", 5, 3, 4)))
    out.write(record(struct.pack(">1f", 0.125)))
END
}

@test "a GADGET file without an ending is known, and its units are assumed with a warning" {
  others_gadget snapshot_063
  expect 0 info snapshot_063
  [[ $output == *"GADGET binary, format 1, big-endian"* ]]
  expect 0 convert snapshot_063 a.csv
  [[ $stderr == *"kpc, 1e10 Msun and km/s are taken"*"units-assumed"* ]]
  grep -qx '5,0.5,1,2,3,11,12,13,1' a.csv
  grep -qx '4,0.125,7,8,9,17,18,19,4' a.csv
  expect 0 convert a.csv b.gadget
  [[ $stderr == *"7 digits"* ]]
  expect 0 info b.gadget
  [[ $output == *"GADGET binary, format 2, little-endian"* ]]
  expect 0 compare a.csv b.gadget --tolerance 0
  expect 0 run b.gadget --until 0.001 --step 0.001 --device cpu --set output.pictures=false --out r
  head -c 300 b.gadget >cut.gadget
  expect_error 65 "cut.gadget" "cut" -- info cut.gadget
  expect 0 run snapshot_063 --until 1e-6 --step 1e-6 --device cpu --set output.pictures=false --out bare
  [[ $output == *"bodies of snapshot_063"* || $stderr == *"units-assumed"* ]] || fail "$output $stderr"
}

@test "a GADGET snapshot in several files runs by the name of the whole" {
  /usr/bin/python3 - <<'END'
import struct
def block(data):
    return struct.pack("<i", len(data)) + data + struct.pack("<i", len(data))
for k in range(2):
    head = struct.pack("<6i6d2d2i6i2i4d", 0, 2, 0, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 2, 0, 0, 0, 1)
    places = [3.0 * k, 0, 0, 3.0 * k, 1, 1]
    with open(f"whole.{k}", "wb") as file:
        file.write(block(head.ljust(256, b"\0")) + block(struct.pack("<6f", *places)) +
                   block(bytes(24)) + block(struct.pack("<2I", 2 * k + 1, 2 * k + 2)))
END
  local until=(--until 1e-6 --step 1e-6 --device cpu --softening 1 --set output.pictures=false)
  expect 0 run whole "${until[@]}" --out r
  [[ $stderr == *"whole: 4 bodies"* ]] || fail "$stderr"
  expect 0 run whole "${until[@]}" --continue --out r
  printf x >>whole.0
  expect_error 65 "is not the file that the run began with" -- run whole "${until[@]}" --continue --out r
}

@test "what is no text is no spec: it is read as a snapshot, or named for what it is" {
  expect 0 run plummer --bodies 10 --until 0.01 --step 0.01 --device cpu --set output.pictures=false --out r
  cp r/checkpoint_00000001.apsis old
  expect_error 65 "old is a checkpoint, not a snapshot" "run --resume" -- run old
  head -c 64 /dev/zero >nothing
  expect_error 65 "nothing" -- run nothing
  expect 0 convert r movie.pvd
  expect_error 65 "movie.pvd: a series of VTK is written but not read" -- info movie.pvd
  # a model keeps its name where a snapshot in several files has the same
  : >plummer.0.csv
  expect 0 run plummer --bodies 10 --until 0.01 --step 0.01 --device cpu --set output.pictures=false --out again
}
