#!/usr/bin/env python3
"""languages.py: what is shown of programs, by compiler and form of the debug
information.

    languages.py [--update] [--quick] [--rows=REGEX] SOURCES TABLE

SOURCES has a program for each language.  Lines of it that begin with "=" say
what must be shown, by feature; names between brackets are lines: those with
"LINE name" in a comment.  "A | B" is either, as versions of compilers differ:
Rust names what holds a thread's variable in its own way since 1.80, and
libiberty cannot read what Clang 19 makes of a constraint of a template.  Each
row of languages_rows.py is a compiler and a form.  Its program is compiled,
recorded and read by dg, and again from a bundle on a machine without its
files.

TABLE is docs/languages.md.  What it says is shown must be; what it says is not
has a reason there.  --update writes the table; --rows tries only rows that
match, --quick only languages_rows.QUICK, which have each form once.  Prints
TAP.  DG and VALGRIND_DG are the commands.
"""
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

import argparse
import concurrent.futures
import fnmatch
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

import languages_rows

FEATURES = languages_rows.FEATURES
BEGIN = '<!-- From here on, written by tests/record/debug-info.sh. -->'


class Problem(Exception):
    """Why a row cannot be tried."""


def run(command, folder, **more):
    return subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors='replace', timeout=600,
                          shell=isinstance(command, str), **more)


# ---- What must be shown -----------------------------------------------------

def read_sources(folder):
    """Language -> feature -> items, and mark -> 'file:line'."""
    wanted, marks = {}, {}
    for name in sorted(os.listdir(folder)):
        language = re.match('[a-z]*', name).group()
        with open(os.path.join(folder, name), encoding='utf-8') as file:
            for number, line in enumerate(file, 1):
                found = re.match(r'\W*= ([a-z- ]+): (.*?)(  \*/)?$', line)
                if found:
                    wanted.setdefault(language, {}).setdefault(
                        found.group(1), []).extend(
                            found.group(2).split('; '))
                found = re.search(r'LINE (\w+)', line)
                if found:
                    marks.setdefault(language, {})[found.group(1)] = \
                        '%s:%d' % (name, number)
    return wanted, marks


def without_arguments(name):
    """Functions that no other file can call are often written without."""
    plain = re.sub(r'\(anonymous namespace\)', '{anonymous}', name)
    plain = re.sub(r'( \[clone [^]]*\])+$', '', plain)
    return re.sub(r'\([^()]*(\([^()]*\)[^()]*)*\)( const)?$', '', plain)


class Shown:
    """What dg shows of a log."""

    def __init__(self, log, folder):
        self.problems = []
        lines = self.ask(log, folder, '--by=line')
        self.lines = [row['name'] for row in lines]
        self.functions = {row['function'] for row in lines
                          if row['function'] is not None}
        self.variables = {row['name']
                          for row in self.ask(log, folder, '--by=variable')}
        self.stacks = self.ask_stacks(log, folder)

    def dg(self, command, folder):
        result = subprocess.run(command, cwd=folder, text=True,
                                stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, errors='replace',
                                timeout=600)
        if result.returncode != 0:
            raise Problem('%s: %s' % (' '.join(command[1:3]), result.stderr))
        return result.stdout

    def ask(self, log, folder, by):
        text = self.dg([os.environ['DG'], 'counts', by, '--json', log],
                       folder)
        return json.loads(text)['rows']

    def ask_stacks(self, log, folder):
        """Of allocations, each as frames (function, 'file:line')."""
        text = self.dg([os.environ['DG'], 'allocs', 'history', '-n',
                        '--levels=all', '--json', log], folder)
        stacks = set()
        for block in json.loads(text)['event_list']:
            stacks.add(tuple(
                (frame['function'] or '???',
                 '%s:%s' % (os.path.basename(frame['file'] or ''),
                            frame['line']))
                for frame in block['backtrace']))
        return stacks

    def has_function(self, name):
        wanted = without_arguments(name)
        return any(found == name
                   or fnmatch.fnmatchcase(without_arguments(found), wanted)
                   for found in self.functions)

    def has_line(self, place, function=None):
        return any(found.startswith(place + ' (')
                   and (function is None
                        or without_arguments(
                            found[len(place) + 2:-1])
                        == without_arguments(function))
                   for found in self.lines)

    def has_chain(self, chain, marks):
        """'a (x) < b (y)': frames that follow each other in a stack; '... < b'
        leaves frames of libraries out."""
        wanted = []
        for item in chain.split(' < '):
            name, mark = re.match(r'(.*) \((\w+)\)$', item).groups()
            wanted.append((without_arguments(name), marks[mark]))
        if len(wanted) == 1:
            return self.has_line(wanted[0][1], wanted[0][0])
        for stack in self.stacks:
            frames = [(without_arguments(name), line) for name, line in stack]
            if any(frames[i:i + len(wanted)] == wanted
                   for i in range(len(frames))):
                return True
        return False

    def has(self, feature, item, marks):
        if feature == 'functions':
            return self.has_function(item)
        if feature == 'inlined':
            return self.has_chain(item, marks)
        if feature == 'lines':
            return self.has_line(marks[item])
        if feature == 'heap types':
            return any(name.startswith(item + '.') for name in self.variables)
        return bool(fnmatch.filter(self.variables, item.replace('[', '[[]')))

    def missing(self, wanted, marks):
        """Feature -> what is not shown of it."""
        return {feature: [item for item in items
                          if not any(self.has(feature, each, marks)
                                     for each in item.split(' | '))]
                for feature, items in wanted.items()}


# ---- One row ----------------------------------------------------------------

class Result:
    def __init__(self, row):
        self.row = row
        self.skipped = None        # why it was not tried
        self.valgrind = ''         # how Valgrind fails
        self.missing = {}          # feature -> items
        self.bundle = None         # how names from a bundle differ; None: it
                                   # was not tried
        self.version = ''
        self.seconds = 0

    def why_not(self):
        """Feature -> what is not shown, of all that the row has."""
        out = {'recorded': self.valgrind}
        out.update({feature: '; '.join(items)
                    for feature, items in self.missing.items()})
        if self.bundle is not None:
            out['bundled'] = self.bundle
        return out


def record(folder):
    """Writes the log; returns what is wrong with that, or nothing."""
    command = os.environ['VALGRIND_DG'].split() + [
        '-q', '--datagrind-out-file=log.dg', os.path.join(folder, 'prog')]
    result = run(command, folder, env=dict(os.environ, LD_BIND_NOW='1'))
    said = [line for line in result.stdout.splitlines()
            if re.match('--[0-9]+-- |==[0-9]+== ', line)]
    if result.returncode == 0:
        return '; '.join(said)
    return result.stdout or 'Valgrind ends'


def check_form(row, folder):
    """Whether the compiler has written what the row is about."""
    for command, pattern in row.proofs:
        text = run(command, folder).stdout
        if not re.search(pattern, text):
            raise Problem('not in this form: no "%s" in what "%s" prints'
                          % (pattern, command))


def try_bundle(folder, wanted, marks, missing):
    """How names differ that come from a bundle; nothing: they do not."""
    bundle = '../%s.dgz' % os.path.basename(folder)
    bundled = run([os.environ['DG'], 'bundle', '--level=1', '-o', bundle,
                   'log.dg'], folder)
    shutil.rmtree(folder)
    os.mkdir(folder)
    if Shown(bundle, folder).missing(wanted, marks) == missing:
        return ''
    return bundled.stdout.strip() or 'other names'


def show(result, folder, wanted, marks):
    shown = Shown('log.dg', folder)
    result.missing = shown.missing(wanted, marks)
    if result.row.is_bundled:
        result.bundle = try_bundle(folder, wanted, marks, result.missing)


def try_row(row, sources, wanted, marks, top):
    result = Result(row)
    start = time.monotonic()
    folder = os.path.join(top, re.sub(r'\W+', '-', row.name))
    os.mkdir(folder)
    try:
        reason = row.reason()
        if reason:
            raise Problem(reason)
        result.version = row.version()
        built = run(row.commands(sources), folder)
        if built.returncode != 0:
            raise Problem('cannot be compiled: %s'
                          % ' '.join(built.stdout.split())[:300])
        check_form(row, folder)
        result.valgrind = record(folder)
        if not result.valgrind:
            show(result, folder, wanted, marks)
    except Problem as problem:
        result.skipped = str(problem)
    except subprocess.TimeoutExpired as problem:
        result.skipped = str(problem)
    result.seconds = time.monotonic() - start
    shutil.rmtree(folder, ignore_errors=True)
    return result


# ---- The table --------------------------------------------------------------

def hole_of(row, feature):
    for rows, features, reason in languages_rows.HOLES:
        if re.search(rows, row.name) and re.fullmatch(features, feature):
            return reason
    return None


def text_of(results, old):
    """The part of the page that is written: tables, and reasons.  Rows that
    were not tried stay as they are."""
    lines, reasons, language = [BEGIN], [], None
    versions = sorted({result.version for result in results
                       if result.version})
    lines += ['', 'Written with %s.' % ', '.join(versions)]
    for result in results:
        row = result.row
        if row.language != language:
            language = row.language
            heads = ['compiler', 'form'] + FEATURES
            lines += ['', '## %s' % language, '',
                      '| %s |' % ' | '.join(heads), '|---' * len(heads) + '|']
        cells = []
        why_not = result.why_not()
        for feature in FEATURES:
            if result.skipped:
                cell = old.get(row.name, {}).get(feature, '?')
                is_no = cell.startswith('no')
            else:
                cell = 'yes' if feature in why_not else '–'
                is_no = bool(why_not.get(feature))
            if is_no:
                reason = hole_of(row, feature) or 'Unknown.'
                if reason not in reasons:
                    reasons.append(reason)
                cell = 'no (%d)' % (reasons.index(reason) + 1)
            cells.append(cell)
        lines.append('| %s |' % ' | '.join([row.compiler, row.form] + cells))
    for language, reason in languages_rows.WITHOUT:
        lines += ['', '## %s' % language, '', reason]
    lines += ['', '## Why not', '']
    lines += ['%d. %s' % (number, reason)
              for number, reason in enumerate(reasons, 1)]
    return '\n'.join(lines) + '\n'


def read_table(page):
    """Row -> feature -> cell."""
    rows, language = {}, None
    with open(page, encoding='utf-8') as file:
        text = file.read()
    for line in text.partition(BEGIN)[2].splitlines():
        if line.startswith('## '):
            language = line[3:]
        cells = [cell.strip() for cell in line.strip('|').split('|')]
        if line.startswith('| ') and cells[0] != 'compiler':
            rows['%s, %s, %s' % (language, cells[0], cells[1])] = dict(
                zip(FEATURES, cells[2:]))
    return rows, text


class Tap:
    def __init__(self):
        self.count = self.failed = 0

    def check(self, what, why):
        self.count += 1
        self.failed += bool(why)
        print('%sok %d - %s' % ('not ' if why else '', self.count, what))
        for line in why:
            print('#   ' + line)

    def skip(self, what, why):
        self.count += 1
        print('ok %d - %s # SKIP %s' % (self.count, what, why))


def compare(tap, result, table):
    """Whether the table says no more than what is shown."""
    row, why = result.row, []
    if result.skipped:
        tap.skip(row.name, result.skipped.replace('\n', ' ')[:200])
        return
    said = table.get(row.name)
    if said is None:
        tap.check(row.name, ['not in the table'])
        return
    for feature, missing in result.why_not().items():
        cell = said.get(feature, '')
        if missing and not cell.startswith('no ('):
            why.append('%s: the table says "%s"; not shown: %s'
                       % (feature, cell, ' '.join(missing.split())[:300]))
        elif missing and hole_of(row, feature) is None:
            why.append('%s: no reason is known' % feature)
        elif not missing and cell != 'yes':
            print('# %s: %s: shown, but the table says "%s"'
                  % (row.name, feature, cell))
    tap.check(row.name, why)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument('--update', action='store_true')
    parser.add_argument('--quick', action='store_true')
    parser.add_argument('--rows', default='')
    parser.add_argument('sources')
    parser.add_argument('table')
    options = parser.parse_args()
    options.sources = os.path.abspath(options.sources)
    wanted, marks = read_sources(options.sources)
    rows = [row for row in languages_rows.ROWS
            if re.search(options.rows, row.name)
            and (not options.quick or row.name in languages_rows.QUICK)]
    with tempfile.TemporaryDirectory() as top, \
            concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(
            lambda row: try_row(row, options.sources,
                                wanted[row.program], marks[row.program], top),
            rows))
    table, text = read_table(options.table)
    if options.update:
        for result in results:
            print('%s: %.1f s' % (result.row.name, result.seconds))
            if result.skipped:
                print('%s: not tried: %s' % (result.row.name, result.skipped))
            for feature, missing in result.why_not().items():
                if missing:
                    print('%s: %s: %s' % (result.row.name, feature, missing))
        with open(options.table, 'w', encoding='utf-8') as file:
            file.write(text.partition(BEGIN)[0] + text_of(results, table))
        return 0
    tap = Tap()
    for result in results:
        compare(tap, result, table)
    known = {row.name for row in languages_rows.ROWS}
    tap.check('the quick rows are rows',
              sorted(set(languages_rows.QUICK) - known))
    tap.check('all rows of the table are tried somewhere',
              sorted(set(table) - known))
    print('1..%d' % tap.count)
    return 1 if tap.failed else 0


if __name__ == '__main__':
    sys.exit(main())
