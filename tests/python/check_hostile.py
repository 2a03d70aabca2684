"""Logs that are cut, damaged or no logs at all: an Error with a code and an
offset, or a correct result; never a crash.

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""

import glob
import os
import random
import subprocess
import sys
import threading

import datagrind
from tap import DG, HEAD, Skip, assemble, equal, main, raises

LOGS = sys.argv[1]
COLUMNS = ["icount", "thread", "kind", "size", "address", "function",
           "variable", "block"]
CODES = {"input", "not a log", "version", "truncated", "damaged", "limit",
         "not enough memory", "invalid"}
TEXT = HEAD + """
map 0x400000 0x1000 5 0 0 "/bin/prog"
stack 1 0x70000 0x80000
malloc_block 0x2000 64 [0x400000 0x400100]
heap_alloc 1 1 1 64 0 0
start_event "one"
repeat 300
bbrun 0 3 [0x1000 0x2008 0x3010]
bbrun 1 1 [0x2010]
thread_switch 2
bbrun 1 1 [0x70010]
thread_switch 1
done
end_event "one"
track_range 0x3000 16 "int" "a"
free_block 0x2000
heap_free 2 1 11 [0x400000]
end why=0 exit_code=3
"""
RAW = open(assemble("raw", TEXT), "rb").read()
subprocess.run([DG, "pack", "raw", "-o", "packed"], check=True,
               stdout=subprocess.DEVNULL)
PACKED = open("packed", "rb").read()


def read_all(log):
    """Read every table to its end; what it has of accesses."""
    accesses = [tuple(row.values()) for row in log.accesses(COLUMNS)]
    for table in datagrind.tables():
        if table.name not in ("accesses", "lines"):
            getattr(log, table.name)().head(5)
    return accesses


def is_good(problem):
    """Whether an Error says what it should."""
    assert problem.code in CODES, problem.code
    assert isinstance(problem.offset, int) and problem.offset >= 0
    assert str(problem), "no message"


def attempt(path, whole):
    """Open and read a file: its accesses begin those of the whole log, or
    there is an error.  Returns whether it was read."""
    try:
        log = datagrind.open(path)
    except datagrind.Error as problem:
        is_good(problem)
        try:
            log = datagrind.open(path, partial=True)
        except datagrind.Error as problem:
            is_good(problem)
            return False
        assert log.problem is not None
    try:
        got = read_all(log)
    except datagrind.Error as problem:
        is_good(problem)
        return False
    if whole is not None:
        equal(got, whole[:len(got)], path)
    return True


def numbers(rows):
    """Columns that a part of a log shares with it: names may need its end."""
    return [row[:5] for row in rows]


WHOLE = {name: read_all(datagrind.open(name)) for name in ("raw", "packed")}


def write(name, data):
    """A file with these bytes."""
    with open(name, "wb") as file:
        file.write(data)
    return name


def test_same():
    """Raw and packed have the same accesses."""
    equal(WHOLE["raw"], WHOLE["packed"])
    equal(len(WHOLE["raw"]), 1500)


def cuts(data):
    """Lengths to cut it to: all short ones, and some of the others."""
    choose = random.Random(5)
    return sorted(set(range(0, min(len(data), 80)))
                  | {len(data) - i for i in range(1, 40)}
                  | {choose.randrange(len(data)) for _ in range(60)})


def cut(name, data):
    """Each part of a log is an error, and what is good of it can be read."""
    for n in cuts(data):
        path = write("cut", data[:n])
        try:
            # Before its first record, a raw log may be one that never ends.
            log = datagrind.open(path)
            equal(log.info["is_complete"], None, n)
            continue
        except datagrind.Error as error:
            problem = error
        is_good(problem)
        assert problem.offset <= n, (problem.offset, n)
        try:
            log = datagrind.open(path, partial=True)
        except datagrind.Error as again:
            equal(again.code, problem.code)
            continue
        equal((log.problem.code, log.problem.offset),
              (problem.code, problem.offset))
        got = numbers(read_all(log))
        equal(got, numbers(WHOLE[name])[:len(got)], n)


def test_cut_raw():
    """A raw log that is cut short at many places."""
    cut("raw", RAW)


def test_cut_packed():
    """An archive that is cut short at many places."""
    cut("packed", PACKED)


def damage(data, seed):
    """Change bytes, one or many."""
    choose = random.Random(seed)
    for _ in range(120):
        bad = bytearray(data)
        for _ in range(choose.choice([1, 1, 1, 4, 40])):
            bad[choose.randrange(len(bad))] = choose.choice(
                [0, 1, 0x7f, 0x80, 0xff, choose.randrange(256)])
        if choose.random() < 0.2:
            at = choose.randrange(len(bad))
            del bad[at:at + choose.randrange(1, 20)]
        yield bytes(bad)


def test_damaged_raw():
    """A raw log with damaged bytes."""
    for bad in damage(RAW, 1):
        attempt(write("bad", bad), None)


def test_damaged_packed():
    """An archive with damaged bytes; checksums find what is wrong in runs."""
    for bad in damage(PACKED, 2):
        attempt(write("bad", bad), None)


def test_changed_while_open():
    """An archive whose runs change while it is open."""
    write("changing", PACKED)
    log = datagrind.open("changing")
    middle = bytearray(PACKED)
    for i in range(64, len(middle) - 64):
        middle[i] ^= 0x55
    with open("changing", "r+b") as file:
        file.write(middle)
    frame = log.accesses(COLUMNS[:5])
    try:
        got = [tuple(row.values()) for row in frame]
        equal(got, numbers(WHOLE["packed"]))
    except datagrind.Error as problem:
        is_good(problem)
        assert frame.status["error"] is not None


def test_no_logs():
    """What is not a log."""
    os.mkdir("folder")
    os.mkfifo("fifo")
    for data in (b"", b"\0", b"x", b"hello\n" * 100, os.urandom(5000),
                 b"\x7fELF" + bytes(1000), RAW[:8] * 100):
        problem = raises(datagrind.Error, datagrind.open, write("no", data))
        is_good(problem)
    for path in ("folder", "none", "no/file", ""):
        problem = raises(datagrind.Error, datagrind.open, path)
        is_good(problem)
    equal(raises(datagrind.Error, datagrind.open,
                 write("no", b"hello")).code, "not a log")


def expectations(path):
    """The figures of a good log's text, or None."""
    found = {}
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            words = line.split()
            if words[:1] == ["#="] and len(words) == 3:
                found[words[1]] = words[2]
    return found


def test_good():
    """Good logs of all kinds: both byte orders and word sizes."""
    tried = 0
    for path in sorted(glob.glob(LOGS + "/good/*.dgt")):
        figures = expectations(path)
        for options in ([], ["-b"], ["-w", "32"], ["-b", "-w", "32"]):
            with open(path, "rb") as file:
                done = subprocess.run([os.environ["DGASM"], *options,
                                       "-o", "good"], stdin=file,
                                      stderr=subprocess.DEVNULL, check=False)
            if done.returncode != 0:
                break
            log = datagrind.open("good", partial=True)
            rows = read_all(log)
            equal(len(rows), log.info["accesses"], path)
            for name in ("runs", "bbdefs", "contexts"):
                if name in figures:
                    equal(log.info[name], int(figures[name]), path)
            tried += 1
    assert tried > 20, tried


def test_bad():
    """Bad logs: the error of the text, with its code."""
    tried = 0
    for path in sorted(glob.glob(LOGS + "/bad/*.dgt")):
        with open(path, "rb") as file:
            done = subprocess.run([os.environ["DGASM"], "-o", "bad"],
                                  stdin=file, stderr=subprocess.DEVNULL,
                                  check=False)
        if done.returncode != 0:
            continue
        code = expectations(path).get("error", "").split(" ")[0]
        problem = raises(datagrind.Error, datagrind.open, "bad")
        is_good(problem)
        if code:
            equal(problem.code, code, path)
        attempt("bad", None)
        tried += 1
    assert tried > 20, tried


def test_threads():
    """Eight threads with damaged logs at the same time."""
    files = [write(f"bad{i}", bad)
             for i, bad in enumerate(list(damage(RAW, 3))[:20]
                                     + list(damage(PACKED, 4))[:20])]
    failures = []

    def work(first):
        try:
            for path in files[first::8] + files[:5]:
                attempt(path, None)
        except BaseException as problem:
            failures.append(problem)
    workers = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    equal(failures, [])


def test_texts():
    """Names that are no UTF-8, or mean something elsewhere."""
    assemble("odd", HEAD + r"""
start_event "a\xffb<script>&\n"
bbrun 1 1 [0x1000]
end_event "a\xffb<script>&\n"
track_range 0x1000 8 "t\xc3" "\x01\x7f"
bbrun 1 1 [0x1000]
end
""")
    log = datagrind.open("odd")
    rows = log.events().to_pylist()
    if not rows:
        raise Skip("no rows of events")
    assert "\ufffd" in str(rows), rows
    page = log.events()._repr_html_()
    assert "<script>" not in page and "&lt;script&gt;" in page, page
    log.ranges().to_pylist()


main(globals())
