"""The logs that Spark reads: finding them, and keeping them open.

A process keeps the latest logs open, since loading their definitions takes
longer than reading a chunk.

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""
from __future__ import annotations

import contextlib
import glob
import os
import threading
from collections import OrderedDict
from typing import Any, Iterator, List, NamedTuple, Optional, Tuple

from . import log as log_module
from .error import Error

# Logs that a process keeps open.
MOST_OPEN = 16
# What a recorder writes before it has written anything, or the header only.
NOT_YET = ("not a log", "truncated")


class Access(NamedTuple):
    """How a server is reached."""

    token: Optional[str] = None
    tls_roots: Optional[str] = None


def is_remote(path: str) -> bool:
    """Whether a server has it."""
    return path.startswith(("grpc://", "grpc+tls://"))


@contextlib.contextmanager
def told(path: str) -> Iterator[None]:
    """Errors of logs as text, with code and offset: the exception of a worker
    comes to the driver as text."""
    try:
        yield
    except Error as problem:
        raise RuntimeError(f"{problem} [{problem.code}, offset "
                           f"{problem.offset:#x}, {path}]") from None


def find(pattern: str, access: Access, must_exist: bool = True) -> List[str]:
    """The logs of a path, a pattern or a folder, in the order of names."""
    if is_remote(pattern):
        return [pattern]
    if pattern.startswith("file:"):
        pattern = "/" + pattern[len("file:"):].lstrip("/")
    if os.path.isdir(pattern):
        pattern = os.path.join(glob.escape(pattern), "*.dgz")
    paths = [os.path.abspath(path) for path in sorted(glob.glob(pattern))]
    if not paths and must_exist:
        raise FileNotFoundError(f"datagrind: there is no log {pattern}")
    return paths


def first(pattern: str, access: Access) -> str:
    """The first of them."""
    return find(pattern, access)[0]


# ---- Open logs ----

_open: OrderedDict[Any, Any] = OrderedDict()
_lock = threading.Lock()


def _identity(path: str) -> Tuple[Any, ...]:
    """What changes when another file gets this name."""
    if is_remote(path):
        return ()
    status = os.stat(path)
    return (status.st_ino, status.st_size, status.st_mtime_ns)


def _open_log(path: str, access: Access, partial: bool, follow: bool) -> Any:
    if is_remote(path):
        from . import flight
        return flight.open(path, token=access.token,
                           tls_roots=access.tls_roots)
    return log_module.open(path, partial=partial, follow=follow, workers=1)


def _keep(key: Any, log: Any) -> Any:
    _open[key] = log
    _open.move_to_end(key)
    while len(_open) > MOST_OPEN:
        _open.popitem(last=False)
    return log


def borrow(path: str, access: Access, partial: bool, is_growing: bool,
           chunks: Optional[Tuple[int, int]]) -> Any:
    """A log of this process.  One that is growing has at least these
    chunks."""
    key: Tuple[Any, ...] = (path, access, partial or is_growing, is_growing)
    with _lock:
        if is_growing and not is_remote(path):
            key += (os.stat(path).st_ino,)
            log = _open.get(key)
            if log is None:
                log = _keep(key, log_module.open(path, partial=True,
                                                 follow=True, workers=1))
            while chunks and log.n_chunks < chunks[1] and log.grow():
                pass
            return log
        key += _identity(path)
        return _open.get(key) or _keep(
            key, _open_log(path, access, partial, False))


def drop_all() -> None:
    """Closes what this process has open."""
    with _lock:
        _open.clear()


# ---- Chunks ----

def count_chunks(path: str, access: Access, partial: bool) -> int:
    """How many a complete log has."""
    with told(path):
        return int(borrow(path, access, partial, False, None).n_chunks)


def finished_chunks(path: str, access: Access) -> Tuple[int, Optional[str]]:
    """How many will not change any more, and of which recording they are; 0
    for a file that is no log yet."""
    if is_remote(path):
        from . import flight
        info = flight.open(path, access.token, access.tls_roots).info
        return (int(info["n_chunks"]) - bool(info["is_growing"]),
                info["recording"])
    try:
        log = borrow(path, access, True, True, None)
        while log.grow():
            pass
    except Error as problem:
        if problem.code in NOT_YET:
            return 0, None
        with told(path):
            raise
    damage = log.problem
    if damage and damage.code == "damaged":
        with told(path):
            raise damage
    n = int(log.n_chunks)
    return (max(n - 1, 0) if log.is_growing else n), log.info["recording"]


def check_recording(path: str, wanted: Optional[str],
                    found: Optional[str]) -> None:
    """Fails if the log is of another recording than before."""
    if wanted is not None and found != wanted:
        raise RuntimeError(
            f"datagrind: {path} is another recording than the one that the "
            "stream has begun to read; each needs a name of its own")
