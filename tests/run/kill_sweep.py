# SPDX-License-Identifier: MIT
"""Kills runs with SIGKILL at random moments, some of them inside a checkpoint write, resumes them,
and compares every byte of the last snapshot, of energy.csv, of events.csv and of what output.analyse
writes with those of an unbroken run.

    kill_sweep.py APSIS [--kills 20] [--inside 5] [--threads 1 2] [--device] [--continue] [--seed 1]

With --continue one and the same command starts a run and goes on with it, as a queued job does.
"""
import argparse
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

# What is broken and resumed in turn: another integrator, precision and law each.
KINDS = [
    ["--set", "initial.model=plummer", "--set", "device.precision=f64"],
    ["--set", "initial.model=plummer", "--set", "device.precision=f32",
     "--set", "time.integrator=hermite4"],
    ["--set", "initial.model=lattice", "--set", "device.precision=mixed",
     "--set", "time.integrator=rk4"],
    ["--set", "initial.model=uniform", "--set", "device.precision=f32",
     "--set", "time.integrator=yoshida6"],
    # bodies that merge, and others that bounce while some leave
    ["--set", "initial.model=planetesimals", "--set", "initial.filling=0.1",
     "--set", "initial.dispersion=2"],
    ["--set", "initial.model=plummer", "--set", "device.precision=f64",
     "--set", "contacts.on=bounce", "--set", "contacts.radius=0.05",
     "--set", "contacts.restitution=0.5", "--set", "space.remove_beyond=1.5"],
]
# The same where the state lives on a device.
DEVICE_KINDS = [
    ["--set", "initial.model=plummer", "--set", "device.precision=f32",
     "--set", "device.name=opencl"],
    ["--set", "initial.model=lattice", "--set", "device.precision=f64",
     "--set", "time.integrator=hermite4", "--set", "device.name=opencl"],
    ["--set", "initial.model=plummer", "--set", "device.precision=f64",
     "--set", "contacts.on=merge", "--set", "contacts.radius=0.02",
     "--set", "device.name=opencl"],
]
# Many small steps with a checkpoint after every third: much of the time is spent writing.
COMMON = ["--set", "initial.bodies=216", "--set", "time.step=0.001", "--set", "time.until=0.15",
          "--set", "force.softening=0.05", "--set", "output.checkpoint_steps=3",
          "--set", "output.energy_every=0.001", "--set", "output.snapshot_every=0.03",
          "--set", "output.pictures=false", "--set", "output.analyse_every=0.004"]
# Of each kind what can be said under its law.
ANALYSES = ["lagrangian", "centre", "profile", "groups"]


def leftovers(folder):
    """Temporaries of checkpoints that a killed writer left behind."""
    return [p for p in folder.glob("*checkpoint_*") if p.suffix != ".apsis"]


def fingerprint(folder):
    snapshots = sorted(folder.glob("snapshot_*"))
    names = ["energy.csv", "events.csv", *(f"{name}.csv" for name in ANALYSES)]
    logs = [path.read_bytes() for path in map(folder.joinpath, names) if path.exists()]
    if len(logs) <= len(ANALYSES):
        raise SystemExit(f"{folder} lacks some of {', '.join(names)}")
    return [*logs, len(snapshots), snapshots[-1].read_bytes()]


class Sweep:
    def __init__(self, apsis, top, rng, kinds, go_on):
        self.apsis, self.top, self.rng, self.kinds, self.go_on = apsis, top, rng, kinds, go_on
        self.inside = self.kills = 0

    def run(self, folder, arguments):
        """Every run is called `run` in a folder of its own, so that the bytes can be compared."""
        folder.mkdir(parents=True, exist_ok=True)
        return subprocess.Popen([self.apsis, "run", *arguments], cwd=folder,
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def finish(self, folder, arguments):
        process = self.run(folder, arguments)
        errors = process.communicate(timeout=120)[1]
        if process.returncode != 0:
            raise SystemExit(f"apsis run {' '.join(arguments)} ended with "
                             f"{process.returncode}: {errors}")

    def kill(self, process, folder, duration, aim):
        """Kills after a random time, or (aim) as soon as a checkpoint is being written then."""
        end = time.monotonic() + self.rng.uniform(0.05, 0.9) * duration
        while time.monotonic() < end and process.poll() is None:
            time.sleep(0.001)
        give_up = time.monotonic() + 5
        while aim and process.poll() is None and time.monotonic() < give_up:
            if leftovers(folder / "run"):
                break
        if process.poll() is not None:
            process.communicate()
            return False
        process.send_signal(signal.SIGKILL)
        process.communicate()
        self.kills += 1
        self.inside += bool(leftovers(folder / "run"))
        return True

    def sweep(self, kind, threads, kills, aimed):
        arguments = [*self.kinds[kind], *COMMON, "--set", f"device.threads={threads}",
                     "--set", f"output.analyse={','.join(ANALYSES)}", "--out", "run"]
        unbroken = self.top / f"unbroken_{kind}_{threads}"
        shutil.rmtree(unbroken, ignore_errors=True)
        begun = time.monotonic()
        self.finish(unbroken, arguments)
        duration = time.monotonic() - begun
        expected = fingerprint(unbroken / "run")
        for number in range(kills):
            folder = self.top / f"broken_{kind}_{threads}_{number}"
            job = [*arguments, "--continue"]
            self.kill(self.run(folder, job if self.go_on else arguments), folder, duration,
                      number < aimed)
            if self.go_on:
                while self.rng.random() < 0.5:
                    self.kill(self.run(folder, job), folder, duration, number < aimed)
                self.finish(folder, job)
            # a kill before the first checkpoint leaves nothing to resume, and says so
            elif list((folder / "run").glob("checkpoint_*.apsis")):
                if self.rng.random() < 0.3:  # and once more into the resumed run
                    self.kill(self.run(folder, ["--resume", "run"]), folder, duration,
                              number < aimed)
                self.finish(folder, ["--resume", "run"])
            else:
                self.finish(folder, [*arguments, "--force"])
            if fingerprint(folder / "run") != expected:
                raise SystemExit(f"{folder}: the resumed run differs from the unbroken one")
            if leftovers(folder / "run"):
                raise SystemExit(f"{folder}: temporaries are left: {leftovers(folder / 'run')}")
            shutil.rmtree(folder)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("apsis", type=pathlib.Path)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--inside", type=int, default=5)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--seed", type=int, default=time.time_ns() % 2**32)
    parser.add_argument("--device", action="store_true", help="runs on the first OpenCL device")
    parser.add_argument("--continue", dest="go_on", action="store_true")
    options = parser.parse_args()
    kinds = DEVICE_KINDS if options.device else KINDS
    print(f"seed {options.seed}")
    if options.device:
        listed = subprocess.run([options.apsis, "devices"], capture_output=True, text=True)
        if "opencl:0" not in listed.stdout:
            print("no OpenCL device: skipped")
            return 77
    with tempfile.TemporaryDirectory(prefix="apsis_kills_") as top:
        sweep = Sweep(options.apsis.resolve(), pathlib.Path(top), random.Random(options.seed),
                      kinds, options.go_on)
        groups = [(kind, threads) for kind in range(len(kinds)) for threads in options.threads]
        while sweep.kills < options.kills or sweep.inside < options.inside:
            for kind, threads in groups:
                each = max(1, -(-options.kills // len(groups)))
                sweep.sweep(kind, threads, each, each - each // 3)
    print(f"{sweep.kills} kills, {sweep.inside} of them inside a checkpoint write, "
          f"all resumed to the same bits")
    return 0


if __name__ == "__main__":
    sys.exit(main())
