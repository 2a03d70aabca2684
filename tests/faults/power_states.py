#!/usr/bin/env python3
# power_states.py: files as a power loss leaves them, put together from what was
# written, and what dg says of them.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later
#
# power_states.py DG TRACE NAME named|growing
#
# TRACE is of faults_state.c: writes, truncations, synchronizations and names
# of files.  NAME is the archive of which it tells.  `named`: it gets its name
# when it is complete, and must then be on the disk.  `growing`: at any moment
# the disk may have any of what was written since the last synchronization: all,
# all but the last, a part of it, or later writes without earlier ones.
#
# Where chunks end is computed here, from the headers of parts alone; the file
# that is left has those that are the same, byte by byte, from the first on.

import json
import os
import struct
import subprocess
import sys

HEAD, PART, FOOTER = 40, 48, 32
RUNS = 3


def read_trace(path):
    data = open(path, 'rb').read()
    at = 0
    while at < len(data):
        what, file, offset, n = struct.unpack_from('<4Q', data, at)
        at += 32
        yield chr(what), file, offset, data[at:at + n] if n else b''
        at += n


def put(image, offset, data):
    if len(image) < offset:
        image.extend(bytes(offset - len(image)))
    image[offset:offset + len(data)] = data


def apply(image, op):
    what, offset, data = op
    if what == 'w':
        put(image, offset, data)
    elif what == 't':
        del image[offset:]
        image.extend(bytes(offset - len(image)))


def chunks_of(image):
    """The end of each chunk of a whole archive, and how many runs it has."""
    at, found = HEAD, []
    while at + PART <= len(image) and image[at:at + 4] == b'DGpt':
        size, = struct.unpack_from('<Q', image, at + 16)
        if image[at + 4] == RUNS:
            runs, = struct.unpack_from('<Q', image, at + PART + 80)
            found.append((at + PART + size, runs))
        at += PART + size
    return found


class Judge:
    def __init__(self, dg, name, whole):
        self.dg, self.name, self.whole = dg, name, whole
        self.chunks = chunks_of(whole)
        self.tried = self.lost = self.silent = self.crashed = 0
        self.seen = set()

    def complain(self, what, why):
        print(f'# {self.name}: {why}: {what}')

    def run(self, *args):
        try:
            return subprocess.run([self.dg, *args], capture_output=True,
                                  timeout=600)
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(args, -99, b'', b'')

    def judge(self, image, why):
        image = bytes(image)
        if image in self.seen:
            return
        self.seen.add(image)
        self.tried += 1
        good = 0
        if image[:HEAD] == self.whole[:HEAD]:
            for end, _ in self.chunks:
                if image[:end] != self.whole[:end]:
                    break
                good += 1
        open('left.dgz', 'wb').write(image)
        check = self.run('check', 'left.dgz')
        info = self.run('info', '--json', 'left.dgz')
        if check.returncode < 0 or info.returncode < 0:
            self.crashed += 1
            self.complain('dg ends by a signal, or never', why)
            return
        is_whole = image == self.whole
        if is_whole != (check.returncode == 0):
            self.silent += 1
            self.complain(f'dg check has status {check.returncode}', why)
        if image[:HEAD] != self.whole[:HEAD]:
            # Not an archive yet.
            if info.returncode == 0:
                self.silent += 1
                self.complain('opens without its header', why)
            return
        try:
            told = json.loads(info.stdout)
        except ValueError:
            told = {}
        runs = sum(n for _, n in self.chunks[:good])
        if told.get('runs') != runs:
            self.lost += 1
            self.complain(f'{told.get("runs")} runs, not the {runs} of the '
                          f'first {good} chunks', why)
        if told.get('is_complete') is True and not is_whole:
            self.silent += 1
            self.complain('is called complete', why)


def states(base, late):
    """What the disk may have: all of base, and some of late."""
    def build(keep):
        image = bytearray(base)
        for op in keep:
            apply(image, op)
        return image
    yield 'all', build(late)
    if not late:
        return
    what, offset, data = late[-1]
    yield 'without the last', build(late[:-1])
    for part in (1, 3, 7):
        cut = len(data) * part // 8
        yield (f'{part}/8 of the last',
               build([*late[:-1], (what, offset, data[:cut])]))
    page = offset // 4096 * 4096 + 4096
    if what == 'w' and page < offset + len(data):
        hole = bytearray(data)
        end = min(page + 4096 - offset, len(data))
        hole[page - offset:end] = bytes(end - (page - offset))
        yield 'a page of the last is missing', build(
            [*late[:-1], (what, offset, bytes(hole))])
    yield 'the last is zeros', build(
        [*late[:-1], (what, offset, bytes(len(data)))])
    for i in range(len(late) - 1):
        yield f'all but write {i}', build(late[:i] + late[i + 1:])
    # Only the size has come to the disk.
    yield 'zeros', build([(w, o, bytes(len(d))) for w, o, d in late])


def main():
    dg, trace, name, how = sys.argv[1:]
    files, names, order = {}, {}, []
    unsynced_at_name = []
    for what, file, offset, data in read_trace(trace):
        ops = files.setdefault(file, [])
        if what in 'on':
            if what == 'o' and data:
                ops.clear()
            path = os.path.basename(data.decode())
            names[path] = file
            late = 0
            for op in reversed(ops):
                if op[0] == 's':
                    break
                late += op[0] in 'wt'
            if path == name and what == 'n':
                unsynced_at_name.append(late)
        else:
            ops.append((what, offset, data))
    ops = files[names[name]]
    whole = bytearray()
    for op in ops:
        apply(whole, op)
    judge = Judge(dg, name, bytes(whole))
    if how == 'named':
        judge.tried = len(unsynced_at_name)
        judge.lost = sum(n > 0 for n in unsynced_at_name)
        if not unsynced_at_name or judge.lost:
            print(f'# {name} gets its name before it is on the disk')
        if ops[-1][0] != 's' and judge.lost == 0 and not unsynced_at_name:
            judge.lost = 1
    else:
        base, late = bytearray(), []
        for i, op in enumerate(ops):
            if op[0] == 's':
                for one in late:
                    apply(base, one)
                late = []
                continue
            late.append(op)
            for why, image in states(base, late):
                judge.judge(image, f'after {i + 1} writes: {why}')
        if late:
            judge.lost += 1
            print(f'# {name}: what was written last is not synchronized')
    print(f'# {name} {how}: {len(judge.chunks)} chunks, {judge.tried} tried, '
          f'{judge.crashed} crashed, {judge.silent} silent, '
          f'{judge.lost} lost')
    return judge.crashed + judge.silent + judge.lost > 0


sys.exit(main())
