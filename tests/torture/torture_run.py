#!/usr/bin/env python3
# torture_run.py: Valgrind's own test programs, recorded, behave as under none.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs each program under --tool=none, under the tool and under dg record.

What it prints and how it ends must be the same, and its logs must pass dg
check and dg invariants.  See torture.sh, which builds the programs.
"""

import argparse
import concurrent.futures
import ctypes
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import torture_cases

# Seconds of processor time for what ends under none, beside a multiple of what
# it takes there; and seconds at all, for what waits for ever.
PROCESSOR = 120
SLOWDOWN = 300
PATIENCE = int(os.environ.get('TORTURE_PATIENCE', '1800'))
# Seconds for the processes that a program leaves behind, to end their logs.
GRACE = 60
# Of prctl(): what these processes leave behind becomes a child of ours.
PR_SET_CHILD_SUBREAPER = 36
# How a program is recorded: in a raw log, and by dg record in an archive.
WAYS = ['raw', 'archive']
# How often none is asked for what differs between its own runs.
REPEATS = 4
# Memory beyond this multiple and these bytes is out of proportion.
MEMORY = 4, 400 << 20
# Bytes of an output that are compared, beside how many there are.  The memory
# that we have when a program is started would count as the program's.
MOST = 4 << 20
# Rows of the list that leave something out of the comparison.
EXPECTED = ('output', 'numbers', 'status', 'malloc', 'log', 'memory',
            'archive')


# Addresses that are the same in all runs, where that is possible.
FIXED = ['setarch', '-R']
if subprocess.run([*FIXED, 'true'], check=False, stdout=subprocess.DEVNULL,
                  stderr=subprocess.DEVNULL).returncode:
    FIXED = []


class Run:
    """What one run printed, and how it ended."""

    def __init__(self, how, status, texts, printed, usage):
        self.how, self.status = how, status
        self.out, self.err = texts
        self.printed = printed
        self.processor = usage.ru_utime + usage.ru_stime
        self.memory = usage.ru_maxrss << 10

    def seen(self, level):
        """All that is compared, without what a level of looking leaves out."""
        return self.status, *(LEVELS[level](t) for t in
                              (self.out, self.err, self.printed))


def masked(text):
    """Without numbers."""
    text = re.sub(rb'0x[0-9a-fA-F]+|\b[0-9a-f]{6,}\b', b'0x', text)
    return re.sub(rb'\d+', b'0', text)


def masked_lines(text):
    """Without numbers and without the order of lines."""
    return b'\n'.join(sorted(masked(text).split(b'\n')))


# From exact to nothing.
LEVELS = [lambda t: t,
          lambda t: b'\n'.join(sorted(t.split(b'\n'))),
          masked, masked_lines,
          lambda t: b'\n'.join(sorted(set(masked(t).split(b'\n')))),
          lambda t: b'']
LEVEL_NAMES = ['', 'order of lines', 'numbers', 'numbers and order',
               'numbers, order and repetition', 'all output']


class Torture:
    """What all runs share."""

    def __init__(self, options):
        self.options = options
        self.tree = os.path.abspath(options.tree)
        self.width = options.width
        self.lists = torture_cases.read_list(options.lists)
        self.lock = threading.Lock()
        self.locks = {}
        self.count = 0
        self.failed = 0
        self.rows = []

    def listed(self, case, kind, width=None):
        """The reason of an exception from the list, or None."""
        for name in (case.name, case.name.split()[0]):
            reason = self.lists.get((name, width or self.width, kind))
            if reason:
                return reason
        return None

    # ---- Running one program ------------------------------------------------

    def command(self, case, how, place):
        """The shell's command for a run."""
        log = os.path.join(place, 'vg.%p')
        options = f'--log-file={log} --command-line-only=yes '
        if how != 'archive':
            options = '-q ' + options
        options += ' '.join(case.options)
        if how == 'archive' and self.listed(case, 'malloc'):
            options += ' --datagrind-replace-malloc=no'
        words = f'{options} {case.program} {case.arguments}'
        record = self.options.valgrind
        if how == 'native':
            words = f'{case.program} {case.arguments}'
        elif how == 'none':
            words = f'{record} --tool=none {words}'
        elif how == 'raw':
            words = (f'{record} --tool=exp-datagrind --datagrind-out-file='
                     f'{place}/log.%p {words}')
        else:
            words = (f'{self.options.dg} record --valgrind={record} -j1 '
                     f'-o {place}/log.%p.dgz {words}')
        return ' '.join(['exec', *FIXED, 'env', *case.environment, words])

    def run(self, case, how, place, processor):
        """One run, or why there is none."""
        os.mkdir(place)
        folder = os.path.join(self.tree, case.folder)
        for command in case.before:
            if subprocess.run(['sh', '-c', command], cwd=folder, check=False,
                              stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL).returncode:
                return 'its prereq fails'
        if not os.access(os.path.join(folder, case.file()), os.X_OK):
            return 'it was not compiled'
        names = [os.path.join(place, n) for n in ('out', 'err')]

        def limits():
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_CPU,
                               (int(processor), int(processor) + 5))

        with open(names[0], 'wb') as out, open(names[1], 'wb') as err:
            child = subprocess.Popen(
                ['sh', '-c', self.command(case, how, place)], cwd=folder,
                stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                start_new_session=True, preexec_fn=limits)
        timer = threading.Timer(PATIENCE, kill_group, (child.pid,))
        timer.start()
        began = time.monotonic()
        _, status, usage = os.wait4(child.pid, 0)
        late = time.monotonic() - began >= PATIENCE
        timer.cancel()
        child.returncode = 0
        reap_group(child.pid)
        for command in case.after:
            subprocess.run(['sh', '-c', command], cwd=folder, check=False,
                           stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
        texts = []
        for name in names:
            with open(name, 'rb') as text:
                texts.append(text.read(MOST))
            if os.path.getsize(name) > MOST:
                texts[-1] += b'and more: %d' % os.path.getsize(name)
        if late:
            status = 'too late'
        elif os.waitstatus_to_exitcode(status) < 0:
            number = -os.waitstatus_to_exitcode(status)
            status = f'signal {number}'
            if number in (signal.SIGXCPU, signal.SIGKILL) and \
               usage.ru_utime + usage.ru_stime >= processor - 1:
                status = 'out of time'
        else:
            status = f'exit {os.waitstatus_to_exitcode(status)}'
        return Run(how, status, texts, self.printed(place), usage)

    def printed(self, place):
        """What the program printed by requests to Valgrind."""
        text = b''
        for name in sorted(os.listdir(place)):
            if name.startswith('vg.'):
                with open(os.path.join(place, name), 'rb') as log:
                    text += b''.join(re.sub(rb'^\*\*\d+\*\*', b'', line)
                                     for line in log if line[:2] == b'**')
        return text

    def core_says(self, place):
        """What Valgrind itself said, for a report."""
        text = ''
        for name in sorted(os.listdir(place)):
            if name.startswith('vg.'):
                with open(os.path.join(place, name),
                          encoding='latin-1') as log:
                    text += log.read()[-1500:]
        return text

    # ---- One case -----------------------------------------------------------

    def logs(self, place):
        """What is wrong with the logs of a run, and their bytes."""
        wrong, size = [], 0
        names = [n for n in sorted(os.listdir(place)) if n[:4] == 'log.']
        if not names:
            wrong.append('no log')
        for name in names:
            name = os.path.join(place, name)
            size += os.path.getsize(name)
            for command in ('check', 'invariants'):
                done = subprocess.run(
                    [self.options.dg, command, '-j1', name], check=False,
                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                text = done.stdout.decode('latin-1')
                if done.returncode or (command == 'invariants' and
                                       'Findings: none' not in text):
                    wrong.append(f'dg {command}: {text[:1500]}')
                    break
        return wrong, size

    def level(self, runs):
        """What runs of none agree about."""
        for level in range(len(LEVELS)):
            if len({run.seen(level) for run in runs}) == 1:
                return level
        return None

    def differs(self, case, how, run, nones, again):
        """Whether a run is not like any under none, which may itself vary."""
        if nones and run.seen(0) == nones[0].seen(0):
            return None
        if not nones or nones[0].how == 'native':
            nones[:] = [again('none')]
            if nones[0].seen(0) == run.seen(0):
                return None
        statuses = {none.status for none in nones}
        mask = 0
        if self.listed(case, 'output'):
            mask = len(LEVELS) - 1
        elif self.listed(case, 'numbers'):
            mask = 2
        runs = [run]
        for _ in range(REPEATS):
            level = self.level(nones)
            if level is None:
                # How it ends varies, too.
                level = len(LEVELS) - 1
            level = max(level, mask)
            if {n.seen(level) for n in nones} & \
               {r.seen(level) for r in runs}:
                return None
            none = again('none')
            nones.append(none)
            statuses.add(none.status)
            if run.status in statuses:
                run = again(how)
                runs.append(run)
        if self.listed(case, 'status'):
            return None
        return (f'{how}: {run.status}, none: {" or ".join(sorted(statuses))}'
                + difference(nones[0], run))

    def case(self, case, top, ways):
        """Runs a case; what it found."""
        row = {'name': case.name, 'result': 'same'}
        wrong = []
        number = 0

        def again(how, processor=PROCESSOR):
            nonlocal number
            number += 1
            return self.run(case, how, f'{top}/{number}', processor)

        first = 'native' if self.options.third else 'none'
        nones = [again(first)]
        if isinstance(nones[0], str):
            return {**row, 'result': 'skip', 'why': nones[0]}
        if nones[0].status in ('too late', 'out of time'):
            return {**row, 'result': 'skip',
                    'why': f'{nones[0].status} ({first})'}
        limit = PROCESSOR + SLOWDOWN * nones[0].processor
        row['none'] = nones[0].processor
        row['none_memory'] = nones[0].memory
        if self.listed(case, 'archive'):
            ways = ['archive']
        for how in ways:
            run = again(how, limit)
            place = f'{top}/{number}'
            row[how] = run.processor
            row[how + '_memory'] = run.memory
            why = self.differs(case, how, run, nones,
                               lambda h: again(h, limit))
            if why and not (how == 'raw' and self.listed(case, 'malloc')):
                wrong += [why, self.core_says(place)]
            found, row[how + '_bytes'] = self.logs(place)
            if found and not self.listed(case, 'log'):
                wrong += [f'{how}:', *found, self.core_says(place)]
            if run.memory > MEMORY[0] * nones[0].memory + MEMORY[1] and \
               not self.listed(case, 'memory'):
                wrong.append(f'{how}: {run.memory >> 20} MiB of memory, '
                             f'none: {nones[0].memory >> 20}')
            shutil.rmtree(place, ignore_errors=True)
        if len(nones) > 1:
            row['varies'] = self.level(nones)
            if row['varies'] is None:
                row['varies'] = len(LEVELS) - 1
        for kind in EXPECTED:
            if self.listed(case, kind):
                row['result'] = 'expected'
        if wrong:
            row['result'] = 'different'
            row['why'] = '\n'.join(wrong)
        return row

    # ---- All of them --------------------------------------------------------

    def is_short(self, case, width):
        """Whether a case is for make check."""
        # Valgrind reads all of the C library's variables then, for seconds.
        return '--read-var-info=yes' not in case.options and \
            not self.listed(case, 'long', width)

    def third(self):
        """Every third of the short ones, in one of the two widths by turns."""
        by_width = {width: {c.name: c for c in
                            torture_cases.cases_of(self.tree, width)
                            if self.is_short(c, width)}
                    for width in (64, 32)}
        names = sorted({*by_width[64], *by_width[32]})[::3]
        chosen = []
        for number, name in enumerate(names):
            width = 32 if number % 2 else 64
            if name not in by_width[width]:
                width = 96 - width
            if width == self.width:
                chosen.append(by_width[width][name])
        return chosen

    def chosen(self):
        """The cases to run, and what is not run, with reasons."""
        runs, skips = [], []
        all_cases = torture_cases.cases_of(self.tree, self.width)
        only = self.options.only
        if self.options.third:
            all_cases = self.third()
        for case in all_cases:
            name = os.path.join(self.tree, case.folder, case.file())
            reason = self.listed(case, 'skip')
            if only and not re.search(only, case.name):
                continue
            if not reason and not case.before and not os.access(name, os.X_OK):
                reason = 'it was not compiled'
            if reason:
                skips.append((case, reason))
            else:
                runs.append(case)
        return runs, skips

    def report(self, row):
        """A line of TAP."""
        with self.lock:
            self.rows.append(row)
            if self.options.results:
                self.write(self.options.results)
            name = row['name'].replace('#', '?')
            if row['result'] == 'skip':
                print(f'# not run: {name}: {row["why"]}')
                return
            self.count += 1
            result, note = 'ok', ''
            if row['result'] == 'different':
                result = 'not ok'
                self.failed += 1
            elif row.get('varies'):
                note = f' ({LEVEL_NAMES[row["varies"]]} vary under none)'
            print(f'{result} {self.count} - {self.width} {name}{note}')
            if result == 'not ok':
                for line in row['why'].split('\n')[:60]:
                    print('#  ', line)
            sys.stdout.flush()

    def one(self, case, ways):
        """A case, but never the same program twice at a time."""
        with self.lock:
            lock = self.locks.setdefault(case.file(), threading.Lock())
        with lock:
            top = tempfile.mkdtemp(prefix='case', dir=self.options.scratch)
            try:
                self.report(self.case(case, top, ways))
            finally:
                shutil.rmtree(top, ignore_errors=True)

    def ways(self, number):
        """How a case is recorded: of the third, by turns."""
        if not self.options.third:
            return WAYS
        return [WAYS[number % 2]]

    def enough(self, runs):
        """Most of what could run must have run."""
        if self.options.only:
            return
        done = sum(row['result'] != 'skip' for row in self.rows)
        self.count += 1
        result = 'ok'
        if done < runs // 2 or not done:
            result = 'not ok'
            self.failed += 1
        print(f'{result} {self.count} - {self.width} bits: {done} '
              'programs are run')

    def all(self):
        """Runs everything."""
        runs, skips = self.chosen()
        for case, reason in skips:
            self.report({'name': case.name, 'result': 'skip', 'why': reason})
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            for done in [pool.submit(self.one, case, self.ways(number))
                         for number, case in enumerate(runs)]:
                done.result()
        self.enough(len(runs))
        print(f'1..{self.count}')
        return 1 if self.failed else 0

    def write(self, name):
        """A table of what was measured."""
        keys = ['name', 'result', 'varies', 'none', 'raw', 'archive',
                'none_memory', 'raw_memory', 'archive_memory', 'raw_bytes',
                'archive_bytes']
        with open(name, 'w', encoding='utf-8') as table:
            print(*keys, sep='\t', file=table)
            for row in sorted(self.rows, key=lambda r: r['name']):
                print(*(f'{row[k]:.2f}' if isinstance(row.get(k), float)
                        else row.get(k, '') for k in keys), sep='\t',
                      file=table)


def kill_group(group):
    """Ends what is left of a group."""
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        pass


def reap_group(group):
    """Waits for all of a group whose leader has ended."""
    timer = threading.Timer(GRACE, kill_group, (group,))
    timer.start()
    try:
        while True:
            os.waitpid(-group, 0)
    except ChildProcessError:
        pass
    timer.cancel()
    kill_group(group)


def difference(one, two):
    """The first lines that differ."""
    text = ''
    for name in ('out', 'err', 'printed'):
        a = getattr(one, name).decode('latin-1').split('\n')
        b = getattr(two, name).decode('latin-1').split('\n')
        if a == b:
            continue
        k = 0
        while k < min(len(a), len(b)) and a[k] == b[k]:
            k += 1
        text += f'\nstd{name}, line {k + 1}:'
        text += ''.join(f'\n- {line[:200]}' for line in a[k:k + 4])
        text += ''.join(f'\n+ {line[:200]}' for line in b[k:k + 4])
    return text


def main():
    """Reads the command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument('--tree', required=True)
    parser.add_argument('--width', type=int, required=True)
    parser.add_argument('--valgrind', required=True)
    parser.add_argument('--dg', required=True)
    parser.add_argument('--lists', required=True)
    parser.add_argument('--scratch', required=True)
    parser.add_argument('--third', action='store_true')
    parser.add_argument('--show', action='store_true')
    parser.add_argument('--only')
    parser.add_argument('--results')
    parser.add_argument('--jobs', type=int, default=1)
    options = parser.parse_args()
    torture = Torture(options)
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
    if options.show:
        runs, skips = torture.chosen()
        for case in runs + [case for case, _ in skips]:
            print(case.folder, case.file(), sep='\t')
        return 0
    return torture.all()


if __name__ == '__main__':
    sys.exit(main())
