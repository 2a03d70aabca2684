# dg-progress.sh: what a terminal shows of a long command: one share for the
# whole, which does not fall, and the phase.  The clock is made up: each look at
# it is a second later.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"

cat > clock.c << 'END'
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int
clock_gettime (clockid_t which, struct timespec *at)
{
  static long calls;
  long result = syscall (SYS_clock_gettime, which, at);

  if (result == 0 && which == CLOCK_MONOTONIC) {
    at->tv_sec += __atomic_add_fetch (&calls, 1, __ATOMIC_SEQ_CST);
  }
  return (int) result;
}
END
${CC:-cc} -shared -fPIC -o clock.so clock.c || exit 99

cat > watch.py << 'END'
import os
import pty
import re
import subprocess
import sys

LINE = re.compile(r"dg: (?P<what>[^:]+): (?:(?P<phase>[^:]+): )?"
                  r" *(?P<share>\d+) %, (?P<left>\d+) s left")
phases, words = sys.argv[1].split(","), sys.argv[2:]
primary, secondary = pty.openpty()
program = subprocess.Popen(
    words, stdout=subprocess.DEVNULL, stderr=secondary,
    env={**os.environ, "LD_PRELOAD": os.path.abspath("clock.so"),
         "ASAN_OPTIONS": "verify_asan_link_order=0:"
         + os.environ.get("ASAN_OPTIONS", "")})
os.close(secondary)
seen = b""
while True:
    try:
        some = os.read(primary, 65536)
    except OSError:
        break
    if not some:
        break
    seen += some
if program.wait() != 0:
    sys.exit(f"it ended with {program.returncode}: {seen.decode()}")
parts = [part for part in
         seen.decode().replace("\x1b[K", "").split("\r") if part.strip()]
shown = [line for line in map(LINE.fullmatch, parts) if line]
if not shown or any(" left" in part and not LINE.fullmatch(part)
                    for part in parts):
    sys.exit(f"no progress, or a line that begins in another: {parts}")
if len({line["what"] for line in shown}) != 1:
    sys.exit("several names")
shares = [int(line["share"]) for line in shown]
if shares != sorted(shares):
    sys.exit(f"shares that fall: {shares}")
if shares[-1] <= 0 or shares[-1] > 100:
    sys.exit(f"it ends with {shares[-1]} %")
order = [line["phase"] for line in shown]
order = [name for i, name in enumerate(order) if name != order[i - 1] or not i]
if [name for name in order if name in phases][-len(phases):] != phases:
    sys.exit(f"phases: {order}, not {phases}")
END

# watch PHASES WORD...
watch ()
{
  title="dg ${*:2}"
  python3 watch.py "$1" "$DG" "${@:2}" > stdout 2> stderr
  report 'one scale, which does not fall' stderr
}

calls_one_by_one log
"$DG" pack log -o log.dgz
watch 'analysing' cache log
watch 'analysing' counts,reuse,sharing log.dgz
watch 'names of the conditions,analysing' counts --events=fn:alpha log
watch 'analysing,repairs' advise log
watch 'analysing,repairs' report --no-picture log -o page.html
watch 'analysing,opening,analysing' diff cache log log.dgz
watch 'packing' pack log -o other.dgz
watch 'checking' check log.dgz
watch 'indexing' index log

finish
