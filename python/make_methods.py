"""make_methods.py DG FILE: the methods of a log that run commands of dg, with
the options of `dg COMMAND --help` as keywords.

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""

import os
import re
import subprocess
import sys
import textwrap

# Options of the command line: what is shown, where it goes, and what a log
# has in Python from datagrind.open.
NEVER = {"help", "json", "wide", "output", "sort", "plugin", "format",
         "architecture", "root", "rules", "follow"}
# Limits of all analyses, which are those of Log.table.
LIMITS = {"events", "ranges", "threads", "instructions", "interval", "top",
          "allocators", "source-map", "jobs"}
HEAP = {"by", "top", "sort", "alloc-fn", "jobs"}
ANALYSES = ("branches", "cache", "calls", "counts", "invariants", "opcodes",
            "pages", "patterns", "reuse", "schedule", "sharing", "time", "tlb",
            "whatif")
OPTION = re.compile(r"  (?:-\w, |    )--(?P<name>[\w-]+)(?:=(?P<value>\S+))?"
                    r"(?:  +(?P<help>.*))?$")
CHOICES = re.compile(r"\((?P<names>[a-z][a-z0-9-]*(?:, [a-z][a-z0-9-]*)+)"
                     r"(?:; default: [^)]*)?\)$")

HEAD = '''"""The analyses and commands of dg as methods of a log.

Made by make_methods.py from `dg COMMAND --help`.

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""
# pylint: disable=too-many-lines
from __future__ import annotations

import os
from typing import Any, Literal, Optional, Sequence, Union

from . import analyses, commands, query
from .commands import Answer
from .frame import Frame
from .keywords import checked

Number = Union[int, str]
Path = Union[str, "os.PathLike[str]"]
Repeated = Union[str, Sequence[str]]
Numbers = Union[int, str, Sequence[int]]
'''


class Option:
    """An option as a keyword."""

    def __init__(self, name, value, text):
        self.name, self.value, self.text = name, value, text
        self.keyword = name.replace("-", "_")

    @property
    def type(self):
        """As mypy has it."""
        choices = CHOICES.search(self.text)
        if self.value is None:
            return "bool"
        if choices:
            names = choices["names"].split(", ")
            return f"Literal[{', '.join(repr(name) for name in names)}]"
        if "repeat" in self.text:
            return "Repeated"
        if self.value == "LIST":
            return "Numbers"
        if self.value.startswith("FILE") or self.value == "DIR":
            return "Path"
        if self.value in ("SHARE", "PERCENT"):
            return "float"
        if self.value in ("N", "BYTES", "N[UNIT]", "N|threads"):
            return "Number"
        return "str"

    def join(self, other):
        """With the choices of the same option of another form of the
        command."""
        known, more = (CHOICES.search(text)
                       for text in (self.text, other.text))
        if known and more and known["names"] != more["names"]:
            names = known["names"].split(", ")
            names += [name for name in more["names"].split(", ")
                      if name not in names]
            self.text = self.text[:known.start()] + f"({', '.join(names)})"

    def parameter(self, default=None):
        """In the list of a method."""
        if self.value is None:
            return f"{self.keyword}: bool = False"
        return f"{self.keyword}: Optional[{self.type}] = {default!r}"


def ask(program, words):
    """The summary and the options of a command."""
    text = subprocess.run([program, *words, "--help"], check=True,
                          stdout=subprocess.PIPE, text=True,
                          env={**os.environ, "LC_ALL": "C.UTF-8"}).stdout
    lines = text.split("\n")
    summary = lines[1]
    found, options = None, []
    for line in lines[2:]:
        match = OPTION.match(line)
        if match:
            found = Option(match["name"], match["value"], match["help"] or "")
            options.append(found)
        elif found and line.startswith(" " * 20):
            found.text = f"{found.text} {line.strip()}".strip()
        else:
            found = None
    return summary, options


def parameters(entries):
    """In lines of 79 columns."""
    return textwrap.fill(", ".join(entries).replace(" = ", "\0=\0")
                         .replace(": ", ":\0").replace("[", "[\0"), 79,
                         initial_indent=" " * 12, subsequent_indent=" " * 12,
                         break_long_words=False, break_on_hyphens=False
                         ).replace("[\0", "[").replace("\0", " ")


def describe(summary, details, options):
    """The text of help()."""
    lines = [f'        """{summary}', ""]
    lines += [f"        {line}" if line else "" for line in details]
    for option in options:
        text = f"{option.keyword}: {option.text}".replace("\\", "\\\\")
        lines += textwrap.wrap(text, 79, initial_indent=" " * 8,
                               subsequent_indent=" " * 12,
                               break_on_hyphens=False)
    return "\n".join(lines + ['        """'])


LIMIT_PARAMETERS = (
    "columns: query.Columns = None", "threads: query.Threads = None",
    "instructions: query.Instructions = None", "events: Optional[str] = None",
    "ranges: Optional[str] = None", "top: Optional[int] = None",
    "batch_rows: Optional[int] = None", "signed: bool = False")


def analysis(program, name):
    """The method of an analysis."""
    summary, options = ask(program, [name])
    options = [option for option in options
               if option.name not in NEVER | LIMITS]
    own = [option.parameter("function" if (name, option.name)
                            == ("counts", "by") else None)
           for option in options]
    details = ["part: another table of the report, by its key in the JSON;",
               '    "values": the figures, in one row']
    return f'''
    @checked
    def {name}(
            self, part: Optional[str] = None, *,
{parameters([*LIMIT_PARAMETERS, *own])}) -> Frame:
{describe(summary, details, options)}
        return self._analyse("{name}", locals())
'''


def command(program, name, wordings, first, details, only=None):
    """The method of another command, which may have several forms."""
    summary, options = None, {}
    for words in wordings:
        text, found = ask(program, words)
        summary = summary or text
        for option in found:
            if (option.name in only if only
                    else option.name not in NEVER - {"sort"}):
                options.setdefault(option.name, option).join(option)
    # One that has the name of an argument is given by that.
    chosen = [option for name, option in options.items()
              if name not in re.findall(r"(\w+): ", first)]
    return f'''
    @checked
    def {name}(
            self, {first}*,
{parameters([option.parameter() for option in chosen])}) -> Answer:
{describe(summary, details, chosen)}
        return self._{name}(locals())
'''


def make(program):
    """The whole module."""
    parts = [HEAD, '''

class Analyses(analyses.Runs):
    """Each method runs an analysis when its table is read.

    Options are those of the command, with _ for -: `dg cache --by=line`
    is log.cache(by="line"), and a flag is True.  columns, threads,
    instructions, events, ranges, top, batch_rows and signed are as in
    Log.table.
    """
''']
    parts += [analysis(program, name) for name in ANALYSES]
    parts.append('''

class Commands(commands.Runs):
    """Each method runs a command of dg at once, and returns its answer.

    Options are those of the command, with _ for -, a flag is True, and a list
    gives an option several times: `dg advise --host --threads=1,2` is
    log.advise(host=True, threads=[1, 2]).
    """
''')
    parts.append(command(program, "advise", [["advise"]], "", [
        "Rows: rule, share, gain_share, text, action, function, file, line",
        "..., the most important first."]))
    parts.append(command(
        program, "heap", [["heap"]],
        'what: Literal["sites", "blocks", "untouched", "late"] = "sites", ', [
            "what: how blocks are used, by site; each block; blocks that are",
            "    never accessed; blocks that are freed long after their last "
            "use"], HEAP))
    parts.append(command(
        program, "allocs", [["allocs", what] for what in (
            "stats", "dump", "history", "leaks")],
        'what: Literal["stats", "dump", "history", "leaks"] = "stats", ', [
            "what: figures; the blocks at a moment; allocations and frees in",
            "    their order; blocks that are never freed, by site"]))
    parts.append(command(
        program, "diff", [["diff", name] for name in ("advise", "heap")
                          + ANALYSES
                          if name not in ("invariants", "branches", "whatif")],
        'after: Any, what: str = "counts,time,heap", ', [
            "after: a log or the path of one, or several of these",
            "what: names analyses, heap or advise; tables are in the "
            "document"]))
    return "".join(parts)


def main():
    program, path = sys.argv[1:]
    text = make(program)
    with open(path + "-t", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(path + "-t", path)


if __name__ == "__main__":
    main()
