#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Snapshots as NEMO's programs write them, made here byte by byte as its structured files are laid
out (filestruct), must open with every digit; damaged and hostile ones must be refused with exit 65
and one line that names the file and a remedy.

Usage: foreign_nemo.py APSIS [FOLDER]       the files into FOLDER, for the fuzzer to start from
"""
import csv
import os
import random
import struct
import subprocess
import sys
import tempfile

apsis = os.path.realpath(sys.argv[1])
os.chdir(sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp())
rng = random.Random(1)
cartesian = 0o201402  # CSCode(Cartesian, 3, 2)
letters = {"d": "d", "f": "f", "i": "i", "l": "q", "s": "h", "c": "s"}


def header(order, kind, tag, shape=()):
    magic = (0o13 << 8) + 0o222 if shape else (0o11 << 8) + 0o222
    data = struct.pack(order + "H", magic) + kind.encode() + b"\0"
    data += tag.encode() + b"\0" if kind != ")" else b""
    return data + (struct.pack(f"{order}{len(shape) + 1}i", *shape, 0) if shape else b"")


def item(order, kind, tag, values, *shape):
    if kind == "c":
        text = values.encode() + b"\0"
        return header(order, kind, tag, (len(text),)) + text
    values = list(values) if shape else [values]
    return header(order, kind, tag, shape) + struct.pack(f"{order}{len(values)}{letters[kind]}", *values)


def whole(order, tag, *items):
    return header(order, "(", tag) + b"".join(items) + header(order, ")", "")


def flat(rows):
    return [x for row in rows for x in row]


def snapshot(order, real, rows, time, masses=None, split=False, extra=(), system=cartesian):
    """rows of x, y, z, vx, vy, vz"""
    n = len(rows)
    items = [item(order, "i", "CoordSystem", system)] if system else []
    if masses:
        items.append(item(order, real, "Mass", masses, n))
    if split:
        items += [item(order, real, "Position", flat(row[:3] for row in rows), n, 3),
                  item(order, real, "Velocity", flat(row[3:] for row in rows), n, 3)]
    else:
        items.append(item(order, real, "PhaseSpace", flat(rows), n, 2, 3))
    return whole(order, "SnapShot",
                 whole(order, "Parameters", item(order, "i", "Nobj", n), item(order, real, "Time", time)),
                 whole(order, "Particles", *items, *extra))


def diagnostics(order, time):  # what integrators write between snapshots
    return whole(order, "SnapShot",
                 whole(order, "Parameters", item(order, "i", "Nobj", 5), item(order, "d", "Time", time)),
                 whole(order, "Diagnostics", item(order, "d", "Energy", [0.1, 0.2, -0.1], 3)))


def rounded(values, real):
    return list(values) if real == "d" else [struct.unpack("f", struct.pack("f", x))[0] for x in values]


def write(name, *parts):
    with open(name, "wb") as out:
        out.write(b"".join(parts))
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


def opens(name, rows, masses, time, *options):
    table, keys, said = table_of(name, *options)
    assert float(keys["time"]) == time, (name, keys["time"])
    assert len(table) == len(rows), (name, len(table))
    for found, row, mass in zip(table, rows, masses):
        assert [float(found[key]) for key in ("x", "y", "z", "vx", "vy", "vz")] == row, (name, found, row)
        assert float(found["m"]) == mass, (name, found, mass)
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


def bodies(n):
    return [[rng.gauss(0, 1) for _ in range(6)] for _ in range(n)]


# Both orders of bytes, both widths, both ways to say where bodies are, odd numbers of them.
for order, endian in (("<", "little"), (">", "big")):
    for real in "df":
        for split in (False, True):
            n = rng.choice([1, 2, 7, 1000])
            rows, masses = bodies(n), [rng.random() for _ in range(n)]
            name = write(f"{endian}_{real}_{n}{'_split' if split else ''}.nemo",
                         item(order, "c", "Headline", "made by hand"),
                         item(order, "c", "History", "mkplummer out=p nbody=7 VERSION=3.0"),
                         snapshot(order, real, rows, 0.625, masses, split))
            _, keys, said = opens(name, [rounded(row, real) for row in rows], rounded(masses, real), 0.625)
            assert "warning" not in said, said
            assert keys["provenance.history"] == r"made by hand\nmkplummer out=p nbody=7 VERSION=3.0", keys
            told = call("info", name).stdout
            assert f"NEMO, {endian}-endian" in told and "assumed" in told, told

# What integrators write: masses with the first state alone, energies in between.
states = [bodies(5) for _ in range(3)]
masses = [0.5, 0.25, 0.125, 1.0, 2.0]
name = write("evolution.nemo", item("<", "c", "History", "hackcode1 in=p out=q"),
             snapshot("<", "d", states[0], 0.0, masses), diagnostics("<", 0.5),
             snapshot("<", "d", states[1], 1.0), diagnostics("<", 1.5), snapshot("<", "d", states[2], 2.0))
_, _, said = opens(name, states[2], masses, 2.0)
assert "3 snapshots: the last one, of time 2, is taken" in said and "[several-snapshots]" in said, said
for k, state in enumerate(states):
    _, _, said = opens(name, state, masses, float(k), "--frame", str(k + 1))
    assert "warning" not in said, said
done = call("convert", name, "none.csv", "--frame", "4")
assert done.returncode == 65 and "number 4 was asked for" in done.stderr, done.stderr
assert not os.path.exists("none.csv")
done = call("run", name, "--until", "2.001", "--step", "0.001", "--device", "cpu", "--strict",
            "--set", "output.pictures=false", "--out", "r")
assert done.returncode == 65 and "several-snapshots" in done.stderr, done.stderr

# Without an ending it is known by its first bytes; it can be run, and has G = 1.
os.rename(write("one.nemo", snapshot(">", "f", states[0], 0.0, masses)), "p1000")
done = call("run", "--set", "initial.file=p1000", "--until", "0.002", "--step", "0.001", "--device", "cpu",
            "--strict", "--set", "output.pictures=false", "--out", "r2")
assert done.returncode == 0 and "G = 1 (assumed: p1000 names none)" in done.stderr, done.stderr
assert "NEMO, big-endian" in call("info", "p1000").stdout

# Fields, keys as ids, one softening for all, and what is passed over.
n = 5
extra = [item("<", "d", "Potential", [-1.0 - k for k in range(n)], n),
         item("<", "f", "Acceleration", range(3 * n), n, 3),
         item("<", "i", "Key", [7, 3, 9, 1, 4], n), item("<", "d", "Eps", [0.05] * n, n),
         item("<", "d", "Aux", [1.0] * n, n), item("<", "d", "Density", [1.0] * n, n)]
table, keys, said = opens(write("full.nemo", snapshot("<", "d", states[0], 1.0, masses, extra=extra)),
                          states[0], masses, 1.0)
assert [row["id"] for row in table] == ["7", "3", "9", "1", "4"]
assert [float(row["potential"]) for row in table] == [-1.0, -2.0, -3.0, -4.0, -5.0]
assert [float(row["az"]) for row in table] == [2.0, 5.0, 8.0, 11.0, 14.0]
assert float(keys["softening"]) == 0.05 and float(keys["gravity"]) == 1.0, keys
same = item("<", "i", "Key", [0, 0, 1, 1, 1], n)
_, _, said = opens(write("parts.nemo", snapshot("<", "d", states[0], 0.0, masses, extra=[same])),
                   states[0], masses, 0.0)
assert "[ids-dropped]" in said and "same for several bodies" in said, said

# ZENO's name for the number of bodies; no masses at all are ones; no bodies at all.
zeno = snapshot("<", "d", states[0], 0.0).replace(b"Nobj\0", b"NBody\0")
opens(write("zeno.nemo", zeno), states[0], [1.0] * 5, 0.0)
opens(write("empty.nemo", whole("<", "SnapShot",
                                whole("<", "Parameters", item("<", "i", "Nobj", 0)),
                                whole("<", "Particles", item("<", "i", "CoordSystem", cartesian)))),
      [], [], 0.0)

# Bad ones.
good = snapshot("<", "d", states[0], 0.0, masses)
refuses(write("cut.nemo", good[:200]), "at byte", "bytes are left", "get it anew")
refuses(write("open.nemo", good[:-4]), "does not end")
refuses(write("more.nemo", good + b"\x92\x09"), "no item of a structured file begins")
refuses(write("text.nemo", b"# Table of x y z\n"), "is no NEMO file")
refuses(write("nothing.nemo", b""), "is no NEMO file")
refuses(write("energies.nemo", diagnostics("<", 1.0)), "no SnapShot with places")
spherical = (2 << 16) + (3 << 8) + 2
refuses(write("polar.nemo", snapshot("<", "d", states[0], 0.0, masses, system=spherical)),
        "spherical coordinates in 3 dimensions", "transform")
flatland = (1 << 16) + (2 << 8) + 2
refuses(write("flat.nemo", snapshot("<", "d", states[0], 0.0, masses, system=flatland)),
        "Cartesian coordinates in 2 dimensions")
refuses(write("short.nemo", good.replace(item("<", "i", "Nobj", 5), item("<", "i", "Nobj", 6))),
        "PhaseSpace has 5 x 2 x 3 values of type 'd'", "6 x 2 x 3")
refuses(write("huge.nemo", good.replace(item("<", "i", "Nobj", 5), item("<", "i", "Nobj", 2**31 - 1))),
        "")
refuses(write("minus.nemo", good.replace(item("<", "i", "Nobj", 5), item("<", "i", "Nobj", -5))), "-5 bodies")
refuses(write("whole.nemo", whole("<", "SnapShot", whole("<", "Parameters", item("<", "i", "Nobj", 1)),
                                  whole("<", "Particles", item("<", "i", "Position", [1, 2, 3], 1, 3)))),
        "Position has 1 x 3 values of type 'i'")
nan = [[float("nan")] * 6]
refuses(write("nan.nemo", snapshot("<", "d", nan, 0.0, [1.0])), "nan")
refuses(write("never.nemo", snapshot("<", "d", nan, float("inf"), [1.0])), "time inf")
claim = header("<", "d", "Mass", (2**31 - 1,) * 8)
refuses(write("claim.nemo", claim), "bytes are left")
refuses(write("deep.nemo", header("<", "(", "a") * 100000), "more than 16 sets")
done = call("convert", "full.nemo", "back.nemo")
assert done.returncode == 65 and "NEMO is read but not written" in done.stderr, done.stderr
