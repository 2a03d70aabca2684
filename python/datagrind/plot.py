"""The picture of a log, by dg_view.

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""
from __future__ import annotations

import os
import subprocess
import tempfile
from typing import Any, List, Optional, Tuple

from . import programs
from .error import Error


class Picture:
    """A picture that a notebook shows."""

    def __init__(self, data: bytes, form: str):
        self.data = data
        self.format = form

    def save(self, path: Any) -> None:
        """Write it to a file."""
        with open(path, "wb") as file:
            file.write(self.data)

    def _repr_svg_(self) -> Optional[str]:
        return self.data.decode() if self.format == "svg" else None

    def _repr_png_(self) -> Optional[bytes]:
        return self.data if self.format == "png" else None

    def __repr__(self) -> str:
        return f"<datagrind.Picture {self.format}, {len(self.data)} bytes>"


def _span(value: Any) -> str:
    low, high = ((value.start, value.stop)
                 if isinstance(value, (slice, range)) else value)
    return (f"{'' if low is None else low}..{'' if high is None else high}")


def plot(path: str, *, size: Tuple[int, int] = (1000, 700),
         format: str = "png", events: Optional[str] = None,
         ranges: Optional[str] = None, addresses: Any = None,
         instructions: Any = None, title: Optional[str] = None,
         theme: Optional[str] = None, palette: Optional[str] = None,
         colour: Optional[str] = None, exact: bool = False) -> Picture:
    """Draw a log: addresses from left to right, time from top to bottom.

    format: "png", "svg" or "pdf"; others are the options of dg_view
    """
    if format not in ("png", "svg", "pdf"):
        raise ValueError(f"format: {format!r} is not png, svg or pdf")
    options = {"events": events, "ranges": ranges, "title": title,
               "theme": theme, "palette": palette, "colour": colour,
               "addresses": None if addresses is None else _span(addresses),
               "instructions": None if instructions is None
               else _span(instructions)}
    with tempfile.TemporaryDirectory(prefix="datagrind-") as folder:
        picture = os.path.join(folder, "picture." + format)
        command: List[str] = [programs.find("dg_view"), "--render=" + picture,
                              f"--size={size[0]}x{size[1]}"]
        command += [f"--{name}={value}" for name, value in options.items()
                    if value is not None]
        if exact:
            command.append("--exact")
        done = subprocess.run(command + ["--", path], stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, check=False)
        if done.returncode != 0 or not os.path.exists(picture):
            message = done.stderr.decode(errors="replace").strip()
            raise Error("input", 0, message or "dg_view failed", path)
        with open(picture, "rb") as file:
            return Picture(file.read(), format)
