"""Conditions of Spark as limits of a query.

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""
from __future__ import annotations

from typing import (Any, Dict, Iterable, Iterator, List, Mapping, Optional,
                    Sequence, Set)

from pyspark.sql import datasource

KINDS = ("read", "write")
TOP = 1 << 63


class Limits:
    """What a query leaves out, made smaller by conditions.

    Those on thread, kind and icount are exact, so Spark need not look at them
    again.  A limit of addresses is by overlap, so it has all rows of a
    condition on `address`, and Spark looks at these once more.
    """

    def __init__(self, limits: Mapping[str, Any]):
        self._limits = dict(limits)
        self.threads: Optional[Set[int]] = \
            set(limits["threads"]) if "threads" in limits else None
        self.kinds = set(limits.get("kinds", KINDS))
        low, high = limits.get("instructions", (None, None))
        self.low, self.high = low or 0, high
        self.first, self.last = 0, TOP - 1

    # ---- Taking conditions over ----

    def push(self, filters: Iterable[Any]) -> Iterator[Any]:
        """Takes over what it can; gives what is left for Spark."""
        for condition in filters:
            if not self._take(condition):
                yield condition

    def _take(self, condition: Any) -> bool:
        attribute: Sequence[str] = getattr(condition, "attribute", ())
        name = attribute[0] if len(attribute) == 1 else ""
        if isinstance(condition, datasource.IsNotNull):
            return name in ("thread", "kind", "icount", "address")
        value = getattr(condition, "value", None)
        if name == "thread":
            return self._take_thread(condition, value)
        if name == "kind":
            return self._take_kind(condition, value)
        if name in ("icount", "address") and isinstance(value, int):
            return self._take_number(condition, name, value)
        return False

    def _take_thread(self, condition: Any, value: Any) -> bool:
        if isinstance(condition, (datasource.EqualTo,
                                  datasource.EqualNullSafe)):
            wanted = {value}
        elif isinstance(condition, datasource.In):
            wanted = set(value)
        else:
            return False
        wanted.discard(None)
        self.threads = wanted if self.threads is None \
            else self.threads & wanted
        return True

    def _take_kind(self, condition: Any, value: Any) -> bool:
        if isinstance(condition, (datasource.EqualTo,
                                  datasource.EqualNullSafe)):
            self.kinds &= {value}
        elif isinstance(condition, datasource.In):
            self.kinds &= set(value)
        else:
            return False
        return True

    def _take_number(self, condition: Any, name: str, value: int) -> bool:
        first, last = 0, TOP - 1
        if isinstance(condition, (datasource.EqualTo,
                                  datasource.EqualNullSafe)):
            first = last = value
        elif isinstance(condition, datasource.GreaterThan):
            first = value + 1
        elif isinstance(condition, datasource.GreaterThanOrEqual):
            first = value
        elif isinstance(condition, datasource.LessThan):
            last = value - 1
        elif isinstance(condition, datasource.LessThanOrEqual):
            last = value
        else:
            return False
        if name == "address":
            # Addresses above are negative here, and pass a "less than".
            if isinstance(condition, (datasource.LessThan,
                                      datasource.LessThanOrEqual)):
                return False
            # So does "equal" to a negative one, which no limit is for.
            if first < 0:
                return False
            self.first = max(self.first, first)
            self.last = min(self.last, last)
            return False
        self.low = max(self.low, first)
        self.high = last + 1 if self.high is None \
            else min(self.high, last + 1)
        return True

    # ---- The query ----

    @property
    def is_empty(self) -> bool:
        """Whether no row can be left."""
        return (self.threads is not None and not self._valid_threads()
                or not self.kinds & set(KINDS)
                or self.high is not None and self.high <= self.low
                or self.last < self.first)

    def _valid_threads(self) -> List[int]:
        return sorted(t for t in self.threads or () if 0 < t < 1 << 32)

    @property
    def keywords(self) -> Dict[str, Any]:
        """As Log.table takes them."""
        limits = dict(self._limits)
        if self.threads is not None:
            limits["threads"] = self._valid_threads()
        if self.kinds & set(KINDS) != set(KINDS):
            limits["kinds"] = sorted(self.kinds & set(KINDS))
        if self.low > 0 or self.high is not None:
            limits["instructions"] = (self.low, self.high)
        if "addresses" not in limits and (self.first > 0
                                          or self.last < TOP - 1):
            limits["addresses"] = [(self.first, self.last + 1)]
        return limits
