"""measure.py: runs a command and says what it took: time, processor time and
memory, its children's included.

Copyright (C) 2026 the Datagrind developers.
SPDX-License-Identifier: GPL-2.0-or-later
"""

import os
import shlex
import subprocess
import sys
import time

TICK = os.sysconf("SC_CLK_TCK")


class Took:
    """What one run of a command took, in seconds and bytes."""
    wall = 0.0
    cpu = 0.0        # of the command and all its children
    own_cpu = 0.0    # of the command alone
    peak = 0         # bytes of all at one time, only when it was asked for
    resident = 0     # bytes, of the largest process
    stderr = ""


def stat_fields(pid):
    """/proc/PID/stat behind the name: field 3 of the manual is [0]."""
    with open("/proc/%d/stat" % pid, encoding="utf-8",
              errors="replace") as f:
        return f.read().rpartition(")")[2].split()


def tree(root):
    """A process and its descendants."""
    children = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                parent = int(stat_fields(int(name))[1])
            except (OSError, IndexError):
                continue
            children.setdefault(parent, []).append(int(name))
    found = [root]
    for pid in found:
        found += children.get(pid, [])
    return found


def memory(pids):
    """Bytes of memory that the processes have now.  Private pages and pages
    of files by their share of each; memory that is shared, such as a ring,
    once, and as a whole: it is taken whether it was touched or not."""
    total, shared = 0, {}
    for pid in pids:
        try:
            with open("/proc/%d/smaps_rollup" % pid, encoding="ascii") as f:
                for line in f:
                    if line.startswith(("Pss_Anon:", "Pss_File:")):
                        total += int(line.split()[1]) << 10
            with open("/proc/%d/maps" % pid, encoding="utf-8",
                      errors="replace") as f:
                for line in f:
                    place, mode, _, dev, inode = line.split()[:5]
                    # A file of a tmpfs has no device behind it.
                    if mode[3] == "s" and dev.startswith("00:") \
                            and inode != "0":
                        low, high = place.split("-")
                        size = int(high, 16) - int(low, 16)
                        key = dev, inode
                        shared[key] = max(shared.get(key, 0), size)
        except OSError:
            continue
    return total + sum(shared.values())


def run(command, work, env=None, watch_memory=False):
    """Runs a command in the folder `work`.  Watching memory slows it down:
    the times are then good for nothing."""
    # Nobody pays for what others left to be written.
    os.sync()
    took = Took()
    with open(os.path.join(work, "stderr"), "w+b") as words:
        start = time.perf_counter()
        child = subprocess.Popen(command, cwd=work, env=env,
                                 stdin=subprocess.DEVNULL,
                                 stdout=subprocess.DEVNULL, stderr=words)
        options = os.WEXITED | os.WNOWAIT
        if watch_memory:
            pids, turn = [child.pid], 0
            while os.waitid(os.P_PID, child.pid,
                            options | os.WNOHANG) is None:
                if turn % 10 == 0:
                    pids = tree(child.pid)
                turn += 1
                took.peak = max(took.peak, memory(pids))
                time.sleep(0.005)
        else:
            os.waitid(os.P_PID, child.pid, options)
        took.wall = time.perf_counter() - start
        # It is not gone yet: its figures tell its own time from that of the
        # children that it waited for.
        fields = stat_fields(child.pid)
        took.own_cpu = (int(fields[11]) + int(fields[12])) / TICK
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        took.cpu = usage.ru_utime + usage.ru_stime
        took.resident = usage.ru_maxrss << 10
        words.seek(0)
        took.stderr = words.read().decode(errors="replace")
    if child.returncode != 0:
        sys.stderr.write(took.stderr)
        sys.exit("record: %s: exit status %d"
                 % (shlex.join(command), child.returncode))
    return took
