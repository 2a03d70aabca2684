"""follow_log.py DG ARCHIVE: commands with --follow, of a copy of the archive
that is written piece by piece; prints a line for each check: "good WHAT" or
"bad WHAT: WHY".

Each piece is written when the command has shown what it found in those before
it: nothing depends on time.

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""

import fcntl
import json
import os
import pty
import signal
import struct
import subprocess
import sys
import termios

DG, ARCHIVE = sys.argv[1:]
with open(ARCHIVE, "rb") as archive:
    BYTES = archive.read()
ROWS, COLUMNS = 8, 60
AFTER_FRAME = b"\x1b[?7h"


def find_pieces():
    """Sizes of two beginnings of the archive, the second with more accesses
    than the first, and not all of them."""
    sizes, most = [], 0
    for share in range(1, 100):
        size = len(BYTES) * share // 100
        with open("beginning", "wb") as file:
            file.write(BYTES[:size])
        done = subprocess.run([DG, "info", "--json", "beginning"],
                              stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, check=False)
        n = json.loads(done.stdout)["accesses"] if done.stdout else 0
        if n > most:
            sizes.append(size)
            most = n
        if len(sizes) == 2:
            return sizes
    sys.exit(f"{ARCHIVE} has too few chunks: {sizes}")


FIRST, SECOND = find_pieces()


class Copy:
    """The archive while its writer has it locked."""

    def __init__(self, name):
        self.name = name
        self.file = open(name, "wb")
        fcntl.flock(self.file, fcntl.LOCK_EX)
        self.n = 0
        self.append(FIRST)

    def append(self, end):
        """Up to this byte of it."""
        self.file.write(BYTES[self.n:end])
        self.file.flush()
        self.n = end

    def complete(self):
        """The rest; nobody writes any more."""
        self.append(len(BYTES))
        self.file.close()


def check(what, is_good, why=""):
    """One line."""
    print(f"good {what}" if is_good else f"bad {what}: {why}", flush=True)


def start(copy, words, **popen):
    """The command, with --follow."""
    return subprocess.Popen([DG, *words, "--follow", copy.name],
                            stdin=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, **popen)


def plain(words, name, status=0):
    """What the command says without --follow."""
    done = subprocess.run([DG, *words, name], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=False)
    assert done.returncode == status, done
    return done.stdout


def grown(document):
    """A figure that grows."""
    if document["schema"].startswith("datagrind/heap/"):
        return sum(site["blocks"] for site in document["sites"])
    document = document.get("counts", document)
    return document.get("reads", document.get("accesses"))


def end(what, process):
    """It ends well, and says nothing else."""
    rest, errors = process.communicate()
    check(f"{what}: ends well", process.returncode == 0,
          f"status {process.returncode}, {errors!r}")
    check(f"{what}: has nothing to complain of", errors == b"", errors)
    return rest


def check_json(words):
    """Lines of JSON: more each time, and all in the end."""
    what = " ".join(words)
    copy = Copy("json-" + "".join(filter(str.isalpha, what)))
    process = start(copy, words, stdout=subprocess.PIPE)
    first = json.loads(process.stdout.readline())
    copy.append(SECOND)
    second = json.loads(process.stdout.readline())
    check(f"{what}: goes on", 0 < grown(first) < grown(second),
          f"{grown(first)}, {grown(second)}")
    copy.complete()
    lines = end(what, process).splitlines()
    document = json.loads(plain(words, copy.name))
    check(f"{what}: ends with what it says without --follow",
          lines and json.loads(lines[-1]) == document, lines[-1:])
    check(f"{what}: a document is a line",
          all(json.loads(line)["schema"] == document["schema"]
              for line in lines), lines)


def check_text(words):
    """Text: figures follow one another, all of them in the end."""
    what = " ".join(words)
    copy = Copy("text-" + "".join(filter(str.isalpha, what)))
    process = start(copy, words, stdout=subprocess.PIPE)
    head = process.stdout.readline()
    copy.complete()
    whole = head + end(what, process)
    last = plain(words, copy.name)
    check(f"{what}: ends with what it says without --follow",
          whole.endswith(b"\n" + last) and len(whole) > len(last) + 1, whole)


def check_signal():
    """SIGINT: the last figures, and a good end."""
    copy = Copy("signal")
    process = start(copy, ["counts", "--json"], stdout=subprocess.PIPE)
    first = json.loads(process.stdout.readline())
    copy.append(SECOND)
    process.send_signal(signal.SIGINT)
    rest = end("SIGINT", process).splitlines()
    check("SIGINT: the last figures are of all that is there",
          rest and grown(json.loads(rest[-1])) > grown(first), rest)
    copy.complete()
    process = start(copy, ["counts", "--json"], stdout=subprocess.PIPE)
    check("a log that is complete is shown once", len(
        end("complete", process).splitlines()) == 1)


def until(primary, mark):
    """What a terminal shows up to a mark; b"": up to its end."""
    seen = b""
    while not mark or mark not in seen:
        try:
            some = os.read(primary, 65536)
        except OSError:
            break
        seen += some
    return seen


def on_terminal(words, copy):
    """(process, terminal)"""
    primary, secondary = pty.openpty()
    fcntl.ioctl(secondary, termios.TIOCSWINSZ,
                struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    if copy:
        process = start(copy, words, stdout=secondary)
    else:
        process = subprocess.Popen([DG, *words], stdout=secondary,
                                   stdin=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
    os.close(secondary)
    return process, primary


def check_terminal():
    """In place, and no more than the terminal has lines."""
    copy = Copy("terminal")
    process, primary = on_terminal(["counts", "--by=line"], copy)
    frames = [until(primary, AFTER_FRAME)]
    copy.append(SECOND)
    frames.append(until(primary, AFTER_FRAME))
    copy.complete()
    shown = b"".join(frames) + until(primary, b"")
    end("terminal", process)
    parts = shown.replace(b"\r\n", b"\n").split(b"\x1b[7A\r\x1b[J")
    check("terminal: in place", len(parts) >= 3, shown)
    check("terminal: as many lines as there are",
          all(part.count(b"\n") == ROWS - 1 for part in parts[:-1]), parts)
    other, again = on_terminal(["counts", "--by=line", copy.name], None)
    expected = until(again, b"").replace(b"\r\n", b"\n")
    other.wait()
    check("terminal: all lines in the end", parts[-1] == expected, parts[-1])
    check("terminal: there are more than it has",
          expected.count(b"\n") > ROWS, expected)


for command in (["info", "--json"], ["counts", "--by=thread", "--json"],
                ["heap", "--sites", "--json"], ["sharing", "--json"],
                ["counts,cache", "--json"]):
    check_json(command)
for command in (["info"], ["counts"], ["heap"], ["sharing", "--false"]):
    check_text(command)
check_signal()
check_terminal()
