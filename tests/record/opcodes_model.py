"""opcodes_model.py: the opcodes of a log, by its records and objdump, compared
with those of dg opcodes; and its time slices, compared with dg schedule.

    opcodes_model.py LOG     in an empty folder, with DG in the environment

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""

import collections
import json
import os
import re
import subprocess
import sys

# What objdump names in another way.
ALIASES = {
    "movabs": "mov", "xchg nop": "nop", "data16 nop": "nop",
    "cs nop": "nop", "data16 cs nop": "nop", "repz ret": "ret",
    "repz": "rep", "repnz": "repne", "jz": "je", "jnz": "jne",
    "rex.W": "", "bnd jmp": "jmp", "notrack jmp": "jmp", "bnd ret": "ret",
    "fs": "", "gs": "", "ds": "", "cs": "", "es": "", "ss": "",
    "notrack": "", "bnd": "", "data16": "", "addr32": ""}


def dg(*args):
    return subprocess.run([os.environ["DG"], *args], check=True, text=True,
                          stdout=subprocess.PIPE).stdout


def name_of(text):
    """An opcode in one notation."""
    words = [ALIASES.get(word, word) for word in text.split()]
    text = " ".join(word for word in words if word)
    text = ALIASES.get(text, text)
    # movs BYTE PTR ...: objdump has the size in the operand.
    match = re.fullmatch(r"(.*\b(?:movs|stos|lods|scas|cmps))[bdqw]", text)
    text = match[1] if match else text
    # v4: comparisons have a predicate in the name.
    text = re.sub(r"^(v?cmp)\w+(ps|pd|ss|sd)$", r"\1\2", text)
    return re.sub(r"^(v?pcmp)(istri|estri).*", r"\1\2", text)


def disassemble(codes):
    """The opcode of each of several instructions, by objdump."""
    with open("code.bin", "wb") as file:
        for code in codes:
            file.write(code + b"\x90" * (32 - len(code)))
    dump = subprocess.run(
        ["objdump", "-D", "-b", "binary", "-m", "i386:x86-64", "-M", "intel",
         "--no-show-raw-insn", "code.bin"], check=True, text=True,
        stdout=subprocess.PIPE).stdout
    found = {}
    for line in dump.splitlines():
        match = re.match(r"\s*([0-9a-f]+):\t(.*)", line)
        if match and int(match[1], 16) % 32 == 0:
            text = re.sub(r"xchg +ax,ax$", "nop", match[2])
            prefix = re.match(r"((?:(?:lock|rep\w*|bnd|notrack|data16|addr32|"
                              r"rex\.W|[c-gs]s) )*[\w.]+)", text)
            found[int(match[1], 16) // 32] = name_of(prefix[1])
    return [found.get(i) for i in range(len(codes))]


def read(log):
    """Executed instructions by code, and runs (thread, icount, number)."""
    blocks, codes, contexts = [], {}, []
    counts, runs, thread, icount = collections.Counter(), [], 1, 0
    for line in dg("dump", log).splitlines():
        words = line.split()
        kind = words[1] if len(words) > 1 else ""
        if kind == "BBDEF":
            match = re.search(r"instrs=\[([^]]*)\]", line)
            instrs = [x.split("+") for x in match[1].split()]
            blocks.append(((int(instrs[0][0], 16), len(instrs)),
                           [int(size) for _, size in instrs]))
        elif kind == "BBCODE":
            match = re.search(r"address=(\S+) n_instrs=(\d+).* code=(\S*)",
                              line)
            codes[int(match[1], 16), int(match[2])] = bytes.fromhex(match[3])
        elif kind == "CONTEXT":
            contexts.append(int(re.search(r"bbdef=(\d+)", line)[1]))
        elif kind == "THREAD_SWITCH":
            thread = int(re.search(r"=(\d+)", line)[1])
        elif kind == "BBRUN":
            match = re.search(r"context=(\d+) n_instrs=(\d+)", line)
            counts[contexts[int(match[1])], int(match[2])] += 1
            runs.append((thread, icount, int(match[2])))
            icount += int(match[2])
    instructions = collections.Counter()
    for (block, executed), times in counts.items():
        place, sizes = blocks[block]
        code, at = codes[place], 0
        for size in sizes[:executed]:
            instructions[code[at:at + size]] += times
            at += size
    return instructions, runs


def compare(title, ours, theirs):
    """Prints what differs; whether nothing does."""
    wrong = [f"{key}: {ours.get(key)}, not {theirs.get(key)}"
             for key in sorted(set(ours) | set(theirs), key=str)
             if ours.get(key) != theirs.get(key)]
    for line in wrong[:20]:
        print(f"{title}: {line}")
    return not wrong


def main():
    log = sys.argv[1]
    instructions, runs = read(log)
    codes = list(instructions)
    expected = collections.Counter()
    for code, name in zip(codes, disassemble(codes)):
        expected[name] += instructions[code]
    found = collections.Counter()
    report = json.loads(dg("opcodes", "--repetitions=each", "--json",
                           "--top=0", log))
    for row in report["opcodes"]:
        found[name_of(row["opcode"])] += row["instructions"]
    is_good = compare("opcodes", found, expected)

    slices, handoffs = collections.Counter(), collections.Counter()
    lengths, last = collections.Counter(), None
    for thread, _, number in runs:
        if thread != last:
            slices[thread] += 1
            if last is not None:
                handoffs[last, thread] += 1
        lengths[thread] += number
        last = thread
    report = json.loads(dg("schedule", "--repetitions=each", "--json",
                           "--top=0", log))
    is_good &= compare("time slices", {
        row["thread"]: (row["time_slices"], row["instructions"])
        for row in report["rows"]}, {
        thread: (slices[thread], lengths[thread]) for thread in slices})
    is_good &= compare("handoffs", {
        (row["from_thread"], row["to_thread"]): row["switches"]
        for row in report["handoffs"]}, handoffs)
    sys.exit(not is_good)


main()
