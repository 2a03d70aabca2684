"""Which folder uses which: docs/houses against includes and objects.

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""

import collections
import glob
import os
import re
import shutil
import subprocess

SOURCE = os.environ["abs_top_srcdir"]
BUILD = os.environ["abs_top_builddir"]


def read_table():
    """Folder -> the set of those that it may use; in the table's order.

    FOLDER/* is each folder below it; none of these may use another.
    """
    table = {}
    with open(os.path.join(SOURCE, "docs/houses"), encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                pattern, used = line.split(":")
                used = (set(table) if used.strip() == "ANY"
                        else set(used.split()))
                found = [pattern]
                if pattern.endswith("*"):
                    found = [f for f in sorted(glob.glob(
                                 os.path.join(SOURCE, pattern)))
                             if os.path.isdir(f)]
                table.update((os.path.relpath(os.path.join(SOURCE, f), SOURCE),
                              used) for f in found)
    return table


TABLE = read_table()
TOPS = {folder.split("/")[0] for folder in TABLE}


def sources(folder, suffixes=(".c", ".h")):
    """Files of a folder and of those below it, from the top of the tree."""
    for where, _, files in os.walk(os.path.join(SOURCE, folder)):
        for name in sorted(files):
            if name.endswith(suffixes):
                yield os.path.relpath(os.path.join(where, name), SOURCE)


def text(path):
    """A source."""
    with open(os.path.join(SOURCE, path), encoding="utf-8") as file:
        return file.read()


def problem(user, used, why):
    """What is wrong when a file of one folder uses one of another."""
    if used == user or used in TABLE[user]:
        return []
    return ["%s uses %s: %s" % (user, used, why)]


def folders():
    """Every folder with sources is in the table, and no other."""
    found = {os.path.dirname(path) for top in TOPS for path in sources(top)}
    return (["%s: not in docs/houses" % f for f in sorted(found - set(TABLE))]
            + ["%s: no such folder" % f for f in sorted(set(TABLE) - found)])


def order():
    """A folder stands below all that it uses, so that there is no circle."""
    above, bad = set(), []
    for folder, used in TABLE.items():
        bad += ["%s stands above %s, which it uses" % (folder, u)
                for u in sorted(used - above)]
        above.add(folder)
    return bad


def includes():
    """A header of another folder is named with its folder."""
    bad = []
    for top in TOPS:
        headers = {os.path.basename(p): os.path.dirname(p)
                   for p in sources(top, ".h")}
        for path in sources(top):
            here = os.path.dirname(path)
            for name in re.findall(r'^ *# *include *"([^"]+)"', text(path),
                                   re.M):
                folder = os.path.dirname(name)
                used = os.path.join(top, folder) if folder else here
                if os.path.exists(os.path.join(SOURCE, used,
                                               os.path.basename(name))):
                    bad += problem(here, used, "%s includes %s"
                                   % (path, name))
                elif name in headers:
                    bad.append('%s includes "%s", which is %s/%s'
                               % (path, name, headers[name], name))
    return bad


def symbols(path):
    """What an object defines, and what it needs."""
    defined, needed = set(), set()
    told = subprocess.run(["nm", path], stdout=subprocess.PIPE, check=True,
                          text=True).stdout
    for line in told.splitlines():
        kind, name = line.split()[-2:]
        if kind in "TDBRVWC":
            defined.add(name)
        elif kind == "U":
            needed.add(name)
    return defined, needed


def objects_of(folder):
    """Of the folder's sources; libtool has them in .libs, unless it builds
    no shared library.  Automake puts the program's name before theirs."""
    names = {os.path.basename(path)[:-2] for path in sources(folder, ".c")
             if os.path.dirname(path) == folder}
    found = (glob.glob(os.path.join(BUILD, folder, ".libs", "*.o"))
             or glob.glob(os.path.join(BUILD, folder, "*.o")))
    return sorted(path for path in found
                  if os.path.basename(path)[:-2].split("-")[-1] in names)


def calls():
    """The same by what objects need, whichever header declares it.

    Tools and the viewer use the library by its public headers alone: what
    they need of it is not an arrow between houses.
    """
    objects, home = [], {}
    for folder in TABLE:
        for path in objects_of(folder):
            defined, needed = symbols(path)
            objects.append((folder, os.path.basename(path), needed))
            home.update({(folder.split("/")[0], name): folder
                         for name in defined})
    bad = []
    for folder, name, needed in objects:
        for symbol in sorted(needed):
            top = folder.split("/")[0]
            bad += problem(folder, home.get((top, symbol), folder),
                           "%s needs %s" % (name, symbol))
    return bad


def tags():
    """A tag with a prefix is one type; what is a file's own has none."""
    found = collections.defaultdict(set)
    for top in sorted(TOPS | {"include"}):
        for path in sources(top):
            for tag in re.findall(r"^(?:struct|union|enum) ((?:dg|dv)_\w+)"
                                  r" \{$", text(path), re.M):
                found[tag].add(path)
    return ["%s: %s" % (tag, ", ".join(sorted(paths)))
            for tag, paths in sorted(found.items()) if len(paths) > 1]


def readmes():
    """Each house says what it is, in a README that the tarball has."""
    bad = []
    for folder in TABLE:
        top, _, house = folder.partition("/")
        if not house:
            continue
        house = house.split("/")[0]
        name = os.path.join(top, house, "README")
        if not os.path.exists(os.path.join(SOURCE, name)):
            bad.append("%s: missing" % name)
        elif not text(name).startswith("%s/%s: " % (top, house)):
            bad.append("%s: does not begin with the house's name" % name)
        if house + "/README" not in text(os.path.join(top, "Makefile.am")):
            bad.append("%s: not in %s/Makefile.am" % (name, top))
    return bad


def main():
    """TAP."""
    checks = [folders, order, includes, tags, readmes]
    if shutil.which("nm") and objects_of("lib/base"):
        checks.append(calls)
    else:
        print("ok # skip no objects, or no nm to read them")
    for number, check in enumerate(checks, 1):
        bad = check()
        print("%s %d - %s" % ("not ok" if bad else "ok", number,
                              check.__doc__.strip().splitlines()[0]))
        for line in bad[:20]:
            print("#   " + line)
    print("1..%d" % len(checks))


main()
