"""A lazy frame of Polars, whose conditions and columns become a query.

Polars passes the condition of a query as an expression.  What a query of a log
can leave out by itself is taken from it: comparisons of thread, kind, icount
and address.  The whole condition is applied to what is read afterwards, so
that it does not matter if a part of it is not understood.

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""
from __future__ import annotations

import io
import json
import warnings
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple

from . import _native
from .frame import Frame, needed

END = 1 << 64


class _Limit(NamedTuple):
    """The values of a column that a condition leaves: a set, or numbers from
    low to high - 1."""

    column: str
    values: Optional[frozenset[Any]] = None
    low: int = 0
    high: int = END


# ---- Expressions ----

_TURNED = {"Lt": "Gt", "LtEq": "GtEq", "Gt": "Lt", "GtEq": "LtEq", "Eq": "Eq"}


def _column(node: Any) -> Optional[str]:
    return node.get("Column") if isinstance(node, dict) else None


def _literal(node: Any) -> Any:
    """The value of an expression without columns; None: it has some."""
    if _mentions_column(node):
        return None
    import polars
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expression = polars.Expr.deserialize(
            io.StringIO(json.dumps(node)), format="json")
    frame = polars.select(expression)
    if frame.shape != (1, 1):
        return frame.to_series().to_list()
    value = frame.item()
    return value.to_list() if isinstance(value, polars.Series) else value


def _mentions_column(node: Any) -> bool:
    if isinstance(node, dict):
        return "Column" in node or any(map(_mentions_column, node.values()))
    return isinstance(node, list) and any(map(_mentions_column, node))


def _compared(column: str, op: str, value: Any) -> List[_Limit]:
    """What a comparison leaves of a column."""
    if isinstance(value, str):
        return [_Limit(column, frozenset([value]))] if op == "Eq" else []
    if isinstance(value, bool) or not isinstance(value, int):
        return []
    if op == "Eq":
        return [_Limit(column, frozenset([value]), value, value + 1)]
    if op in ("Gt", "GtEq"):
        return [_Limit(column, None, value + (op == "Gt"))]
    if op in ("Lt", "LtEq"):
        return [_Limit(column, None, 0, value + (op == "LtEq"))]
    return []


def _binary(node: Dict[str, Any]) -> List[_Limit]:
    op, left, right = node["op"], node["left"], node["right"]
    if op in ("And", "LogicalAnd"):
        return _limits(left) + _limits(right)
    if _column(left):
        return _compared(_column(left) or "", op, _literal(right))
    if _column(right) and op in _TURNED:
        return _compared(_column(right) or "", _TURNED[op], _literal(left))
    return []


def _function(node: Dict[str, Any]) -> List[_Limit]:
    """is_in and is_between."""
    inputs = node["input"]
    what = node["function"].get("Boolean")
    column = _column(inputs[0]) if inputs else None
    if not isinstance(what, dict) or column is None:
        return []
    if "IsBetween" in what:
        closed = what["IsBetween"]["closed"]
        low = "GtEq" if closed in ("Both", "Left") else "Gt"
        high = "LtEq" if closed in ("Both", "Right") else "Lt"
        return (_compared(column, low, _literal(inputs[1]))
                + _compared(column, high, _literal(inputs[2])))
    if "IsIn" in what:
        values = _literal(inputs[1])
        if isinstance(values, list) and values and None not in values:
            return [_Limit(column, frozenset(values))]
    return []


def _limits(node: Any) -> List[_Limit]:
    """What all rows of a condition have; what is not understood is left."""
    if not isinstance(node, dict):
        return []
    if "BinaryExpr" in node:
        return _binary(node["BinaryExpr"])
    if "Function" in node:
        return _function(node["Function"])
    return []


def limits_of(predicate: Any) -> List[_Limit]:
    """What a condition leaves of each column, as far as it is understood."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            text = predicate.meta.serialize(format="json")
        return _limits(json.loads(text))
    except Exception:  # Its form is not documented, and it is no error.
        return []


# ---- Queries ----

def _narrow(span: Tuple[int, int], limit: _Limit) -> Tuple[int, int]:
    """A span (low, high), high 0 for none, within a limit."""
    low, high = span
    if limit.values:
        numbers = [v for v in limit.values if isinstance(v, int)]
        limit = _Limit(limit.column, None, min(numbers, default=0),
                       max(numbers, default=END) + 1)
    return max(low, limit.low), min(high or END, limit.high)


def _narrow_set(values: Any, limit: _Limit) -> Any:
    """A set, None for all, within a limit."""
    if limit.values is None:
        return values
    return limit.values if values is None else values & limit.values


def _span_member(query: Dict[str, Any], key: str, span: Tuple[int, int],
                 is_list: bool) -> bool:
    """Put a span into the query; whether it has anything."""
    low, high = span
    if low >= min(high, END):
        return False
    value = (low, 0 if high >= END else high)
    query[key] = (value,) if is_list else value
    return True


def pushed(query: Dict[str, Any], limits: List[_Limit],
           allowed: Any) -> Optional[Dict[str, Any]]:
    """The query with limits; None: there is no row that it could have."""
    query = dict(query)
    threads: Any = query.get("threads")
    threads = None if threads is None else frozenset(threads)
    kinds: Any = None
    icounts = query.get("icounts", (0, 0))
    addresses = query.get("addresses", ((0, 0),))
    for limit in limits:
        if limit.column == "thread" and "threads" in allowed:
            threads = _narrow_set(threads, limit)
        elif limit.column == "kind" and "kinds" in allowed:
            kinds = _narrow_set(kinds, limit)
        elif limit.column == "icount" and "instructions" in allowed:
            icounts = _narrow(icounts, limit)
        elif (limit.column == "address" and "addresses" in allowed
              and len(addresses) == 1):
            addresses = (_narrow(addresses[0], limit),)
    if threads is not None:
        query["threads"] = tuple(sorted(
            t for t in threads if isinstance(t, int) and 0 <= t < 1 << 32))
        if not query["threads"]:
            return None
    if kinds is not None:
        bits = sum({"read": 1, "write": 2}.get(kind, 0) for kind in kinds)
        query["kinds"] = bits & query.get("kinds", 3)
        if not query["kinds"]:
            return None
    if (icounts != (0, 0)
            and not _span_member(query, "icounts", icounts, False)):
        return None
    if (len(addresses) == 1 and addresses[0] != (0, 0)
            and not _span_member(query, "addresses", addresses[0], True)):
        return None
    return query


# ---- The scan ----

class _Schema:
    """Only the schema of a frame, for Polars."""

    def __init__(self, frame: Frame):
        self.frame = frame

    def __arrow_c_schema__(self) -> Any:
        return self.frame.__arrow_c_schema__()


def _groups(frame: Frame, query: Dict[str, Any],
            allowed: Any) -> Iterator[Dict[str, Any]]:
    """Queries that have all of it one after the other, a chunk each, so that
    not all has to be in memory."""
    if "chunks" not in allowed:
        yield query
        return
    n = frame.log.n_chunks
    first, end = query.get("chunks", (0, 0))
    for chunk in range(first, min(end or n, n)):
        yield dict(query, chunks=(chunk, chunk + 1))


def scan(frame: Frame) -> Any:
    """A polars.LazyFrame of a table."""
    polars = needed("polars")
    register = needed("polars.io.plugins", "polars").register_io_source
    asked = frame.query
    limits_by_table = {name: limits
                       for name, _, _, limits in _native.tables()}
    allowed = limits_by_table.get(asked.get("table", "accesses"), [])
    schema = polars.Schema(_Schema(frame))

    def empty(columns: Any) -> Any:
        return polars.DataFrame(schema={name: schema[name]
                                        for name in columns})

    def source(with_columns: Optional[List[str]], predicate: Any,
               n_rows: Optional[int], batch_size: Optional[int]) \
            -> Iterator[Any]:
        names = list(with_columns if with_columns is not None
                     else schema.names())
        query = dict(asked, columns=tuple(names))
        limited: Optional[Dict[str, Any]] = query
        if predicate is not None:
            # A condition may need columns that are not wanted.
            extra = [name for name in predicate.meta.root_names()
                     if name not in names]
            query["columns"] = tuple(names + extra)
            limited = pushed(query, limits_of(predicate), allowed)
        left = n_rows
        has_some = False
        for group in _groups(frame, limited, allowed) if limited else ():
            part = Frame(frame.log, group)
            data = polars.DataFrame(part)
            frame._status = part._status
            if predicate is not None:
                data = data.filter(predicate).select(names)
            if left is not None:
                data = data.head(left)
                left -= len(data)
            has_some = True
            yield data
            if left == 0:
                return
        if not has_some:
            yield empty(names)

    return register(source, schema=schema, is_pure=True,
                    validate_schema=False)
