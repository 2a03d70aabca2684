"""Record a program.

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""
from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import weakref
from typing import Any, Optional, Sequence, Tuple

from . import programs
from .error import Error
from .log import Log


def _state(path: str) -> Optional[Tuple[int, int, int]]:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns


def _remove(folder: str, owner: int) -> None:
    """Remove a folder, but not when a forked copy of its owner ends."""
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)


def _wait(process: subprocess.Popen[Any]) -> int:
    """The exit status.  Ctrl-C reaches the program as well: its recording is
    completed before the exception goes on."""
    try:
        return process.wait()
    except KeyboardInterrupt:
        process.wait()
        raise


def record(argv: Sequence[Any], output: Any = None,
           options: Sequence[str] = (), **popen: Any) -> Log:
    """Run a program under `dg record` and open its archive.

    output: the archive; None: a temporary file that is removed with the log
    options: of dg record, such as "--datagrind-stop-after=1000000"
    popen: of subprocess.Popen, such as stdin, stdout, cwd and env

    The exit status of the program is in log.info["exit_status"].
    datagrind.Error: nothing was recorded.
    """
    if isinstance(argv, (str, bytes)):
        argv = [argv]
    if not argv:
        raise ValueError("record needs a program")
    folder = None
    if output is None:
        folder = tempfile.mkdtemp(prefix="datagrind-")
        name = os.path.basename(os.fsdecode(argv[0])) or "program"
        output = os.path.join(folder, name + ".dgz")
    path = os.path.abspath(os.fsdecode(output))
    before = _state(path)
    try:
        # Names of archives may have variables; here they are literal.
        process = subprocess.Popen(
            [programs.find("dg"), "record", "-o", path.replace("%", "%%"),
             *options, "--", *argv], **popen)
        status = _wait(process)
        if _state(path) in (None, before):
            raise Error("input", 0, "nothing was recorded: dg record ended with "
                        f"status {status}", path)
        log = Log(path, partial=True)
    except BaseException:
        if folder:
            shutil.rmtree(folder, ignore_errors=True)
        raise
    if folder:
        weakref.finalize(log, _remove, folder, os.getpid())
    return log
