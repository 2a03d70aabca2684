"""Which folder uses which: docs/houses against includes and objects.

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""

import collections
import functools
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


@functools.lru_cache(maxsize=None)
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


@functools.lru_cache(maxsize=None)
def told():
    """What nm says of all objects: to start it takes longer than to read
    one.  Object -> its lines."""
    paths = [path for folder in TABLE for path in objects_of(folder)]
    lines = {path: [] for path in paths}
    if not paths:
        return lines
    for line in subprocess.run(["nm", "-A", "-p", *paths],
                               stdout=subprocess.PIPE, check=True,
                               text=True).stdout.splitlines():
        path, line = line.rsplit(":", 1)
        lines[path].append(line)
    return lines


@functools.lru_cache(maxsize=None)
def symbols(path):
    """What an object defines, and what it needs."""
    defined, needed = set(), set()
    for line in told()[path]:
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


def module_of(name, headers):
    """The header that a file belongs to: its own, or else the longest that
    its name begins with."""
    module = name
    while module not in headers:
        if "_" not in module:
            return name
        module = module.rpartition("_")[0]
    return module


def modules_of(folder):
    """File of a folder -> its module."""
    names = [os.path.basename(path) for path in sources(folder)
             if os.path.dirname(path) == folder]
    headers = {name[:-2] for name in names if name.endswith(".h")}
    modules = {name: module_of(name[:-2], headers) for name in names}
    # What that header does not declare is a module of its own: functions that
    # are public.
    for name, module in modules.items():
        if module in headers and name[:-2] != module and name.endswith(".c"):
            header = text(os.path.join(folder, module + ".h"))
            if not any(re.search(r"\b%s\b" % defined, header) for defined in
                       re.findall(r"^(\w+) \(",
                                  text(os.path.join(folder, name)), re.M)):
                modules[name] = name[:-2]
    return modules


def uses_of(folder, modules):
    """Module -> those of the same folder that it includes or calls."""
    uses, home, needs = collections.defaultdict(set), {}, []
    for name, module in modules.items():
        for used in re.findall(r'^ *# *include *"([^"/]+)"',
                               text(os.path.join(folder, name)), re.M):
            uses[module].add(modules.get(used, module))
    for path in objects_of(folder):
        module = modules[os.path.basename(path)[:-2] + ".c"]
        defined, needed = symbols(path)
        home.update(dict.fromkeys(defined, module))
        needs.append((module, needed))
    for module, needed in needs:
        uses[module].update(home[name] for name in needed if name in home)
    return uses


def ladders():
    """The modules of a house of lib/ form a ladder."""
    bad = []
    for folder in TABLE:
        if not folder.startswith("lib/"):
            continue
        modules = modules_of(folder)
        reach = uses_of(folder, modules)
        nodes = sorted(set(modules.values()))
        for middle in nodes:
            for node in nodes:
                if middle in reach[node]:
                    reach[node] |= reach[middle]
        circles = {" ".join(other for other in nodes
                            if other == node or (other in reach[node]
                                                 and node in reach[other]))
                   for node in nodes}
        bad += ["%s: a circle: %s" % (folder, circle)
                for circle in sorted(circles) if " " in circle]
    return bad


def forms(word):
    """A word, its plural and its singular."""
    found = {word, word + "s"}
    if word.endswith("ies"):
        found.add(word[:-3] + "y")
    elif word.endswith("s"):
        found.add(word[:-1])
    elif word.endswith("y"):
        found.add(word[:-1] + "ies")
    return found


def read_prefixes():
    """Folder and module -> what its names may begin with besides its own."""
    table = {}
    for line in text("docs/prefixes").splitlines():
        if line and not line.startswith("#"):
            module, words = line.split(":")
            table[module] = set(words.split())
    return table


def names_in(path):
    """What a file defines for others: functions and tags."""
    content = text(path)
    names = set(re.findall(r"^(?:struct|union|enum) (dg_\w+) \{$", content,
                           re.M))
    if path.endswith(".c"):
        names |= {name for kind, name in re.findall(
            r"^((?:[a-z_].*\n)?)(\w+) \(", content, re.M)
                  if kind.strip() and not kind.startswith("static")
                  and name != "main"}
    return names


def prefixes():
    """Names of lib/ begin with their module, or as docs/prefixes says."""
    public = set(re.findall(r"\bdg_\w+", "".join(
        text(path) for path in sources("include", (".h",)))))
    table, bad, owners = read_prefixes(), [], collections.defaultdict(set)
    for module, words in table.items():
        for word in words:
            owners[word].add(module)
    bad += ["dg_%s_ has several owners: %s" % (word, " ".join(sorted(found)))
            for word, found in sorted(owners.items()) if len(found) > 1]
    for folder in TABLE:
        if not folder.startswith("lib/"):
            continue
        for name, module in modules_of(folder).items():
            parts = module.split("_")
            heads = ["_".join(parts[:n + 1]) for n in range(len(parts))]
            may = set().union(*(forms(head) for head in heads))
            may = may.union(*(table.get("%s/%s" % (folder, head), set())
                              for head in heads))
            for found in names_in(os.path.join(folder, name)) - public:
                stem = found[3:] if found.startswith("dg_") else found
                if not any(stem == word or stem.startswith(word + "_")
                           for word in may):
                    bad.append("%s/%s: %s" % (folder, name, found))
    return bad


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
    checks = [folders, order, includes, tags, readmes, prefixes, calls,
              ladders]
    has_objects = shutil.which("nm") and objects_of("lib/base")
    for number, check in enumerate(checks, 1):
        what = check.__doc__.strip().splitlines()[0]
        if check in (calls, ladders) and not has_objects:
            print("ok %d - %s # skip no objects, or no nm to read them"
                  % (number, what))
            continue
        bad = check()
        print("%s %d - %s" % ("not ok" if bad else "ok", number, what))
        for line in bad[:20]:
            print("#   " + line)
    print("1..%d" % len(checks))


main()
