#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Small files of HDF5 that claim, or unpack to, gigabytes are refused with exit 65 before they take
memory; honest ones that are packed well are read.

Usage: hdf5_bombs.py APSIS [--sanitized]
"""
import os
import resource
import subprocess
import sys
import tempfile
import zlib

try:
    import h5py
    import numpy as np
except ImportError as missing:
    print(f"skipped: {missing} (python3-h5py)")
    sys.exit(77)

apsis = os.path.realpath(sys.argv[1])
sanitized = "--sanitized" in sys.argv
os.chdir(tempfile.mkdtemp())
MOST_MEMORY = 400 << 20
MOST_LENGTH = 2 << 20


def snapshot(name, rows, make, links=None):
    """`make(group, array, shape)` adds one array; `links` what else is to be done in the file."""
    with h5py.File(name, "w") as file:
        group = file.create_group("PartType1")
        for array, columns in [("Coordinates", 3), ("Velocities", 3), ("Masses", 1)]:
            make(group, array, (rows, columns) if columns > 1 else (rows,))
        counts = np.zeros(6, np.uint64)
        counts[1] = rows
        header = file.create_group("Header")
        header.attrs["NumFilesPerSnapshot"] = 1
        if links:
            links(file, counts)
        header.attrs["NumPart_ThisFile"] = counts
        header.attrs["MassTable"] = np.zeros(6)
        file.create_dataset("noise", data=np.frombuffer(os.urandom(70_000), "u1"))
    return name


def never_written(group, array, shape):
    group.create_dataset(array, shape, "f8", chunks=(1 << 16,) + shape[1:], compression="gzip")


def never_written_bytes(group, array, shape):
    group.create_dataset(array, shape, "i1")


def one_huge_chunk(group, array, shape):
    huge = (3900 << 20) // (8 * (shape[1] if len(shape) > 1 else 1))
    data = group.create_dataset(array, shape, "f8", chunks=(huge,) + shape[1:], compression="gzip",
                                maxshape=(None,) + shape[1:])
    data.id.write_direct_chunk((0,) * len(shape), zlib.compress(bytes(1000)))


def packed_by(*filters):
    def make(group, array, shape):
        properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        properties.set_chunk(shape)
        for add in filters:
            add(properties)
        space = h5py.h5s.create_simple(shape)
        data = h5py.h5d.create(group.id, array.encode(), h5py.h5t.IEEE_F64LE, space, properties)
        data.write(h5py.h5s.ALL, h5py.h5s.ALL, np.ones(shape))
    return make


def deflate(properties):
    properties.set_deflate(9)


def szip(properties):
    properties.set_szip(h5py.h5z.SZIP_NN_OPTION_MASK, 8)


def stream_beyond_chunk(group, array, shape):
    """Unpacks to 300 MB where a chunk has 8 KB."""
    data = group.create_dataset(array, shape, "f8", chunks=shape, compression="gzip")
    data.id.write_direct_chunk((0,) * len(shape), zlib.compress(bytes(300 << 20), 9))


def honest(group, array, shape):
    values = np.zeros(shape)
    if array == "Coordinates":
        side = np.arange(100.0)
        values[:] = np.stack(np.meshgrid(side, side, side), -1).reshape(-1, 3)
    if array == "Masses":
        values[:] = 1e-6
    group.create_dataset(array, data=values, chunks=(1 << 16,) + shape[1:], compression="gzip",
                         shuffle=True, fletcher32=True)


def same_group_six_times(file, counts):
    for kind in range(6):
        counts[kind] = counts[1]
        if kind != 1:
            file[f"PartType{kind}"] = file["PartType1"]


def long_text(file, _):
    space = h5py.h5s.create(h5py.h5s.SCALAR)
    kind = h5py.h5t.C_S1.copy()
    kind.set_size(65000)
    group = file.create_group("Provenance")
    h5py.h5a.create(group.id, b"note", kind, space)


def info(name):
    def limit():
        if not sanitized:
            resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
    child = subprocess.Popen([apsis, "info", "--json", name], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True, preexec_fn=limit,
                             env={**os.environ, "OMP_NUM_THREADS": "1"})
    output, errors = child.communicate(timeout=60)
    return child.returncode, errors.strip()


def peak_memory(name):
    """Of the process itself, as the shell's own clock sees it."""
    code = ("import os,resource,subprocess,sys;"
            "subprocess.run(sys.argv[1:],stdout=subprocess.DEVNULL,stderr=subprocess.DEVNULL);"
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss*1024)")
    return int(subprocess.run([sys.executable, "-c", code, apsis, "info", name], text=True,
                              stdout=subprocess.PIPE, check=True).stdout)


failures = 0


def refused(name, word):
    global failures
    length = os.path.getsize(name)
    code, errors = info(name)
    memory = 0 if sanitized else peak_memory(name)
    good = code == 65 and word in errors and name in errors and errors.count("\n") == 0
    good = good and memory < MOST_MEMORY and length < MOST_LENGTH
    failures += not good
    print(f"{'ok' if good else 'FAIL'} {name}: {length} bytes, exit {code}, "
          f"{memory >> 20} MiB: {errors[:300]}")


def read(name):
    global failures
    code, errors = info(name)
    failures += code != 0
    print(f"{'ok' if code == 0 else 'FAIL'} {name}: {os.path.getsize(name)} bytes, exit {code} {errors}")


refused(snapshot("claimed.hdf5", 20_000_000, never_written), "would take")
refused(snapshot("bytes.hdf5", 9_000_000, never_written_bytes), "would take")
refused(snapshot("chunk.hdf5", 1000, one_huge_chunk), "would take")
refused(snapshot("twice.hdf5", 1000, packed_by(deflate, deflate)), "packed twice over")
refused(snapshot("stream.hdf5", 1000, stream_beyond_chunk), "unpacks to more")
refused(snapshot("linked.hdf5", 500_000, never_written, same_group_six_times), "would take")
if h5py.h5z.filter_avail(h5py.h5z.FILTER_SZIP):
    refused(snapshot("szip.hdf5", 1024, packed_by(szip)), "filter 4, which is not read")
read(snapshot("lattice.hdf5", 1_000_000, honest))
read(snapshot("text.hdf5", 1000, packed_by(deflate), long_text))
sys.exit(1 if failures else 0)
