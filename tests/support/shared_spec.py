# SPDX-License-Identifier: MIT
"""Makes a spec for two devices that share the bodies, with nothing left to measure, from the spec.toml
of a run on the first of them.

    shared_spec.py ONE.toml TWO.toml DEVICES SPLIT     as in: "opencl:0/2" "40 24"
"""
import pathlib
import re
import sys


def shared(text, devices, split):
    """The text with both devices under [resolved]; halves of one device differ by their number."""
    head, resolved = text.split("[resolved]\n")
    head = re.sub(r'(?m)^name = ".*"$', f'name = "{devices}"', head, count=1)
    head = re.sub(r'(?m)^directory = .*\n', "", head)

    def twice(match):
        one = match[2]
        return f'{match[1]} = "{one} + {one.replace("part 1 of 2", "part 2 of 2")}"'

    resolved = re.sub(r'(?m)^(device|driver|sizes|variant) = "(.*)"$', twice, resolved)
    return f'{head}[resolved]\n{resolved}split = "{split}"\n'


if __name__ == "__main__":
    source, target, names, parts = sys.argv[1:]
    pathlib.Path(target).write_text(shared(pathlib.Path(source).read_text(), names, parts))
