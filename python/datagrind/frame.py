"""A table of a log, which any library for data frames can read.

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""
from __future__ import annotations

import html
import itertools
from typing import (TYPE_CHECKING, Any, Dict, FrozenSet, Iterable, Iterator,
                    List, Optional, Tuple)

from . import _native, progress
from .error import warn

if TYPE_CHECKING:
    from .log import Log

# Rows that a notebook shows.
SHOWN = 10


def needed(module: str, package: Optional[str] = None) -> Any:
    """Import a library that is not required, or say how to get it."""
    import importlib
    try:
        return importlib.import_module(module)
    except ImportError as problem:
        name = package or module.split(".", maxsplit=1)[0]
        raise ImportError(f"this needs {name}: pip install {name}") \
            from problem


class Rows:
    """A table that is read when it is used: what all libraries can do with it
    by the Arrow PyCapsule interface."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        raise NotImplementedError

    def __arrow_c_schema__(self) -> Any:
        raise NotImplementedError

    @property
    def _table(self) -> str:
        raise NotImplementedError

    @property
    def _path(self) -> str:
        raise NotImplementedError

    def _first(self, n: int) -> Iterable[Dict[str, Any]]:
        """Rows, of which only n are needed."""
        return self

    @property
    def columns(self) -> List[str]:
        """The names of the columns."""
        schema = self.__arrow_c_schema__()
        return [column[0] for column in _native.schema_columns(schema)]

    # ---- Python values ----

    def __iter__(self) -> Iterator[Dict[str, Any]]:
        """Each row as a dict.  It needs no library, but is slow."""
        stream = self.__arrow_c_stream__()
        names = self.columns
        while True:
            batch = _native.read_rows(stream, 1 << 62)
            if batch is None:
                return
            n, columns = batch
            for i in range(n):
                yield {name: column[i]
                       for name, column in zip(names, columns)}

    def head(self, n: int = SHOWN) -> List[Dict[str, Any]]:
        """The first n rows as dicts."""
        return list(itertools.islice(self._first(n), n)) if n > 0 else []

    def to_pylist(self) -> List[Dict[str, Any]]:
        """All rows as dicts.  It needs no library; for small tables."""
        return list(self)

    # ---- Libraries ----

    def to_arrow(self) -> Any:
        """A pyarrow.Table.  The batches of a column of texts have one
        dictionary, so that it can be grouped by."""
        return needed("pyarrow").table(self).unify_dictionaries()

    def to_batches(self) -> Iterator[Any]:
        """The batches as pyarrow.RecordBatch, one after the other."""
        return iter(needed("pyarrow").RecordBatchReader.from_stream(self))

    def to_pandas(self, **options: Any) -> Any:
        """A pandas.DataFrame.  Without pyarrow, columns are objects' values,
        which takes long.  Options are those of pyarrow.Table.to_pandas."""
        pandas = needed("pandas")
        try:
            import pyarrow  # noqa: F401
        except ImportError:
            return pandas.DataFrame(self.to_pylist(), columns=self.columns)
        return self.to_arrow().to_pandas(**options)

    def to_polars(self) -> Any:
        """A polars.DataFrame."""
        return needed("polars").DataFrame(self)

    # ---- Notebooks ----

    def _repr_html_(self) -> str:
        rows = self.head(SHOWN + 1)
        names = list(rows[0]) if rows else self.columns
        addresses = _addresses(self._table)
        lines = ["<table><thead><tr>"]
        lines += [f"<th>{html.escape(name)}</th>" for name in names]
        lines.append("</tr></thead><tbody>")
        for row in rows[:SHOWN]:
            cells = "".join(
                f"<td>{html.escape(_shown(row[name], name in addresses))}</td>"
                for name in names)
            lines.append(f"<tr>{cells}</tr>")
        lines.append("</tbody></table>")
        caption = html.escape(f"{self._table} of {self._path}")
        if len(rows) > SHOWN:
            caption = f"The first {SHOWN} rows of {caption}"
        lines.append(f"<p>{caption}</p>")
        return "".join(lines)


class Frame(Rows):
    """A table of a log: what a query asks for, read when it is used.

    It has the methods of the Arrow PyCapsule interface, so it can be passed
    to pyarrow.table, polars.DataFrame, pandas.DataFrame.from_arrow, to DuckDB
    and others, any number of times.  Nothing is read before that.
    """

    def __init__(self, log: Log, query: Dict[str, Any]):
        self._log = log
        self._query = query
        self._schema: Any = None
        self._ready: Any = None
        self._status: Optional[_native.Status] = None

    # ---- Arrow ----

    def _open(self) -> Tuple[Any, _native.Status]:
        what = self._query.get("table", "accesses")
        stream, status, schema = self._log._native.stream(
            self._query, progress.for_call(what))
        if self._schema is None:
            self._schema = schema
            for problem in status.get()["problems"]:
                warn(problem)
        return stream, status

    def _take(self) -> Any:
        """A new stream, which is that of the schema if there is one."""
        ready, self._ready = self._ready, None
        stream, self._status = ready or self._open()
        return stream

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """A new stream of batches; other schemas are not made."""
        return self._take()

    def __arrow_c_schema__(self) -> Any:
        """The schema.  For an analysis it needs a run, which the next stream
        then uses."""
        if self._schema is None:
            self._ready = self._open()
        return _native.copy_schema(self._schema)

    @property
    def query(self) -> Dict[str, Any]:
        """What it asks for."""
        return dict(self._query)

    @property
    def log(self) -> Log:
        """The log it is of."""
        return self._log

    @property
    def status(self) -> Dict[str, Any]:
        """Of the last stream: rows and batches returned; chunks of the log,
        those excluded without decoding them, those decoded; problems:
        conditions that match nothing."""
        if self._status is None:
            return {"rows": 0, "batches": 0, "chunks": 0,
                    "chunks_excluded": 0, "chunks_read": 0, "error": None,
                    "problems": []}
        return self._status.get()

    @property
    def _table(self) -> str:
        return str(self._query.get("table", "accesses"))

    @property
    def _path(self) -> str:
        return self._log.path

    def _first(self, n: int) -> Iterable[Dict[str, Any]]:
        return Frame(self._log, {**self._query, "batch_rows": n})

    # ---- Others ----

    def lazy(self) -> Any:
        """A polars.LazyFrame, whose conditions and columns become those of
        the query, so that what is not needed is not read."""
        from .polars_scan import scan
        return scan(self)

    def __reduce__(self) -> Tuple[Any, ...]:
        return _restore, (self._log, self._query)

    def __repr__(self) -> str:
        asked = ", ".join(f"{key}={value!r}"
                          for key, value in self._query.items()
                          if key != "table")
        return (f"<datagrind.Frame {self._query.get('table', 'accesses')} of "
                f"{self._log.path}{': ' if asked else ''}{asked}>")


def _addresses(table: str) -> FrozenSet[str]:
    """The columns of a table whose numbers are addresses, if it is fixed."""
    for name, _, columns, _ in _native.tables():
        if name == table:
            return frozenset(column for column, _, flags, _ in columns
                             if flags & 4)
    return frozenset()


def _shown(value: Any, is_address: bool) -> str:
    """A value as a notebook shows it."""
    if value is None:
        return ""
    if isinstance(value, list):
        texts = [_shown(entry, is_address) for entry in value[:8]]
        return f"[{', '.join(texts + ['...'] * (len(value) > 8))}]"
    return hex(value) if is_address and isinstance(value, int) else str(value)


def _restore(log: Log, query: Dict[str, Any]) -> Frame:
    return Frame(log, query)
