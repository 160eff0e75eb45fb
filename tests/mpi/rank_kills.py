# SPDX-License-Identifier: MIT
"""Kills one rank of a run with SIGKILL at random moments, some of them inside a checkpoint. The job
must end within 30 s, say why and fail; it is resumed on another number of ranks, and every digit
of the last state and of energy.csv is compared with those of a run that nobody broke.

    rank_kills.py APSIS MPIRUN [--kills 20] [--inside 6] [--seed 1]
"""
import argparse
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

LONGEST_END = 30  # seconds from the kill to the end of the job
# Reproducible, so that any number of ranks ends with the same bits.
KINDS = [
    ["--set", "device.precision=f64"],
    ["--set", "device.precision=f32", "--set", "time.integrator=hermite4"],
    ["--set", "device.precision=mixed", "--set", "time.integrator=rk4"],
]
ON_DEVICE = ["--set", "device.precision=f32", "--set", "device.name=opencl:0"]
COMMON = ["--set", "initial.model=plummer", "--set", "initial.bodies=216",
          "--set", "time.step=0.001", "--set", "time.until=0.15", "--set", "force.softening=0.05",
          "--set", "output.checkpoint_steps=10", "--set", "output.energy_every=0.01",
          "--set", "output.snapshot_every=0.05", "--set", "output.pictures=false",
          "--set", "device.reproducible=true", "--out", "run"]


def fingerprint(apsis, folder):
    """Every digit of the energies and of the last state; not the spec, which names the ranks."""
    snapshots = sorted(folder.glob("snapshot_*"))
    table = folder / "last.csv"
    subprocess.run([apsis, "convert", "--force", snapshots[-1], table], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    rows = [line for line in table.read_text().splitlines() if not line.startswith("#")]
    table.unlink()
    return [(folder / "energy.csv").read_bytes(), len(snapshots), rows]


def being_written(folder):
    """Parts without the file that lists them, or temporaries: somebody is in a checkpoint."""
    for part in folder.glob("*checkpoint_*_*of*"):
        step = part.name.split("checkpoint_")[1].split("_")[0]
        if not (folder / f"checkpoint_{step}.apsis").exists():
            return True
    return False


class Sweep:
    def __init__(self, apsis, mpirun, top, rng):
        self.apsis, self.mpirun, self.top, self.rng = apsis, mpirun, top, rng
        self.kills = self.inside = 0
        self.longest = 0.0

    def start(self, ranks, folder, arguments):
        folder.mkdir(parents=True, exist_ok=True)
        return subprocess.Popen([self.mpirun, "-n", str(ranks), self.apsis, "run", *arguments],
                                cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                text=True)

    def finish(self, ranks, folder, arguments):
        process = self.start(ranks, folder, arguments)
        errors = process.communicate(timeout=300)[1]
        if process.returncode != 0:
            raise SystemExit(f"{ranks} ranks, apsis run {' '.join(arguments)} ended with "
                             f"{process.returncode}: {errors}")

    def processes(self, job):
        """The ranks: children of the launcher that run Apsis."""
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
                if parent == job and os.path.samefile(entry / "exe", self.apsis):
                    found.append(int(entry.name))
            except (OSError, ValueError):
                pass
        return sorted(found)

    def kill(self, process, folder, duration, aim):
        """One rank, after a random time or (aim) as soon as a checkpoint is being written then."""
        end = time.monotonic() + self.rng.uniform(0.1, 0.8) * duration
        while time.monotonic() < end and process.poll() is None:
            time.sleep(0.005)
        give_up = time.monotonic() + 5
        while aim and process.poll() is None and time.monotonic() < give_up:
            if being_written(folder / "run"):
                break
        ranks = self.processes(process.pid)
        if process.poll() is not None or not ranks:
            process.communicate()
            return
        victim = self.rng.choice(ranks)
        os.kill(victim, signal.SIGKILL)
        killed = time.monotonic()
        try:
            errors = process.communicate(timeout=LONGEST_END)[1]
        except subprocess.TimeoutExpired:
            raise SystemExit(f"the job lives {LONGEST_END} s after one of its ranks")
        if process.returncode == 0:
            return  # it was done before the kill
        self.longest = max(self.longest, time.monotonic() - killed)
        if "is gone" not in errors and "exited on signal 9" not in errors:
            raise SystemExit(f"nobody says that a rank is gone: {errors}")
        self.kills += 1
        self.inside += being_written(folder / "run")

    def sweep(self, kind, kills, aimed):
        arguments = [*KINDS[kind], *COMMON]
        unbroken = self.top / f"unbroken_{kind}"
        shutil.rmtree(unbroken, ignore_errors=True)
        begun = time.monotonic()
        self.finish(4, unbroken, arguments)
        duration = time.monotonic() - begun
        expected = fingerprint(self.apsis, unbroken / "run")
        for number in range(kills):
            folder = self.top / f"broken_{kind}_{number}"
            ranks = self.rng.choice([2, 3, 4])
            self.kill(self.start(ranks, folder, arguments), folder, duration, number < aimed)
            if list((folder / "run").glob("checkpoint_????????.apsis")):
                if self.rng.random() < 0.3:  # and once more into the resumed run
                    again = self.start(self.rng.choice([2, 3, 4]), folder, ["--resume", "run"])
                    self.kill(again, folder, duration, number < aimed)
                self.finish(self.rng.choice([1, 2, 3, 4]), folder, ["--resume", "run"])
            else:  # killed before the first checkpoint
                self.finish(ranks, folder, [*arguments, "--force"])
            if fingerprint(self.apsis, folder / "run") != expected:
                raise SystemExit(f"{folder}: the resumed run differs from the unbroken one")
            shutil.rmtree(folder)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("apsis", type=pathlib.Path)
    parser.add_argument("mpirun")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--inside", type=int, default=6)
    parser.add_argument("--seed", type=int, default=time.time_ns() % 2**32)
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    listed = subprocess.run([options.apsis, "devices"], capture_output=True, text=True, timeout=60)
    if "opencl:0" in listed.stdout:
        KINDS.append(ON_DEVICE)
    else:
        print(f"no ranks on a device: {listed.stderr}", flush=True)
    with tempfile.TemporaryDirectory(prefix="apsis_rank_kills_") as top:
        sweep = Sweep(options.apsis.resolve(), options.mpirun, pathlib.Path(top),
                      random.Random(options.seed))
        turn = 0
        while sweep.kills < options.kills or sweep.inside < options.inside:
            each = max(1, -(-options.kills // len(KINDS)))
            sweep.sweep(turn % len(KINDS), each, each if sweep.inside < options.inside else 0)
            turn += 1
    print(f"{sweep.kills} kills, {sweep.inside} of them inside a checkpoint, all resumed to the "
          f"same bits; the job was over {sweep.longest:.1f} s after the kill at the latest")
    return 0


if __name__ == "__main__":
    sys.exit(main())
