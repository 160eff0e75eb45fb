# SPDX-License-Identifier: MIT
"""Lets single OpenCL calls of one of two ranks fail, and looks at what is left: the job ends soon, with
an exit code that says so and one line that names the rank, and resumes to the unbroken result.

    failing_devices.py APSIS MPIRUN LIBRARY [--all]   LIBRARY: the loader that fails
                                                      (device/failing_opencl.cpp)

Without --all: a middle call of a few functions. With it: the first, a middle and the last of each.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

LONGEST = 30  # seconds that the job may take, whatever fails
RUN = ["--set", "initial.model=plummer", "--set", "initial.bodies=64", "--set", "time.step=0.01",
       "--set", "time.until=0.06", "--set", "output.checkpoint_steps=2",
       "--set", "output.energy_every=0.01", "--set", "output.pictures=false",
       "--set", "device.name=opencl:0", "--set", "device.reproducible=true", "--out", "run"]
FEW = ("clCreateBuffer", "clEnqueueNDRangeKernel", "clEnqueueReadBuffer", "clEnqueueWriteBuffer")
# Failures that cost nothing but time, or that come when all is done.
HARMLESS = ("none", "clRelease", "clRetainDevice", "clCreateProgramWithBinary", "clBuildProgram",
            "clGetProgram", "clGetPlatform", "clGetDevice", "clFinish")


class Sweep:
    def __init__(self, options, top):
        self.options, self.top = options, top
        self.tried = self.survived = self.resumed = 0
        self.environment = dict(os.environ)
        if options.all:  # calls that build programs are among them
            self.environment.update(XDG_CACHE_HOME=str(top / "cache"),
                                    POCL_CACHE_DIR=str(top / "pocl"))

    def start(self, folder, arguments, failing=None):
        """Two ranks, the second with the loader that fails; gives exit code, stderr and the names of
        that rank's OpenCL calls."""
        folder.mkdir(parents=True, exist_ok=True)
        run = [self.options.apsis, "run", *arguments]
        calls = self.top / "calls"
        calls.write_text("")
        broken = ["env", f"LD_PRELOAD={self.options.library}", f"APSIS_CALLS_FILE={calls}",
                  f"APSIS_FAIL_CALL={failing or 0}"]
        done = subprocess.run([self.options.mpirun, "-n", "1", *run, ":", "-n", "1", *broken, *run],
                              cwd=folder, env=self.environment, text=True,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              timeout=LONGEST if failing else 300)
        return done.returncode, done.stderr, calls.read_text().split()

    def judge(self, place, code, errors, name):
        if code == 0:
            if not name.startswith(HARMLESS):
                raise SystemExit(f"{place}: ends with 0: {errors}")
            self.survived += 1
            return
        said = [line for line in errors.splitlines() if line.startswith("apsis: error: ")]
        if code != 69 or len(said) != 1 or "rank 1: " not in said[0] or ";" not in said[0]:
            raise SystemExit(f"{place}: ends with {code}, not with one clear line: {errors}")

    def look_at_run(self, place, folder, code, good):
        """From its checkpoints the run goes on to the same end."""
        if code != 0 and list((folder / "run").glob("checkpoint_????????.apsis")):
            code, errors, _ = self.start(folder, ["--resume", "run"])
            if code != 0:
                raise SystemExit(f"{place}: can't be resumed: {errors}")
            self.resumed += 1
        if code == 0 and (folder / "run" / "energy.csv").read_bytes() != good:
            raise SystemExit(f"{place}: energy.csv differs from that of the unbroken run")

    def sweep(self):
        self.start(self.top / "first", RUN)  # compiles
        code, errors, names = self.start(self.top / "good", RUN)
        if code != 0:
            raise SystemExit(f"the unbroken run ends with {code}: {errors}")
        good = (self.top / "good" / "run" / "energy.csv").read_bytes()
        for number in chosen(names, self.options.all):
            folder = self.top / "broken"
            try:
                code, errors, made = self.start(folder, RUN, number)
            except subprocess.TimeoutExpired as late:
                raise SystemExit(f"call {number}: the job hangs: {late.stderr}") from late
            # how long is measured is a matter of time, so the calls are not always the same
            name = made[number - 1] if number <= len(made) else "none"
            place = f"call {number}, {name}"
            self.judge(place, code, errors, name)
            self.look_at_run(place, folder, code, good)
            self.tried += 1
            shutil.rmtree(folder)


def chosen(names, every):
    """Numbers of the calls to fail, from 1."""
    numbers = set()
    for name in set(names):
        places = [i + 1 for i, other in enumerate(names) if other == name]
        if every:
            numbers.update([places[0], places[len(places) // 2], places[-1]])
        elif name in FEW:
            numbers.add(places[len(places) // 2])
    return sorted(numbers)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("apsis", type=pathlib.Path)
    parser.add_argument("mpirun")
    parser.add_argument("library", type=pathlib.Path)
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    options.apsis, options.library = options.apsis.resolve(), options.library.resolve()
    listed = subprocess.run([options.apsis, "devices"], capture_output=True, text=True, timeout=60)
    if "opencl:0" not in listed.stdout:
        print(f"skipped: {listed.stderr}")
        return 77
    with tempfile.TemporaryDirectory(prefix="apsis_failing_devices_") as top:
        sweep = Sweep(options, pathlib.Path(top))
        sweep.sweep()
    print(f"{sweep.tried} calls failed, {sweep.survived} without harm; {sweep.resumed} runs resumed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
