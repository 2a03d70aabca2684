"""The folder that a server serves: names, logs that are open, what a client
may ask for.

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""
from __future__ import annotations

import os
import stat
import threading
from collections import OrderedDict
from typing import Any, Dict, List, Optional, Tuple

from . import log as log_module
from . import query
from .error import Error
from .frame import Frame

# Chunks of a ticket.
CHUNKS = 16
MOST_OPEN = 16
# Rows of a batch, at most, as a batch is in memory at once.
MOST_ROWS = 1 << 20
# Tables whose rows belong to chunks.
BY_CHUNK = ("accesses", "runs", "chunks", "lines")
# What a command may have besides name, table and follow: Log.table's.
KEYWORDS = ("columns", "threads", "instructions", "addresses", "kinds",
            "events", "ranges", "chunks", "batch_rows", "signed", "top",
            "options")


class Refused(Exception):
    """There is no such log for a client."""


def keywords_of(asked: Dict[str, Any]) -> Dict[str, Any]:
    """The keywords of Log.table in a command."""
    unknown = set(asked) - set(KEYWORDS) - {"name", "table", "follow"}
    if unknown:
        raise ValueError(f"unknown: {', '.join(sorted(unknown))}")
    return {key: asked[key] for key in KEYWORDS
            if asked.get(key) is not None}


def frame_of(asked: Dict[str, Any], log: Any) -> Frame:
    """The table that a command asks for.  If it cannot be asked: ValueError,
    TypeError, and what follows from values of any kind."""
    if (asked.get("batch_rows") or 0) > MOST_ROWS:
        raise ValueError(f"batch_rows must be at most {MOST_ROWS}")
    made = query.make(str(asked.get("table", "accesses")), workers=1,
                      **keywords_of(asked))
    # What an analysis writes would be a file of the server.
    made["no_files"] = True
    return Frame(log, made)


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


class Folder:
    """The logs of a folder, by name; nothing else can be reached."""

    def __init__(self, path: str, chunks: int, follow: bool):
        self._root = os.path.realpath(path)
        if not os.path.isdir(self._root):
            raise NotADirectoryError(f"{path} is not a folder")
        self._chunks = chunks
        self._follow = follow
        self._lock = threading.Lock()
        self._open: OrderedDict[Any, Any] = OrderedDict()

    def names(self) -> List[str]:
        """The archives in it.  Clients cannot ask for a name that is not
        UTF-8."""
        return sorted(
            entry.name for entry in os.scandir(self._root)
            if entry.name.endswith(".dgz") and _is_text(entry.name)
            and self._path(entry.name))

    def _path(self, name: str) -> Optional[str]:
        """The file with this name; None: there is none for clients."""
        if not name or "\0" in name or os.path.isabs(name) \
                or ".." in name.split("/"):
            return None
        try:
            path = os.path.realpath(os.path.join(self._root, name))
        except ValueError:
            return None
        if os.path.commonpath([path, self._root]) != self._root:
            return None
        try:
            is_file = stat.S_ISREG(os.stat(path).st_mode)
        except (OSError, ValueError):
            return None
        return path if is_file else None

    def open(self, name: str, follow: bool) -> Any:
        """A log.  One that is followed is the caller's own; others have what
        is there now, if the server follows logs."""
        path = self._path(name)
        if path is None:
            raise Refused(f"there is no log '{name}' here")
        if follow:
            return log_module.open(path, follow=True, workers=1)
        with self._lock:
            return self._shared(path)

    def _shared(self, path: str) -> Any:
        status = os.stat(path)
        growing = (path, status.st_ino)
        key = growing + (status.st_size, status.st_mtime_ns)
        log = self._open.get(key) or self._open.get(growing)
        if log is None:
            try:
                log = self._keep(key, log_module.open(path, workers=1))
            except Error as problem:
                if not self._follow or problem.code != "truncated":
                    raise
                log = self._keep(growing, log_module.open(
                    path, follow=True, workers=1))
        else:
            self._open.move_to_end(
                key if key in self._open else growing)
        while log.grow():
            pass
        return log

    def _keep(self, key: Any, log: Any) -> Any:
        self._open[key] = log
        while len(self._open) > MOST_OPEN:
            self._open.popitem(last=False)
        return log

    def spans(self, asked: Dict[str, Any], frame: Frame) \
            -> List[Optional[Tuple[int, int]]]:
        """The groups of chunks of a flight; None: all at once."""
        if asked.get("follow") or asked["table"] not in BY_CHUNK:
            return [None]
        n = frame.log.n_chunks - frame.log.is_growing
        first, end = frame.query.get("chunks", (0, n))
        end = min(end or n, n)
        return [(at, min(at + self._chunks, end))
                for at in range(max(first, 0), end, self._chunks)]
