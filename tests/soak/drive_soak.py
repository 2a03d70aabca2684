# drive_soak.py: a recording that goes on and on, a window that follows it, and
# short recordings beside it whose oldest archives are removed from a tiny disk,
# which is full at times.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later
#
# SOAK_ROUNDS: rounds of steady.c, 1000 of which take about five minutes;
# SOAK_SAMPLES=FILE keeps the samples.

import os
import subprocess
import sys
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'view', 'window'))
import drive  # noqa: E402
import real  # noqa: E402
import samples  # noqa: E402
from drive import View, ok, same, until  # noqa: E402

ROUNDS = int(os.environ.get('SOAK_ROUNDS', 1000))
DISK_MIB = 4
# Short recordings: after so many it must have been full.
MOST = 100
DG = real.DG


def recorder(output, rounds):
    return subprocess.Popen(
        [DG, 'record', '--ring-dir=rings', '-o', output, '--', './steady',
         str(rounds)],
        env={**os.environ, 'DATAGRIND_VALGRIND': real.valgrind()},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True)


class Rotation(threading.Thread):
    """Recordings on the disk, until there were enough, and a tiny disk has been
    full."""

    def __init__(self, folder, is_tiny):
        super().__init__()
        self.folder, self.is_tiny = folder, is_tiny
        self.enough, self.is_full = threading.Event(), False
        self.made = self.full = 0
        self.wrong = []

    def free(self):
        stat = os.statvfs(self.folder)
        return stat.f_bavail * stat.f_frsize

    def make_room(self):
        """The oldest make room, but not before it is full."""
        if self.is_tiny and not self.is_full:
            return
        names = sorted((name for name in os.listdir(self.folder)
                        if name.endswith('.dgz')),
                       key=lambda name: int(name.split('-')[1]
                                            .split('.')[0]))
        while names and self.free() < (DISK_MIB << 20) * 2 // 3:
            os.remove(os.path.join(self.folder, names.pop(0)))

    def run(self):
        while not self.enough.is_set() or \
                (self.is_tiny and self.full == 0 and self.made < MOST):
            self.make_room()
            self.record(os.path.join(self.folder, 'r-%d.dgz' % self.made))
            self.made += 1

    def record(self, path):
        process = recorder(path, 2)
        printed, words = process.communicate('\n\n')
        self.is_full = full = 'No space left' in words
        self.full += full
        if printed != '1\n2\n' or process.returncode != 3:
            self.wrong.append((path, process.returncode, printed, words))
        if os.path.exists(path):
            self.check(path, full)

    def check(self, path, full):
        check = subprocess.run([DG, 'check', path], capture_output=True,
                               text=True)
        # 0 all of it; 1 what is there is good, but it is cut short.
        if check.returncode not in ((0, 1) if full else (0,)):
            self.wrong.append((path, check.returncode, check.stdout,
                               check.stderr))


def the_guest(recorder_pid):
    """The program under Valgrind is the recorder's child."""
    return until(lambda: next(
        (pid for pid in samples.children(recorder_pid)
         if samples.command(pid) not in ('', 'dg')), None))


def soak(disk, is_tiny):
    process = recorder('long.dgz', ROUNDS)
    rotation = Rotation(disk, is_tiny)
    rotation.start()
    watched = [samples.Samples('dg record', process.pid),
               samples.Samples('the program and the tool',
                               the_guest(process.pid))]
    follower = None
    for line in process.stdout:
        at = int(line)
        for each in watched:
            each.take(at)
        if follower:
            follower.take(at)
        elif at >= 8:
            view = View('long.dgz')
            view.press('Follow')
            follower = samples.Samples('dg_view', view.process.pid)
        process.stdin.write('\n')
        process.stdin.flush()
    rotation.enough.set()
    words = process.stderr.read()
    same(process.wait(), 3, 'the exit status is the program\'s')
    ok(until(lambda: view.says('The recording has ended')),
       'the window followed it to its end')
    rotation.join()
    same(words, '', 'nothing was said')
    compare(view, follower)
    return watched, rotation


def calm(view):
    """KiB when the picture is there and no thread of it works."""
    def used():
        with open('/proc/%d/stat' % view.process.pid) as file:
            return sum(map(int, file.read().rsplit(')', 1)[1].split()[11:13]))

    view.settled()
    last = [used()]

    def works_no_more():
        last.append(used())
        return len(last) > 20 and last[-1] - last[-20] <= 2

    until(works_no_more)
    return samples.anonymous(view.process.pid)


def compare(followed, follower):
    """A window holds what is in the log, which grows; that it has followed it
    leaves nothing more."""
    fresh = View('long.dgz')
    wanted, got = calm(fresh), calm(followed)
    print('# ' + follower.said())
    print('# dg_view: %d KiB after it followed, %d KiB of one that opens it'
          % (got, wanted))
    ok(got < 2 * wanted + 32768,
       'dg_view: following needs no more memory than opening',
       '%d, %d' % (got, wanted))


def keep(watched):
    name = os.environ.get('SOAK_SAMPLES')
    if name:
        with open(name, 'w') as file:
            for each in watched:
                for at, kib in each.taken:
                    file.write('%s\t%d\t%d\n' % (each.name, at, kib))


def test_soak():
    real.build(HERE + '/steady.c', 'steady', '-ldl')
    os.mkdir('disk')
    os.mkdir('rings')
    mounted = subprocess.run(
        ['mount', '-t', 'tmpfs', '-o', 'size=%dm' % DISK_MIB, 'soak', 'disk'],
        capture_output=True).returncode == 0
    try:
        watched, rotation = soak('disk', mounted)
    finally:
        if mounted:
            subprocess.run(['umount', '-l', 'disk'], check=True)
    keep(watched)
    for each in watched:
        print('# ' + each.said())
        ok(each.flat(), each.name + ': its memory is flat', each.said())
    print('# %d short recordings, in %d of which the disk was full'
          % (rotation.made, rotation.full))
    ok(not rotation.wrong, 'short recordings: programs unharmed, archives good',
       '\n'.join(map(str, rotation.wrong[:5])))
    if mounted:
        ok(rotation.full > 0, 'the disk was full at times')
    else:
        drive.skip('the disk was full at times', 'no right to mount a tmpfs')
    same(subprocess.run([DG, 'check', 'long.dgz'],
                        capture_output=True).returncode, 0,
         'the long archive is good')
    same(os.listdir('rings'), [], 'no ring is left')


real.need_tool()
drive.run(test_soak)
