"""Keywords of the methods of methods.py.

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""
from __future__ import annotations

import difflib
import functools
import inspect
from typing import Any, Callable, Dict, TypeVar, cast

_Method = TypeVar("_Method", bound=Callable[..., Any])


def checked(method: _Method) -> _Method:
    """The same method, whose error about an unknown keyword names the nearest
    one."""
    names = [name for name in inspect.signature(method).parameters
             if name != "self"]

    @functools.wraps(method)
    def run(*args: Any, **keywords: Any) -> Any:
        for keyword in keywords:
            if keyword in names:
                continue
            near = difflib.get_close_matches(keyword, names, 1, 0.75)
            raise TypeError(
                f"{method.__name__}() has no keyword {keyword!r}"
                + (f"; did you mean {near[0]!r}?" if near else ""))
        return method(*args, **keywords)

    return cast(_Method, run)


def given(keywords: Dict[str, Any]) -> Dict[str, Any]:
    """Of the local variables of a method, the options that the caller has
    given."""
    return {name: value for name, value in keywords.items()
            if name != "self" and value is not None and value is not False}
