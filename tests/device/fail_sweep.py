# SPDX-License-Identifier: MIT
"""Lets single OpenCL calls of short commands fail, and looks at what is left: an exit code that says
so, one line on stderr, checkpoints that can be read and resumed, and no hang.

    fail_sweep.py APSIS LIBRARY [--every] [--parts]   LIBRARY: the loader that fails
                                                      (failing_opencl.cpp)

Without --every: the first, a middle and the last call of each function. With --parts the run is one
on two devices, the halves of the first one.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from shared_spec import shared  # noqa: E402

LONGEST = 10  # seconds that a command may take, whatever fails
RUN = ["run", "--set", "initial.model=plummer", "--set", "initial.bodies=64",
       "--set", "time.step=0.01", "--set", "time.until=0.06", "--set", "output.checkpoint_steps=2",
       "--set", "output.energy_every=0.01", "--set", "output.pictures=false",
       "--set", "device.name=opencl", "--out", "run"]
BENCH = ["bench", "direct", "--device", "opencl", "--bodies", "64", "--repeats", "2",
         "--warmup", "1"]
# Failures that cost nothing but time, or that come when all is done.
HARMLESS = ("none", "clRelease", "clRetainDevice", "clCreateProgramWithBinary",
            "clBuildProgram", "clGetProgram")
# Several devices: a run whose devices do not answer when they are looked for begins elsewhere, and
# their queues are waited for once more when all is done.
HARMLESS_TO_SEVERAL = ("clGetPlatform", "clGetDevice", "clFinish")


class Sweep:
    def __init__(self, apsis, library, top):
        self.apsis, self.library, self.top = apsis, library, top
        self.tried = self.survived = self.resumed = 0
        self.harmless = HARMLESS

    def call(self, arguments, folder, cache, failing=None):
        """Runs apsis in the folder; gives exit code, stderr and the names of its OpenCL calls."""
        environment = dict(os.environ, XDG_CACHE_HOME=str(cache),
                           POCL_CACHE_DIR=str(self.top / "pocl"),
                           LD_PRELOAD=str(self.library), APSIS_CALLS_FILE=str(self.top / "calls"))
        if failing is not None:
            environment["APSIS_FAIL_CALL"] = str(failing)
        folder.mkdir(parents=True, exist_ok=True)
        # the first of all compiles
        limit = LONGEST if failing is not None else 120
        done = subprocess.run([self.apsis, *arguments], cwd=folder, env=environment, text=True,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=limit)
        return done.returncode, done.stderr, (self.top / "calls").read_text().split()

    def plain(self, arguments, folder):
        """Runs apsis without failures."""
        return subprocess.run([self.apsis, *arguments], cwd=folder, text=True, timeout=60,
                              env=dict(os.environ, XDG_CACHE_HOME=str(self.top / "warm"),
                                       POCL_CACHE_DIR=str(self.top / "pocl")),
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def fail(self, what, errors):
        raise SystemExit(f"{what}\nstderr was: {errors}")

    def judge(self, place, code, errors, name, talk):
        """Exit code and stderr of one command with one failure."""
        if code == 0:
            if not name.startswith(self.harmless):
                self.fail(f"{place}: ends with 0", errors)
            self.survived += 1
            return
        if code != 69:
            self.fail(f"{place}: ends with {code} instead of 69", errors)
        lines = [line for line in errors.splitlines() if line not in talk]
        if len(lines) != 1 or not lines[0].startswith("apsis: error: ") or ";" not in lines[0]:
            self.fail(f"{place}: not one clear line", errors)

    def look_at_run(self, place, folder, code, good, resume):
        """Checkpoints are whole, and the run can go on from them to the same end."""
        checkpoints = sorted((folder / "run").glob("checkpoint_*.apsis"))
        for checkpoint in checkpoints:
            done = self.plain(["info", str(checkpoint)], folder)
            if done.returncode != 0:
                self.fail(f"{place}: {checkpoint.name} can't be read", done.stderr)
        if code != 0 and checkpoints and resume:
            done = self.plain(["run", "--resume", "run"], folder)
            if done.returncode != 0:
                self.fail(f"{place}: can't be resumed", done.stderr)
            self.resumed += 1
        if code == 0 or (checkpoints and resume):
            if (folder / "run" / "energy.csv").read_bytes() != good:
                self.fail(f"{place}: energy.csv differs from that of the unbroken run", "")

    def sweep(self, arguments, warm, every):
        """Fails calls of one command, with a cache of programs that is warm or empty."""
        kind = f"{arguments[0]} ({'warm' if warm else 'cold'} cache)"
        cache = self.top / "warm"
        good_folder = self.top / f"good_{arguments[0]}_{warm}"
        if not warm:
            cache = self.top / "cold"
            shutil.rmtree(cache, ignore_errors=True)
        code, talk, names = self.call(arguments, good_folder, cache)
        if code != 0:
            self.fail(f"{kind} ends with {code}", talk)
        is_run = arguments[0] == "run"
        good = (good_folder / "run" / "energy.csv").read_bytes() if is_run else b""
        # once the programs are built, an empty cache makes no difference
        if not warm:
            names = names[:names.index("clEnqueueNDRangeKernel")]
        for number in chosen(names, every):
            if not warm:
                shutil.rmtree(cache, ignore_errors=True)
            folder = self.top / "broken"
            place = f"{kind}, call {number}"
            try:
                code, errors, made = self.call(arguments, folder, cache, number)
            except subprocess.TimeoutExpired as late:
                self.fail(f"{place}: hangs", late.stderr)
            # how often a bench repeats is a matter of time, so the calls are not always the same
            name = made[number - 1] if number <= len(made) else "none"
            self.judge(f"{place}, {name}", code, errors, name, talk.splitlines())
            if is_run:
                self.look_at_run(place, folder, code, good, not every or number % 10 == 0)
            self.tried += 1
            shutil.rmtree(folder)
        print(f"{kind}: {len(names)} calls", flush=True)


def chosen(names, every):
    """Numbers of the calls to fail, from 1."""
    if every:
        return range(1, len(names) + 1)
    numbers = set()
    for name in set(names):
        places = [i + 1 for i, other in enumerate(names) if other == name]
        numbers.update([places[0], places[len(places) // 2], places[-1]])
    return sorted(numbers)


def run_in_parts(sweep):
    """The same run on two halves of the device, with a split that nobody has to measure."""
    sweep.harmless = HARMLESS + HARMLESS_TO_SEVERAL
    one = [word.replace("device.name=opencl", "device.name=opencl:0/2:0") for word in RUN]
    one += ["--set", "device.reproducible=true"]  # whatever it comes to, the bits are the same
    folder = sweep.top / "one"
    code, errors, _ = sweep.call(one, folder, sweep.top / "warm")
    if code != 0:
        print(f"skipped: {errors}")
        raise SystemExit(77)
    text = (folder / "run" / "spec.toml").read_text()
    spec = sweep.top / "two.toml"
    spec.write_text(shared(text, "opencl:0/2", "40 24"))
    return ["run", str(spec), "--out", "run"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("apsis", type=pathlib.Path)
    parser.add_argument("library", type=pathlib.Path)
    parser.add_argument("--every", action="store_true")
    parser.add_argument("--parts", action="store_true")
    options = parser.parse_args()
    listed = subprocess.run([options.apsis, "devices"], capture_output=True, text=True, timeout=60)
    if "opencl:0" not in listed.stdout:
        print(f"skipped: {listed.stderr}")
        return 77
    with tempfile.TemporaryDirectory(prefix="apsis_fails_") as top:
        sweep = Sweep(options.apsis.resolve(), options.library.resolve(), pathlib.Path(top))
        run = run_in_parts(sweep) if options.parts else RUN
        sweep.call(run, sweep.top / "first", sweep.top / "warm")  # fills the caches
        sweep.call(BENCH, sweep.top / "first", sweep.top / "warm")
        sweep.sweep(run, True, options.every)
        if not options.parts:
            sweep.sweep(BENCH, True, False)
            sweep.sweep(run, False, options.every)
    print(f"{sweep.tried} failing calls: {sweep.survived} did no harm, {sweep.resumed} runs were "
          f"resumed to the same bits")
    return 0


if __name__ == "__main__":
    sys.exit(main())
