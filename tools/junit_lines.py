#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints one line per test of a JUnit file: ok NAME, FAIL NAME, or skip NAME: REASON."""

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


def main():
    cases = xml.parse(sys.argv[1]).getroot().iter("testcase")
    for case in cases:
        name = case.get("name").split("  # ")[0]  # GoogleTest appends the parameter
        status = case.get("status")
        if status == "run":
            print("ok", name)
        elif status in ("notrun", "disabled"):
            print(f"skip {name}: {skip_reason(case)}" if case.find("skipped") is not None
                  else f"FAIL {name} was not run")
        else:
            print("FAIL", name)


main()
