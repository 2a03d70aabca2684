"""export_extra.py: what dg export leaves out or divides, by the records of a
log and the bytes of its code alone: "REQUESTS READS WRITES", executed client
requests of Valgrind, and accesses that only Valgrind makes.

    dg dump LOG | export_extra.py

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""

import re
import sys

REQUEST = bytes.fromhex("48c1c70348c1c70d48c1c73d48c1c733")
PREFIXES = b"\x26\x2e\x36\x3e\x64\x65\x66\x67\xf0\xf2\xf3"


def kind_of(code):
    """"request", "twice" (Valgrind reads twice), "all" (only Valgrind
    accesses memory), or None; amd64."""
    if code.startswith(REQUEST):
        return "request"
    at = 0
    while code[at] in PREFIXES:
        at += 1
    is_locked = 0xf0 in code[:at]
    at += code[at] & 0xf0 == 0x40
    opcode, rest = code[at], code[at + 1:]
    if opcode in (0x86, 0x87) and rest[0] >> 6 != 3:
        return "twice"
    if opcode == 0x0f and rest[0] in (0xa3, 0xab, 0xb3, 0xbb) \
            and rest[1] >> 6 == 3:
        return "all"
    return "twice" if is_locked else None


def extra_of(accesses, kinds):
    """For each executed instruction of a block: requests, reads, writes."""
    found = [[0, 0, 0] for _ in kinds]
    for number, kind in enumerate(kinds):
        own = [a for a in accesses if a[2] == number]
        if kind == "request":
            found[number][0] = 1
        elif kind == "all":
            found[number][1:] = [sum(a[0] == "R" for a in own),
                                 sum(a[0] == "W" for a in own)]
        elif kind == "twice":
            sizes = [a[:2] for a in own]
            is_twice = len(own) == 3 and sizes[0] == sizes[1] \
                and [a[0] for a in own] == ["R", "R", "W"]
            found[number][1] = int(is_twice)
    return found


def main():
    blocks, codes, contexts, runs = [], {}, [], {}
    for line in sys.stdin:
        if match := re.match(r"\S+ BBDEF index=\d+ instrs=\[([^]]*)\]"
                             r" accesses=\[([^]]*)\]", line):
            instrs = [x.split("+") for x in match[1].split()]
            blocks.append((
                (int(instrs[0][0], 16), len(instrs)),
                [int(size) for _, size in instrs],
                [(a[0], int(a[1:].split("@")[0]), int(a.split("@")[1]))
                 for a in match[2].split()]))
        elif match := re.match(r"\S+ BBCODE address=(\S+) n_instrs=(\d+)"
                               r" n_accesses=\d+ code=(\S*)", line):
            codes[int(match[1], 16), int(match[2])] = bytes.fromhex(match[3])
        elif match := re.match(r"\S+ CONTEXT index=\d+ bbdef=(\d+)", line):
            contexts.append(int(match[1]))
        elif match := re.match(r"\S+ BBRUN context=(\d+) n_instrs=(\d+)",
                               line):
            key = contexts[int(match[1])], int(match[2])
            runs[key] = runs.get(key, 0) + 1
    totals = [0, 0, 0]
    for (block, executed), times in runs.items():
        place, sizes, accesses = blocks[block]
        code, kinds, at = codes[place], [], 0
        for size in sizes:
            kinds.append(kind_of(code[at:at + size]))
            at += size
        for row in extra_of(accesses, kinds)[:executed]:
            for i in range(3):
                totals[i] += row[i] * times
    print(*totals)


main()
