"""The error of all of this package.

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""
from __future__ import annotations

import os
import sys
import warnings
from typing import Optional


def warn(text: str) -> None:
    """A warning whose place is the first caller outside of this package."""
    here, level = os.path.dirname(__file__), 1
    frame = sys._getframe(1)
    while frame.f_back and os.path.dirname(frame.f_code.co_filename) == here:
        frame, level = frame.f_back, level + 1
    warnings.warn(text, UserWarning, stacklevel=level + 1)


class Error(Exception):
    """A log cannot be opened or read, or a query is wrong.

    code: a word, such as "truncated", "damaged", "not a log" or "invalid"
    offset: of the bad record in the file, otherwise 0
    path: of the log, or None
    """

    def __init__(self, code: str, offset: int, message: str,
                 path: Optional[str] = None):
        super().__init__(code, offset, message, path)
        self.code = code
        self.offset = offset
        self.message = message
        self.path = path

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message
