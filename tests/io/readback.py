#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads Apsis snapshots with the tools that others use: h5py, and yt by the line that
`apsis info` prints. The CSV of the same state, read here by plain Python, is the reference.

Usage: readback.py MAKE_SAMPLES APSIS
"""
import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import h5py
    import numpy as np
    import yt
except ImportError as missing:
    print(f"skipped: {missing} (python3-h5py, python3-yt)")
    sys.exit(77)

make_samples, apsis = sys.argv[1:3]
yt.set_log_level("error")


def table(path):
    with open(path, encoding="utf-8") as file:
        keys, lines = {}, []
        for line in file:
            if line.startswith("#"):
                key, _, value = line[1:].partition("=")
                keys[key.strip()] = value.strip()
            else:
                lines.append(line)
    rows = list(csv.DictReader(lines))
    columns = {
        name: np.array([row[name] for row in rows], dtype=np.uint64 if name == "id" else float)
        for name in rows[0]
    }
    return keys, columns


def vectors(columns, *names):
    return np.stack([columns[name] for name in names], axis=1)


def check_group(bodies, columns):
    np.testing.assert_array_equal(bodies["ParticleIDs"], columns["id"])
    np.testing.assert_array_equal(bodies["Masses"], columns["m"])
    np.testing.assert_array_equal(bodies["Coordinates"], vectors(columns, "x", "y", "z"))
    np.testing.assert_array_equal(bodies["Velocities"], vectors(columns, "vx", "vy", "vz"))
    if "q" in columns:
        np.testing.assert_array_equal(bodies["Charge"], columns["q"])
    if "ax" in columns:
        np.testing.assert_array_equal(bodies["Potential"], columns["potential"])
        np.testing.assert_array_equal(bodies["Acceleration"], vectors(columns, "ax", "ay", "az"))
    for array in bodies.values():
        assert array.chunks and array.fletcher32 and array.shuffle


def check_h5py(path, keys, columns):
    types = columns.get("type", np.ones(len(columns["id"])))
    with h5py.File(path) as file:
        header = file["Header"].attrs
        counts = [int(np.sum(types == kind)) for kind in range(6)]
        assert list(header["NumPart_ThisFile"]) == counts
        assert list(header["NumPart_Total"]) == counts
        assert not np.any(header["NumPart_Total_HighWord"]) and not np.any(header["MassTable"])
        groups = {f"PartType{kind}" for kind in range(6) if counts[kind]}
        assert groups == {name for name in file if name.startswith("PartType")}
        assert header["Time"] == float(keys["time"])
        assert "Code" not in header and "Units" not in file and "Constants" not in file
        parameters = file["Parameters"].attrs
        assert parameters["UnitLength_in_cm"] == float(keys["length_in_cm"])
        assert parameters["Softening"] == float(keys["softening"])
        assert parameters["ForceLaw"].decode() == keys["law"]
        for kind in range(6):
            of_kind = {name: values[types == kind] for name, values in columns.items()}
            if counts[kind]:
                check_group(file[f"PartType{kind}"], of_kind)
                assert parameters[f"SofteningClassOfPartType{kind}"] == 0
        assert file["Provenance"].attrs["version"].decode() == keys["provenance.version"]


def check_yt(path, keys, columns):
    line = json.loads(subprocess.run([apsis, "info", "--json", path], check=True,
                                     capture_output=True, text=True).stdout)["yt"]
    plain = subprocess.run([apsis, "info", path], check=True, capture_output=True, text=True)
    assert line in plain.stdout.splitlines()
    ds = eval(line, {"yt": yt})  # the very line that users copy
    data = ds.all_data()
    assert len(data["all", "particle_mass"]) == len(columns["id"])
    np.testing.assert_allclose(float(ds.current_time.to("code_time")), float(keys["time"]))
    # yt converts through cgs and back: a few roundings
    order = np.argsort(data["all", "particle_index"].d)
    wanted = np.argsort(columns["id"].astype(float), kind="stable")
    mass = data["all", "particle_mass"].to("code_mass").d
    np.testing.assert_allclose(np.sort(mass), np.sort(columns["m"]), rtol=1e-12)
    np.testing.assert_allclose(mass[order], columns["m"][wanted], rtol=1e-12)
    for axis in "xyz":
        place = data["all", f"particle_position_{axis}"].to("code_length").d
        np.testing.assert_allclose(place[order], columns[axis][wanted], rtol=1e-12)
        speed = data["all", f"particle_velocity_{axis}"].to("code_velocity").d
        np.testing.assert_allclose(speed[order], columns["v" + axis][wanted], rtol=1e-12)
    np.testing.assert_allclose(float(ds.length_unit.to("cm")), float(keys["length_in_cm"]))
    np.testing.assert_allclose(float(ds.mass_unit.to("g")), float(keys["mass_in_g"]))
    # and by its bare name, as one would try first; flat systems away from 0 need the box
    if "away" not in path:
        assert len(yt.load(path).all_data()["all", "particle_mass"]) == len(columns["id"])


with tempfile.TemporaryDirectory() as folder:
    subprocess.run([make_samples, folder], check=True)
    snapshots = sorted(Path(folder).glob("*.hdf5"))
    assert len(snapshots) == 6
    for snapshot in snapshots:
        known = table(snapshot.with_suffix(".csv"))
        check_h5py(str(snapshot), *known)
        check_yt(str(snapshot), *known)
        print(f"{snapshot.name}: {len(known[1]['id'])} bodies agree in h5py and yt")
