"""The programs of Datagrind that this package runs: where they are.

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""
from __future__ import annotations

import os
import shutil

from . import _native
from .error import Error


def find(name: str) -> str:
    """The path of dg or dg_view: DATAGRIND_DG or DATAGRIND_DG_VIEW, else in
    the package, as a wheel has it, else where the library was installed, else
    in PATH."""
    chosen = os.environ.get("DATAGRIND_" + name.upper())
    if chosen:
        return chosen
    package = os.path.join(os.path.dirname(__file__), "installed", "bin")
    for folder in (package, getattr(_native, "bindir", "")):
        installed = os.path.join(folder, name)
        if os.access(installed, os.X_OK):
            return installed
    found = shutil.which(name)
    if found is None:
        raise Error("input", 0, f"{name} is not in PATH; set "
                    f"DATAGRIND_{name.upper()} to where it is")
    return found
