"""The analyses of dg as methods of a log.

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

if TYPE_CHECKING:
    from .frame import Frame

# What is not an option of the analysis itself.
_LIMITS = ("threads", "instructions", "events", "ranges", "top", "columns",
           "batch_rows", "signed")


class Analyses:
    """Each method runs an analysis when its table is read.

    Options are those of the command, with _ for -: `dg cache --line-size=32`
    is log.cache(line_size=32), and a flag is True.  threads, instructions,
    events, ranges, top, columns and signed are as in Log.table.

    part: another table of the report, by its key in the JSON; "values" has its
    figures, in one row.
    """

    def analysis(self, name: str, part: Optional[str] = None,
                 **options: Any) -> Frame:
        """An analysis by its name, also that of a plug-in."""
        limits = {key: options.pop(key) for key in _LIMITS if key in options}
        if "table" in options:
            raise TypeError("an analysis has no option 'table'")
        table: Any = getattr(self, "table")
        return table(f"{name}/{part}" if part else name, options=options,
                     **limits)

    def counts(self, by: Optional[str] = "function", **options: Any) -> Frame:
        """Instructions and accesses by function, line, thread ..."""
        return self.analysis("counts", by=by, **options)

    def cache(self, **options: Any) -> Frame:
        """Misses of a simulated cache."""
        return self.analysis("cache", **options)

    def tlb(self, **options: Any) -> Frame:
        """Misses of a simulated TLB."""
        return self.analysis("tlb", **options)

    def time(self, **options: Any) -> Frame:
        """Cycles of a modelled processor, and what it waits for."""
        return self.analysis("time", **options)

    def calls(self, **options: Any) -> Frame:
        """Calls, and the costs of functions with what they call."""
        return self.analysis("calls", **options)

    def invariants(self, **options: Any) -> Frame:
        """What contradicts itself in the log."""
        return self.analysis("invariants", **options)

    def branches(self, **options: Any) -> Frame:
        """Branches that a processor predicts wrongly, and their cost."""
        return self.analysis("branches", **options)

    def opcodes(self, **options: Any) -> Frame:
        """Executed instructions by category; part="opcodes": by opcode."""
        return self.analysis("opcodes", **options)

    def schedule(self, **options: Any) -> Frame:
        """How threads took turns: time slices, switches and waits.

        part="handoffs" has the switches by the two threads.
        """
        return self.analysis("schedule", **options)

    def pages(self, **options: Any) -> Frame:
        """The working set, and memory that is never used."""
        return self.analysis("pages", **options)

    def patterns(self, **options: Any) -> Frame:
        """Strides, pointer chasing, fields that are used together."""
        return self.analysis("patterns", **options)

    def reuse(self, **options: Any) -> Frame:
        """Reuse distances."""
        return self.analysis("reuse", **options)

    def sharing(self, **options: Any) -> Frame:
        """Data that threads share, and cache lines that they share falsely."""
        return self.analysis("sharing", **options)

    def whatif(self, **options: Any) -> Frame:
        """What another layout of the data would bring, line by line.

        soa, split, order, pack, narrow, pad, align, pool: the changes.
        part="figures" has those of the whole program.
        """
        return self.analysis("whatif", **options)
