"""The analyses of dg, as the methods of methods.py run them.

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Optional

from .keywords import given

if TYPE_CHECKING:
    from .frame import Frame

# What is not an option of the analysis itself.
_LIMITS = ("threads", "instructions", "events", "ranges", "top", "columns",
           "batch_rows", "signed")


class Runs:
    """Runs analyses."""

    def analysis(self, name: str, part: Optional[str] = None,
                 **options: Any) -> Frame:
        """An analysis by its name, also that of a plug-in."""
        limits = {key: options.pop(key) for key in _LIMITS if key in options}
        if "table" in options:
            raise TypeError("an analysis has no option 'table'")
        table: Any = getattr(self, "table")
        frame: Frame = table(f"{name}/{part}" if part else name,
                             options=options, **limits)
        return frame

    def _analyse(self, name: str, keywords: Dict[str, Any]) -> Frame:
        return self.analysis(name, keywords.pop("part"), **given(keywords))
