#!/usr/bin/env python3
"""run.py: runs the commands of the manual, and compares what they print.

    run.py [--update] [--tolerance=PART] [--keep=FOLDER] [--page=FILE]
           TUTORIAL...

A TUTORIAL is a folder with index.md and the files that its commands use.  Each
line that begins with "$ " in a block ```console is a command, the lines below
it, up to the next one, are what it prints.  The commands of a tutorial run one
after the other in a temporary copy of the folder.  Prints TAP.

Words must be the same; spaces do not count; addresses may be any; numbers may
differ by PART (default 0.1), counts by 1, and decimals by 1.5 times the last
digit, since compilers and libraries differ; "<0.1" is 0.1.  Changes (+2, -1,
and 0 beside them) that are nothing beside the line's largest number are the
same: at most 2 or one in a thousand.

--page: the commands of that page, which are run in the TUTORIAL's folder.
--update writes what is printed into index.md instead.  --keep copies the
pictures and logs that are made to FOLDER/TUTORIAL.

The commands find the dg, dg_view and python3 that PATH has, but no variable of
the environment: where the stack of a recorded program lies depends on its size,
and with that its cache misses.  All names that it contains are as long
everywhere.  If DG is set, dg and dg_view are those of a build that is not
installed, DG and DG_VIEW, with VALGRIND_DG and VALGRIND_LIB; INCLUDES are
folders with valgrind/datagrind.h.  For Python, DATAGRIND_VENV is an environment
with libraries, and PYTHONPATH and LD_LIBRARY_PATH are where the module is.
"""
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

KEPT = ('.png', '.svg', '.dgz', '.html', '.sarif')
NUMBER = re.compile(r'<?[-+]?\d[\d,]*(?:\.\d+)?')
ADDRESS = re.compile(r'0x[0-9A-Fa-f]+')


class Command:
    def __init__(self, line, text):
        self.line = line            # of index.md, from 0
        self.text = text
        self.expected = []

    def end(self):
        """The line behind its output."""
        return self.line + 1 + len(self.expected)


def commands_of(lines):
    """The commands in the blocks ```console of a page."""
    found = []
    is_console = False
    for number, line in enumerate(lines):
        if line.startswith('```'):
            is_console = line.strip() == '```console'
        elif is_console and line.startswith('$ '):
            found.append(Command(number, line[2:]))
        elif is_console and found:
            found[-1].expected.append(line)
    return found


class World:
    """What commands see: a folder whose name has the same length everywhere,
    with bin/, home/ and tutorials/, and the environment."""
    def __init__(self, tutorials):
        # Not in TMPDIR, whose name may have any length.
        self.folder = tempfile.TemporaryDirectory(prefix='dg-manual-',
                                                  dir='/tmp')
        self.top = self.folder.name
        self.bin = os.path.join(self.top, 'bin')
        self.tutorials = os.path.join(self.top, 'tutorials')
        for name in (self.bin, os.path.join(self.top, 'home')):
            os.mkdir(name)
        shutil.copytree(tutorials, self.tutorials)
        subprocess.run(['chmod', '-R', 'u+w', self.tutorials], check=True)
        self.of_guests = {
            'PATH': self.bin + ':/usr/local/bin:/usr/bin:/bin',
            'HOME': os.path.join(self.top, 'home'),
            'LC_ALL': 'C.UTF-8',
        }
        self.environment = dict(self.of_guests, PYTHONDONTWRITEBYTECODE='1')
        self.make_programs()

    def script(self, name, text):
        path = os.path.join(self.bin, name)
        with open(path, 'w') as file:
            file.write('#!/bin/sh\n' + text)
        os.chmod(path, 0o755)

    def program(self, name, path, *arguments):
        if path:
            self.script(name, 'exec %s "$@"\n' % shlex.join((path,)
                                                             + arguments))

    def make_programs(self):
        got = os.environ.get
        python = shutil.which('python3')
        if got('DATAGRIND_VENV'):
            python = os.path.join(got('DATAGRIND_VENV'), 'bin', 'python')
        self.program('python3', python)
        self.environment['DATAGRIND_PYTHON'] = python
        self.program('dg_view', got('DG_VIEW') or shutil.which('dg_view'))
        if not got('DG'):
            self.program('dg', shutil.which('dg'))
            return
        for name, value in (('DATAGRIND_DG', got('DG')),
                            ('C_INCLUDE_PATH', got('INCLUDES')),
                            ('PYTHONPATH', got('PYTHONPATH')),
                            ('LD_LIBRARY_PATH', got('LD_LIBRARY_PATH'))):
            if value:
                self.environment[name] = value
        # Libtool's script for a program adds to the environment; guests are not
        # to see that.  Valgrind tells them where its own folder is.
        library = os.path.join(self.top, 'valgrind')
        os.symlink(got('VALGRIND_LIB'), library)
        self.program('valgrind', '/usr/bin/env', '-i', *(
            '%s=%s' % pair for pair in
            [*self.of_guests.items(), ('VALGRIND_LIB', library)]),
                     got('VALGRIND_DG'))
        self.script('dg', '[ "$1" != record ] || {\n  shift\n'
                    '  set -- record --valgrind=%s "$@"\n}\nexec %s "$@"\n'
                    % (shlex.quote(os.path.join(self.bin, 'valgrind')),
                       shlex.quote(got('DG'))))


def run(command, folder, environment):
    """What a command prints, as lines; both streams, as on a terminal."""
    result = subprocess.run(['bash', '-c', command.text], cwd=folder,
                            env=environment,
                            stdin=subprocess.DEVNULL, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            errors='replace', timeout=900)
    lines = [line.rstrip() for line in result.stdout.splitlines()]
    if result.returncode != 0:
        lines.append('status %d' % result.returncode)
    return lines


def value(text):
    return float(text.lstrip('<').replace(',', ''))


def is_near(one, other, tolerance):
    digits = len(one.partition('.')[2])
    least = 1.5 * 10 ** -digits if digits else 1
    one, other = value(one), value(other)
    return abs(one - other) <= max(least,
                                   tolerance * max(abs(one), abs(other)))


def is_no_change(text, largest):
    """Whether a change is nothing beside the largest number of its line."""
    return (text == '0' or text[0] in '+-' and '.' not in text) \
        and abs(value(text)) <= max(2, largest / 10000)


def is_same(expected, printed, tolerance):
    """Whether two lines say the same."""
    lines = [ADDRESS.sub('0x', ' '.join(line.split()))
             for line in (expected, printed)]
    expected, printed = (NUMBER.sub('0', line) for line in lines)
    if expected != printed:
        return False
    expected, printed = (NUMBER.findall(line) for line in lines)
    largest = max((abs(value(text)) for text in expected), default=0)
    return all(is_near(one, other, tolerance)
               or is_no_change(one, largest) and is_no_change(other, largest)
               for one, other in zip(expected, printed))


def difference(expected, printed, tolerance):
    """Lines that differ, with their signs; empty if all are the same."""
    out = []
    for number in range(max(len(expected), len(printed))):
        one = expected[number] if number < len(expected) else None
        other = printed[number] if number < len(printed) else None
        if one is None or other is None or not is_same(one, other, tolerance):
            out += ['- %s' % one] if one is not None else []
            out += ['+ %s' % other] if other is not None else []
    return out


class Tap:
    def __init__(self):
        self.count = self.failed = 0

    def check(self, what, why):
        self.count += 1
        self.failed += bool(why)
        print('%sok %d - %s' % ('not ' if why else '', self.count, what))
        for line in why[:40]:
            print('#   ' + line)
        sys.stdout.flush()


def keep(folder, target):
    os.makedirs(target, exist_ok=True)
    for name in os.listdir(folder):
        if name.endswith(KEPT):
            shutil.copy(os.path.join(folder, name), target)


def update(page, lines, commands, printed):
    for command, output in reversed(list(zip(commands, printed))):
        lines[command.line + 1:command.end()] = output
    with open(page, 'w') as file:
        file.write('\n'.join(lines) + '\n')


def run_tutorial(tutorial, options, tap):
    tutorial = os.path.abspath(tutorial)
    page = options.page or os.path.join(tutorial, 'index.md')
    with open(page) as file:
        lines = file.read().splitlines()
    commands = commands_of(lines)
    if not commands:
        tap.check('%s has commands' % page, ['none'])
    name = os.path.basename(tutorial)
    world = World(os.path.dirname(tutorial))
    with world.folder:
        folder = os.path.join(world.tutorials, name)
        printed = []
        for command in commands:
            printed.append(run(command, folder, world.environment))
            if not options.update:
                tap.check('%s: %s' % (name, command.text),
                          difference(command.expected, printed[-1],
                                     options.tolerance))
        if options.keep:
            keep(folder, os.path.join(options.keep, name))
    if options.update:
        update(page, lines, commands, printed)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument('--update', action='store_true')
    parser.add_argument('--keep')
    parser.add_argument('--page')
    parser.add_argument('--tolerance', type=float, default=0.1)
    parser.add_argument('tutorials', nargs='+')
    options = parser.parse_args()
    tap = Tap()
    for tutorial in options.tutorials:
        run_tutorial(tutorial, options, tap)
    if not options.update:
        print('1..%d' % tap.count)
    return 1 if tap.failed else 0


if __name__ == '__main__':
    sys.exit(main())
