"""What the library exports: just what the public headers declare.

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""

import os
import re
import shlex
import shutil
import subprocess

SOURCE = os.environ["abs_top_srcdir"]
LIBRARY = os.path.join(os.environ["abs_top_builddir"],
                       "lib/.libs/libdatagrind.so")


def declared():
    """Functions behind DG_API in libdatagrind.h, dg_analysis.h and dg_traffic.h."""
    include = os.path.join(SOURCE, "include")
    text = subprocess.run(
        shlex.split(os.environ.get("CC", "cc"))
        + ["-E", "-P", "-DDG_API=dg_exported", "-I", include,
           "-include", "libdatagrind.h", "-include", "dg_analysis.h",
           "-include", "dg_traffic.h",
           "-x", "c", os.devnull],
        stdout=subprocess.PIPE, check=True, text=True).stdout
    return set(re.findall(r"dg_exported\b[^;{]*?\b(\w+)\s*\([^;]*;", text))


def mapped():
    """Name -> version, as libdatagrind.map has them."""
    with open(os.path.join(SOURCE, "lib/libdatagrind.map"),
              encoding="utf-8") as file:
        text = re.sub(r"#.*", "", file.read())
    found = {}
    for version, body in re.findall(r"(\w[\w.]*) \{(.*?)\}", text, re.S):
        for name in re.findall(r"\bdg_\w+", body):
            found[name] = version
    return found


def exported():
    """Name -> version (None without), as the linker of programs sees it."""
    found = {}
    told = subprocess.run(["nm", "-D", "--defined-only", "--with-symbol-"
                           "versions", LIBRARY], stdout=subprocess.PIPE,
                          check=True, text=True).stdout
    for line in told.splitlines():
        kind, name = line.split()[-2:]
        name, _, version = name.partition("@")
        if kind != "A":
            found[name] = version.lstrip("@") or None
    return found


def differ(title, ours, theirs):
    """Lines about what only one of two has."""
    return (["%s: only in the %s" % (name, title[0])
             for name in sorted(set(ours) - set(theirs))]
            + ["%s: only in the %s" % (name, title[1])
               for name in sorted(set(theirs) - set(ours))])


def main():
    """TAP."""
    checks = [("the map has what the headers declare",
               lambda: differ(("headers", "map"), declared(), mapped()))]
    if not shutil.which("nm") or not os.path.exists(LIBRARY):
        print("ok # skip no nm, or no shared library")
        print("1..1")
        return
    checks += [
        ("the library exports what the headers declare",
         lambda: differ(("headers", "library"), declared(), exported())),
        ("each has its version",
         lambda: ["%s: %s, not %s" % (name, version, mapped().get(name))
                  for name, version in sorted(exported().items())
                  if version is None or version != mapped().get(name)])]
    for number, (title, check) in enumerate(checks, 1):
        bad = check()
        print("%s %d - %s" % ("not ok" if bad else "ok", number, title))
        for line in bad:
            print("#   " + line)
    print("1..%d" % len(checks))


main()
