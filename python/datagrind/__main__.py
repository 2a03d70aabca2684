"""python3 -m datagrind export|serve: what runs without a program of its own.

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""
from __future__ import annotations

import importlib
import sys
from typing import List, Optional

from .error import Error

COMMANDS = {
    "export": "write tables as Parquet or Arrow files",
    "serve": "serve a folder of archives by Arrow Flight",
}


def _usage() -> str:
    lines = ["Usage: python3 -m datagrind COMMAND [ARGUMENT]...", "",
             "Commands:"]
    lines += [f"  {name:8}{text}" for name, text in COMMANDS.items()]
    return "\n".join(lines)


def main(arguments: Optional[List[str]] = None) -> int:
    """Run a command; its module is imported only then."""
    words = sys.argv[1:] if arguments is None else arguments
    if words and words[0] in ("-h", "--help"):
        print(_usage())
        return 0
    if words and words[0] in ("-V", "--version"):
        from ._native import version
        print("datagrind", version)
        return 0
    if not words or words[0] not in COMMANDS:
        print(_usage(), file=sys.stderr)
        return 2
    try:
        module = importlib.import_module("." + words[0], __package__)
        return int(module.main(words[1:]) or 0)
    except (Error, ImportError) as problem:
        print(f"datagrind {words[0]}: {problem}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        return 1


if __name__ == "__main__":
    sys.exit(main())
