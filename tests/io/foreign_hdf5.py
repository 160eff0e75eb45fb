#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""GADGET files as others write them must open; damaged and hostile ones must be refused with
exit 65 and one line that names the file and a remedy, quickly and without taking memory.

Usage: foreign_hdf5.py APSIS
"""
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

try:
    import h5py
    import numpy as np
except ImportError as missing:
    print(f"skipped: {missing} (python3-h5py)")
    sys.exit(77)

apsis = sys.argv[1]
# sanitizers map more address space than any limit that would mean something
sanitized = "--sanitized" in sys.argv
os.chdir(tempfile.mkdtemp())
random = np.random.default_rng(1)
huge = 2**60


def write(name, parts, header=None, parameters=None, **storage):
    """parts: {type: {array: values}}"""
    counts = np.zeros(6, np.uint32)
    with h5py.File(name, "w") as file:
        for kind, arrays in parts.items():
            group = file.create_group(f"PartType{kind}")
            for array, values in arrays.items():
                group.create_dataset(array, data=values, **storage)
            counts[kind] = len(arrays.get("Coordinates", []))
        attributes = {"NumPart_ThisFile": counts, "MassTable": np.zeros(6), "Time": 1.5,
                      "NumFilesPerSnapshot": 1, "BoxSize": 0.0}
        attributes.update(header or {})
        group = file.create_group("Header")
        for key, value in attributes.items():
            if value is not None:
                group.attrs[key] = value
        if parameters:
            file.create_group("Parameters").attrs.update(parameters)
    return name


def bodies(n, dtype="f8"):
    return {"Coordinates": random.random((n, 3)).astype(dtype),
            "Velocities": random.random((n, 3)).astype(dtype),
            "Masses": random.random(n).astype(dtype),
            "ParticleIDs": np.arange(n, dtype="u8")}


def limit_memory():
    if not sanitized:
        resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))


def run(name):
    start = time.monotonic()
    result = subprocess.run([apsis, "info", "--json", name], capture_output=True, text=True,
                            preexec_fn=limit_memory, timeout=60,
                            env={**os.environ, "OMP_NUM_THREADS": "1"})
    return result, time.monotonic() - start


def opens(name, n, mass, **wanted):
    result, _ = run(name)
    assert result.returncode == 0, (name, result.stderr)
    info = json.loads(result.stdout)
    assert info["bodies"] == n, (name, info["bodies"])
    np.testing.assert_allclose(info["total_mass"], mass, rtol=1e-12)
    assert info["time"] == 1.5
    for key, value in wanted.items():
        assert info["units"][key] == value, (name, key, info["units"])
    print(f"opens: {name}")


def refuses(name, reason):
    result, seconds = run(name)
    assert result.returncode == 65, (name, result.returncode, result.stderr)
    lines = result.stderr.strip().splitlines()
    assert len(lines) == 1 and lines[0].startswith("apsis: error: ") and ";" in lines[0], lines
    assert name in lines[0] and reason in lines[0], lines[0]
    assert not result.stdout
    assert seconds < 10, seconds  # far above what any of them takes, even under sanitizers
    print(f"refuses: {lines[0]}")


def warns(name, *codes, system=None, **units):
    """Which warnings `info` gives, and which units it shows."""
    result, _ = run(name)
    assert result.returncode == 0, (name, result.stderr)
    info = json.loads(result.stdout)
    assert [warning["code"] for warning in info["warnings"]] == list(codes), info["warnings"]
    assert all(warning["class"] == "input" and name in warning["text"]
               for warning in info["warnings"]), info["warnings"]
    if system:
        assert info["units"]["system"] == system, info["units"]
    for key, value in units.items():
        wanted = value if isinstance(value, str) else np.float64(value)
        if isinstance(wanted, str):
            assert info["units"][key.rstrip("_")] == wanted, info["units"]
        else:
            np.testing.assert_allclose(info["units"][key], wanted, rtol=1e-12)
    print(f"warns: {name}: {codes}")


def start(name, *options):
    """A run of a few steps from that file."""
    return subprocess.run(
        [apsis, "run", "--set", f"initial.file={name}", "--set", "time.until=1.5001", "--set",
         "time.step=0.0001", "--set", "force.softening=1", "--set", "output.pictures=false", "--set", "device.name=cpu",
         "--out", name + ".run", "--force", *options],
        capture_output=True, text=True, timeout=60, env={**os.environ, "OMP_NUM_THREADS": "1"})


some = bodies(100)
opens(write("double.hdf5", {1: some}), 100, some["Masses"].sum(), system="gadget")
single = bodies(100, "f4")
opens(write("float.hdf5", {1: single}), 100, single["Masses"].astype(float).sum())
big = bodies(100, ">f4")
opens(write("big_endian.hdf5", {1: big}), 100, big["Masses"].astype(float).sum())
opens(write("gzip.hdf5", {1: some}, chunks=True, compression="gzip", shuffle=True), 100,
      some["Masses"].sum())
opens(write("resizable.hdf5", {1: some}, maxshape=None, chunks=True), 100, some["Masses"].sum())
three = {kind: bodies(10 * (kind + 1)) for kind in (0, 1, 4)}
opens(write("joined.hdf5", three), 80, sum(part["Masses"].sum() for part in three.values()))
table = {key: value for key, value in some.items() if key != "Masses"}
opens(write("mass_table.hdf5", {1: table}, {"MassTable": [0, 0.25, 0, 0, 0, 0]}), 100, 25.0)
anonymous = {key: value for key, value in some.items() if key != "ParticleIDs"}
opens(write("no_ids.hdf5", {1: anonymous}), 100, some["Masses"].sum())
opens(write("units.hdf5", {1: some}, parameters={
    "UnitLength_in_cm": 10.0, "UnitMass_in_g": 20.0, "UnitVelocity_in_cm_per_s": 30.0}),
    100, some["Masses"].sum(), system="custom", length_in_cm=10.0, mass_in_g=20.0)
opens(write("strings.hdf5", {1: some}, {"Code": "other", "Git": "x" * 100}), 100,
      some["Masses"].sum())
opens(write("extra.hdf5", {1: {**some, "Names": np.array([b"a"] * 100)}}), 100,
      some["Masses"].sum())
opens(write("no_count.hdf5", {1: some}, {"NumPart_ThisFile": None}), 100, some["Masses"].sum())
opens(write("empty_type.hdf5", {1: some, 5: {}}), 100, some["Masses"].sum())

write("many.hdf5", {1: some})
with h5py.File("many.hdf5", "r+", libver="latest") as file:
    for i in range(10000):
        file["Header"].attrs[f"note{i}"] = i
opens("many.hdf5", 100, some["Masses"].sum())

refuses(write("counts.hdf5", {1: some}, {"NumPart_ThisFile": np.array(
    [0, 200, 0, 0, 0, 0], np.uint32)}), "counts 200 bodies")
refuses(write("claim.hdf5", {1: some}, {"NumPart_ThisFile": np.array(
    [0, huge, 0, 0, 0, 0], np.uint64)}), str(huge))
write("claim_rows.hdf5", {}, {"NumPart_ThisFile": np.array([0, huge, 0, 0, 0, 0], np.uint64)})
with h5py.File("claim_rows.hdf5", "r+") as file:
    file.create_dataset("PartType1/Coordinates", (huge, 3), "f8", chunks=(1024, 3))
refuses("claim_rows.hdf5", str(huge))
write("claim_uncounted.hdf5", {}, {"NumPart_ThisFile": None})
with h5py.File("claim_uncounted.hdf5", "r+") as file:
    file.create_dataset("PartType1/Coordinates", (huge, 3), "f8", chunks=(1024, 3))
refuses("claim_uncounted.hdf5", str(huge))
write("chunk.hdf5", {1: {k: v for k, v in some.items() if k != "Masses"}})
with h5py.File("chunk.hdf5", "r+") as file:  # one chunk of 4 GiB, of which nothing is stored
    file.create_dataset("PartType1/Masses", (100,), "f8", chunks=(2**29 - 1,), maxshape=(None,),
                        compression="gzip")
result, _ = run("chunk.hdf5")
assert result.returncode in (0, 65), result.stderr
refuses(write("missing.hdf5", {}, {"NumPart_ThisFile": np.array([0, 5, 0, 0, 0, 0])}),
        "PartType1, which is missing")
for array in ("Velocities", "Masses", "Coordinates"):
    refuses(write(f"no_{array}.hdf5", {1: {k: v for k, v in some.items() if k != array}},
                  {"NumPart_ThisFile": np.array([0, 100, 0, 0, 0, 0])}), array)
refuses(write("rank.hdf5", {1: {**some, "Velocities": np.zeros(300)}}), "PartType1/Velocities is")
refuses(write("rank3.hdf5", {1: {**some, "Velocities": np.zeros((100, 3, 1))}}), "not a table")
refuses(write("words.hdf5", {1: {**some, "Masses": np.array([b"heavy"] * 100)}}), "not a table")
refuses(write("shape.hdf5", {1: {**some, "Masses": np.zeros(99)}}), "99 x 1 where 100 x 1")
refuses(write("nan.hdf5", {1: {**some, "Masses": np.full(100, np.nan)}}), "mass of body 0")
refuses(write("negative.hdf5", {1: {**some, "Masses": np.full(100, -1.0)}}), "below zero")
refuses(write("time.hdf5", {1: some}, {"Time": np.nan}), "Time is nan")
refuses(write("time_text.hdf5", {1: some}, {"Time": "soon"}), "Time is not a number")
refuses(write("parts.hdf5", {1: some}, {"NumFilesPerSnapshot": 8}), "one of 8 files")

# One snapshot in several files: every command takes any of them, or their name without a number.
total = np.array([0, 60, 0, 0, 30, 0], np.uint32)
several = [{1: bodies(40), 4: bodies(10)}, {4: bodies(20)}, {1: bodies(20)}]
for k, part in enumerate(part for parts in several for part in parts.values()):
    part["ParticleIDs"] += np.uint64(1000 * k)
for k, parts in enumerate(several):
    write(f"snap_003.{k}.hdf5", parts, {"NumFilesPerSnapshot": 3, "NumPart_Total": total})
whole = {kind: {array: np.concatenate([parts[kind][array] for parts in several if kind in parts])
                for array in ("Coordinates", "Velocities", "Masses", "ParticleIDs")}
         for kind in (1, 4)}
write("one.hdf5", whole)
in_all = sum(part["Masses"].sum() for part in whole.values())
for name in ("snap_003.0.hdf5", "snap_003.2.hdf5", "snap_003", "snap_003.hdf5"):
    opens(name, 90, in_all)
for one, other in (("snap_003", "one.hdf5"), ("snap_003.1.hdf5", "one.hdf5")):
    for command in (["convert", "--force", "-q"], ["analyse", "lagrangian"]):
        texts = []
        for name in (one, other):
            out = ["out.csv"] if command[0] == "convert" else ["--csv"]
            result = subprocess.run([apsis, *command, name, *out], capture_output=True, text=True,
                                    timeout=60)
            assert result.returncode == 0, (command, name, result.stderr)
            with open("out.csv", encoding="utf-8") as file:
                text = file.read() if command[0] == "convert" else result.stdout
            texts.append([line for line in text.splitlines() if "file = " not in line])
        assert texts[0] == texts[1] and len(texts[0]) > 2, (command, one, texts)
result = start("snap_003.1.hdf5")
assert result.returncode == 0, result.stderr
os.rename("snap_003.1.hdf5", "away.hdf5")
for name in ("snap_003.2.hdf5", "snap_003.0.hdf5"):
    refuses(name, "snap_003.1.hdf5 is missing")
write("snap_003.1.hdf5", several[1], {"NumFilesPerSnapshot": 3, "NumPart_Total": total, "Time": 2.5})
result, _ = run("snap_003")
assert result.returncode == 65 and "snap_003.1.hdf5 has time 2.5, and snap_003.0.hdf5 has 1.5" in \
    result.stderr, result.stderr
with open("away.hdf5", "rb") as file, open("snap_003.1.hdf5", "wb") as cut:
    cut.write(file.read()[:3000])
result, _ = run("snap_003.2.hdf5")
assert result.returncode == 65 and "snap_003.1.hdf5: can't open it" in result.stderr, result.stderr

with h5py.File("other.hdf5", "w") as file:
    file["data"] = np.arange(10)
refuses("other.hdf5", "not a GADGET snapshot")
for kind, link in (("external", h5py.ExternalLink("double.hdf5", "/PartType1/Masses")),
                   ("soft", h5py.SoftLink("/PartType1/Masses"))):
    name = write(f"{kind}_link.hdf5", {1: {k: v for k, v in some.items() if k != "Masses"}})
    with h5py.File(name, "r+") as file:
        file["PartType1/Masses"] = link
    refuses(name, "leads elsewhere")
for kind, link in (("file", h5py.ExternalLink("nowhere.hdf5", "/particles")),
                   ("group", h5py.SoftLink("/PartType1"))):
    name = write(f"particles_{kind}.hdf5", {1: some})
    with h5py.File(name, "r+") as file:  # called as AMUSE's sets are, and passed over
        file["particles"] = link
    opens(name, 100, some["Masses"].sum())
write("circle.hdf5", {1: some})
with h5py.File("circle.hdf5", "r+") as file:
    del file["PartType1/Masses"]
    file["PartType1/Masses"] = file["PartType1"]  # a group that holds itself
refuses("circle.hdf5", "Masses")
write("storage.hdf5", {1: {k: v for k, v in some.items() if k != "Masses"}})
with h5py.File("storage.hdf5", "r+") as file:
    file["PartType1"].create_dataset("Masses", (100,), "f8",
                                     external=[("/etc/passwd", 0, h5py.h5f.UNLIMITED)])
refuses("storage.hdf5", "another file")
write("virtual.hdf5", {1: {k: v for k, v in some.items() if k != "Masses"}})
with h5py.File("virtual.hdf5", "r+") as file:
    layout = h5py.VirtualLayout((100,), "f8")
    layout[:] = h5py.VirtualSource("double.hdf5", "PartType1/Masses", (100,))
    file["PartType1"].create_virtual_dataset("Masses", layout)
refuses("virtual.hdf5", "another file")
with open("double.hdf5", "rb") as file:
    content = file.read()
with open("cut.hdf5", "wb") as file:
    file.write(content[:len(content) // 2])
refuses("cut.hdf5", "can't open it as HDF5")
with open("text.hdf5", "w", encoding="utf-8") as file:
    file.write("id,m,x,y,z\n")
refuses("text.hdf5", "can't open it as HDF5")

# Units: GADGET's are assumed with a warning where its header is there, and nothing is guessed
# where it is not.
warns("double.hdf5", "units-assumed", system="gadget", from_="assumed", length_in_cm=3.085678e21)
warns("units.hdf5", system="custom", from_="file")
with h5py.File("headless.hdf5", "w") as file:
    for key, value in some.items():
        file[f"PartType1/{key}"] = value
warns("headless.hdf5", system="dimensionless", from_="assumed", gravity=1)
warns("no_count.hdf5", system="dimensionless", from_="assumed")
result = start("headless.hdf5")
assert "units: dimensionless, G = 1 (assumed: headless.hdf5 names none)" in result.stderr, result
result = start("double.hdf5")
assert result.returncode == 0 and "[units-assumed]" in result.stderr, result.stderr
assert "G = 43021.9 (assumed: double.hdf5 names none)" in result.stderr, result.stderr
with open("double.hdf5.run/summary.json", encoding="utf-8") as file:
    assert [w["code"] for w in json.load(file)["warnings"]] == ["units-assumed"]
result = start("double.hdf5", "--strict")
assert result.returncode == 65 and "--strict refuses units-assumed" in result.stderr, result.stderr
assert os.path.exists("double.hdf5.run/summary.json")  # nothing was replaced
result = start("double.hdf5", "--strict", "--set", "units.system=henon")
assert result.returncode == 0 and "units: henon, G = 1 (spec)" in result.stderr, result.stderr
result = subprocess.run([apsis, "convert", "double.hdf5", "double.csv"], capture_output=True,
                        text=True, timeout=60)
assert result.returncode == 0 and "[units-assumed]" in result.stderr, result.stderr

# SWIFT names its units in cgs, in a group of its own, as arrays of one number.
megaparsec, sun = 3.08567758e24, 1.98841e33


def swift(name, group="Units", header=None, **changes):
    write(name, {1: some}, {"NumPart_ThisFile": np.array([0, 100, 0, 0, 0, 0, 0], np.uint64),
                            "Scale-factor": np.array([1.0]), **(header or {})})
    units = {"Unit mass in cgs (U_M)": 1e10 * sun, "Unit length in cgs (U_L)": megaparsec,
             "Unit time in cgs (U_t)": megaparsec / 1e5, "Unit current in cgs (U_I)": 1.0,
             "Unit temperature in cgs (U_T)": 1.0}
    with h5py.File(name, "r+") as file:
        for key, value in units.items():
            value = changes.get(key.split()[1], value)
            if value is not None:
                file.require_group(group).attrs[key] = np.array([value])
    return name


# G = 6.6743e-8 M/(L v^2)
gravity = 6.6743e-8 * 1e10 * sun / (megaparsec * 1e10)
warns(swift("swift.hdf5"), system="custom", from_="file", length_in_cm=megaparsec,
      mass_in_g=1e10 * sun, velocity_in_cm_per_s=1e5, gravity=gravity)
warns(swift("internal.hdf5", "InternalCodeUnits"), from_="file", length_in_cm=megaparsec)
refuses(swift("no_mass.hdf5", mass=None), "Unit mass in cgs (U_M) is missing")
refuses(swift("no_time.hdf5", time=0.0), "Unit time in cgs (U_t) is missing or not above 0")
warns(swift("comoving.hdf5", header={"Scale-factor": np.array([0.5])}), "comoving")
warns(write("cosmic.hdf5", {1: some}, {"Time": 0.25, "Redshift": 3.0, "Omega0": 0.3},
            {"UnitLength_in_cm": 1.0, "UnitMass_in_g": 1.0, "UnitVelocity_in_cm_per_s": 1.0}),
      "comoving")
result = start("swift.hdf5", "--strict")
assert result.returncode == 0 and "(file swift.hdf5)" in result.stderr, result.stderr

# A whole file in the way that SWIFT writes it: seven types, names of types as links, texts of
# variable length, masses of black holes under a name of their own.
swift_parts = {0: bodies(30), 1: bodies(20), 4: bodies(7), 5: bodies(3)}
swift_parts[5]["DynamicalMasses"] = swift_parts[5].pop("Masses")
swift_parts[5]["SubgridMasses"] = np.full(3, 1e-9)
for kind, arrays in swift_parts.items():
    arrays["ParticleIDs"] += np.uint64(1000 * kind)
counts = np.array([len(swift_parts.get(kind, {}).get("Coordinates", [])) for kind in range(7)])


def whole_swift(name):
    with h5py.File(swift(name), "r+") as file:
        del file["PartType1"], file["Header"]
        header = file.create_group("Header").attrs
        header.update(
            {"Code": "SWIFT", "RunName": "test", "Dimension": np.array([3]), "Virtual": np.array([0]),
             "BoxSize": np.array([100.0, 100.0, 100.0]), "Time": np.array([1.5]),
             "Redshift": np.array([0.0]), "Scale-factor": np.array([1.0]),
             "NumPart_ThisFile": counts.astype("i8"), "NumPart_Total": counts.astype("u4"),
             "NumPart_Total_HighWord": np.zeros(7, "u4"), "MassTable": np.zeros(7),
             "NumFilesPerSnapshot": np.array([1], "i4"), "ThisFile": np.array([0], "i4")})
        file.create_group("Cosmology").attrs["Cosmological run"] = np.array([0], "i4")
        file.create_group("Code").attrs["Code"] = "SWIFT"
        file.create_group("Parameters").attrs["Gravity:eta"] = np.bytes_("0.025")
        for kind, arrays in swift_parts.items():
            for array, values in arrays.items():
                file[f"PartType{kind}/{array}"] = values
        for link, kind in (("GasParticles", 0), ("DMParticles", 1), ("StarsParticles", 4),
                           ("BHParticles", 5)):
            file[link] = h5py.SoftLink(f"/PartType{kind}")
    return name


opens(whole_swift("whole_swift.hdf5"), 60,
      sum((arrays.get("Masses", arrays.get("DynamicalMasses"))).sum()
          for arrays in swift_parts.values()), **{"from": "file"}, length_in_cm=megaparsec)
info = json.loads(run("whole_swift.hdf5")[0].stdout)
assert info["types"] == {"0": 30, "1": 20, "4": 7, "5": 3} and not info["warnings"], info
assert info["format"] == "HDF5, SWIFT flavour" and "yt" not in info, info["format"]
result = start("whole_swift.hdf5", "--strict")
assert result.returncode == 0, result.stderr
with h5py.File("whole_swift.hdf5", "r+") as file:
    del file["PartType5/DynamicalMasses"]
refuses("whole_swift.hdf5", "PartType5 has no Masses")
with h5py.File(whole_swift("pointing.hdf5"), "r+") as file:  # the file beside several
    del file["PartType1/Coordinates"]
    layout = h5py.VirtualLayout((20, 3), "f8")
    layout[:] = h5py.VirtualSource("whole_swift.hdf5", "PartType1/Coordinates", (20, 3))
    file["PartType1"].create_virtual_dataset("Coordinates", layout)
refuses("pointing.hdf5", "give one of the files of the snapshot, such as snap_000.0.hdf5")

# Ids that some bodies lack cannot be kept for the others.
warns(write("some_ids.hdf5", {0: {k: v for k, v in bodies(10).items() if k != "ParticleIDs"},
                              1: some}), "units-assumed", "ids-dropped")
