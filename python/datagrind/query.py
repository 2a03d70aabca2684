"""What a query asks for: keywords of Python as the members of a C query.

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""
from __future__ import annotations

from operator import index
from typing import (Any, Dict, Iterable, List, Mapping, Optional, Sequence,
                    SupportsIndex, Tuple, Union)

Span = Tuple[Optional[int], Optional[int]]
Instructions = Union[None, Span, slice, range]
Addresses = Union[None, Span, slice, range, Sequence[Span]]
Kinds = Union[None, str, Iterable[str]]
Threads = Union[None, int, Iterable[int]]
Columns = Union[None, str, Iterable[str]]

KINDS = {"read": 1 << 0, "write": 1 << 1}


def ends(value: Union[slice, range]) -> Span:
    """Where it starts and stops."""
    if value.step not in (None, 1):
        raise ValueError(f"{value}: a step is not possible")
    return value.start, value.stop


def spans(numbers: Sequence[int]) -> str:
    """Ascending numbers as a text: "1, 2, 5 to 9"."""
    parts: List[List[int]] = []
    for number in numbers:
        if parts and number == parts[-1][1] + 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ", ".join(str(first) if first == last else f"{first} to {last}"
                     for first, last in parts)


def _span(value: Any, what: str) -> Tuple[int, int]:
    """(low, high), where high 0 is no limit."""
    if isinstance(value, (slice, range)):
        value = ends(value)
    try:
        low, high = value
    except (TypeError, ValueError):
        raise TypeError(f"{what} must be (start, end) or a slice") from None
    low = 0 if low is None else index(low)
    high = None if high is None else index(high)
    if low < 0:
        raise ValueError(f"{what}: {low} is negative")
    if high is not None and high <= low:
        raise ValueError(f"{what}: {low} to {high} is empty")
    return low, high or 0


def _some(values: Iterable[Any], what: str) -> Tuple[Any, ...]:
    result = tuple(values)
    if not result:
        raise ValueError(f"{what}: name at least one, or None for all")
    return result


def _threads(value: Threads) -> Optional[Tuple[int, ...]]:
    if value is None:
        return None
    if isinstance(value, SupportsIndex):
        return (index(value),)
    return _some((index(thread) for thread in value), "threads")


def _addresses(value: Addresses) -> Optional[Tuple[Tuple[int, int], ...]]:
    if value is None:
        return None
    if isinstance(value, (slice, range)):
        return (_span(value, "addresses"),)
    spans = tuple(value)
    if len(spans) == 2 and all(s is None or isinstance(s, SupportsIndex)
                               for s in spans):
        return (_span(spans, "addresses"),)
    return _some((_span(s, "addresses") for s in spans), "addresses")


def _kinds(value: Kinds) -> Optional[int]:
    if value is None:
        return None
    names = _some([value] if isinstance(value, str) else value, "kinds")
    bits = 0
    for name in names:
        if name not in KINDS:
            raise ValueError(f"kinds: {name!r} is neither 'read' nor 'write'")
        bits |= KINDS[name]
    return bits


def _settings(options: Optional[Mapping[str, Any]]) \
        -> Optional[Tuple[Tuple[str, Optional[str]], ...]]:
    """Options as the command line has them: line_size=32, --line-size=32."""
    if not options:
        return None
    result = []
    for name, value in options.items():
        if value is None or value is False:
            continue
        if isinstance(value, (list, tuple)):
            value = ",".join(str(v) for v in value)
        result.append((name.replace("_", "-"),
                       None if value is True else str(value)))
    return tuple(result)


def _chunks(value: Optional[Span]) -> Optional[Tuple[int, int]]:
    return None if value is None else _span(value, "chunks")


def make(table: str, columns: Columns = None, *, threads: Threads = None,
         instructions: Instructions = None, addresses: Addresses = None,
         kinds: Kinds = None, events: Optional[str] = None,
         ranges: Optional[str] = None, chunks: Optional[Span] = None,
         batch_rows: Optional[int] = None, signed: bool = False,
         top: Optional[int] = None,
         options: Optional[Mapping[str, Any]] = None,
         workers: int = 0) -> Dict[str, Any]:
    """The query as a dict without None, which can be pickled."""
    if isinstance(columns, str):
        columns = (columns,)
    query = {
        "table": table,
        "columns": None if columns is None else tuple(columns),
        "threads": _threads(threads),
        "icounts": None if instructions is None
        else _span(instructions, "instructions"),
        "addresses": _addresses(addresses),
        "kinds": _kinds(kinds),
        "events": events,
        "ranges": ranges,
        "chunks": _chunks(chunks),
        "batch_rows": batch_rows,
        "is_signed": bool(signed) or None,
        "top": top,
        "settings": _settings(options),
        "workers": workers or None,
    }
    return {key: value for key, value in query.items() if value is not None}
