"""The token of a server on this machine, which clients of its user find.

The server makes it and writes it to a file that only its user can read, named
after the address where it listens.  A client looks for that file if it was given
no token; it has no access to that of another user.

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""
from __future__ import annotations

import contextlib
import os
import secrets
import socket
import stat
import tempfile
from typing import Iterator, List, Optional, Tuple
from urllib.parse import quote, urlsplit

# Longer is no token of ours.
MOST = 1000
# The addresses that no other machine can reach, as a client writes them.
# localhost would be tried as ::1 first, where another user may listen.
LOOPBACK = {"127.0.0.1": "127.0.0.1", "localhost": "127.0.0.1", "::1": "[::1]"}


def address(host: str) -> Optional[str]:
    """The address of this machine that is named, as URLs write it; None: it is
    one that others can reach."""
    return LOOPBACK.get(host.strip("[]").lower())


def _folders() -> List[str]:
    """Where tokens can be, the best one first."""
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    cache = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(cache):
        cache = os.path.join(os.path.expanduser("~"), ".cache")
    return [os.path.join(folder, "datagrind")
            for folder in (runtime, cache) if os.path.isabs(folder)]


def _name(host: str, port: int) -> str:
    """A file's name.  Machines can share a home, but not an address."""
    where = quote(f"{socket.gethostname()}-{host.strip('[]')}-{port}", safe="")
    return f"serve-{where}.token"


def _is_ours(status: os.stat_result, but: int) -> bool:
    """Whether others have none of these permissions."""
    return status.st_uid == os.geteuid() and not status.st_mode & but


def _write(folder: str, name: str, token: str) -> str:
    os.makedirs(folder, mode=0o700, exist_ok=True)
    status = os.lstat(folder)
    if not stat.S_ISDIR(status.st_mode) or not _is_ours(status, 0o022):
        raise PermissionError(f"others may write to {folder}")
    number, part = tempfile.mkstemp(prefix=name, suffix=".part", dir=folder)
    try:
        with open(number, "w", encoding="ascii") as file:
            file.write(token + "\n")
        path = os.path.join(folder, name)
        os.replace(part, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(part)
        raise
    return path


def make() -> str:
    """A new token."""
    return secrets.token_urlsafe(32)


@contextlib.contextmanager
def offered(token: str, host: str, port: int) -> Iterator[str]:
    """The path of a file with the token, which is there meanwhile.  OSError, if
    there is no folder for it."""
    problems = []
    for folder in _folders():
        try:
            path = _write(folder, _name(host, port), token)
            break
        except OSError as problem:
            problems.append(str(problem))
    else:
        raise OSError("there is no folder for the token: "
                      + "; ".join(problems))
    try:
        yield path
    finally:
        with contextlib.suppress(OSError):
            os.unlink(path)


def _read(path: str) -> Optional[str]:
    try:
        number = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
                         | os.O_CLOEXEC)
    except OSError:
        return None
    with open(number, "rb") as file:
        status = os.fstat(number)
        if not stat.S_ISREG(status.st_mode) or not _is_ours(status, 0o077):
            return None
        return file.read(MOST).decode("ascii", "replace").strip() or None


def find(location: str) -> Tuple[Optional[str], str]:
    """The token that a server of this user offers at scheme://HOST:PORT, or
    None, and where to send it."""
    parts = urlsplit(location)
    host = address(parts.hostname or "")
    if host is None or parts.port is None:
        return None, location
    for folder in _folders():
        token = _read(os.path.join(folder, _name(host, parts.port)))
        # With TLS, the certificate has the name and proves the server.
        if token and parts.scheme == "grpc":
            return token, f"grpc://{host}:{parts.port}"
        if token:
            return token, location
    return None, location
