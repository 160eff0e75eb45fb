#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads what `apsis convert` writes for ParaView with VTK's own reader, which is ParaView's. The
CSV of the same state, read here by plain Python, is the reference.

Usage: readback_vtk.py MAKE_SAMPLES APSIS
"""
import csv
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

try:
    import numpy as np
    import vtk
    from vtk.util.numpy_support import vtk_to_numpy
except ImportError as missing:
    print(f"skipped: {missing} (python3-vtk9)")
    sys.exit(77)

make_samples, apsis = (os.path.abspath(path) for path in sys.argv[1:3])
os.chdir(tempfile.mkdtemp())


def run(*words):
    return subprocess.run([apsis, *words], capture_output=True, text=True, timeout=60,
                          env={**os.environ, "OMP_NUM_THREADS": "1"})


def table(path):
    with open(path, encoding="utf-8") as file:
        lines = file.readlines()
    told = (line[1:].partition(" = ") for line in lines if line.startswith("#"))
    keys = {key.strip(): value.strip() for key, equals, value in told if equals}
    return keys, list(csv.DictReader(line for line in lines if not line.startswith("#")))


def read(path):
    errors = []
    reader = vtk.vtkXMLPolyDataReader()
    reader.AddObserver("ErrorEvent", lambda *_: errors.append(1))
    reader.SetFileName(path)
    reader.Update()
    assert not errors, path
    return reader.GetOutput()


def compare(name):
    keys, rows = table(f"{name}.csv")
    result = run("convert", "--force", f"{name}.csv", f"{name}.vtp")
    assert result.returncode == 0 and "apsis: note: VTK files are for ParaView" in result.stderr
    data = read(f"{name}.vtp")
    n = len(rows)
    assert data.GetNumberOfPoints() == data.GetNumberOfVerts() == n
    assert data.GetNumberOfCells() == n

    def wanted(*columns):
        return np.squeeze(np.array([[float(row[c]) for c in columns] for row in rows]))

    def found(array):
        return vtk_to_numpy(data.GetPointData().GetArray(array))

    np.testing.assert_array_equal(np.squeeze(vtk_to_numpy(data.GetPoints().GetData())),
                                  wanted("x", "y", "z"))
    np.testing.assert_array_equal(np.squeeze(found("velocity")), wanted("vx", "vy", "vz"))
    np.testing.assert_array_equal(found("mass"), wanted("m"))
    assert [int(value) for value in found("id")] == [int(row["id"]) for row in rows]
    columns = {"q": "charge", "type": "type", "radius": "radius", "potential": "potential"}
    for column, array in columns.items():
        assert (column in rows[0]) == bool(data.GetPointData().HasArray(array)), (name, column)
        if column in rows[0]:
            np.testing.assert_array_equal(found(array), wanted(column))
    if "ax" in rows[0]:
        np.testing.assert_array_equal(found("acceleration"), wanted("ax", "ay", "az"))
    for field, key in (("TimeValue", "time"), ("length_in_cm", "length_in_cm"),
                       ("softening", "softening")):
        value = data.GetFieldData().GetArray(field).GetValue(0)
        assert value == float(keys.get(key, 1)), (field, value, keys)
    threshold = vtk.vtkThreshold()  # takes cells, so each body has one
    threshold.SetInputData(data)
    threshold.SetInputArrayToProcess(0, 0, 0, vtk.vtkDataObject.FIELD_ASSOCIATION_POINTS, "mass")
    middle = float(np.median(found("mass")))
    threshold.SetThresholdFunction(vtk.vtkThreshold.THRESHOLD_UPPER)
    threshold.SetUpperThreshold(middle)
    threshold.Update()
    assert threshold.GetOutput().GetNumberOfPoints() == np.sum(found("mass") >= middle)
    print(f"{name}: {n} bodies agree in VTK {vtk.vtkVersion().GetVTKVersion()}")


subprocess.run([make_samples, "."], check=True)
for sample in ("s2", "s3", "s1000", "s20000", "typed", "away"):
    compare(sample)

result = run("run", "--set", "initial.model=kepler", "--set", "time.until=0.4", "--set",
             "time.step=0.01", "--set", "output.snapshot_every=0.1", "--set",
             "output.pictures=false", "--set", "device.name=cpu", "--out", "out")
assert result.returncode == 0, result.stderr
result = run("convert", "out", "movie.pvd")
assert result.returncode == 0 and result.stderr.count("apsis: note:") == 2, result
entries = xml.parse("movie.pvd").getroot().find("Collection").findall("DataSet")
assert len(entries) == len([file for file in os.listdir("out") if file.startswith("snapshot_")]) > 3
times = [float(entry.get("timestep")) for entry in entries]
assert times == sorted(times) and times[0] == 0 and abs(times[-1] - 0.4) < 1e-12, times
for entry, time in zip(entries, times):
    assert read(entry.get("file")).GetFieldData().GetArray("TimeValue").GetValue(0) == time
for words, code, reason in (
        (("convert", "out", "movie.pvd"), 74, "movie.pvd exists"),
        (("convert", "movie/movie_0000.vtp", "x.csv"), 65, "VTK is written but not read"),
        (("convert", "--frame", "2", "out", "y.pvd"), 64, "do not apply to .pvd"),
        (("convert", "out", "nowhere/y.pvd"), 74, "there is no folder nowhere")):
    result = run(*words)
    assert result.returncode == code and reason in result.stderr, (words, result)
print(f"movie.pvd: {len(entries)} times")
