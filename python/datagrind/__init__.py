"""Datagrind's logs as data frames.

    import datagrind

    log = datagrind.open("prog.dgz")
    log.info["accesses"]
    log.accesses(["icount", "address"], kinds="write").to_pandas()
    log.counts(by="function").to_polars()

Every table implements the Arrow PyCapsule interface, so pyarrow, pandas,
Polars, DuckDB and others take it as it is.  None of them is required.

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""
from __future__ import annotations

from . import error as _error  # noqa: F401  (before the extension)
from ._native import version as __version__
from .commands import Answer
from .error import Error
from .frame import Frame
from .log import Column, Log, Table, open, tables
from .plot import Picture
from .progress import set_progress
from .record import record

__all__ = ["Answer", "Column", "Error", "Frame", "Log", "Picture", "Table", "open",
           "record", "set_progress", "tables", "__version__"]
