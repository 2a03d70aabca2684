"""Record a program.

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""
from __future__ import annotations

import codecs
import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import weakref
from typing import Any, Dict, Optional, Sequence, Tuple

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


# Of dg, of Valgrind and of the tool.
_MESSAGE = re.compile(r"^(?:dg|valgrind|==\d+== Datagrind): (?!warning: )(.+)$",
                      re.MULTILINE)


class _Messages:
    """What goes to standard error, of which the last lines are kept.  On a
    terminal, the program has it to itself: people see there what it says."""

    def __init__(self, popen: Dict[str, Any]):
        self._kept = b""
        self._thread: Optional[threading.Thread] = None
        self._is_ours = "stderr" not in popen and not os.isatty(2)
        if self._is_ours:
            popen["stderr"] = subprocess.PIPE

    def _copy(self, pipe: Any) -> None:
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        with pipe:
            while True:
                some = os.read(pipe.fileno(), 65536)
                self._kept = (self._kept + some)[-65536:]
                # If sys.stderr takes nothing, the program must still be able
                # to write.
                with contextlib.suppress(Exception):
                    sys.stderr.write(decoder.decode(some, not some))
                    sys.stderr.flush()
                if not some:
                    return

    def begin(self, process: subprocess.Popen[Any]) -> None:
        if self._is_ours:
            self._thread = threading.Thread(
                target=self._copy, args=(process.stderr,), daemon=True)
            self._thread.start()

    def end(self) -> None:
        """The process has ended: waits until all that it wrote is passed
        on."""
        if self._thread:
            # Another process may have it still open.
            self._thread.join(timeout=1)

    def reason(self) -> Optional[str]:
        """The first message of the recorder, after its end."""
        message = _MESSAGE.search(self._kept.decode(errors="replace"))
        return message.group(1) if message else None


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
    datagrind.Error: nothing was recorded, and why.
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
    messages = _Messages(popen)
    try:
        # Names of archives may have variables; here they are literal.
        process = subprocess.Popen(
            [programs.find("dg"), "record", "-o", path.replace("%", "%%"),
             *options, "--", *argv], **popen)
        messages.begin(process)
        try:
            status = _wait(process)
        finally:
            messages.end()
        if _state(path) in (None, before):
            reason = messages.reason()
            raise Error("input", 0, "nothing was recorded: "
                        + (reason or f"dg record ended with status {status}"),
                        path)
        log = Log(path, partial=True)
    except BaseException:
        if folder:
            shutil.rmtree(folder, ignore_errors=True)
        raise
    if folder:
        weakref.finalize(log, _remove, folder, os.getpid())
    return log
