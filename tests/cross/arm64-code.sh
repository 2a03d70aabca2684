#!/bin/bash
# What is read from machine code of arm64 is what objdump says: stubs of
# procedure linkage tables, with and without protected branches, and registers
# and branches of instructions that are exported.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

cross=${abs_top_builddir:?}/cross-arm64
if [ ! -e "$cross/ready" ]; then
  echo '1..0 # SKIP no emulated Valgrind for arm64 (make cross-arm64)'
  exit 0
fi
export DATAGRIND_CROSS=$cross
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../record/record.sh"

objdump=$cross/tools/binutils/objdump

cat > calls.c << 'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int
main (int argc, char **argv)
{
  char *text = malloc (100);
  for (int i = 0; i < 100; i++)
    memset (text, 'a' + argc, i);
  text[20] = '\0';
  puts (text);
  printf ("%d\n", atoi (argv[0] + 2));
  free (text);
  return 0;
}
END

# The first addresses of stubs, and the functions that they lead to.
stubs () # PROGRAM
{
  "$objdump" -d -j .plt "$1" |
    sed -n 's/^0*\([0-9a-f]*\) <\([a-z_]*\)@plt>:$/\1 \2/p' | sort
}

# Those of them that ran and the names that dg has for them: what they access is
# the word that leads to the function.
named () # LOG PROGRAM BIAS
{
  "$DG" counts --by=instruction --top=0 --json "$1" 2> /dev/null |
    python3 -c '
import json, sys
stubs = sorted ((int (at, 16), name)
                for at, name in map (str.split, open ("stubs")))
for row in json.load (sys.stdin)["rows"]:
    if not (row["module"] or "").endswith ("/" + sys.argv[1]):
        continue
    at = int (row["instruction"], 16) - int (sys.argv[2], 16)
    within = [name for low, name in stubs if low <= at < low + 16]
    if within:
        print (within[-1] + "@plt", row["function"])' "$2" "$3"
}

for kind in none standard; do
  what="-mbranch-protection=$kind"
  if ! $CC -g -O1 -fno-builtin $what -Wl,-z,force-bti calls.c -o calls-$kind \
      2> calls.err && ! $CC -g -O1 -fno-builtin $what calls.c -o calls-$kind
  then
    skip "$what" "the compiler cannot make the program"
    continue
  fi
  record $kind.dg ./calls-$kind > /dev/null
  check_log "$what: the log is whole" $kind.dg
  stubs calls-$kind > stubs
  # Where the file begins: its first .text is in the log.
  text=$("$DG" dump $kind.dg |
    sed -n "s/.*TEXT_AVMA text_address=\(0x[0-9a-f]*\) file=\".*calls-$kind\"/\1/p")
  inside=$("$objdump" -h calls-$kind | awk '$2 == ".text" { print $4 }')
  bias=$(printf %x $((text - 0x$inside)))
  named $kind.dg calls-$kind "$bias" > told
  check "$what: stubs that ran have names" test "$(wc -l < told)" -ge 5
  is "$what: ... those of their functions" "$(awk '$1 != $2' told)" ""
  "$DG" export --format=champsim --threads=1 $kind.dg -o $kind.champsim
  compared=$(python3 "$here/champsim_arm64.py" $kind.champsim "$objdump" \
    calls-$kind "$bias")
  case $compared in
    "0 differ of "[1-9]*" branches and "[1-9]*) ok "$what: $compared" ;;
    *) not_ok "$what: registers and branches" "$compared" ;;
  esac
done

# The C library has more instructions of more kinds.
library=$cross/root/usr/aarch64-linux-gnu/lib/libc.so.6
text=$("$DG" dump standard.dg |
  sed -n 's/.*TEXT_AVMA text_address=\(0x[0-9a-f]*\) file=".*libc.so.6"/\1/p')
inside=$("$objdump" -h "$library" | awk '$2 == ".text" { print $4 }')
compared=$(python3 "$here/champsim_arm64.py" standard.champsim "$objdump" \
  "$library" "$(printf %x $((text - 0x$inside)))")
case $compared in
  "0 differ of "[1-9]??*" branches and "[1-9]???*) ok "libc: $compared" ;;
  *) not_ok "libc: registers and branches" "$compared" ;;
esac

# drmemtrace: the file's type says what the code is, and has it.
"$DG" export --format=drmemtrace standard.dg -o drmemtrace
is "drmemtrace: code of AArch64, with its bytes" "$(python3 -c '
import struct, sys
data = open (sys.argv[1], "rb").read ()
for at in range (0, len (data), 12):
    kind, size, value = struct.unpack_from ("<HHQ", data, at)
    if (kind, size) == (28, 9):
        print (hex (value))
        break' drmemtrace)" 0x208

done_testing
