"""Commands of dg besides the analyses, as the methods of methods.py run them.

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""
from __future__ import annotations

import itertools
import json
import subprocess
from typing import Any, Dict, Iterator, List, Mapping, Sequence

from . import programs
from .error import Error
from .frame import SHOWN, needed
from .keywords import given

# Exit status of dg diff: a limit of --fail-if is broken.
_BROKEN = 3


class Answer:
    """What a command of dg says: its JSON, and the main table of it.

    document: the whole, as docs/schema describes it; answer["key"] is a member
    rows: the table as dicts; addresses are texts such as "0x1000"
    is_broken: of diff, a limit of fail_if is broken
    """

    def __init__(self, command: str, document: Dict[str, Any],
                 main: Sequence[str], is_broken: bool = False):
        self.command = command
        self.document = document
        self.is_broken = is_broken
        table: Any = document
        for key in main:
            table = table.get(key, [])
        # Without a table, the figures are a row.
        self.rows: List[Dict[str, Any]] = table if main else [
            {key: value for key, value in document.items()
             if not isinstance(value, (dict, list))}]

    def __getitem__(self, key: str) -> Any:
        return self.document[key]

    def __iter__(self) -> Iterator[Dict[str, Any]]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def columns(self) -> List[str]:
        """The names of the columns."""
        return list(self.rows[0]) if self.rows else []

    def head(self, n: int = SHOWN) -> List[Dict[str, Any]]:
        """The first n rows as dicts."""
        return list(itertools.islice(self.rows, max(n, 0)))

    def to_pylist(self) -> List[Dict[str, Any]]:
        """All rows as dicts."""
        return list(self.rows)

    def to_arrow(self) -> Any:
        """A pyarrow.Table."""
        return needed("pyarrow").Table.from_pylist(self.rows)

    def to_pandas(self) -> Any:
        """A pandas.DataFrame."""
        return needed("pandas").DataFrame(self.rows)

    def to_polars(self) -> Any:
        """A polars.DataFrame."""
        return needed("polars").DataFrame(self.rows, infer_schema_length=None)

    def __repr__(self) -> str:
        return f"<datagrind.Answer of {self.command}: {len(self)} rows>"


def _arguments(options: Dict[str, Any]) -> Iterator[str]:
    """A flag is True, and what is False or None is not given; a list of texts
    repeats the option, one of numbers is its value."""
    for key, value in options.items():
        name = "--" + key.replace("_", "-")
        if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
            value = list(value)
        if isinstance(value, list) and value and all(
                isinstance(item, int) for item in value):
            value = ",".join(map(str, value))
        for item in value if isinstance(value, list) else [value]:
            if item is True:
                yield name
            elif item is not None and item is not False:
                yield f"{name}={item}"


def _one_of(names: Mapping[str, Any], what: str) -> str:
    if what not in names:
        raise ValueError(f"{what!r} must be one of {', '.join(names)}")
    return what


def _ask(words: List[str], options: Dict[str, Any], logs: List[str],
         main: Sequence[str]) -> Answer:
    run = subprocess.run(
        [programs.find("dg"), *words, "--json", *_arguments(options), "--",
         *logs], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, check=False)
    try:
        document = json.loads(run.stdout)
    except ValueError:
        message = next(
            (line for line in run.stderr.decode(errors="replace").split("\n")
             if not line.startswith("dg: warning:")), "")
        raise Error("invalid", 0, message.replace("dg: ", "", 1)
                    or f"dg {' '.join(words)} ended with status "
                    f"{run.returncode}", logs[0]) from None
    return Answer("dg " + " ".join(words), document, main,
                  run.returncode == _BROKEN)


class Runs:
    """Runs commands, with the keywords of a method as options."""

    _place: str     # the log, wherever the process goes to

    def _advise(self, keywords: Dict[str, Any]) -> Answer:
        return _ask(["advise"], given(keywords), [self._place], ("findings",))

    def _heap(self, keywords: Dict[str, Any]) -> Answer:
        main = {"sites": ("sites",), "blocks": ("block_list",),
                "untouched": ("untouched", "sites"),
                "late": ("late", "sites")}
        what = _one_of(main, keywords.pop("what"))
        return _ask(["heap"], {**given(keywords), what: True}, [self._place],
                    main[what])

    def _allocs(self, keywords: Dict[str, Any]) -> Answer:
        main: Dict[str, Sequence[str]] = {
            "stats": (), "dump": ("block_list",), "history": ("event_list",),
            "leaks": ("sites",)}
        what = _one_of(main, keywords.pop("what"))
        return _ask(["allocs", what], given(keywords), [self._place],
                    main[what])

    def _diff(self, keywords: Dict[str, Any]) -> Answer:
        after, what = keywords.pop("after"), keywords.pop("what")
        if what == "allocs":
            raise ValueError("blocks of two logs are compared by dg alone")
        logs = [str(getattr(log, "_place", log)) for log in (
            after if isinstance(after, (list, tuple)) else [after])]
        if not logs:
            raise ValueError("diff needs a log to compare with")
        return _ask(["diff", what], {**given(keywords), "after": logs[1:]},
                    [self._place, logs[0]],
                    ("tables", "findings") if what == "advise"
                    else ("figures",))
