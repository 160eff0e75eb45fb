#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the tests of one GoogleTest program in one process, and tells of each by itself.

    run_suite.py NAME RESULTS SECONDS --part K/N PROGRAM --gtest_filter=FILTER

Every test gets a line in RESULTS: "ok NAME.TEST", "FAIL NAME.TEST" or "skip NAME.TEST: REASON". A
test during which the program dies, or that takes longer than SECONDS, has failed; those behind it
are run by a new process. --part divides the program's suites into N of about as many tests each and
runs the K-th. Tests whose names match the pattern in APSIS_LEAVE_OUT are left out.
What failed tests print is printed; the exit status is 1 where there are any.
"""

import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

# behind whatever a test printed without ending the line
STARTED = re.compile(r"\[ RUN      \] (\S+)$")
ENDED = re.compile(r"\[ +(OK|FAILED|SKIPPED) +\] ([^\s,]+)(?:, where .*)? \(\d+ ms\)$")


def listed(program, filter_option):
    """Names of all tests, by suite, in their order."""
    text = subprocess.run([program, filter_option, "--gtest_list_tests"], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    suites = []
    for line in text.splitlines():
        name = line.split("  # ")[0].strip()
        if line and not line.startswith(" ") and name.endswith("."):
            suites.append((name, []))
        elif line.startswith("  ") and suites:
            suites[-1][1].append(suites[-1][0] + name)
    left_out = os.environ.get("APSIS_LEAVE_OUT")
    if left_out:
        suites = [(suite, [test for test in tests if not re.search(left_out, test)])
                  for suite, tests in suites]
    return [tests for _, tests in suites if tests]


def part_of(suites, part, parts):
    """Suites stay whole: their tests share kernels that take long to compile."""
    total = sum(map(len, suites))
    mine, before = [], 0
    for tests in suites:
        if before * parts // total == part - 1:
            mine += tests
        before += len(tests)
    return mine


class Outcome:
    def __init__(self, name):
        self.name = name
        self.lines, self.done, self.failed = [], set(), 0

    def passed(self, test):
        self.done.add(test)
        self.lines.append(f"ok {self.name}.{test}")

    def skipped(self, test, reason):
        self.done.add(test)
        self.lines.append(f"skip {self.name}.{test}: {reason}")

    def fail(self, test, why, output):
        self.done.add(test)
        self.failed += 1
        self.lines.append(f"FAIL {self.name}.{test}{': ' + why if why else ''}")
        print("\n".join(output[-200:] + [self.lines[-1]]), flush=True)


class Reader:
    """Follows what the program prints, test by test."""

    def __init__(self, outcome):
        self.outcome, self.running, self.since, self.output = outcome, None, time.monotonic(), []

    def take(self, line):
        started, ended = STARTED.search(line), ENDED.search(line)
        if started:
            self.running, self.since, self.output = started[1], time.monotonic(), [line]
        elif ended and ended[2] == self.running:
            self.output.append(line)
            self.end(ended[1])
        else:
            self.output.append(line)

    def end(self, how):
        test, self.running = self.running, None
        self.since = time.monotonic()
        if how == "OK":
            self.outcome.passed(test)
        elif how == "SKIPPED":
            self.outcome.skipped(test, self.reason())
        else:
            self.outcome.fail(test, "", self.output)
        self.output = []

    def reason(self):
        """GoogleTest prints it below a line that says where."""
        for place, line in enumerate(self.output[:-1]):
            if re.search(r": Skipped$", line):
                return self.output[place + 1].strip()
        return "no reason given"


def kill(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def follow(process, log, reader, seconds):
    """Until the program ends. Says whether it had to be ended."""
    text, timed_out = "", False
    while True:
        try:
            process.wait(timeout=0.1)
            ended = True
        except subprocess.TimeoutExpired:
            ended = False
        text += log.read().decode(errors="replace")
        *lines, text = text.split("\n")
        for line in lines:
            reader.take(line)
        if ended:
            if text:
                reader.take(text)
            return timed_out
        if time.monotonic() - reader.since > seconds and not timed_out:
            timed_out = True
            kill(process)


def why_it_ended(code, timed_out, seconds):
    if timed_out:
        return f"took longer than {seconds} s"
    return f"the program ended with {code}" if code >= 0 else (
        f"the program died of {signal.Signals(-code).name}")


def run_once(program, tests, outcome, seconds):
    """One process for `tests`; says whether it came to their end."""
    with tempfile.TemporaryDirectory(prefix="apsis-suite-") as folder:
        flags = pathlib.Path(folder) / "flags"
        flags.write_text(f"--gtest_filter={':'.join(tests)}\n")
        with open(pathlib.Path(folder) / "output", "w+b") as output, \
                open(output.name, "rb") as log:
            process = subprocess.Popen([program, f"--gtest_flagfile={flags}"], stdout=output,
                                       stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                       start_new_session=True)
            reader = Reader(outcome)
            failed_before = outcome.failed
            try:
                timed_out = follow(process, log, reader, seconds)
            finally:
                kill(process)  # with whatever it left behind
    why = why_it_ended(process.returncode, timed_out, seconds)
    if reader.running:
        outcome.fail(reader.running, why, reader.output)
        return False
    if process.returncode != 0 and outcome.failed == failed_before:
        outcome.fail("all tests", f"between or behind them {why}", reader.output)
        return not timed_out
    return True


def main():
    name, results, seconds = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3])
    part, parts = map(int, sys.argv[5].split("/"))
    program, filter_option = sys.argv[6:]
    results.unlink(missing_ok=True)
    suites = listed(program, filter_option)
    tests = part_of(suites, part, parts)
    outcome = Outcome(name)
    while left := [test for test in tests if test not in outcome.done]:
        seen = len(outcome.done)
        went_through = run_once(program, left, outcome, seconds)
        missing = [test for test in left if test not in outcome.done]
        if missing and (went_through or len(outcome.done) == seen):
            for test in missing:
                outcome.fail(test, "was not run", [])
    results.parent.mkdir(parents=True, exist_ok=True)
    results.write_text("".join(line + "\n" for line in outcome.lines))
    print(f"{name}: {len(tests)} tests, {outcome.failed} failed")
    sys.exit(1 if outcome.failed else 0)


main()
