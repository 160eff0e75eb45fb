#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Small good files of every layout of HDF5 that is read, for the fuzzer to start from.

Usage: hdf5_starts.py FOLDER
"""
import os
import sys

import h5py
import numpy as np

os.chdir(sys.argv[1])
length = "system.get('S.I.').base('length')"
time = "system.get('S.I.').base('time')"
units = {"mass": "(1.98892e+30 * system.get('S.I.').base('mass'))", "radius": "km",
         **{name: length for name in "xyz"},
         **{"v" + name: f"({length} * ({time}**-1))" for name in "xyz"}}


def amuse(name, sets, version):
    with h5py.File(name, "w") as file:
        if version == 2:
            file.create_group("AMUSE_INF").attrs["version"] = "2.0"
        for of_set in sets:
            for saved in (1, 2):
                group = file.create_group(f"{of_set}/{saved:010d}")
                group.attrs["type"] = "particles"
                group.attrs["number_of_particles"] = 3
                group.attrs["timestamp"], group.attrs["timestamp_unit"] = 0.5 * saved, time
                group["keys"] = np.arange(3, dtype="u8")
                for attribute, unit in units.items():
                    group[f"attributes/{attribute}"] = np.ones(3)
                    group[f"attributes/{attribute}"].attrs["units"] = unit


def swift(name):
    with h5py.File(name, "w") as file:
        counts = np.array([2, 3, 0, 0, 0, 1, 0])
        file.create_group("Header").attrs.update(
            {"Code": "SWIFT", "Time": np.array([1.5]), "NumPart_ThisFile": counts,
             "NumPart_Total": counts.astype("u4"), "NumPart_Total_HighWord": np.zeros(7, "u4"),
             "MassTable": np.zeros(7), "NumFilesPerSnapshot": np.array([1])})
        file.create_group("Units").attrs.update(
            {f"Unit {what} in cgs ({sign})": np.array([2.0])
             for what, sign in (("mass", "U_M"), ("length", "U_L"), ("time", "U_t"))})
        for kind, masses in ((0, "Masses"), (1, "Masses"), (5, "DynamicalMasses")):
            n = counts[kind]
            for array, shape in (("Coordinates", (n, 3)), ("Velocities", (n, 3)), (masses, (n,))):
                file[f"PartType{kind}/{array}"] = np.ones(shape)
        file["DMParticles"] = h5py.SoftLink("/PartType1")


amuse("amuse2.hdf5", ["data"], 2)
amuse("amuse1.hdf5", ["particles"], 1)
amuse("named.hdf5", ["gas", "stars"], 2)
swift("swift.hdf5")
