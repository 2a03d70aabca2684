"""A server of logs, for tests.

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""

import contextlib
import signal
import subprocess
import sys

from tap import equal


@contextlib.contextmanager
def server(*options, folder="."):
    """A server that is listening: its location."""
    process = subprocess.Popen(
        [sys.executable, "-m", "datagrind", "serve", folder, "--listen",
         "127.0.0.1:0", *options], stdout=subprocess.PIPE, text=True)
    try:
        line = process.stdout.readline()
        assert line.startswith("listening on "), line
        yield line.split()[-1]
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            equal(process.wait(60), 0)
        finally:
            process.kill()
