#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Files of strangers against the whole program: checkpoints and specs of the right form with odd
contents, snapshots in every format. Each case must end in 10 s with 0, 64, 65, 69, 74, 75 or 76, under
a limit on memory, and say one line where it fails; never with 70 or a signal.

Usage: strange_files.py APSIS MAKE_STRANGE [--cases N] [--first N] [--keep FOLDER]
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import random
import resource
import shutil
import struct
import subprocess
import sys
import tempfile

try:
    import h5py
    import numpy as np
except ImportError:  # then the other formats alone
    h5py = None

parser = argparse.ArgumentParser()
parser.add_argument("apsis"), parser.add_argument("make_strange")
parser.add_argument("--cases", type=int, default=200)
parser.add_argument("--first", type=int, default=0)
parser.add_argument("--keep", help="folder for the inputs of cases that went wrong")
options = parser.parse_args()
APSIS = os.path.realpath(options.apsis)
FINE = {0, 64, 65, 69, 74, 75, 76}
MEMORY = 3 << 30
QUICK = ["--set", "output.max_minutes=0.03", "--set", "output.pictures=false", "--set", "device.name=cpu"]
ODD = ["", "0", "-1", "nan", "inf", "-inf", "1e308", "1e-320", "1e400", "x", "0x10", "1,2", "\0", "\x1b[2J",
       "9" * 400, "18446744073709551616", "ü", "\"", "1 2", "-0", "+1", "1e", ".", "\r", "\\n"]
top = pathlib.Path(tempfile.mkdtemp(prefix="apsis-strange-"))


def call(words, folder):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    environment = {**os.environ, "XDG_CACHE_HOME": str(top / "cache"), "OMP_NUM_THREADS": "1"}
    try:
        done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, timeout=10,
                              preexec_fn=limit)
    except subprocess.TimeoutExpired:
        return "no end in 10 s", ""
    said = done.stderr.decode("utf-8", "replace")
    if done.returncode not in FINE:
        return f"exit {done.returncode}", said
    if any(ord(c) < 32 and c not in "\n\t" for c in said + done.stdout.decode("utf-8", "replace")):
        return "control characters on the terminal", said
    if done.returncode in (64, 65, 69, 74) and "apsis: error: " not in said:
        return "no error line", said
    return None, done.returncode


def checkpoint(case, folder):
    for log in (top / "good").glob("*.csv"):
        shutil.copy(log, folder / log.name)
    shutil.copy(top / f"strange/{case}.apsis", folder / "checkpoint_00000010.apsis")
    if case % 3 == 0:
        shutil.copy(top / "good/spec.toml", folder / "spec.toml")
    yield [APSIS, "info", "checkpoint_00000010.apsis"]
    yield [APSIS, "run", "--resume", ".", "--set", "output.max_minutes=0.03"]


def spec(case, folder):
    shutil.copy(top / f"strange/{case}.toml", folder / "spec.toml")
    yield [APSIS, "run", "spec.toml", "--out", "out"] + QUICK


def changed_text(text, rng):
    lines = text.split("\n")
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(lines))
        what = rng.randrange(5)
        if what == 0:
            del lines[at]
        elif what == 1:
            lines.insert(at, lines[rng.randrange(len(lines))] if lines else "")
        elif what == 2 and "=" in lines[at]:
            lines[at] = lines[at].split("=")[0] + "= " + rng.choice(ODD)
        else:
            fields = lines[at].split(",")
            fields[rng.randrange(len(fields))] = rng.choice(ODD)
            lines[at] = ",".join(fields)
        lines = lines or [""]
    return "\n".join(lines)


def table(case, folder):
    rng = random.Random(case)
    text = changed_text((top / "good.csv").read_text(), rng)
    (folder / "in.csv").write_bytes(text.encode("utf-8", "surrogatepass"))
    yield [APSIS, "info", "in.csv"]
    yield [APSIS, "run", "--set", "initial.file=in.csv", "--set", "time.until=0.02", "--out", "out"] + QUICK


def tipsy(case, folder):
    rng = random.Random(case)
    content = bytearray((top / "good.tipsy").read_bytes())
    for _ in range(rng.randint(1, 3)):
        at = rng.choice([8, 12, 16, 20, 24, 28]) if rng.random() < 0.7 else 4 * rng.randrange(len(content) // 4)
        word = rng.choice([0, 1, -1, 2**31 - 1, -2**31, 64, 65])
        content[at:at + 4] = struct.pack(">i", word) if rng.random() < 0.6 else \
            struct.pack(">f", rng.choice([float("nan"), float("inf"), -1.0, 3e38, 1e-44]))
    (folder / "in.tipsy").write_bytes(content[:rng.choice([len(content), rng.randrange(len(content))])])
    yield [APSIS, "info", "in.tipsy"]
    yield [APSIS, "convert", "in.tipsy", "out.csv"]


def hdf5(case, folder):
    rng = random.Random(case)
    shutil.copy(top / "good.hdf5", folder / "in.hdf5")
    with h5py.File(folder / "in.hdf5", "r+") as file:
        for _ in range(rng.randint(1, 3)):
            change_hdf5(file, rng)
    yield [APSIS, "info", "in.hdf5"]
    yield [APSIS, "convert", "in.hdf5", "out.csv"]


def change_hdf5(file, rng):
    own = [name for name in file if isinstance(file.get(name, getlink=True), h5py.HardLink)]
    parts = [name for name in own if name.startswith("PartType")]
    what = rng.randrange(8)
    if what < 3:
        groups = [file[name] for name in own if isinstance(file[name], h5py.Group)]
        group = rng.choice(groups)
        names = list(group.attrs)
        if not names:
            return
        name = rng.choice(names)
        values = [-1, 0, 2**63 - 1, float("nan"), 1e308, "text", "a\nb = 1", "\x1b[2J", [], [1, 2, 3],
                  np.arange(70_000), np.array([2**40] * 6, "u8"), b"\xff\xfe"]
        del group.attrs[name]
        if rng.random() < 0.7:
            group.attrs[name] = rng.choice(values)
    elif what == 3 and parts:
        arrays = list(file[parts[0]])
        if arrays:
            del file[parts[0]][rng.choice(arrays)]
    elif what == 4 and parts:
        group = file[parts[0]]
        arrays = list(group)
        if arrays:
            name = rng.choice(arrays)
            shape = rng.choice([(), (0,), (3,), (64,), (64, 3), (64, 2), (10**7, 3), (1, 1, 1)])
            kind = rng.choice(["f8", "f4", "i1", "u8", "S5", "bool", "c16"])
            del group[name]
            group.create_dataset(name, shape, kind)
    elif what == 5 and parts and "PartType5" not in parts:
        file["PartType5"] = file[parts[0]]
    elif what == 6 and "PartType0" not in parts:
        if "PartType0" in file.keys():
            return
        file["PartType0"] = h5py.ExternalLink("/etc/passwd", "/")
    elif parts:
        group = file[parts[0]]
        for name in list(group):
            if group[name].shape and rng.random() < 0.5:
                group[name][...] = rng.choice([0, 1]) if group[name].dtype.kind == "u" else \
                    rng.choice([float("nan"), float("inf"), 0.0, 1e308])


def one(case):
    kinds = [checkpoint, spec, table, tipsy] + ([hdf5] if h5py and (top / "good.hdf5").exists() else [])
    kind = kinds[case % len(kinds)]
    folder = top / f"case{case}"
    folder.mkdir()
    codes, wrong = [], None
    for words in kind(case, folder):
        problem, result = call(words, folder)
        if problem:
            wrong = f"{kind.__name__} {case}: {' '.join(words[1:])}: {problem}: {str(result)[-400:]}"
            if options.keep:
                shutil.copytree(folder, pathlib.Path(options.keep) / f"{kind.__name__}{case}",
                                dirs_exist_ok=True)
            break
        codes.append(result)
    shutil.rmtree(folder)
    return kind.__name__, codes, wrong


def main():
    keys = ["initial.model=plummer", "initial.bodies=64", "time.step=0.01", "time.until=0.2",
            "device.name=cpu", "output.pictures=false", "output.checkpoint_steps=10", "time.burst=1"]
    good = [APSIS, "run", "--out", "good"] + [word for key in keys for word in ("--set", key)]
    problem, code = call(good, top)
    if problem or code != 0:
        sys.exit(f"FAIL: the good run: {problem} {code}")
    first = sorted((top / "good").glob("checkpoint_*"))[0]
    last = sorted((top / "good").glob("snapshot_*"))[-1]
    for format in ["csv", "tipsy", "hdf5"]:
        call([APSIS, "convert", str(last), f"good.{format}"], top)
    (top / "strange").mkdir()
    subprocess.run([options.make_strange, first, str(options.first), str(options.cases),
                    top / "strange"], check=True)
    counts, bad = collections.Counter(), 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for kind, codes, wrong in pool.map(one, range(options.first, options.first + options.cases)):
            counts.update((kind, code) for code in codes)
            if wrong:
                bad += 1
                print("FAIL:", wrong)
    for kind in sorted({kind for kind, _ in counts}):
        print(f"{kind}: " + ", ".join(f"exit {code}: {counts[kind, code]}" for code in sorted(FINE)
                                      if counts[kind, code]))
    print(f"{options.cases} cases, {sum(counts.values())} processes, {bad} wrong")
    shutil.rmtree(top)
    sys.exit(1 if bad else 0)


main()
