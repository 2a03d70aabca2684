"""Questions about shared variables in DataFrame operations.

They work on `accesses` of any number of logs, with a column `log` if these are
to be told apart.

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""
from __future__ import annotations

from typing import Any, Dict, List


def _functions() -> Any:
    from pyspark.sql import functions
    return functions


def _log(df: Any) -> List[str]:
    return ["log"] if "log" in df.columns else []


def running_counts(df: Any) -> Any:
    """How often each variable was accessed: of a stream, so far.

    df: the columns variable and, if there is one, kind.
    """
    f = _functions()
    sums = [f.count(f.lit(1)).alias("accesses")]
    if "kind" in df.columns:
        sums += [f.count_if(f.col("kind") == kind).alias(kind + "s")
                 for kind in ("read", "write")]
    return df.groupBy(*_log(df), "variable").agg(*sums)


def _by_thread(df: Any, keys: List[str]) -> Any:
    """The accesses of each thread, the busiest first, for each of the keys,
    and how many of all were not to the thread's own stack."""
    f = _functions()
    is_own = (f.col("stack_thread").eqNullSafe(f.col("thread"))
              if "stack_thread" in df.columns else f.lit(False))
    counts = df.groupBy(*keys, "thread").agg(
        f.count(f.lit(1)).alias("n"),
        f.count_if(f.col("kind") == "write").alias("w"),
        f.count_if(~is_own).alias("others"))
    entry = f.struct((-f.col("n")).alias("order"), f.col("thread"),
                     f.col("n"))
    sums = counts.groupBy(*keys).agg(
        f.sum("n").alias("accesses"), f.sum("w").alias("writes"),
        f.sum("others").alias("others"),
        f.count(f.lit(1)).cast("int").alias("threads"),
        f.array_sort(f.collect_list(entry)).alias("list"))
    return sums.withColumn(
        "accesses_by_thread",
        f.transform("list", lambda e: f.struct(
            e["thread"].alias("thread"), e["n"].alias("count")))).drop("list")


def sharing(df: Any, uniform: bool = False) -> Any:
    """Addresses that more than one thread accessed while the same variable
    was there, the most accessed first: accesses, writes, threads,
    accesses_by_thread, is_uniform, address, variable.

    is_uniform: the busiest thread has less than twice the accesses of the
    second.  uniform: only these.
    df: the columns address, variable, thread, kind and stack_thread.  Without
    the last one, variables of threads whose stacks were at the same address,
    one after the other, count as shared.
    """
    f = _functions()
    keys = _log(df) + ["address", "variable"]
    rows = _by_thread(df, keys).where("threads > 1 and others > 0")
    counts = f.col("accesses_by_thread")
    rows = rows.withColumn("is_uniform", counts[0]["count"]
                           < 2 * counts[1]["count"])
    if uniform:
        rows = rows.where("is_uniform")
    return rows.select(*_log(df), "accesses", "writes", "threads",
                       "accesses_by_thread", "is_uniform", "address",
                       "variable").orderBy(f.desc("accesses"), "address")


def sharing_lines(df: Any, variable: str) -> Any:
    """Where a variable is accessed: threadcount, totalcount, threads, file,
    line, variable, the most accesses first.

    df: the columns variable, thread, kind, file and line.
    """
    f = _functions()
    keys = _log(df) + ["file", "line", "variable"]
    rows = _by_thread(df.where(f.col("variable") == variable), keys)
    return rows.select(
        *_log(df), f.col("threads").alias("threadcount"),
        f.col("accesses").alias("totalcount"),
        f.col("accesses_by_thread").alias("threads"), "file", "line",
        "variable").orderBy(f.desc("totalcount"), "file", "line")


def sharing_json(rows: Any) -> List[Dict[str, Any]]:
    """The rows of sharing_lines as objects for JSON: threadcount, totalcount,
    threads as [[number, accesses], ...], file, line, variable."""
    result = []
    for row in rows.collect():
        entry = row.asDict(recursive=False)
        entry["threads"] = [[t["thread"], t["count"]]
                            for t in entry["threads"]]
        result.append(entry)
    return result
