#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lets every system call of a short run fail, one run for each, and looks at what is left: the exit
code is right and says why, every checkpoint is whole, no temporary stays, and going on ends with the
bits of the unbroken run.

Usage: failing_calls.py APSIS INTERPOSER [--every N]     (each N-th call only)
"""
import argparse
import concurrent.futures
import errno
import os
import pathlib
import re
import subprocess
import sys
import tempfile

parser = argparse.ArgumentParser()
parser.add_argument("apsis"), parser.add_argument("interposer")
parser.add_argument("--every", type=int, default=1)
options = parser.parse_args()
APSIS, INTERPOSER = os.path.realpath(options.apsis), os.path.realpath(options.interposer)
KEYS = ["initial.model=plummer", "initial.bodies=64", "time.step=0.01", "time.until=0.3",
        "device.name=cpu", "device.threads=1", "force.solver=direct", "output.pictures=false",
        "output.snapshot_every=0.1", "output.energy_every=0.05", "output.checkpoint_steps=10"]
RUN = [APSIS, "run"] + [word for key in KEYS for word in ("--set", key)]
FAULTS = [errno.EIO, errno.ENOSPC, errno.EINTR, 0]  # 0: half of a write or read
# A call that may be tried again or whose failure loses nothing leaves the run to end well.
RIGHT = {0, 74, 75}


def call(words, top, fault=None, at=0):
    environment = {**os.environ, "XDG_CACHE_HOME": str(top / "cache")}
    if fault is not None:
        environment.update(LD_PRELOAD=INTERPOSER, APSIS_FAIL_UNDER=str(top / "run"),
                           APSIS_FAIL_AT=str(at), APSIS_FAIL_WITH=str(fault),
                           APSIS_FAIL_LOG=str(top / "failed"))
    done = subprocess.run(words, cwd=top, env=environment, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stderr.strip()


def end_state(folder):
    last = sorted(folder.glob("snapshot_*"))[-1]
    table = folder.parent / (folder.name + ".csv")
    code, said = call([APSIS, "convert", "--force", str(last), str(table)], folder.parent)
    if code != 0:
        raise RuntimeError(f"{last}: {said}")
    return [line for line in table.read_text().splitlines() if not line.startswith("#")]


def try_one(fault, at, expected):
    """What went wrong; None where the run has fewer calls."""
    with tempfile.TemporaryDirectory(prefix="apsis-calls-") as name:
        top = pathlib.Path(os.path.realpath(name))
        folder = top / "run"
        code, said = call(RUN + ["--out", str(folder)], top, fault, at)
        failed = top / "failed"
        if not failed.exists():
            return None, ""
        what = failed.read_text().strip()
        label = f"call {at} ({what}) with {errno.errorcode.get(fault, 'a part')}"
        if code not in RIGHT:
            return label, f"exit {code}: {said[-300:]}"
        if code == 74 and "apsis: error: " not in said:
            return label, f"no error line: {said[-300:]}"
        if code == 0 and fault != 0 and re.match(r"(write|fsync|fdatasync|rename)", what) \
                and fault not in (errno.EINTR,) and ".lock" not in what:
            return label, "a lost write was not told"
        left = [] if what.startswith("unlink") else list(folder.glob("*.tmp"))
        if left:
            return label, f"left {left}"
        for file in sorted(folder.glob("checkpoint_*")):
            status, why = call([APSIS, "info", str(file)], top)
            if status != 0:
                return label, f"{file.name} is not whole: {why}"
        if not folder.exists() or not list(folder.glob("checkpoint_*")):
            again = RUN + ["--out", str(folder), "--continue"]
        else:
            again = [APSIS, "run", "--resume", str(folder)]
        status, why = call(again, top)
        if status != 0 and "nothing" not in why:
            status, why = call(RUN + ["--out", str(folder), "--continue"], top)
        if status != 0:
            return label, f"going on ended with {status}: {why[-300:]}"
        if end_state(folder) != expected:
            return label, "other bits at the end"
        return label, ""


def main():
    with tempfile.TemporaryDirectory(prefix="apsis-calls-") as name:
        top = pathlib.Path(os.path.realpath(name))
        code, said = call(RUN + ["--out", str(top / "whole")], top)
        if code != 0:
            sys.exit(f"FAIL: the unbroken run ended with {code}: {said}")
        expected = end_state(top / "whole")
    runs, bad = 0, 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for fault in FAULTS:
            at, more = 1, True
            while more:
                batch = range(at, at + 16 * options.every, options.every)
                for label, wrong in pool.map(lambda k: try_one(fault, k, expected), batch):
                    if label is None:
                        more = False
                        continue
                    runs += 1
                    if wrong:
                        bad += 1
                        print(f"FAIL: {label}: {wrong}")
                at += 16 * options.every
    print(f"{runs} runs with one failing call each, {bad} of them wrong")
    sys.exit(1 if bad or runs < 20 else 0)


main()
