"""The error of all of this package.

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""
from __future__ import annotations

from typing import Optional


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
