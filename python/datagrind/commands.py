"""Commands of dg besides the analyses, as methods of a log.

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""
from __future__ import annotations

import itertools
import json
import subprocess
from typing import Any, Dict, Iterator, List, Sequence

from . import programs
from .error import Error
from .frame import SHOWN, needed

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
        if isinstance(value, (list, tuple)) and value and all(
                isinstance(item, int) for item in value):
            value = ",".join(map(str, value))
        for item in value if isinstance(value, (list, tuple)) else [value]:
            if item is True:
                yield name
            elif item is not None and item is not False:
                yield f"{name}={item}"


def _ask(words: List[str], options: Dict[str, Any], logs: List[str],
         main: Sequence[str]) -> Answer:
    if options.pop("json", True) is not True:
        raise TypeError("an answer is always made of JSON")
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


class Commands:
    """Each method runs a command of dg at once, and returns its answer.

    Options are those of the command, with _ for -, a flag is True, and a list
    gives an option several times: `dg advise --host --threads=1,2` is
    log.advise(host=True, threads=[1, 2]).
    """

    _place: str     # the log, wherever the process goes to

    def advise(self, **options: Any) -> Answer:
        """Findings: rule, share, gain_share, text, action, function, file,
        line ..., the most important first."""
        return _ask(["advise"], options, [self._place], ("findings",))

    def heap(self, what: str = "sites", **options: Any) -> Answer:
        """How heap blocks are used: "sites", "blocks", "untouched" (never
        accessed) or "late" (freed long after their last use)."""
        if what not in ("sites", "blocks", "untouched", "late"):
            raise ValueError(f"{what!r} is none of sites, blocks, untouched "
                             "and late")
        options[what] = True
        return _ask(["heap"], options, [self._place], {
            "sites": ("sites",), "blocks": ("block_list",),
            "untouched": ("untouched", "sites"),
            "late": ("late", "sites")}[what])

    def allocs(self, what: str = "stats", **options: Any) -> Answer:
        """Allocations: "stats", "dump" (the blocks at a moment), "history"
        (allocations and frees in their order) or "leaks" (blocks that are
        never freed, by site)."""
        main: Dict[str, Sequence[str]] = {
            "stats": (), "dump": ("block_list",), "history": ("event_list",),
            "leaks": ("sites",)}
        if what not in main:
            raise ValueError(f"{what!r} is none of {', '.join(main)}")
        return _ask(["allocs", what], options, [self._place], main[what])

    def diff(self, after: Any, what: str = "counts,time,heap",
             **options: Any) -> Answer:
        """What is different in another log: figures by `what`, which names
        analyses, or "advise"; tables are in the document.

        after: a log, or the path of one
        """
        if what == "allocs":
            raise ValueError("blocks of two logs are compared by dg alone")
        path = getattr(after, "_place", after)
        return _ask(["diff", what], options, [self._place, str(path)],
                    ("tables", "findings") if what == "advise"
                    else ("figures",))
