"""python3 -m datagrind export: tables as Parquet or Arrow files.

A file gets its name when it is complete.  Parquet files have a row group for
each group of chunks, with the least and greatest value of each column, so that
conditions on time and address skip most of them.

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""
from __future__ import annotations

import argparse
import contextlib
import errno
import os
import signal
import sys
import tempfile
from typing import Any, Dict, Iterator, List, Optional, Sequence

from . import log as log_module
from .error import Error
from .frame import needed

# Rows of a row group, at most: some ten megabytes in memory.
GROUP_ROWS = 1 << 20
# Columns that ascend: their differences take few bytes.
ASCENDING = ("icount", "run")
DEFAULT = ("accesses", "contexts", "functions", "blocks", "ranges", "events",
           "threads", "modules", "mappings", "chunks")


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="dg export", allow_abbrev=False,
        description="Writes tables of a log as Parquet or Arrow files.")
    parser.add_argument("log", metavar="LOG")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--parquet", metavar="DIR",
                       help="write DIR/TABLE.parquet for each table")
    where.add_argument("--arrow", metavar="FILE",
                       help="write one table as an Arrow file; -: as a "
                       "stream to standard output")
    parser.add_argument("--table", action="append", metavar="NAME",
                        help="this table; can be repeated (default: those of "
                        "the log; --arrow: accesses)")
    parser.add_argument("--columns", metavar="NAME,...",
                        help="these columns, also those that are only made "
                        "on demand")
    parser.add_argument("--signed", action="store_true",
                        help="signed integers, for programs without unsigned "
                        "ones")
    parser.add_argument("--threads", metavar="LIST",
                        help="only these threads, such as 1,3-5")
    parser.add_argument("--instructions", metavar="I..J",
                        help="only instructions I to J - 1")
    parser.add_argument("--events", metavar="CONDITIONS",
                        help="only accesses that meet these conditions")
    parser.add_argument("--ranges", metavar="CONDITIONS",
                        help="only accesses to memory that meets these "
                        "conditions")
    parser.add_argument("-j", "--jobs", type=int, default=0, metavar="N",
                        help="use N threads to load the log and for analyses "
                        "(0: one per processor)")
    return parser


def _threads(text: str) -> List[int]:
    numbers: List[int] = []
    for word in text.split(","):
        first, _, last = word.partition("-")
        low, high = int(first), int(last or first)
        if low < 1 or high < low or high - low > 1000000:
            raise ValueError(f"--threads: '{text}' is not a list of threads")
        numbers += range(low, high + 1)
    return numbers


def _span(text: str) -> Any:
    low, separator, high = text.partition("..")
    if not separator:
        raise ValueError(f"--instructions: '{text}' is not I..J")
    return (int(low, 0) if low else None, int(high, 0) if high else None)


def _limits(given: argparse.Namespace) -> Dict[str, Any]:
    limits: Dict[str, Any] = {}
    if given.threads:
        limits["threads"] = _threads(given.threads)
    if given.instructions:
        limits["instructions"] = _span(given.instructions)
    for name in ("events", "ranges"):
        if getattr(given, name):
            limits[name] = getattr(given, name)
    return limits


# ---- Tables ----

def _frames(log: Any, given: argparse.Namespace) -> Dict[str, Any]:
    """The tables that are wanted.  Of those that are written without having
    been asked for, each has the limits that it can have."""
    names = given.table or (["accesses"] if given.arrow else DEFAULT)
    limits = _limits(given)
    possible = {table.name: table.limits for table in log_module.tables()}
    columns = given.columns.split(",") if given.columns else None
    frames: Dict[str, Any] = {}
    if columns and len(names) > 1:
        raise ValueError("--columns is for one table: use --table")
    for name in names:
        own = limits if given.table else {
            key: value for key, value in limits.items()
            if key in possible.get(name, ())}
        frames[name] = log.table(name, columns, signed=given.signed, **own)
    if given.arrow and len(frames) > 1:
        raise ValueError("--arrow writes one table: name it once")
    return frames


# ---- Files ----

class _Stream:
    """A file object without a buffer, which would be written at exit: also
    when nobody reads it."""

    closed = False

    def __init__(self, number: int):
        self._number = number

    def write(self, data: Any) -> int:
        """Write all of it."""
        left = memoryview(data).cast("B")
        while left:
            left = left[os.write(self._number, left):]
        return len(data)

    def flush(self) -> None:
        """Nothing is kept."""

    def close(self) -> None:
        """Its owner closes it."""


@contextlib.contextmanager
def _opened_stream(path: str) -> Iterator[_Stream]:
    if path == "-":
        yield _Stream(1)
        return
    with open(path, "wb", buffering=0) as file:
        yield _Stream(file.fileno())


def _is_stream(path: str) -> bool:
    """Standard output, a device or a pipe, which is written as it is."""
    return path == "-" or (os.path.exists(path) and not os.path.isfile(path)
                           and not os.path.isdir(path))


def _new_part(path: str) -> str:
    """An empty file beside the one that it is to become."""
    if os.path.exists(path) and not os.path.isfile(path):
        raise OSError(errno.EISDIR if os.path.isdir(path) else errno.ESPIPE,
                      "")
    number, name = tempfile.mkstemp(prefix=".", suffix=".part",
                                    dir=os.path.dirname(path))
    os.close(number)
    return name


@contextlib.contextmanager
def _naming(path: str) -> Iterator[None]:
    """Errors with the name of what is written, instead of a temporary one."""
    try:
        yield
    except OSError as problem:
        text = os.strerror(problem.errno) if problem.errno else str(problem)
        raise OSError(problem.errno or errno.EIO, text,
                      "standard output" if path == "-" else path) from None


@contextlib.contextmanager
def _replacing(path: str) -> Iterator[str]:
    """A path to write to, which becomes the file when all is written, and is
    removed otherwise."""
    target = os.path.realpath(path)
    with _naming(path):
        name = _new_part(target)
        try:
            yield name
            mask = os.umask(0)
            os.umask(mask)
            os.chmod(name, 0o666 & ~mask)
            os.replace(name, target)
        except BaseException:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(name)
            raise


def _sorted_by(schema: Any) -> Any:
    """That rows are in the order of time, for readers."""
    parquet = needed("pyarrow.parquet", "pyarrow")
    names = schema.names
    if "icount" not in names:
        return None
    return [parquet.SortingColumn(names.index("icount"))]


def _write_parquet(frame: Any, path: str) -> int:
    pyarrow = needed("pyarrow")
    parquet = needed("pyarrow.parquet", "pyarrow")
    reader = pyarrow.RecordBatchReader.from_stream(frame)
    rows = 0
    with _replacing(path) as name, parquet.ParquetWriter(
            name, reader.schema, compression="zstd",
            use_dictionary=[n for n in reader.schema.names
                            if n not in ASCENDING and n != "address"],
            column_encoding={n: "DELTA_BINARY_PACKED"
                             for n in reader.schema.names if n in ASCENDING},
            sorting_columns=_sorted_by(reader.schema)) as writer:
        group: List[Any] = []
        held = 0
        for batch in reader:
            group.append(batch)
            held += batch.num_rows
            rows += batch.num_rows
            if held >= GROUP_ROWS:
                writer.write_table(pyarrow.Table.from_batches(group),
                                   row_group_size=held)
                group, held = [], 0
        if group or rows == 0:
            writer.write_table(
                pyarrow.Table.from_batches(group, reader.schema),
                row_group_size=max(held, 1))
    return rows


def _write_arrow(frame: Any, path: str) -> int:
    pyarrow = needed("pyarrow")
    reader = pyarrow.RecordBatchReader.from_stream(frame)
    options = pyarrow.ipc.IpcWriteOptions(compression="zstd",
                                          emit_dictionary_deltas=True)
    rows = 0
    with contextlib.ExitStack() as stack:
        if _is_stream(path):
            stack.enter_context(_naming(path))
            file = stack.enter_context(_opened_stream(path))
            writer = stack.enter_context(pyarrow.ipc.new_stream(
                pyarrow.PythonFile(file, mode="w"), reader.schema,
                options=options))
        else:
            name = stack.enter_context(_replacing(path))
            writer = stack.enter_context(pyarrow.ipc.new_file(
                name, reader.schema, options=options))
        for batch in reader:
            writer.write_batch(batch)
            rows += batch.num_rows
    return rows


def _export(given: argparse.Namespace) -> None:
    log = log_module.open(given.log, workers=max(given.jobs, 0))
    frames = _frames(log, given)
    if given.parquet:
        os.makedirs(given.parquet, exist_ok=True)
    for name, frame in frames.items():
        if given.parquet:
            path = os.path.join(given.parquet,
                                name.replace("/", "-") + ".parquet")
            rows = _write_parquet(frame, path)
            print(f"{path}: {rows:,} rows", flush=True)
        else:
            if os.path.exists(given.arrow) \
                    and os.path.samefile(given.arrow, given.log):
                raise OSError(0, "input and output are the same file",
                              given.arrow)
            _write_arrow(frame, given.arrow)


def _stop(*unused: object) -> None:
    raise KeyboardInterrupt


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """The command: 0, 1 (failed), 2 (wrong usage) or 130 (stopped)."""
    given = _options().parse_args(arguments)
    signal.signal(signal.SIGTERM, _stop)
    try:
        needed("pyarrow")
        _export(given)
        return 0
    except KeyboardInterrupt:
        print("dg export: stopped; nothing is left of the file that was not "
              "complete", file=sys.stderr)
        return 130
    except Error as problem:
        print(f"dg export: {problem}", file=sys.stderr)
        return 2 if problem.code in ("invalid", "filter") else 1
    except ValueError as problem:
        print(f"dg export: {problem}", file=sys.stderr)
        return 2
    except OSError as problem:
        print(f"dg export: {problem.filename or given.log}: "
              f"{problem.strerror or problem}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
