#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints one line per test: ok NAME, FAIL NAME, or skip NAME: REASON.

    junit_lines.py JUNIT RESULTS

JUNIT is what ctest writes. Of programs that hold many tests, run_suite.py left the lines in RESULTS.
"""

import pathlib
import re
import sys
import xml.etree.ElementTree as xml


def skip_reason(case):
    """GoogleTest prints the reason above its own [  SKIPPED ] line."""
    output = case.findtext("system-out") or ""
    lines = [line.strip() for line in output.splitlines()]
    for place, line in enumerate(lines):
        if re.search(r": Skipped$", line) and place + 1 < len(lines):
            return lines[place + 1]
    message = case.find("skipped")
    return (message.get("message") if message is not None else "") or "no reason given"


def line_of(case):
    name, status = case.get("name"), case.get("status")
    if status == "run":
        return f"ok {name}"
    if status in ("notrun", "disabled"):
        return (f"skip {name}: {skip_reason(case)}" if case.find("skipped") is not None
                else f"FAIL {name} was not run")
    return f"FAIL {name}"


def lines_of(case, results):
    """Those of its single tests; one that ctest calls failed has a failure among them."""
    file = results / case.get("name")
    if not file.exists():
        return [line_of(case)]
    lines = file.read_text().splitlines()
    if case.get("status") != "run" and not any(line.startswith("FAIL ") for line in lines):
        lines.append(f"FAIL {case.get('name')} ended badly behind its tests")
    return lines


def main():
    results = pathlib.Path(sys.argv[2])
    for case in xml.parse(sys.argv[1]).getroot().iter("testcase"):
        for line in lines_of(case, results):
            print(line)


main()
