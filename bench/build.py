"""build.py: a build folder, for benchmarks: its programs, their environment,
and the commit that it is of.

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""

import json
import os
import re
import subprocess
import sys

import measure


class Build:
    """What runs in a build folder, without being installed."""

    def __init__(self, folder):
        self.folder = os.path.abspath(folder)
        self.dg = self.program("tools", "dg")
        self.view = self.program("dg_view", "dg_view")
        if self.dg is None:
            sys.exit(f"{folder} is not a built tree")
        self.env = dict(
            os.environ, LC_ALL="C.UTF-8", PYTHONHASHSEED="0",
            LD_LIBRARY_PATH=os.path.join(self.folder, "lib/.libs"))
        self.env.pop("DEBUGINFOD_URLS", None)
        self.env.pop("VALGRIND_OPTS", None)
        variables = self.variables()
        self.commit = self.describe(variables.get("abs_top_srcdir", "."))
        self.tree = variables.get("VALGRIND_TREE")
        if self.tree:
            self.env["VALGRIND_LIB"] = os.path.join(self.tree, ".in_place")

    def program(self, folder, name):
        """The program, not libtool's wrapper around it; or None."""
        for place in (".libs", ""):
            path = os.path.join(self.folder, folder, place, name)
            if os.path.exists(path):
                return path
        return None

    def variables(self):
        """Those of the tests' makefile."""
        with open(os.path.join(self.folder, "tests/Makefile"),
                  encoding="utf-8") as file:
            return dict(re.findall(r"^(\w+) = (\S.*)$", file.read(), re.M))

    @staticmethod
    def describe(source):
        """The commit of a source folder."""
        done = subprocess.run(
            ["git", "-C", source, "describe", "--always", "--dirty",
             "--abbrev=12", "--exclude=*"], capture_output=True, text=True,
            check=False)
        return done.stdout.strip() or "unknown"

    def recording(self, program, out):
        """The command that records a program."""
        valgrind = os.path.join(self.tree, "coregrind/valgrind")
        return [self.dg, "record", "-q", "--valgrind=" + valgrind, "-o", out,
                "--"] + program

    def info(self, log):
        """What dg info says of a log."""
        out = subprocess.check_output([self.dg, "info", "--json", log],
                                      env=self.env)
        return json.loads(out)

    def accesses(self, log):
        """How many a log has."""
        return self.info(log)["accesses"]

    def run(self, command, work):
        """Runs it to its end: a measure.Took."""
        return measure.run(command, work, env=self.env)
