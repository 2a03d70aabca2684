"""Libraries for data frames give the figures of dg: check_figures.py LOG...

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""

import collections
import functools
import json
import os
import re
import subprocess
import sys

import datagrind
import engines
from tap import Skip, equal, main
import tap

BLOCKED = "without-pyarrow" in sys.argv
LOGS = {path: datagrind.open(path) for path in sys.argv[1:]
        if path != "without-pyarrow"}
assert LOGS
if BLOCKED:
    # An import of it fails from here on.
    sys.modules["pyarrow"] = None
ENGINES = [engines.Polars, engines.Duck]
if not BLOCKED:
    ENGINES += [engines.Arrow, engines.Pandas]
ENGINES = [kind() for kind in ENGINES]
FIGURES = ("reads", "writes", "read_bytes", "write_bytes")


# Several engines are compared with what dg says once.
dg = functools.lru_cache(tap.dg)


def sums(rows):
    """Counts of an engine as key -> figures."""
    result = collections.defaultdict(lambda: dict.fromkeys(FIGURES, 0))
    for key, kind, n, size in rows:
        result[key]["reads" if kind == "read" else "writes"] += int(n)
        result[key]["read_bytes" if kind == "read"
                    else "write_bytes"] += int(size)
    return {key: tuple(value.values()) for key, value in result.items()}


def told(path, by):
    """The same by dg; functions of one name are added up."""
    result = collections.defaultdict(lambda: dict.fromkeys(FIGURES, 0))
    for row in json.loads(dg("counts", "--json", f"--by={by}", path))["rows"]:
        if any(row[name] for name in FIGURES):
            for name in FIGURES:
                result[row.get(by)][name] += row[name]
    return {key: tuple(value.values()) for key, value in result.items()}


def each(compare):
    """Compare for each log and engine."""
    for path, log in LOGS.items():
        for engine in ENGINES:
            compare(path, log, engine, f"{engine.name}, {path}")


def test_threads():
    """dg counts --by=thread, from accesses."""
    each(lambda path, log, engine, what: equal(
        sums(engine.counts(log, "thread")), told(path, "thread"), what))


def test_functions():
    """dg counts --by=function, from accesses."""
    each(lambda path, log, engine, what: equal(
        sums(engine.counts(log, "function")), told(path, "function"), what))


def plain(value):
    """A value of any library as JSON has it."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return [plain(v) for v in value.values()]
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    return value


def same_rows(frame, rows, engine, what):
    """The rows of an analysis are those of its JSON: the same members, but
    addresses, which are text there, and null where a row has none."""
    got = engine.rows(frame)
    equal(len(got), len(rows), what)
    for mine, theirs in zip(got, rows):
        for key, value in theirs.items():
            if isinstance(value, str) and value.startswith("0x"):
                value = mine[key] if isinstance(mine[key], str) else int(
                    value.split()[0], 16)
            equal(plain(mine[key]), plain(value), f"{what}, {key}")


def test_counts_rows():
    """The tables of dg counts, with instructions."""
    for by in ("thread", "function"):
        each(lambda path, log, engine, what: same_rows(
            log.counts(by=by),
            json.loads(dg("counts", "--json", f"--by={by}", path))["rows"],
            engine, what))


def by_thread(rows):
    """Address and variable -> thread -> accesses."""
    result = collections.defaultdict(dict)
    for address, variable, thread, n in rows:
        result[int(address), variable][int(thread)] = int(n)
    return result


def test_sharing():
    """dg sharing: its rows and figures, and each thread's accesses to the
    addresses that it lists, from accesses."""
    def compare(path, log, engine, what):
        json_told = json.loads(dg("sharing", "--json", path))
        same_rows(log.sharing(), json_told["rows"], engine, what)
        values = engine.rows(log.sharing(part="values"))[0]
        for key in ("accesses", "line_accesses", "shared_lines"):
            equal(plain(values[key]), json_told[key], f"{what}, {key}")
        found = by_thread(engine.sharing(log))
        for row in json_told["rows"]:
            key = int(row["address"], 16), row["variable"]
            equal(found[key], dict(row["accesses_by_thread"]), (what, key))
    each(compare)


def test_heap():
    """The peak of dg heap, from blocks."""
    def compare(path, log, engine, what):
        dg("heap", "--exact-peak", "--heap-admin=0", "-o", "massif", path)
        with open("massif") as file:
            peak = max(int(n) for n in re.findall("mem_heap_B=(\\d+)",
                                                  file.read()))
        equal(engine.peak(log), peak, what)
    each(compare)


def test_absent():
    """Without pyarrow it is not loaded, and what needs it says so."""
    if not BLOCKED:
        raise Skip("pyarrow is there")
    assert sys.modules["pyarrow"] is None
    frame = next(iter(LOGS.values())).threads()
    for call in (frame.to_arrow, frame.to_batches):
        try:
            call()
        except ImportError as problem:
            assert "pip install pyarrow" in str(problem), problem
        else:
            raise AssertionError("no ImportError")
    assert len(frame.to_pandas()) == len(frame.to_pylist())


main(globals())
