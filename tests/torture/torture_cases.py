# torture_cases.py: which programs of Valgrind's own tests there are.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later
"""A case is a program with arguments, as a .vgtest file describes it.

Several of these files often run the same program with other options of one
tool, which mean nothing to another one: that is one case.
"""

import os
import re
import shlex

FOLDERS = ('none', 'memcheck', 'helgrind', 'drd')
OF_WIDTH = {64: ('', 'amd64', 'amd64-linux', 'linux'),
            32: ('', 'x86', 'x86-linux', 'linux')}

# Options of Valgrind's core, which change what the program sees or how it is
# translated.
CORE = re.compile(r'''--(smc-check|trace-children|trace-children-skip
    |trace-children-skip-by-arg|child-silent-after-fork|fair-sched|sim-hints
    |max-threads|main-stacksize|valgrind-stacksize|kernel-variant|vex-[a-z-]+
    |aspace-minaddr|px-[a-z-]+|num-transtab-sectors|avg-transtab-entry-size
    |soname-synonyms|read-inline-info|read-var-info|redzone-size|alignment
    |vgdb|run-libc-freeres|run-cxx-freeres|scheduling-quantum
    |keep-debuginfo)=''', re.X)


class Case:
    """One program with its arguments."""

    def __init__(self, folder, test):
        self.folder = folder
        self.program = test['prog'][-1].strip()
        # Not the one that is in PATH.
        if not self.program.startswith(('.', '/')):
            self.program = './' + self.program
        self.arguments = ' '.join(a.strip() for a in test.get('args', []))
        self.environment = [e.strip() for e in test.get('env', [])]
        self.before = test.get('prereq', [])
        self.after = test.get('cleanup', [])
        words = ' '.join(test.get('vgopts', [])).split()
        self.options = [w for w in words if CORE.match(w)]
        path = os.path.normpath(os.path.join(folder, self.program))
        rest = self.options + [self.arguments]
        self.name = ' '.join([path.replace('/tests/', '/'), *rest]).strip()

    def file(self):
        """The program's own file name, relative to its folder."""
        return shlex.split(self.program)[0]


def read_test(name):
    """The lines of a .vgtest file, as lists by their key."""
    test = {}
    with open(name, encoding='latin-1') as lines:
        for line in lines:
            found = re.match(r'\s*([a-z]+)(?:-asis)?:\s*(.*?)\s*$', line,
                             re.I)
            if found:
                test.setdefault(found[1], []).append(found[2])
    return test


def cases_of(tree, width):
    """All cases of a tree, sorted by name."""
    found = {}
    for tool in FOLDERS:
        for part in OF_WIDTH[width]:
            folder = os.path.normpath(os.path.join(tool, 'tests', part))
            place = os.path.join(tree, folder)
            if not os.path.isdir(place):
                continue
            for name in sorted(os.listdir(place)):
                if not name.endswith('.vgtest'):
                    continue
                test = read_test(os.path.join(place, name))
                if 'prog' in test:
                    case = Case(folder, test)
                    found.setdefault(case.name, case)
    return [found[name] for name in sorted(found)]


def read_list(name):
    """A list of exceptions: (program, width, kind) to the reason."""
    rows = {}
    with open(name, encoding='utf-8') as lines:
        for number, line in enumerate(lines, 1):
            line = line.rstrip('\n')
            if not line or line.startswith('#'):
                continue
            fields = re.split(r'\t+', line)
            if len(fields) != 4 or fields[1] not in ('64', '32', 'both'):
                raise SystemExit(f'{name}:{number}: not a row')
            widths = (64, 32) if fields[1] == 'both' else (int(fields[1]),)
            for width in widths:
                rows[fields[0], width, fields[2]] = fields[3]
    return rows
