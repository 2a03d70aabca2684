#!/usr/bin/env python3
# dhat_compare.py THEIRS OURS [exactly]: compares two files of DHAT by call
# stack: blocks and bytes (total, at the peak, at the end) must be equal, and,
# "exactly", the bytes that were read and written, and how often each byte was.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

import json
import re
import sys

FIGURES = ("tb", "tbk", "gb", "gbk", "eb", "ebk")
ACCESSES = ("rb", "wb")


def expand(acc):
    """What is -n, m stands for n times m."""
    out, i = [], 0
    while i < len(acc):
        if acc[i] < 0:
            out += [acc[i + 1]] * -acc[i]
            i += 2
        else:
            out.append(acc[i])
            i += 1
    return out


def load(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        whole = json.load(file)
    # Libraries may lie elsewhere.  DHAT leaves out its own functions where they
    # have debug information.
    frames = [re.sub(r"^0x[0-9A-F]+: ", "", f) for f in whole["ftbl"]]
    points = {}
    for p in whole["pps"]:
        stack = tuple(frames[f] for f in p["fs"]
                      if "/vgpreload_" not in frames[f])
        point = points.setdefault(stack, dict.fromkeys(FIGURES + ACCESSES, 0)
                                  | {"acc": []})
        for figure in FIGURES + ACCESSES:
            point[figure] += p[figure]
        point["acc"].append(expand(p["acc"]) if "acc" in p else None)
    return whole, points


def same_counts(theirs, ours, accessed):
    """Ours end at 65535, where dh_view.html does; theirs begin again at 0
    there.  What no other byte accounts for must then be that many."""
    if theirs is None or ours is None or len(theirs) != len(ours):
        return theirs == ours
    full = [i for i, n in enumerate(ours) if n == 65535]
    others = sum(n for n in ours if n != 65535)
    return (max(ours, default=0) <= 65535
            and all(a == b for i, (a, b) in enumerate(zip(theirs, ours))
                    if i not in full)
            and (not full or accessed - others >= 65535 * len(full)))


def main():
    theirs, a = load(sys.argv[1])
    ours, b = load(sys.argv[2])
    exactly = len(sys.argv) > 3
    bad = []
    for key in ("dhatFileVersion", "mode", "verb", "bklt", "bkacc", "tu",
                "Mtu", "tuth", "cmd"):
        if theirs[key] != ours[key]:
            bad.append(f"{key}: {theirs[key]!r}, ours {ours[key]!r}")
    for stack in sorted(a.keys() | b.keys()):
        x, y = a.get(stack), b.get(stack)
        if x is None or y is None:
            bad.append(("only theirs: " if y is None else "only ours: ")
                       + " < ".join(stack))
            continue
        figures = FIGURES + (ACCESSES if exactly else ())
        for figure in figures:
            if x[figure] != y[figure]:
                bad.append(f"{figure}: {x[figure]}, ours {y[figure]}: "
                           + " < ".join(stack))
        if exactly and len(x["acc"]) == len(y["acc"]) == 1:
            if not same_counts(x["acc"][0], y["acc"][0], y["rb"] + y["wb"]):
                bad.append("acc: " + " < ".join(stack))
    if bad:
        print(*bad[:20], sep="\n")
        sys.exit(1)
    total = {f: sum(p[f] for p in b.values()) for f in FIGURES + ACCESSES}
    diff = max((abs(sum(p[f] for p in a.values()) - total[f])
                / max(1, sum(p[f] for p in a.values())) for f in ACCESSES))
    print(f"{total['tbk']} blocks, {total['tb']} bytes, {len(b)} stacks; "
          f"{total['rb']} read, {total['wb']} written"
          + ("" if exactly else f" (off by at most {100 * diff:.2f} %)"))
    # Copying functions read more than they copy, or less.
    if diff > 0.25:
        print("accesses differ by more than a quarter")
        sys.exit(1)


main()
