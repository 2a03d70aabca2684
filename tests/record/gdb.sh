#!/bin/bash
# gdb.sh: the command of gdb that asks a log who wrote a variable, in a real gdb
# at a breakpoint, where the program is at other addresses than it was.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"
command -v gdb > compile || skip_all 'no gdb'
gdb -nx -batch -ex 'python print (6 * 7)' 2>&1 | grep -qx 42 ||
  skip_all 'this gdb has no Python'

mkdir bin
ln -s "$DG" bin/dg
PATH=$T/bin:$PATH
cat > prog.c << 'END'
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
int counter, unused;
char buffer[16];
static int table[8];
void set (int i) { table[i] = i; }
void bump (void) { counter++; }
int main (void)
{
  int *block = malloc (64);
  set (3);
  bump ();
  bump ();
  block[0] = 7;
  if (read (open ("/dev/zero", O_RDONLY), buffer, 16) != 16)
    return 1;
  return counter + table[3] + block[0] + unused - 12;
}
END
$CC -g -O0 -o prog prog.c 2> compile || skip_all 'no compiler'
"$DG" record --valgrind="${VALGRIND_DG%% --tool=*}" -q -o prog.dgz ./prog \
  > out 2> messages
ask () # EXPRESSION [LOG]
{
  timeout 600 gdb -nx -batch -iex 'set debuginfod enabled off' \
    -ex "source $abs_top_srcdir/tools/gdb/datagrind.py" \
    -ex 'break bump' -ex run -ex "datagrind who-wrote $*" ./prog \
    > asked 2>&1 < /dev/null
}
ask counter prog.dgz
grep -q '^Breakpoint 1, ' asked || skip_all 'gdb cannot run a program here'
check "a variable: how often" \
  grep -q '^prog.dgz: 2 writes of 0x[0-9a-f]* (4 bytes); the last one' asked
check "a variable: where" grep -qx '  bump (prog.c:8)' asked
check "a variable: the caller" grep -qx '  called by main (prog.c:1[34])' asked
check "a variable: when" \
  grep -qx '  thread 1, after [0-9]* instructions' asked
ask 'table[3]'
check "one write" grep -q '^prog.dgz: 1 write of 0x' asked
check "an element, in the newest log" grep -qx '  set (prog.c:7)' asked
ask '&counter' prog.dgz
check "an address" grep -qx '  bump (prog.c:8)' asked
ask unused prog.dgz
check "one that nobody wrote" \
  grep -q '^prog.dgz: neither an instruction nor the kernel wrote 0x' asked
ask buffer prog.dgz
check "one that only the kernel wrote" \
  grep -q ': 1 write of .* no instruction wrote it, only the kernel;' asked
check "the kernel" grep -qx '  the kernel, in system call 0' asked
ask '*(int *) $sp' prog.dgz
check "the stack cannot be known" grep -q 'cannot be known' asked
printf 'no log' > noise
ask counter noise
check "a file that is not a log" grep -q 'dg failed' asked
for bad in 'counter nolog.dgz|nolog.dgz: no such file' \
  'nosuch prog.dgz|No symbol "nosuch" in current context.' \
  '|The expression is missing: .*' 'prog.dgz|The expression is missing: .*'; do
  ask "${bad%%|*}"
  check "an error: ${bad%%|*}" grep -qx "${bad#*|}" asked
done

# ---- Under Valgrind: the log of this very process -----------------------------

vgdb=$(find_vgdb)
live () # EXPRESSION [LOG]
{
  # shellcheck disable=SC2086
  $VALGRIND_DG -q --vgdb=yes --vgdb-error=0 --vgdb-prefix="$T/pipe" \
    --datagrind-out-file="$T/live.%p" ./prog > out 2>&1 < /dev/null &
  timeout 600 gdb -nx -batch -iex 'set debuginfod enabled off' \
    -ex "target remote | $vgdb --wait=200 --vgdb-prefix=$T/pipe --pid=$!" \
    -ex "source $abs_top_srcdir/tools/gdb/datagrind.py" \
    -ex 'break 18' -ex continue -ex "datagrind who-wrote $*" -ex kill ./prog \
    > asked 2>&1 < /dev/null
  # It waits for a gdb if none came.
  kill $! 2> kill.err
  wait $!
  rm -f live.*
}
title='under vgdb'
if [ -z "$vgdb" ]; then
  skip "$title" 'no vgdb'
else
  live 'block[0]'
  check "$title: a block of the heap, before the process ends" \
    grep -q '/live\.[0-9]*: 1 write of 0x.* (4 bytes)' asked
  check "$title: who wrote it" grep -qx '  main (prog.c:15)' asked
  live '*(int **) &block'
  check "$title: the stack" grep -qx '  main (prog.c:11)' asked
  live counter
  check "$title: what the log cannot have yet is told" \
    grep -q 'not counted: what the block of code has done' asked
  live 0x10
  check "$title: no address of the program" \
    grep -q '0x10 is not in the memory of the program' asked
  live counter prog.dgz
  check "$title: another log" grep -q '^prog.dgz: 2 writes' asked
  check "$title: where, in another log" grep -qx '  bump (prog.c:8)' asked
fi

sed -i 's/int counter, unused/int unused[100], counter/; s/ unused / unused[0] /' \
  prog.c
$CC -g -O0 -o prog prog.c 2> compile
ask counter prog.dgz
check "another build" grep -q 'prog is another build than' asked
done_testing
