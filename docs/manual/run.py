#!/usr/bin/env python3
"""run.py: runs the commands of the manual, and compares what they print.

    run.py [--update] [--tolerance=PART] [--keep=FOLDER] [--page=FILE]
           TUTORIAL...

A TUTORIAL is a folder with index.md and the files that its commands use.  Each
line that begins with "$ " in a block ```console is a command, the lines below
it, up to the next one, are what it prints.  The commands of a tutorial run one
after the other in a temporary copy of the folder.  Prints TAP.

Words must be the same; spaces do not count; addresses may be any; numbers may
differ by PART (default 0.1), counts by 1, changes by 2 or one in ten thousand
of the line's largest number, and decimals by 1.5 times the last digit, since
compilers and libraries differ.

--page: the commands of that page, which are run in the TUTORIAL's folder.
--update writes what is printed into index.md instead.  --keep copies the
pictures and logs that are made to FOLDER/TUTORIAL.
"""
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

KEPT = ('.png', '.svg', '.dgz', '.html', '.sarif')
NUMBER = re.compile(r'[-+]?\d[\d,]*(?:\.\d+)?')
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


def run(command, folder):
    """What a command prints, as lines; both streams, as on a terminal."""
    result = subprocess.run(['bash', '-c', command.text], cwd=folder,
                            stdin=subprocess.DEVNULL, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            errors='replace', timeout=900)
    lines = [line.rstrip() for line in result.stdout.splitlines()]
    if result.returncode != 0:
        lines.append('status %d' % result.returncode)
    return lines


def value(text):
    return float(text.replace(',', ''))


def is_near(one, other, tolerance, largest):
    digits = len(one.partition('.')[2])
    # "+1" and "-1" are changes, by chance as good as none.
    least = 1.5 * 10 ** -digits if digits else \
        max(2, largest / 10000) if one[0] in '+-' else 1
    one, other = value(one), value(other)
    return abs(one - other) <= max(least,
                                   tolerance * max(abs(one), abs(other)))


def is_same(expected, printed, tolerance):
    """Whether two lines say the same."""
    expected, printed = (ADDRESS.sub('0x', ' '.join(line.split()))
                         for line in (expected, printed))
    if NUMBER.sub('0', expected) != NUMBER.sub('0', printed):
        return False
    numbers = NUMBER.findall(expected)
    largest = max((abs(value(text)) for text in numbers), default=0)
    return all(is_near(one, other, tolerance, largest) for one, other
               in zip(numbers, NUMBER.findall(printed)))


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
    with tempfile.TemporaryDirectory() as top:
        copy = os.path.join(top, 'tutorials')
        shutil.copytree(os.path.dirname(tutorial), copy)
        subprocess.run(['chmod', '-R', 'u+w', copy], check=True)
        folder = os.path.join(copy, name)
        printed = []
        for command in commands:
            printed.append(run(command, folder))
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
