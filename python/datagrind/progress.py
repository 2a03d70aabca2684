"""Progress of long calls: a line on the terminal, or in a notebook.

Nothing is shown where neither is there, nor for calls that are soon done.

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""
from __future__ import annotations

import sys
import time
from typing import Any, Callable, Optional, Union

Callback = Callable[[int, int], object]

# Seconds before something is shown: most calls end earlier.
PATIENCE = 0.5

_chosen: Union[None, bool, Callback] = None


def set_progress(how: Union[None, bool, Callback]) -> None:
    """Choose how progress is shown, in this process.

    None (the default): on a terminal or in a notebook; False: never; True:
    always, on standard error; or a function (done, total) that is called ten
    to fifty times a second.  If it raises an exception, the call ends with it.
    """
    global _chosen
    _chosen = how


def _text(what: str, done: int, total: int, seconds: float) -> str:
    if not total:
        return what
    share = min(done / total, 1.0)
    text = f"{what} {share * 100:3.0f} %"
    if 0.02 < share < 1 and seconds > 1:
        left = int(seconds * (1 - share) / share + 0.5)
        text += f", {left // 60}:{left % 60:02d} left"
    return text


class _Line:
    """A line on standard error that is written over."""

    def __init__(self, what: str):
        self.what = what
        self.start = time.monotonic()
        self.shown = ""

    def __call__(self, done: int, total: int) -> None:
        seconds = time.monotonic() - self.start
        if seconds < PATIENCE:
            return
        if total and done >= total:
            self.close()
            return
        self.show(_text(self.what, done, total, seconds))

    def show(self, text: str) -> None:
        """Replace what is shown by a text."""
        if text != self.shown:
            blanks = " " * (len(self.shown) - len(text))
            self.write("\r" + text + blanks + ("" if text else "\r"))
            self.shown = text

    def write(self, text: str) -> None:
        """Write to where it is shown; a lost terminal is no error."""
        try:
            sys.stderr.write(text)
            sys.stderr.flush()
        except (AttributeError, OSError, ValueError):
            pass

    def close(self) -> None:
        """Remove the line."""
        self.show("")

    def __del__(self) -> None:
        if self.shown:
            self.close()


class _Notebook(_Line):
    """An output of a notebook's cell that is updated."""

    handle: Any = None

    def show(self, text: str) -> None:
        from IPython.display import display
        if text == self.shown:
            return
        data = {"text/plain": text}
        if self.handle is None:
            self.handle = display(data, raw=True, display_id=True)
        else:
            self.handle.update(data, raw=True)
        self.shown = text


def _is_notebook() -> bool:
    # Nothing is imported: who has a notebook has it already.
    ipython = sys.modules.get("IPython")
    get = getattr(ipython, "get_ipython", None)
    shell = get() if get else None
    return shell is not None and hasattr(shell, "kernel")


def _is_terminal() -> bool:
    try:
        return sys.stderr.isatty()
    except (AttributeError, ValueError):
        return False


def for_call(what: str) -> Optional[Callback]:
    """What shows the progress of a call, or None."""
    if callable(_chosen):
        return _chosen
    if _chosen is False:
        return None
    if _is_notebook():
        return _Notebook(what)
    return _Line(what) if _chosen or _is_terminal() else None
