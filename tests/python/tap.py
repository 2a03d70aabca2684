"""What the tests of the Python module share: TAP, logs, programs.

Functions whose name starts with test_ are tests, in their order; their
docstring is the name.  An exception is a failure, Skip a reason.

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""

import os
import subprocess
import sys
import traceback

DG = os.environ.get("DATAGRIND_DG", "dg")

# A process, two threads and instructions that access 4, 8 and 16 bytes.
HEAD = """
process 42 1 7 8 4096 64 0 8 "1.0" "3.19.0" "amd64" "/bin/prog" "/" ["prog"]
thread_start 1 0 42
thread_start 2 1 43
bbdef [0x400000+3 0x400003+5 0x400008+2] [R4@0 W8@1 R16@1]
bbdef [0x400010+4] [W8@0]
context 0 [0x400000]
context 1 [0x400010]
"""


class Skip(Exception):
    """The test cannot be run here, for this reason."""


def equal(got, expected, what=""):
    """Fail unless both are the same."""
    if got != expected:
        raise AssertionError(f"{what}\ngot:      {got!r}"[:2000]
                             + f"\nexpected: {expected!r}"[:2000])


def raises(kind, call, *arguments, **keywords):
    """The exception of this kind that a call has to end with."""
    try:
        result = call(*arguments, **keywords)
    except kind as problem:
        return problem
    raise AssertionError(f"no {kind.__name__}, but {result!r}"[:1000])


def assemble(path, text, *options):
    """Make a log of this text (see dgasm)."""
    subprocess.run([os.environ["DGASM"], *options, "-o", path],
                   input=text.encode(), check=True)
    return path


def dg(*arguments):
    """What dg prints."""
    return subprocess.run([DG, *arguments], stdout=subprocess.PIPE,
                          stdin=subprocess.DEVNULL, check=True).stdout


def long_text(runs, times):
    """A log of two threads whose accesses go through memory as time goes on:
    in `runs` / 100 places, 4 accesses `times` times."""
    lines = [HEAD]
    for i in range(0, runs, 100):
        lines.append("thread_switch %d" % (1 + i // 100 % 2))
        base = 0x10000 + i * 64
        lines.append("repeat %d" % times)
        lines.append("bbrun 0 3 [0x%x 0x%x 0x%x]"
                     % (base, base + 8, base + 4000))
        lines.append("bbrun 1 1 [0x%x]" % (base + 64))
        lines.append("done")
    lines.append("end why=0 exit_code=0")
    return "\n".join(lines)


def main(names):
    """Run the tests of a module."""
    tests = [value for name, value in names.items()
             if name.startswith("test_")]
    print(f"1..{len(tests)}", flush=True)
    failed = False
    for number, test in enumerate(tests, 1):
        title = " ".join((test.__doc__ or test.__name__).split()).rstrip(".")
        try:
            test()
            print(f"ok {number} - {title}", flush=True)
        except Skip as reason:
            print(f"ok {number} - {title} # SKIP {reason}", flush=True)
        except BaseException:
            failed = True
            print(f"not ok {number} - {title}")
            for line in traceback.format_exc().splitlines():
                print("#", line)
            sys.stdout.flush()
    sys.exit(failed)
