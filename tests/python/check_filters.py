"""Random queries, 500 with DG_TEST_LONG: what they leave out is exactly what they should.

The log has random accesses in several chunks, with events and ranges at known
times.  DG_FILTER_SEED and DG_FILTER_QUERIES change what is tried.

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""

import os
import random
import subprocess

import polars as pl

import datagrind
from datagrind.polars_scan import limits_of, pushed
from tap import DG, HEAD, assemble, equal, main

SEED = int(os.environ.get("DG_FILTER_SEED", "7"))
QUERIES = int(os.environ.get("DG_FILTER_QUERIES")
              or (500 if os.environ.get("DG_TEST_LONG") else 100))
COLUMNS = ["icount", "thread", "kind", "size", "address"]
RUNS = 400000


def make_text():
    """The log, and (start, end, low, high) of its events and ranges."""
    choose = random.Random(SEED)
    lines, icount, marks = [HEAD], 0, {}
    for i in range(0, RUNS, 500):
        lines.append("thread_switch %d" % choose.choice([1, 1, 2]))
        number = i // 500
        low = 0x100000 + choose.randrange(64) * 0x1000
        if number % 10 == 3:
            lines.append('start_event "e%d"' % number)
            lines.append('track_range 0x%x 0x400 "" "r%d"' % (low, number))
            start = icount
        for _ in range(500):
            # Places move on, so that chunks differ.
            base = 0x100000 + (i // 20000 * 3 + choose.randrange(44)) * 0x1000
            base += choose.randrange(255) * 16
            if choose.randrange(4):
                lines.append("bbrun 0 3 [0x%x 0x%x 0x%x]"
                             % (base, base + 16, base ^ 0x800))
                icount += 3
            else:
                lines.append("bbrun 1 1 [0x%x]" % base)
                icount += 1
        if number % 10 == 3:
            lines.append('untrack_range 0x%x 0x400' % low)
            lines.append('end_event "e%d"' % number)
            marks[number] = (start, icount, low, low + 0x400)
    lines.append("end why=0 exit_code=0")
    return "\n".join(lines), marks


TEXT, MARKS = make_text()
assemble("log", TEXT)
subprocess.run([DG, "pack", "log", "-o", "log.dgz"], check=True,
               stdout=subprocess.DEVNULL)
LOG = datagrind.open("log.dgz")
ALL = LOG.accesses(COLUMNS).to_polars()
LAST = LOG.info["icount"]
END = pl.col("address") + pl.col("size").cast(pl.UInt64)
print("# seed", SEED, "rows", len(ALL), "chunks", LOG.n_chunks)


def random_span(choose, low, high):
    """Short and long ones, sometimes open."""
    size = int((high - low) * choose.random() ** choose.choice([1, 4, 16]))
    start = choose.randrange(low, max(high - size, low + 1))
    return (choose.choice([start, start, start, None]),
            choose.choice([start + size + 1] * 3 + [None]))


def within(column, span):
    """A condition of Polars."""
    low, high = span
    result = pl.lit(True)
    if low is not None:
        result &= column >= low
    if high is not None:
        result &= column < high
    return result


def overlaps(span):
    """The same of accesses that touch it."""
    low, high = span
    result = pl.lit(True)
    if low is not None:
        result &= END > low
    if high is not None:
        result &= pl.col("address") < high
    return result


def random_limits(choose):
    """Keywords of a query, and the same as a condition."""
    limits, condition = {}, pl.lit(True)
    if choose.random() < 0.4:
        limits["threads"] = choose.choice([1, 2, [1, 2], [2, 3], 7])
        several = limits["threads"]
        several = several if isinstance(several, list) else [several]
        condition &= pl.col("thread").is_in(several)
    if choose.random() < 0.4:
        limits["kinds"] = choose.choice(["read", "write"])
        condition &= pl.col("kind").cast(pl.String) == limits["kinds"]
    if choose.random() < 0.5:
        limits["instructions"] = random_span(choose, 0, LAST)
        condition &= within(pl.col("icount"), limits["instructions"])
    if choose.random() < 0.5:
        spans = [random_span(choose, 0xf0000, 0x1a0000)
                 for _ in range(choose.choice([1, 1, 2, 5]))]
        limits["addresses"] = spans
        condition &= pl.any_horizontal([overlaps(span) for span in spans])
    if choose.random() < 0.15:
        number = choose.choice(list(MARKS))
        start, end, low, high = MARKS[number]
        inside = within(pl.col("icount"), (start, end))
        if choose.random() < 0.5:
            limits["events"] = f"user:e{number}"
        else:
            limits["ranges"] = f"user:r{number}"
            inside &= overlaps((low, high))
        condition &= inside
    if choose.random() < 0.2:
        first = choose.randrange(LOG.n_chunks)
        limits["chunks"] = first, first + 1
        starts = [start[0] for start in LOG.chunk_starts]
        last = first + 1 == LOG.n_chunks
        condition &= within(pl.col("icount"), (
            starts[first], None if last else starts[first + 1]))
    return limits, condition


def test_queries():
    """Keywords of random queries."""
    choose = random.Random(SEED)
    excluded = 0
    for number in range(QUERIES // 2):
        limits, condition = random_limits(choose)
        columns = choose.sample(COLUMNS, choose.randrange(1, 6))
        rows = choose.choice([None, 1, 100, 5000])
        if rows == 1 and "addresses" not in limits:
            rows = None
        frame = LOG.accesses(columns, batch_rows=rows and max(rows, 50),
                             **limits)
        expected = ALL.filter(condition).select(columns)
        got = frame.to_polars()
        status = frame.status
        assert got.equals(expected), (number, limits, len(got), len(expected))
        equal(status["rows"], len(expected), number)
        assert (status["chunks_excluded"] + status["chunks_read"]
                <= LOG.n_chunks), (status, limits)
        excluded += status["chunks_excluded"]
    assert excluded > QUERIES // 10, excluded


def random_condition(choose):
    """A condition as users of Polars write them."""
    def number(column):
        return (choose.randrange(LAST) if column == "icount"
                else choose.randrange(0x100000, 0x1a0000)
                if column == "address" else choose.randrange(0, 4))

    def one():
        kind = choose.randrange(6)
        column = choose.choice(["icount", "address", "thread"])
        col = pl.col(column)
        if kind == 0:
            return pl.col("kind") == choose.choice(["read", "write"])
        if kind == 1:
            low, high = sorted([number(column), number(column)])
            return col.is_between(low, high, closed=choose.choice(
                ["both", "left", "right", "none"]))
        if kind == 2:
            return col.is_in([number(column) for _ in range(3)])
        if kind == 3:
            compared = choose.choice([col > number(column),
                                      col <= number(column),
                                      number(column) >= col,
                                      number(column) < col])
            return compared
        if kind == 4:
            return col == number(column)
        return choose.choice([
            ~(pl.col("kind") == "read"), pl.col("size") > 4,
            (pl.col("icount") + 5) > number("icount"),
            (col > number(column)) | (pl.col("thread") == 1)])
    condition = one()
    for _ in range(choose.randrange(3)):
        condition &= one()
    return condition


def test_predicates():
    """Random conditions of a lazy frame of Polars."""
    choose = random.Random(SEED + 1)
    n_pushed = 0
    lazy = LOG.accesses(COLUMNS).lazy()
    for number in range(QUERIES // 2):
        condition = random_condition(choose)
        columns = choose.sample(COLUMNS, choose.randrange(1, 6))
        expected = ALL.filter(condition).select(columns)
        got = lazy.filter(condition).select(columns).collect()
        assert got.equals(expected), (number, str(condition))
        n_pushed += bool(limits_of(condition))
    assert n_pushed > QUERIES // 4, n_pushed
    got = lazy.filter(pl.col("thread") == 2).head(5).collect()
    assert got.equals(ALL.filter(pl.col("thread") == 2).head(5))


def test_pushed():
    """A condition becomes limits of the query."""
    table = {t.name: t.limits for t in datagrind.tables()}["accesses"]

    def query(condition, **before):
        return pushed(dict(before), limits_of(condition), table)
    equal(query((pl.col("thread") == 2) & (pl.col("kind") == "read")),
          {"threads": (2,), "kinds": 1})
    equal(query((pl.col("icount") > 5) & (pl.col("icount") <= 9)),
          {"icounts": (6, 10)})
    equal(query(pl.col("address").is_between(16, 31)),
          {"addresses": ((16, 32),)})
    equal(query(pl.col("thread").is_in([3, 1])), {"threads": (1, 3)})
    equal(query((pl.col("thread") == 1) & (pl.col("thread") == 2)), None)
    equal(query(pl.col("icount") > 5, icounts=(0, 5)), None)
    equal(query((pl.col("thread") == 1) | (pl.col("thread") == 2)), {})
    equal(query(pl.col("size") > 4), {})
    equal(pushed({}, limits_of(pl.col("thread") == 1), []), {})


main(globals())
