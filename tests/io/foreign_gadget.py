#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""GADGET's binary snapshots in several files, made here record by record as its manual lays them out,
must open from any of their names, in both formats and orders of bytes; with one of them missing, cut
or of another snapshot they must be refused with exit 65 and one line that names it.

Usage: foreign_gadget.py APSIS
"""
import csv
import os
import random
import struct
import subprocess
import sys
import tempfile

apsis = os.path.realpath(sys.argv[1])
os.chdir(tempfile.mkdtemp())
rng = random.Random(3)


def record(order, data):
    length = struct.pack(order + "I", len(data))
    return length + data + length


def block(order, named, name, data):
    head = record(order, name.ljust(4).encode() + struct.pack(order + "I", len(data) + 8)) if named else b""
    return head + record(order, data)


def header(order, here, total, files, time):
    data = struct.pack(order + "6I6d2d2i6I2i4d2i6I", *here, *[0.0] * 6, time, 0.0, 0, 0,
                       *[n & 0xffffffff for n in total], 0, files, 0.0, 0.0, 0.0, 0.7, 0, 0,
                       *[n >> 32 for n in total])
    return data.ljust(256, b"\0")


def numbers(order, values):
    return struct.pack(f"{order}{len(values)}f", *values)


def part(order, named, bodies, total, files, time=2.5):
    """bodies: (type, id, mass, place, velocity), sorted by type"""
    here = [sum(body[0] == kind for body in bodies) for kind in range(6)]
    blocks = {"HEAD": header(order, here, total, files, time),
              "POS": numbers(order, [x for body in bodies for x in body[3]]),
              "VEL": numbers(order, [x for body in bodies for x in body[4]]),
              "ID": struct.pack(f"{order}{len(bodies)}I", *[body[1] for body in bodies])}
    if bodies:
        blocks["MASS"] = numbers(order, [body[2] for body in bodies])
    return b"".join(block(order, named, name, data) for name, data in blocks.items())


def call(*words):
    return subprocess.run([apsis, *words], capture_output=True, text=True, timeout=60,
                          env={**os.environ, "OMP_NUM_THREADS": "1"})


def write(base, order, named, files, total=None, ending=""):
    counts = total or [sum(body[0] == kind for bodies in files for body in bodies) for kind in range(6)]
    for k, bodies in enumerate(files):
        with open(f"{base}.{k}{ending}", "wb") as out:
            out.write(part(order, named, bodies, counts, len(files)))


def refuses(name, *reasons):
    done = call("info", name)
    lines = done.stderr.strip().splitlines()
    assert done.returncode == 65 and len(lines) == 1 and ";" in lines[0], (done.returncode, done.stderr)
    assert all(reason in lines[0] for reason in reasons), (reasons, lines[0])
    print(f"refuses: {lines[0]}")


def some(n, first):
    made = [[rng.choice([0, 1, 1, 4]), first + k, rng.random(), [rng.gauss(0, 1) for _ in range(3)],
             [rng.gauss(0, 1) for _ in range(3)]] for k in range(n)]
    return sorted(made, key=lambda body: body[0])


def as_float(x):
    return struct.unpack("f", struct.pack("f", x))[0]


for order, endian in (("<", "little"), (">", "big")):
    for named in (False, True):
        for ending in ("", ".gadget"):
            base = f"{endian}{int(named)}{len(ending)}"
            files = [some(7, 0), some(0, 100), some(30, 200), some(1, 300)]
            write(base, order, named, files, ending=ending)
            # by type, and of each type file by file
            wanted = sorted((body for bodies in files for body in bodies), key=lambda body: body[0])
            for name in (f"{base}.0{ending}", f"{base}.3{ending}", base):
                done = call("convert", name, "out.csv", "--force")
                assert done.returncode == 0 and done.stderr.count("units-assumed") == 1, (name, done.stderr)
                with open("out.csv") as text:
                    table = list(csv.DictReader(line for line in text if not line.startswith("#")))
                assert len(table) == len(wanted)
                for row, (kind, number, mass, place, velocity) in zip(table, wanted):
                    found = [float(row[key]) for key in ("m", "x", "y", "z", "vx", "vy", "vz")]
                    assert found == [as_float(x) for x in (mass, *place, *velocity)], (name, found)
                    assert int(row["type"]) == kind and int(row["id"]) == number, (name, row)
            said = call("info", base).stdout
            assert f"GADGET binary, format {2 if named else 1}, {endian}-endian, in 4 files" in said, said
            print(f"opens: {base}")

files = [some(5, 0), some(5, 100)]
write("lost", "<", True, files)
os.remove("lost.1")
refuses("lost.0", "lost.1 is missing", "one of 2 files")
write("cut", "<", False, files)
with open("cut.1", "r+b") as out:
    out.truncate(300)
refuses("cut.0", "cut.1")
write("mixed", "<", False, files)
with open("mixed.1", "wb") as out:
    out.write(part("<", False, files[1], [0, 10, 0, 0, 0, 0], 2, time=3.5))
refuses("mixed.0", "mixed.1", "not of one snapshot")
write("claim", ">", False, files, total=[0, 2**40, 0, 0, 0, 0])
refuses("claim.0", "1099511627776")
os.rename("cut.0", "alone")
refuses("alone", "one of 2 files", "has no number")
