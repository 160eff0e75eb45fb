#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""XYZ as others write it, plain and extended, must open; what Apsis writes must be what the format's
readers expect, with every bit of every number; bad files must be refused with exit 65 and one line
that names the file, the line and a remedy.

Usage: foreign_xyz.py APSIS [FOLDER]       the files into FOLDER, for the fuzzer to start from
"""
import csv
import os
import random
import shlex
import subprocess
import sys
import tempfile

apsis = os.path.realpath(sys.argv[1])
os.chdir(sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp())
rng = random.Random(2)


def write(name, text):
    with open(name, "w", newline="") as out:
        out.write(text)
    return name


def call(*words):
    return subprocess.run([apsis, *words], capture_output=True, text=True, timeout=60,
                          env={**os.environ, "OMP_NUM_THREADS": "1"})


def table_of(name, *options):
    done = call("convert", name, "out.csv", "--force", *options)
    assert done.returncode == 0, (name, done.stderr)
    with open("out.csv") as text:
        lines = text.read().splitlines()
    keys = dict(line[2:].split(" = ", 1) for line in lines if line.startswith("# ") and " = " in line)
    return list(csv.DictReader(line for line in lines if not line.startswith("#"))), keys, done.stderr


def opens(name, rows, time, *options, columns=("x", "y", "z")):
    table, keys, said = table_of(name, *options)
    assert float(keys["time"]) == time, (name, keys["time"])
    assert [[float(found[key]) for key in columns] for found in table] == rows, (name, table)
    print(f"opens: {name} {' '.join(options)}")
    return table, keys, said


def refuses(name, *reasons):
    done = call("info", name)
    assert done.returncode == 65, (name, done.returncode, done.stderr)
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1 and lines[0].startswith("apsis: error: ") and ";" in lines[0], lines
    for word in (name, *reasons):
        assert word in lines[0], (word, lines[0])
    assert not done.stdout
    print(f"refuses: {lines[0]}")


def frames_of(name):
    """A reader of extended XYZ: [(keys, {property: rows of words})]"""
    frames = []
    with open(name) as text:
        while line := text.readline():
            n = int(line)
            keys = dict(word.split("=", 1) for word in shlex.split(text.readline()))
            fields = keys["Properties"].split(":")
            rows = [text.readline().split() for _ in range(n)]
            at, properties = 0, {}
            for property, kind, width in zip(fields[::3], fields[1::3], map(int, fields[2::3])):
                assert kind in "SRIL"
                properties[property] = [row[at:at + width] for row in rows]
                at += width
            assert all(len(row) == at for row in rows), (name, at)
            frames.append((keys, properties))
    return frames


# Plain: what chemists and VMD write, with other ends of lines, and the least of all.
opens(write("water.xyz", "3\nwater\nO 0.0 0.0 0.117\nH 0.0 0.757 -0.469\nH\t0.0\t-0.757\t-4.69e-1\n"),
      [[0, 0, 0.117], [0, 0.757, -0.469], [0, -0.757, -0.469]], 0)
opens(write("dos.xyz", "1\r\n\r\n1 1 2 3\r\n"), [[1, 2, 3]], 0)
opens(write("moving.xyz", "2\nTime=1.5\nstar 1 2 3 4 5 6\ngas -1 -2 -3 -4 -5 -6"),
      [[1, 2, 3, 4, 5, 6], [-1, -2, -3, -4, -5, -6]], 1.5, columns=("x", "y", "z", "vx", "vy", "vz"))
opens(write("none.xyz", "0\nnothing\n"), [], 0)
# Extended: as ASE and OVITO write it.
table, keys, said = opens(
    write("ovito.xyz", '2\nLattice="5.0 0 0 0 5 0 0 0 5" Properties=id:I:1:species:S:1:pos:R:3:mass:R:1:radius:'
          'R:1:velo:R:3:forces:R:3 Time=0.25 pbc="F F F"\n'
          "9 gas 1 2 3 0.5 0.1 4 5 6 0 0 0\n7 dark -1 -2 -3 1.5 0.2 -4 -5 -6 1 1 1\n"),
    [[1, 2, 3, 4, 5, 6, 0.5, 0.1, 9, 0], [-1, -2, -3, -4, -5, -6, 1.5, 0.2, 7, 1]], 0.25,
    columns=("x", "y", "z", "vx", "vy", "vz", "m", "radius", "id", "type"))
assert float(keys["gravity"]) == 1, keys
opens(write("units.xyz", "1\nProperties=pos:R:3:mass:R:1 units=au-msun-yr softening=0.5\n1 2 3 4\n"), [[1, 2, 3, 4]], 0,
      columns=("x", "y", "z", "m"))
assert "au-msun-yr" in call("info", "units.xyz").stdout

# A movie, and a frame of it; without an ending it is known by its first line.
movie = "".join(f"2\nProperties=species:S:1:pos:R:3 Time={k}\nX {k} 0 0\nX 0 {k} 0\n" for k in range(5))
_, _, said = opens(write("movie.xyz", movie), [[4, 0, 0], [0, 4, 0]], 4)
assert "5 snapshots: the last one, of time 4, is taken" in said and "[several-snapshots]" in said, said
_, _, said = opens("movie.xyz", [[1, 0, 0], [0, 1, 0]], 1, "--frame", "2")
assert "warning" not in said, said
write("plain", movie)
assert "extended XYZ" in call("info", "plain").stdout
done = call("convert", "movie.xyz", "again.xyz")
assert done.returncode == 0 and "5 snapshots as XYZ" in done.stderr, done.stderr
assert [keys["Time"] for keys, _ in frames_of("again.xyz")] == ["0", "1", "2", "3", "4"]

# What we write: every bit, names that viewers know, types as species.
n = 1000
rows = [[rng.gauss(0, 1) * 10 ** rng.randint(-300, 300) for _ in range(6)] + [rng.random()] for _ in range(n)]
write("exact.csv", "# time = 0.1\nx,y,z,vx,vy,vz,m,type,radius\n" +
      "".join(",".join(repr(x) for x in row) + f",{k % 6},{k}\n" for k, row in enumerate(rows)))
done = call("convert", "exact.csv", "exact.xyz")
assert done.returncode == 0 and "note" not in done.stderr, done.stderr
[(keys, properties)] = frames_of("exact.xyz")
assert keys["Properties"] == "species:S:1:pos:R:3:velo:R:3:mass:R:1:id:I:1:radius:R:1", keys
assert float(keys["Time"]) == 0.1 and keys["pbc"] == "F F F"
for k, row in enumerate(rows):
    found = [float(x) for name in ("pos", "velo", "mass") for x in properties[name][k]]
    assert found == row, (found, row)
    assert properties["species"][k] == [["gas", "dark", "disk", "bulge", "star", "hole"][k % 6]]
    assert properties["id"][k] == [str(k)]
table_back, _, _ = table_of("exact.xyz")
with open("exact.csv") as text:
    table_there = list(csv.DictReader(text.readlines()[1:]))
assert all(float(a[key]) == float(b[key]) for a, b in zip(table_back, table_there) for key in b)

# A run as a movie.
done = call("run", "plummer", "--bodies", "50", "--until", "0.1", "--step", "0.01", "--device", "cpu", "--set",
            "output.pictures=false", "--set", "output.snapshot_every=0.02", "--out", "r")
assert done.returncode == 0, done.stderr
done = call("convert", "r", "run.xyz")
frames = frames_of("run.xyz")
assert done.returncode == 0 and f"{len(frames)} snapshots as XYZ" in done.stderr, done.stderr
assert len(frames) == len([name for name in os.listdir("r") if name.startswith("snapshot_")]) > 4
assert abs(float(frames[-1][0]["Time"]) - 0.1) < 1e-12 and float(frames[0][0]["Time"]) == 0
assert all(len(properties["pos"]) == 50 for _, properties in frames)
done = call("convert", "r", "end.csv")
assert done.returncode == 0 and "# time = 0.1" in open("end.csv").read(), done.stderr

# Bad ones.
refuses(write("word.xyz", "three\n\nX 1 2 3\n"), "word.xyz:1:1", "'three'")
refuses(write("void.xyz", ""), "is empty")
refuses(write("cut.xyz", "3\n\nX 1 2 3\nX 1 2 3\n"), "cut.xyz:1:1", "fewer rows")
refuses(write("half.xyz", "1\nProperties=pos:R:3\n1 2 3.14"), "half.xyz:3:1", "does not end")
refuses(write("few.xyz", "2\n\nX 1 2 3\nX 1 2\n"), "few.xyz:4:1", "3 values where there are 4 columns")
refuses(write("nan.xyz", "1\n\nX 1 nan 3\n"), "nan.xyz:3:5", "'nan'")
refuses(write("wide.xyz", "1\n\nX 1 2 3 4\n"), "5 columns", "Properties=")
refuses(write("nowhere.xyz", "1\nProperties=mass:R:1\n1\n"), "no pos:R:3")
refuses(write("odd.xyz", "1\nProperties=pos:X:3\n1 2 3\n"), "odd.xyz:2:12")
refuses(write("claim.xyz", "1152921504606846976\n\nX 1 2 3\n"), "fewer rows")
refuses(write("worlds.xyz", "1\nProperties=pos:R:3 units=furlongs\n1 2 3\n"), "furlongs")
refuses(write("same.xyz", "1\nProperties=pos:R:3:positions:R:3\n1 2 3 1 2 3\n"), "are the same")
refuses(write("bytes.xyz", "1\n\n\x1b[2J 1 2 3\0\n"), "bytes.xyz:3")
