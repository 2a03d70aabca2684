"""Compares a ChampSim trace of arm64 with what objdump says of each instruction:
the kind of a branch, which ChampSim knows by its registers, and for other
instructions the registers that they write and read.

    champsim_arm64.py TRACE OBJDUMP FILE BIAS

BIAS: the address of the file's first byte when the trace was made, in hex.
Prints what differs, and the number of instructions compared.
"""

# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

import re
import struct
import subprocess
import sys

STACK_POINTER, FLAGS, INSTRUCTION_POINTER = 6, 25, 26
SPECIAL = {0, STACK_POINTER, FLAGS, INSTRUCTION_POINTER}
KINDS = {"bl": "call", "blr": "indirect call", "ret": "return", "b": "jump",
         "br": "indirect jump", "cbz": "conditional", "cbnz": "conditional",
         "tbz": "conditional", "tbnz": "conditional"}
STORES = ("str", "stur", "stp", "stlr", "stxr")
COMPARES = ("cmp", "cmn", "tst", "ccmp", "ccmn", "fcmp", "fcmpe")
SETS_FLAGS = COMPARES + ("adds", "subs", "ands", "bics", "negs")
READS_FLAGS = ("csel", "cset", "csetm", "csinc", "csinv", "csneg", "cinc",
               "cneg", "cinv", "fcsel", "ccmp", "ccmn", "adc", "sbc")
KEEPS = ("movk", "bfi", "bfxil")
PLAIN = STORES + SETS_FLAGS + READS_FLAGS + KEEPS + (
    "add", "sub", "and", "orr", "eor", "mov", "neg", "mvn", "mul", "madd",
    "msub", "udiv", "sdiv", "lsl", "lsr", "asr", "ubfx", "sbfx", "ubfiz",
    "sbfiz", "sxtw", "sxtb", "sxth", "uxtb", "uxth", "clz", "rev", "rbit",
    "ldr", "ldrb", "ldrh", "ldrsw", "ldrsb", "ldrsh", "ldur", "ldurb",
    "ldurh", "ldursw", "ldp", "strb", "strh", "sturb", "sturh", "adrp", "adr",
    "fmov", "fadd", "fsub", "fmul", "fdiv", "scvtf", "fcvtzs")


def branch_kind(written, read):
    """Of a branch, as ChampSim sees it."""
    stack, flags = STACK_POINTER in read, FLAGS in read
    pointer = INSTRUCTION_POINTER in read
    other = bool(read - SPECIAL)
    if stack and pointer:
        return "indirect call" if other else "call"
    if stack:
        return "return"
    if pointer and (flags or other):
        return "conditional"
    return "jump" if pointer else "indirect jump"


def number(name):
    """The trace's number of a register."""
    if name in ("sp", "wsp"):
        return STACK_POINTER
    if name[0] in "wx":
        if name[1:] == "zr":
            return 0
        general = int(name[1:])
        if general < 16 and general != 4:
            return [10, 9, 8, 7, 0, 5, 4, 3, 11, 12, 13, 14, 15, 16, 17,
                    18][general]
        return 81 + (15 if general == 4 else general - 16)
    return 49 + int(re.match(r"[bhsdqv](\d+)", name)[1])


REGISTER = re.compile(r"\b([wx]\d+|[wx]zr|w?sp|[bhsdqv]\d+)\b")


def expected(mnemonic, operands):
    """What it writes and reads, by the text."""
    operands = operands.split("//")[0]
    address = re.search(r"\[[^\]]*\](!?)(.*)", operands)
    base = set()
    after = False
    if address:
        base = {number(r) for r in REGISTER.findall(address[0])}
        after = address[1] == "!" or address[2].startswith(",")
        first = next(iter(number(r) for r in REGISTER.findall(address[0])),
                     0)
        operands = operands[:address.start()]
    names = [number(r) for r in REGISTER.findall(operands)]
    written, read = set(), set(base)
    if mnemonic.startswith("st"):
        read |= set(names)
    elif mnemonic in COMPARES:
        read |= set(names)
    elif mnemonic == "ldp":
        written |= set(names)
    else:
        written.add(names[0])
        read |= set(names[1:])
        if mnemonic in KEEPS:
            read.add(names[0])
    if after:
        written.add(first)
    if mnemonic in SETS_FLAGS:
        written.add(FLAGS)
    if mnemonic in READS_FLAGS:
        read.add(FLAGS)
    return written - {0}, read - {0}


def main():
    trace, objdump, file, bias = sys.argv[1:]
    bias = int(bias, 16)
    text = subprocess.run([objdump, "-d", file], stdout=subprocess.PIPE,
                          check=True, universal_newlines=True).stdout
    code = {}
    for line in text.splitlines():
        found = re.match(r" *([0-9a-f]+):\t[0-9a-f]{8} \t(\S+)(?:\t(.*))?",
                         line)
        if found:
            code[int(found[1], 16) + bias] = (found[2], found[3] or "")
    data = open(trace, "rb").read()
    done = set()
    n_branches = n_others = n_wrong = 0
    for at in range(0, len(data), 64):
        (ip,) = struct.unpack_from("<Q", data, at)
        if ip in done or ip not in code:
            continue
        done.add(ip)
        is_branch = data[at + 8] != 0
        written = set(data[at + 10:at + 12]) - {0}
        read = set(data[at + 12:at + 16]) - {0}
        mnemonic, operands = code[ip]
        kind = KINDS.get(mnemonic)
        if mnemonic.startswith("b."):
            kind = "conditional"
        if kind or is_branch:
            n_branches += 1
            got = branch_kind(written, read) if is_branch else None
            wrong = got != kind
            want = kind
        elif mnemonic in PLAIN:
            n_others += 1
            got = written, read
            want = expected(mnemonic, operands)
            # There is room for two and four.
            wrong = ((written != want[0] and len(want[0]) <= 2)
                     or (read != want[1] and len(want[1]) <= 4))
        else:
            continue
        if wrong:
            n_wrong += 1
            print(f"{ip:#x} {mnemonic} {operands}: {got}, not {want}")
    print(f"{n_wrong} differ of {n_branches} branches and {n_others} others")


main()
