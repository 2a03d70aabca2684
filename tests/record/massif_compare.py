#!/usr/bin/env python3
# massif_compare.py THEIRS OURS [--any]: whether two files of Massif are the
# same but for the "desc:" line and a constant difference of addresses (where
# libraries lie elsewhere, as the preloaded ones differ).  Says what was
# compared, or the first differences.  A frame must have been, unless --any.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

import re
import sys

frame = re.compile(r"^( *n\d+: \d+) 0x([0-9A-F]+): (.*)$")
theirs, ours = (open(name, encoding="utf-8", errors="replace")
                .read().splitlines() for name in sys.argv[1:3])
wrong = []
shifts = {}


def compare(number, a, b):
    x, y = frame.match(a), frame.match(b)
    if not x or not y:
        if a != b:
            wrong.append((number, a, b))
        return
    if x.group(1) != y.group(1) or x.group(3) != y.group(3):
        wrong.append((number, a, b))
        return
    shift = int(y.group(2), 16) - int(x.group(2), 16)
    shifts.setdefault(shift, []).append(number)


for i, (a, b) in enumerate(zip(theirs, ours)):
    if not (i == 0 and a.startswith("desc:") and b.startswith("desc:")):
        compare(i + 1, a, b)
if len(theirs) != len(ours):
    wrong.append((min(len(theirs), len(ours)) + 1,
                  "%d lines" % len(theirs), "%d lines" % len(ours)))
# The program itself does not move; its libraries do, by whole pages, and all
# of them by the same number.
moved = sorted(s for s in shifts if s != 0)
if any(s % 4096 for s in moved) or len(moved) > 1:
    wrong.append((0, "moved by one number of pages", "moved by "
                  + " ".join("%#x" % s for s in moved)))
if wrong:
    for number, a, b in wrong[:6]:
        print("line %d:\n  massif: %s\n  dg:     %s" % (number, a, b))
    print("%d differences" % len(wrong))
    sys.exit(1)
trees = sum(1 for line in ours if line in ("heap_tree=detailed",
                                           "heap_tree=peak"))
frames = sum(len(lines) for lines in shifts.values())
snapshots = sum(1 for line in ours if line.startswith("snapshot="))
if frames == 0 and "--any" not in sys.argv:
    print("no frame was compared")
    sys.exit(1)
print("%d snapshots, %d trees, %d frames" % (snapshots, trees, frames))
