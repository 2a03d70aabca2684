"""A log: open it, and get its tables.

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""
from __future__ import annotations

import os
import threading
import weakref
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

from . import _native, progress, query
from .error import Error, warn
from .frame import Frame
from .methods import Analyses, Commands

ON_DEMAND, NULLABLE, ADDRESS, NAME = 1, 2, 4, 8


class Column(NamedTuple):
    """A column of a table, before any log is opened."""

    name: str
    format: str         # of Arrow: "L" uint64, "I" uint32, "u" text ...
    on_demand: bool     # only there if a query names it, as it costs time
    nullable: bool
    is_address: bool
    is_name: bool       # a dictionary of texts
    help: str


class Table(NamedTuple):
    """A table that logs have; an analysis has no columns here, as they depend
    on its options."""

    name: str
    help: str
    columns: Tuple[Column, ...]
    limits: Tuple[str, ...]     # keywords of Log.table that it takes


def tables() -> List[Table]:
    """All tables: those of each log, then those of the analyses."""
    return [
        Table(name, help_, tuple(
            Column(column, format_, bool(flags & ON_DEMAND),
                   bool(flags & NULLABLE), bool(flags & ADDRESS),
                   bool(flags & NAME), text)
            for column, format_, flags, text in columns), tuple(limits))
        for name, help_, columns, limits in _native.tables()]


class Log(Analyses, Commands):
    """A log or archive that is open.

    Each method that returns a table only prepares it.  Tables keep what they
    need: they can be used when the log is closed, if their stream was opened
    before.  Any thread may use a log.
    """

    def __init__(self, path: Any, *, partial: bool = False,
                 follow: bool = False,
                 source_paths: Optional[Sequence[str]] = None,
                 workers: int = 0):
        self.path: str = os.fspath(path)
        if isinstance(self.path, bytes):
            self.path = os.fsdecode(self.path)
        self._place = os.path.abspath(self.path)
        self._options = {"partial": partial, "follow": follow,
                         "source_paths": source_paths, "workers": workers}
        self._workers = workers
        self._native = _native.open(
            self.path, follow,
            None if source_paths is None
            else [os.fspath(p) for p in source_paths],
            workers, progress.for_call("loading"))
        problem = self.problem
        if problem and not partial and not (
                follow and problem.code == "truncated"):
            self._native.close()
            raise problem

    # ---- What it is ----

    @property
    def problem(self) -> Optional[Error]:
        """Why the log ends early: it is cut short, damaged, or still being
        written; None: it is whole."""
        problem = self._native.problem
        return Error(*problem, self.path) if problem else None

    @property
    def info(self) -> Dict[str, Any]:
        """The process, and totals: the members of `dg info --json`."""
        return self._native.info()

    @property
    def n_chunks(self) -> int:
        """How many chunks it has, each of which can be read alone."""
        return self._native.n_chunks

    @property
    def chunk_starts(self) -> List[Tuple[int, int, int]]:
        """The instruction, and the accesses and runs before it, where each
        chunk starts; and the log's end."""
        return self._native.chunks()

    @property
    def is_growing(self) -> bool:
        """Whether more may be appended to it."""
        return self._native.is_growing

    def grow(self) -> bool:
        """Read what was appended since; whether there was something.  Tables
        that are made afterwards have it."""
        return self._native.grow(progress.for_call("loading"))

    # ---- Tables ----

    def table(self, name: str, columns: query.Columns = None, *,
              threads: query.Threads = None,
              instructions: query.Instructions = None,
              addresses: query.Addresses = None,
              kinds: query.Kinds = None, events: Optional[str] = None,
              ranges: Optional[str] = None,
              chunks: Optional[query.Span] = None,
              batch_rows: Optional[int] = None, signed: bool = False,
              top: Optional[int] = None,
              options: Optional[Dict[str, Any]] = None) -> Frame:
        """A table by its name (see datagrind.tables).

        columns: names, in this order; None: all that are not on demand
        threads: a number, or several
        instructions: (start, end) of instruction counts, or a slice; None is
            open
        addresses: (low, high), or several of these: rows that overlap them
        kinds: "read", "write" or both
        events, ranges: conditions, as of dg's options
        chunks: (first, end)
        batch_rows: at most, in each batch
        signed: signed integers, for libraries without unsigned ones
        top: rows of an analysis; None: all
        options: of an analysis
        """
        asked = query.make(
            name, columns, threads=threads, instructions=instructions,
            addresses=addresses, kinds=kinds, events=events, ranges=ranges,
            chunks=chunks, batch_rows=batch_rows, signed=signed, top=top,
            options=options, workers=self._workers)
        self._warn_of_threads(asked.get("threads") or ())
        return Frame(self, asked)

    def _warn_of_threads(self, asked: Sequence[int]) -> None:
        if not asked:
            return
        there = sorted(row["thread"] for row in self.threads(["thread"]))
        for thread in sorted(set(asked) - set(there)):
            warn(f"threads: there is no thread {thread}; there "
                 + ("is only " if len(there) == 1 else "are ")
                 + query.spans(there))

    def accesses(self, columns: query.Columns = None,
                 **limits: Any) -> Frame:
        """Each access.  On demand: function, file, line, module, variable,
        type, site, block, stack_thread.  Keywords as in `table`."""
        return self.table("accesses", columns, **limits)

    def runs(self, columns: query.Columns = None, **limits: Any) -> Frame:
        """Each run of a block of code."""
        return self.table("runs", columns, **limits)

    def contexts(self, columns: query.Columns = None,
                 **limits: Any) -> Frame:
        """Each call stack, as a list of addresses."""
        return self.table("contexts", columns, **limits)

    def functions(self, columns: query.Columns = None,
                  **limits: Any) -> Frame:
        """Each function that ran."""
        return self.table("functions", columns, **limits)

    def blocks(self, columns: query.Columns = None, **limits: Any) -> Frame:
        """Each heap block: address, sizes, allocation site, life."""
        return self.table("blocks", columns, **limits)

    def ranges(self, columns: query.Columns = None, **limits: Any) -> Frame:
        """Each memory range that the program has marked."""
        return self.table("ranges", columns, **limits)

    def events(self, columns: query.Columns = None, **limits: Any) -> Frame:
        """Each event that the program has marked."""
        return self.table("events", columns, **limits)

    def threads(self, columns: query.Columns = None, **limits: Any) -> Frame:
        """Each thread."""
        return self.table("threads", columns, **limits)

    def modules(self, columns: query.Columns = None, **limits: Any) -> Frame:
        """The program and each library."""
        return self.table("modules", columns, **limits)

    def mappings(self, columns: query.Columns = None,
                 **limits: Any) -> Frame:
        """Each mapping of memory."""
        return self.table("mappings", columns, **limits)

    def kernel_accesses(self, columns: query.Columns = None,
                        **limits: Any) -> Frame:
        """Each access by the kernel, in system calls."""
        return self.table("kernel_accesses", columns, **limits)

    def clock(self, columns: query.Columns = None, **limits: Any) -> Frame:
        """Readings of the clock: nanoseconds at instruction counts."""
        return self.table("clock", columns, **limits)

    def chunks(self, columns: query.Columns = None, **limits: Any) -> Frame:
        """Each chunk of the log."""
        return self.table("chunks", columns, **limits)

    def lines(self, columns: query.Columns = None, **limits: Any) -> Frame:
        """The cache lines that each chunk touched, from the index."""
        return self.table("lines", columns, **limits)

    def plot(self, **options: Any) -> Any:
        """The picture of `dg_view --render`, which a notebook shows; see
        datagrind.plot.plot."""
        from .plot import plot
        return plot(self.path, **options)

    # ---- Life ----

    def close(self) -> None:
        """Close the log.  Streams that are open can still be read."""
        self._native.close()

    def __enter__(self) -> Log:
        return self

    def __exit__(self, *unused: object) -> None:
        self.close()

    def __reduce__(self) -> Tuple[Any, ...]:
        return _reopen, (self.path, self._options)

    def __repr__(self) -> str:
        if self._native.is_closed:
            return f"<datagrind.Log {self.path}, closed>"
        info = self._native.info()
        return (f"<datagrind.Log {self.path}: {info['accesses']:,} accesses, "
                f"{info['threads']} threads>")


def open(path: Any, *, partial: bool = False, follow: bool = False,
         source_paths: Optional[Sequence[str]] = None,
         workers: int = 0) -> Log:
    """Open a log or archive.

    partial: read what is good of one that is cut short or damaged;
        Log.problem then says why.  Otherwise that is a datagrind.Error.
    follow: of one that is still being written; Log.grow reads on
    source_paths: folders where sources may be, besides where they were
    workers: threads of long calls; 0: one per processor
    """
    return Log(path, partial=partial, follow=follow,
               source_paths=source_paths, workers=workers)


# Frames that are unpickled in one process share their log.
_opened: weakref.WeakValueDictionary[Any, Log] = \
    weakref.WeakValueDictionary()
_opened_lock = threading.Lock()


def _reopen(path: str, options: Dict[str, Any]) -> Log:
    if options["follow"]:
        return open(path, **options)
    status = os.stat(path)
    key = (path, repr(sorted(options.items())), status.st_ino,
           status.st_size, status.st_mtime_ns)
    with _opened_lock:
        log = _opened.get(key)
        if log is None or log._native.is_closed:
            log = _opened[key] = open(path, **options)
    return log
