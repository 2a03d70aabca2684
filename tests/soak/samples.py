# samples.py: the memory of processes, sampled, and whether it grows.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

import os

# Not every page more is a leak: some things are larger now and then, and
# allocators ask for pages late.
TOLERATED_KIB = 4096
TOLERATED = 0.05


def anonymous(pid):
    """KiB of memory that is the process's own; None: it has gone."""
    try:
        with open('/proc/%d/smaps_rollup' % pid) as file:
            for line in file:
                if line.startswith('Anonymous:'):
                    return int(line.split()[1])
    except (OSError, ProcessLookupError):
        pass
    return None


def children(pid):
    """Of all threads of the process."""
    found = []
    try:
        for task in os.listdir('/proc/%d/task' % pid):
            with open('/proc/%d/task/%s/children' % (pid, task)) as file:
                found += [int(word) for word in file.read().split()]
    except OSError:
        pass
    return found


def command(pid):
    try:
        with open('/proc/%d/comm' % pid) as file:
            return file.read().strip()
    except OSError:
        return ''


class Samples:
    """Of one process: (round, KiB)."""

    def __init__(self, name, pid):
        self.name, self.pid, self.taken = name, pid, []

    def take(self, at):
        kib = anonymous(self.pid)
        if kib:
            self.taken.append((at, kib))

    def settled(self):
        """Without the first half: what is cached is cached by then."""
        return self.taken[len(self.taken) // 2:]

    def line(self):
        """(slope in KiB a round, KiB at the first and last round on the line of
        least squares)"""
        taken = self.settled()
        n = len(taken)
        mean_x = sum(x for x, y in taken) / n
        mean_y = sum(y for x, y in taken) / n
        spread = sum((x - mean_x) ** 2 for x, y in taken)
        slope = sum((x - mean_x) * (y - mean_y)
                    for x, y in taken) / spread if spread else 0
        return slope, *(mean_y + slope * (x - mean_x)
                        for x in (taken[0][0], taken[-1][0]))

    def flat(self, more=0):
        """more: KiB by which it may grow besides."""
        slope, first, last = self.line()
        return last - first <= max(TOLERATED_KIB, TOLERATED * first) + more

    def said(self):
        slope, first, last = self.line()
        return ('%s: %.0f KiB, then %.0f KiB: %+.2f KiB a round in %d samples'
                % (self.name, first, last, slope, len(self.taken)))
