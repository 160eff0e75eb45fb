#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sets of particles as AMUSE saves them, by its published layouts (versions 1 and 2): they must
open with their units, and damaged ones be refused with exit 65 and what is wrong.

Usage: foreign_amuse.py APSIS
"""
import json
import os
import pickle
import subprocess
import sys
import tempfile

try:
    import h5py
    import numpy as np
except ImportError as missing:
    print(f"skipped: {missing} (python3-h5py)")
    sys.exit(77)

apsis = os.path.abspath(sys.argv[1])
os.chdir(tempfile.mkdtemp())
random = np.random.default_rng(1)


def base(quantity, system="S.I."):
    return f"system.get('{system}').base('{quantity}')"


def speed(system="S.I.", factor=None):
    text = f"({base('length', system)} * ({base('time', system)}**-1))"
    return text if factor is None else f"({factor} * {text})"


si = {"mass": base("mass"), "length": base("length"), "speed": speed(), "time": base("time")}
msun, parsec = 1.98892e30, 3.0856775813057292e16
astronomers = {"mass": f"({msun} * {base('mass')})", "length": f"({parsec} * {base('length')})",
               "speed": speed(factor=1000.0), "time": f"(31556925993600.0 * {base('time')})"}
generic = {"mass": base("mass", "generic"), "length": base("length", "generic"),
           "speed": speed("generic"), "time": base("time", "generic")}
short = {"mass": "MSun", "length": "parsec", "speed": "km / s", "time": "Myr"}
bare = {"mass": "none", "length": "none", "speed": "none", "time": "none"}


def particles(n, **more):
    values = {"mass": random.random(n), **{name: random.normal(size=n) for name in
                                           ("x", "y", "z", "vx", "vy", "vz")}}
    return {**values, **more}


def unit_of(attribute, units):
    if attribute == "mass":
        return units["mass"]
    if attribute in ("vx", "vy", "vz"):
        return units["speed"]
    return units["length"] if attribute in ("x", "y", "z", "radius") else "none"


def save(group, values, units, keys=None, time=None, **changes):
    """One set at one time, as the next of its group."""
    one = group.create_group(format(len(group) + 1, "010d"))
    n = len(values["vy"])
    one.attrs["type"] = "particles"
    one.attrs["number_of_particles"] = n
    one.attrs["class_of_the_particles"] = np.void(pickle.dumps(dict, protocol=0))
    if time is not None:
        one.attrs["timestamp"], one.attrs["timestamp_unit"] = time, units["time"]
    one["keys"] = np.arange(1, n + 1, dtype=np.uint64) + np.uint64(2**63) if keys is None else keys
    attributes = one.create_group("attributes")
    for name, numbers in values.items():
        attributes[name] = numbers
        attributes[name].attrs["units"] = unit_of(name, units)
    for name, unit in changes.items():
        attributes[name].attrs["units"] = unit
    return one


def write(name, values, units=si, sets="data", version=2, **more):
    with h5py.File(name, "w") as file:
        if version == 2:
            file.create_group("AMUSE_INF").attrs["version"] = "2.0"
        save(file.create_group(sets), values, units, **more)
    return name


def run(*words):
    return subprocess.run([apsis, *words], capture_output=True, text=True, timeout=60,
                          env={**os.environ, "OMP_NUM_THREADS": "1"})


def info_of(name):
    result = run("info", "--json", name)
    assert result.returncode == 0, (name, result.stderr)
    return json.loads(result.stdout)


def table(name):
    result = run("convert", "-q", "--force", name, "out.csv")
    assert result.returncode == 0, (name, result.stderr)
    with open("out.csv", encoding="utf-8") as file:
        lines = [line for line in file if not line.startswith("#")]
    rows = [line.strip().split(",") for line in lines[1:]]
    return {column: [row[k] for row in rows] for k, column in enumerate(lines[0].strip().split(","))}


def opens(name, values, factors=(1, 1, 1), codes=(), **wanted):
    """factors: on lengths, masses and velocities"""
    info, found = info_of(name), table(name)
    scales = dict(zip(("x", "y", "z", "mass", "vx", "vy", "vz", "radius"),
                      [factors[0]] * 3 + [factors[1]] + [factors[2]] * 3 + [factors[0]]))
    for key, numbers in values.items():
        if key in scales:
            column = [float(value) for value in found["m" if key == "mass" else key]]
            np.testing.assert_allclose(column, np.asarray(numbers) * scales[key], rtol=1e-15)
    assert [w["code"] for w in info["warnings"]] == list(codes), info["warnings"]
    assert info["format"] == "HDF5 of AMUSE" and "yt" not in info, info
    for key, value in wanted.items():
        there = info[key] if key in info else info["units"][key]
        if isinstance(value, float):
            np.testing.assert_allclose(there, value, rtol=1e-14)
        else:
            assert there == value, (name, key, there)
    print(f"opens: {name}")
    return found


def refuses(name, reason):
    result = run("info", "--json", name)
    lines = result.stderr.strip().splitlines()
    assert result.returncode == 65, (name, result.returncode, result.stderr)
    assert len(lines) == 1 and lines[0].startswith("apsis: error: ") and ";" in lines[0], lines
    assert name in lines[0] and reason in lines[0] and not result.stdout, lines[0]
    print(f"refuses: {lines[0]}")


some = particles(20, radius=random.random(20), luminosity=random.random(20),
                 name=np.array([b"star"] * 20))
found = opens(write("si.hdf5", some, time=3.5), some, system="si", time=3.5, bodies=20)
assert found["id"][:2] == [str(2**63 + 1), str(2**63 + 2)], found["id"]
opens(write("astronomers.hdf5", some, astronomers, time=2.0), some, length_in_cm=parsec * 100,
      mass_in_g=msun * 1000, velocity_in_cm_per_s=1e5, time=2.0 * 31556925993600.0 * 1000 / parsec,
      gravity=6.6743e-8 * msun * 1000 / (parsec * 100 * 1e10))
opens(write("short.hdf5", some, short, time=1.0), some, length_in_cm=parsec * 100,
      mass_in_g=msun * 1000, time=1e6 * 365.242199 * 86400 * 1000 / parsec)
opens(write("nbody.hdf5", some, generic, time=0.25), some, system="henon", gravity=1, time=0.25)
opens(write("bare.hdf5", some, bare), some, codes=["units-assumed"], system="dimensionless",
      gravity=1, time=0)
opens(write("version1.hdf5", some, si, "particles", 1, time=3.5), some, system="si", time=3.5)
opens(write("plain.amuse", some, si), some, system="si")
whole = {key: (numbers * 100).astype("i8") if key != "name" else numbers
         for key, numbers in some.items()}
opens(write("integers.hdf5", whole), whole)
# units that differ within a file are brought to those of x, mass and vx
opens(write("mixed.hdf5", some, y=f"(1000.0 * {base('length')})"),
      {**some, "y": some["y"] * 1000}, system="si")
with h5py.File(write("fixed.hdf5", some), "r+") as file:  # as h5py 2 wrote them
    for array in file["data/0000000001/attributes"].values():
        array.attrs["units"] = np.bytes_(array.attrs["units"])
opens("fixed.hdf5", some, system="si")
empty = {key: numbers[:0] for key, numbers in some.items()}
opens(write("empty.hdf5", empty), {}, bodies=0)

# A set that was saved at several times: the last is taken, and it is said.
with h5py.File("history.hdf5", "w") as file:
    file.create_group("AMUSE_INF").attrs["version"] = "2.0"
    history = [particles(5) for _ in range(3)]
    for step, values in enumerate(history):
        save(file.create_group("data") if step == 0 else file["data"], values, si, time=0.5 * step)
opens("history.hdf5", history[2], codes=["several-snapshots"], time=1.0)
for frame in (1, 2, 3):
    result = run("convert", "-q", "--frame", str(frame), "history.hdf5", f"frame{frame}.hdf5")
    assert result.returncode == 0, result.stderr
    np.testing.assert_allclose(info_of(f"frame{frame}.hdf5")["total_mass"],
                               history[frame - 1]["mass"].sum())
result = run("convert", "--frame", "4", "history.hdf5", "frame4.hdf5")
assert result.returncode == 65 and "was saved at 3 times, and number 4" in result.stderr, result
assert run("convert", "-q", "history.hdf5", "history.pvd").returncode == 0
assert sorted(os.listdir("history")) == [f"history_000{k}.vtp" for k in range(3)]

# Sets of several names are types.
with h5py.File("typed.hdf5", "w") as file:
    file.create_group("AMUSE_INF").attrs["version"] = "2.0"
    stars, gas = particles(4), particles(3)
    save(file.create_group("stars"), stars, si, time=1.0, keys=np.arange(10, 14, dtype="u8"))
    save(file.create_group("gas"), gas, astronomers, time=None, keys=np.arange(20, 23, dtype="u8"))
info = info_of("typed.hdf5")
assert info["types"] == {"0": 3, "4": 4}, info["types"]
np.testing.assert_allclose(info["total_mass"] * info["units"]["mass_in_g"],
                           1000 * stars["mass"].sum() + 1000 * msun * gas["mass"].sum())

result = run("run", "--set", "initial.file=nbody.hdf5", "--set", "time.step=0.001", "--set",
             "time.until=0.26", "--set", "force.softening=0.1", "--set", "output.pictures=false",
             "--set", "device.name=cpu", "--out", "nbody.run")
assert result.returncode == 0 and "units: henon, G = 1 (file nbody.hdf5)" in result.stderr, result

for attribute in ("mass", "x", "vz"):
    left = {key: numbers for key, numbers in some.items() if key != attribute}
    refuses(write(f"no_{attribute}.hdf5", left), f"data/0000000001 has no {attribute}")
refuses(write("unknown.hdf5", some, z="(2.0 * parrot)"),
        "data/0000000001/attributes/z: the unit '(2.0 * parrot)' is not known: 'parrot'")
refuses(write("kelvin.hdf5", some, z=base("thermodynamic temperature")), "is not in a unit of length")
refuses(write("masses.hdf5", some, vx=base("mass")), "vx is not in a unit of velocity")
refuses(write("two.hdf5", some, mass=base("mass", "generic")),
        "mass is in generic (N-body) units, and x is in units of S.I.")
refuses(write("half.hdf5", some, y="none"), "y is without units, and x is in units of S.I.")
refuses(write("code.hdf5", some, x="__import__('os').system('touch pwned')"), "is not known")
assert not os.path.exists("pwned")
refuses(write("nan.hdf5", {**some, "x": np.full(20, np.nan)}), "x of body 0")
refuses(write("negative.hdf5", {**some, "mass": np.full(20, -1.0)}), "mass of body 0")
refuses(write("rows.hdf5", {**some, "y": np.zeros(19)}), "19 x 1 where 20 x 1 belong")
refuses(write("wide.hdf5", {**some, "y": np.zeros((20, 3))}), "20 x 3 where 20 x 1 belong")
refuses(write("words.hdf5", {**some, "y": np.array([b"near"] * 20)}), "not a table of numbers")
refuses(write("keys.hdf5", some, keys=np.arange(19, dtype="u8")), "keys has 19 rows where")


def spoilt(name, change, values=some):
    with h5py.File(write(name, values), "r+") as file:
        change(file)
    return name


def put(attribute, value):
    def change(file):
        file["data/0000000001"].attrs[attribute] = value
    return change


def replace_link(file):
    del file["data/0000000001"]
    file["data/0000000001"] = h5py.SoftLink("/data/0000000002")


def circle(file):
    del file["data/0000000001"]
    file["data/0000000001"] = file["data"]


def claim(file):
    one = file["data/0000000001"]
    del one["keys"]
    one.create_dataset("keys", (2**60,), "u8", chunks=(1024,))
    one.attrs["number_of_particles"] = np.uint64(2**60)


refuses(spoilt("count.hdf5", put("number_of_particles", 2**63 - 1)), "9223372036854775807")
refuses(spoilt("minus.hdf5", put("number_of_particles", -5)), "number_of_particles is 0")
refuses(spoilt("claim.hdf5", claim), str(2**60))
refuses(spoilt("grid.hdf5", put("type", "grid")), "holds no set of particles")
refuses(spoilt("soft.hdf5", replace_link), "leads elsewhere")
refuses(spoilt("circle.hdf5", circle), "data/0000000001 has no keys")
refuses(spoilt("nothing.hdf5", lambda file: file["data"].clear()), "holds no set of particles")
refuses(spoilt("unset.hdf5", lambda file: file["data/0000000001"].pop("attributes")),
        "data/0000000001 has no attributes")
refuses(spoilt("gap.hdf5", lambda file: file.move("data/0000000001", "data/0000000007")),
        "data has 1 entry, but data/0000000001 is missing")
refuses(spoilt("number.hdf5", lambda file: file["data/0000000001/attributes/x"].attrs.update(
    units=5)), "the unit of data/0000000001/attributes/x is not a text")


def late(file):
    file["data/0000000001"].attrs.update(timestamp=np.nan, timestamp_unit=si["time"])


refuses(spoilt("late.hdf5", late), "timestamp is nan")
with open("si.hdf5", "rb") as file:
    content = file.read()
# Where texts of variable length lie: objects, and free space at the end, which has number 0. Of no
# length, HDF5 itself would look at it for ever.
heap = content.index(b"GCOL")
at = heap + 16
while content[at:at + 2] != b"\0\0":
    at += 16 + -(-int.from_bytes(content[at + 8:at + 16], "little") // 8) * 8
for name, place, value in (("endless.hdf5", at + 8, 0), ("beyond.hdf5", at + 8, 2**40),
                           ("object.hdf5", heap + 24, 2**63), ("heap.hdf5", heap + 8, 2**50)):
    with open(name, "wb") as file:
        file.write(content[:place] + value.to_bytes(8, "little") + content[place + 8:])
    refuses(name, "its store of texts is damaged")
for length in (len(content) // 2, 200):
    with open("cut.hdf5", "wb") as file:
        file.write(content[:length])
    refuses("cut.hdf5", "can't open it as HDF5")
print("all as it should be")
