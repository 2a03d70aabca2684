"""Every command of dg with names that are commands to a terminal.

    hostile_names.py PREPARE PROGRAM      names of the program become hostile
    hostile_names.py DG LOG OTHER         all commands; prints TAP

What a command prints or writes as text must have no control character but the
ends of its own lines, and must be UTF-8; what --json writes must be JSON.

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""

import json
import os
import re
import subprocess
import sys
import unicodedata

# ESC and BEL, an end of a line, U+009B, which is ESC [ to some terminals, what
# turns the direction of writing; then bytes that are not UTF-8.
VALID = "\x1b]0;t\x07\nMARK\x7f\u009b31m\u202e".encode()
INVALID = VALID + b"\x9b31m\xff"
MARK = re.compile(r"^\s*MARK", re.MULTILINE)
DIRECTIONS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e" \
             "\u2066\u2067\u2068\u2069"

# Each command and analysis of dg --help, with everything that it prints or
# writes.  LOG and OTHER are the logs; FILE is a new file, whose text is looked
# at; BINARY one that holds no text.
TEXTS = {
    "info": ["info LOG"],
    "check": ["check LOG"],
    "dump": ["dump LOG", "dump --accesses LOG"],
    "advise": ["advise LOG"] + [
        f"advise --format={name} LOG" for name in ("gcc", "sarif")],
    "report": ["report -o FILE LOG", "report -o FILE LOG OTHER"],
    "heap": ["heap LOG", "heap --print LOG", "heap -o FILE LOG",
             "heap --sites --blocks --untouched --late LOG",
             "heap --sites --by=stack --wide LOG",
             "heap --dhat-out=FILE LOG", "heap --folded=FILE LOG",
             "heap --render=BINARY.png LOG"],
    "allocs": [f"allocs {part} LOG" for part in
               ("stats", "dump", "history", "leaks")]
              + ["allocs diff LOG OTHER"],
    "diff": [f"diff {what} LOG OTHER" for what in
             ("counts", "calls", "cache", "time", "heap", "advise")]
            + [f"diff counts --fail-if=reads>+0% --{name}=FILE LOG OTHER"
               for name in ("junit", "benchmark")],
    "pack": ["pack -o BINARY LOG"],
    "unpack": ["unpack -o BINARY LOG"],
    "bundle": ["bundle -o BINARY LOG", "bundle --sources -o BINARY LOG"],
    "cut": ["cut --instructions=0..100 -o BINARY LOG"],
    "index": ["index --force LOG", "index LOG"],
    "export": ["export --csv --table=contexts LOG",
               "export --jsonl --table=contexts LOG",
               "export --csv --table=blocks LOG",
               "export --csv --table=threads LOG",
               "export --csv --table=events LOG",
               "export --csv --table=ranges LOG",
               "export --jsonl --table=ranges LOG",
               "export --csv --table=modules LOG",
               "export --csv LOG"],
    "import": ["import --lackey=NAMED -o BINARY"],
    # It asks the machine; these are its messages.
    "calibrate": ["calibrate --NAMED", "calibrate NAMED"],
    "record": ["record -o NAMED/log -- true", "record --valgrind=./NAMED -- true",
               "record --datagrind-NAMED -- true"],
    "counts": [f"counts --by={by} LOG" for by in
               ("function", "line", "variable", "thread", "module", "site")]
              + ["counts --interval=100 LOG"],
    "cache": ["cache --by=function LOG", "cache --by=variable LOG",
              "cache --callgrind-out=FILE LOG",
              "cache --annotate LOG"],
    "calls": ["calls LOG", "calls --edges --outliers LOG"] + [
        f"calls --{name}=FILE LOG" for name in
        ("folded", "speedscope", "firefox", "dot")]
             + ["calls --pprof=BINARY LOG"],
    "branches": ["branches --by=function LOG"],
    "pages": ["pages LOG", "pages --by=function LOG"],
    "invariants": ["invariants LOG", "invariants WRONG"],
    "opcodes": ["opcodes LOG"],
    "patterns": ["patterns LOG"],
    "reuse": ["reuse --by=variable LOG"],
    "schedule": ["schedule LOG"],
    "sharing": ["sharing LOG", "sharing --false --by=line LOG"],
    "time": ["time --by=function LOG", "time --by=line LOG"],
    "tlb": ["tlb --by=variable LOG"],
    "whatif": ["whatif LOG"],
}


def wrong(data, has_lines=False):
    """What of these bytes a terminal would not take as text.  A field of CSV
    can have several lines."""
    try:
        text = data.decode()
    except UnicodeDecodeError as problem:
        return f"it is not UTF-8: {problem}"
    found = {c for c in text if c not in "\n\t" and (
        unicodedata.category(c) in ("Cc", "Zl", "Zp") or c in DIRECTIONS)}
    if found:
        at = min(text.index(c) for c in found)
        return f"it has {[hex(ord(c)) for c in sorted(found)]}, " \
               f"first in {text[max(at - 60, 0):at + 20]!r}"
    if not has_lines and MARK.search(text):
        return "a name ends a line"
    return ""


class Tests:
    """Runs commands and counts tests."""

    def __init__(self, program, log, other):
        self.program = program
        self.names = {"LOG": log, "OTHER": other, "WRONG": b"wrong" + VALID}
        self.n = 0

    def report(self, is_good, what, remark=""):
        """A line of TAP."""
        self.n += 1
        print("ok" if is_good else "not ok", self.n, "-", what)
        for line in remark.splitlines():
            print("#", line)

    def run(self, words, status=None):
        """Run it; what it prints and the text that it writes is looked at."""
        path = os.path.join(b"out", VALID)
        for name in os.listdir(b"out"):
            os.unlink(os.path.join(b"out", name))
        self.names["FILE"] = self.names["BINARY"] = path
        arguments = [self.replaced(word) for word in words.split()]
        done = subprocess.run([self.program, *arguments], check=False,
                              capture_output=True, timeout=600,
                              stdin=subprocess.DEVNULL)
        problems = [f"{name}: {problem}" for name, problem in (
            ("output", wrong(done.stdout, "--csv" in words)),
            ("messages", wrong(done.stderr))) if problem]
        if status is None and done.returncode not in (0, 1, 3) \
                or status is not None and done.returncode not in status:
            problems.append(f"status {done.returncode}: "
                            f"{done.stderr[:200]!r}")
        if "FILE" in words:
            try:
                with open(path, "rb") as file:
                    problem = wrong(file.read())
            except OSError as error:
                problem = str(error)
            if problem:
                problems.append(f"the file: {problem}")
        self.report(not problems, words, "\n".join(problems))
        return done.stdout

    def replaced(self, word):
        """A word of a command with the names of files."""
        result = word.encode()
        for name, value in self.names.items():
            result = result.replace(name.encode(), value)
        return result.replace(b"NAMED", VALID)

    def run_json(self, words):
        """It writes JSON, which is text."""
        try:
            json.loads(self.run(words + " --json"))
            self.report(True, f"{words} --json is JSON")
        except ValueError as problem:
            self.report(False, f"{words} --json is JSON", str(problem))

    def helped(self, *words):
        """The text of --help."""
        return subprocess.run([self.program, *words, "--help"], check=True,
                              capture_output=True, text=True).stdout


def prepare(path):
    """Each name of a program that has a place for it, NAME_..., becomes
    hostile; some are not UTF-8."""
    with open(path, "rb") as file:
        data = file.read()
    count = 0

    def hostile(found):
        nonlocal count
        count += 1
        name = found.group(0)
        text = (INVALID if name[5:6] == b"i" else VALID) + name[5:7]
        return text + b"x" * (len(name) - len(text))

    data = re.sub(rb"NAME_[a-z0-9_]{40,}", hostile, data)
    with open(path, "wb") as file:
        file.write(data)
    return 0 if count else "there is no name"


def main(program, log, other):
    """All commands."""
    tests = Tests(program, os.fsencode(log), os.fsencode(other))
    text = tests.helped()
    wanted = set(re.findall(r"^  ([a-z]+)  +[A-Z]", text, re.MULTILINE))
    tests.report(wanted == set(TEXTS), "all commands are tried",
                 str(wanted ^ set(TEXTS)))
    for command, rows in TEXTS.items():
        for words in rows:
            if command in ("calibrate", "record"):
                tests.run(words, (2, 125, 126, 127))
                continue
            tests.run(words)
            part = words.split()[:2] if command == "allocs" else [command]
            if not re.search("FILE|BINARY|--print|--format|--wide|^heap LOG",
                             words) \
                    and "  --json  " in tests.helped(*part):
                tests.run_json(words)
        if "LOG" in rows[0]:
            words = rows[0].replace("LOG", "missing-NAMED")
            tests.run(words.replace("FILE", "BINARY"), (1, 2))
    print(f"1..{tests.n}")
    return 0


if __name__ == "__main__":
    sys.exit(prepare(sys.argv[2]) if sys.argv[1] == "PREPARE"
             else main(*sys.argv[1:]))
