#!/bin/bash
# dg whatif: changes of code, by line and function.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"
command -v python3 > compile || skip_all 'no python3'

cat > code.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 40
#define COLUMNS 1031

int rows[ROWS][COLUMNS];
static char from[1 << 16], to[1 << 16];

#define R(i) +rows[i][c]
#define R8(i) R (i) R (i + 1) R (i + 2) R (i + 3) \
  R (i + 4) R (i + 5) R (i + 6) R (i + 7)

static int __attribute__ ((noinline))
sum_rows (void)
{
  int sum = 0;

  for (int c = 0; c < COLUMNS; c++)
    sum += R8 (0) R8 (8) R8 (16) R8 (24) R8 (32);   /* SUM */
  __asm__ volatile ("" ::: "memory");
  return sum;
}

static void __attribute__ ((noinline))
copy_all (void)
{
  memcpy (to, from, sizeof to);                      /* COPY */
  from[1]++;
}

/* What is stored is loaded again at once.  */
static unsigned __attribute__ ((noinline))
count_up (volatile unsigned *counter)
{
  for (int i = 0; i < 100000; i++)
    *counter += 3;                                   /* COUNT */
  return *counter;
}

/* A slot that is empty is written, by another line.  */
static int table[1 << 20];

static void __attribute__ ((noinline))
fill_slots (void)
{
  unsigned at = 1;

  for (int i = 0; i < 200000; i++) {
    int *slot = &table[(at = at * 1103515245 + 12345) >> 12];

    if (*slot == 0)                                  /* SLOT */
      *slot = i;
  }
}

static double values[1 << 15];

/* Each element is changed.  */
static void __attribute__ ((noinline))
scale (void)
{
  for (unsigned i = 0; i < sizeof values / sizeof *values; i++)
    values[i] = values[i] * 0.5 + 1;                 /* SCALE */
}

struct record { int key, others[11], count, last[3]; };
static struct record records[1 << 13];

/* Records that are in order already; another line uses more of each.  */
static int __attribute__ ((noinline))
count_records (void)
{
  int sum = 0;

  for (unsigned i = 0; i < sizeof records / sizeof *records; i++) {
    if (records[i].key == 0)                         /* KEY */
      sum += records[i].count++;
  }
  return sum;
}

int
main (void)
{
  static volatile unsigned counter;
  int sum = 0;

  for (int i = 0; i < 50; i++)
    sum += sum_rows ();
  for (int i = 0; i < 50; i++)
    copy_all ();
  fill_slots ();
  for (int i = 0; i < 4; i++) {
    scale ();
    sum += count_records ();
  }
  printf ("%d %d %u\n", sum, to[1], count_up (&counter));
  return 0;
}
C
line ()
{
  grep -n "/\* $1 \*/" code.c | cut -d: -f 1
}
copy=code.c:$(line COPY) sum=code.c:$(line SUM) count=code.c:$(line COUNT)
slot=code.c:$(line SLOT) scale=code.c:$(line SCALE) key=code.c:$(line KEY)

$CC -g -O1 -fno-builtin code.c -o code &&
  $VALGRIND_DG -q --datagrind-out-file=code.dg ./code > code.out
is 'the program has run' "$(cut -d' ' -f 3 code.out)" 300000

cat > figures.py <<'PYTHON'
"""Accesses that change, and the cycles that are left, in per cent."""
import json, sys

told = json.load (sys.stdin)
cycles = {row["figure"]: row for row in told["figures"]}["cycles"]
print (sum (row["accesses"] for row in told["changed"]),
       round (100 * cycles["after"] / cycles["before"]))
PYTHON
# change OPTION...: "accesses per cent".
change ()
{
  "$DG" whatif --json --machine=skylake "$@" code.dg | python3 figures.py
}
accesses ()
{
  change "$@" | cut -d' ' -f 1
}
cycles ()
{
  change "$@" | cut -d' ' -f 2
}

# By line, as the rows of tables have it.
own=$(accesses --remove=$copy)
all=$(accesses --remove=$copy --program)
check 'a line makes few accesses itself' [ "$own" -ge 50 -a "$own" -le 300 ]
check 'with --program, those of libraries that it calls' [ "$all" -gt 10000 ]
check 'whose time is saved' \
  [ "$(cycles --remove=$copy --program)" -lt "$(cycles --remove=$copy)" ]
is 'the same by function, with the library' \
  "$(accesses --remove=copy_all --program)" \
  "$((all + $(accesses --remove=copy_all) - own))"
is 'a line as tables show it' "$(change --in-l1="$sum (sum_rows)")" \
  "$(change --in-l1=$sum)"
is 'every load of the line' "$(accesses --in-order=$sum)" \
  "$((50 * 40 * 1031))"

# What is in order is not made worse, by 40 walks at a time.
check 'accesses that are in order already' \
  [ "$(cycles --in-order=$sum)" -ge 85 -a "$(cycles --in-order=$sum)" -le 103 ]
# A load gets what was stored, wherever that is.
is 'a counter in memory, in the first level' "$(cycles --in-l1=$count)" 100
is 'and in order' "$(cycles --in-order=$count)" 100
check 'but in a register' [ "$(cycles --in-register=$count)" -lt 100 ]

# Loops that are exchanged wait for no sum, but for the counters of loops.
check 'loops that are exchanged' \
  [ "$(cycles --exchange=$sum)" -le "$(cycles --in-order=$sum)" ]
is 'the same accesses' "$(accesses --exchange=$sum)" \
  "$(accesses --in-order=$sum)"

# What others access is beside what was moved.
misses ()
{
  "$DG" whatif --json --machine=skylake "$@" code.dg |
    python3 -c 'import json, sys
row, = [row for row in json.load (sys.stdin)["figures"]
        if row["figure"] == "l1_misses"]
print (row["before"], row["after"])'
}
read -r before after <<< "$(misses --in-order=$slot)"
check 'a write after a read that is in order' \
  [ $((before - after)) -gt 160000 ]

# Pages that are touched between the stretches of a sample are not new.
pages ()
{
  "$DG" time --json --machine=skylake "$@" code.dg |
    python3 -c 'import json, sys
print (json.load (sys.stdin)["first_touches"])'
}
all=$(pages)
check 'first touches in a sample' [ "$(pages --sample=3)" -le $((2 * all)) ]

# Elements do not get each other's values, and what is removed is not waited for.
check 'elements that are changed, in the first level' \
  [ "$(cycles --in-l1=$scale)" -le 100 ]
check 'without them' [ "$(cycles --remove=$scale)" -lt "$(cycles --in-l1=$scale)" ]
# Elements take as much as is used of them.
check 'records that are in order already' [ "$(cycles --in-order=$key)" -ge 90 ]
is 'with libraries, whatever the rows are' \
  "$(cycles --remove=$copy --program --by=variable)" \
  "$(cycles --remove=$copy --program)"

# Several.
is 'the first one of two' "$(change --remove="$sum;$sum")" \
  "$(change --remove=$sum)"
whatif ()
{
  "$DG" whatif "$@" code.dg 2>&1 | head -n 1
}
is 'none of that name' "$(whatif --remove="$sum;nothing")" \
  "dg: whatif: --remove=nothing: no instruction of that line or function was \
executed"
is 'more than there are registers' \
  "$(whatif --in-register='a;b;c;d;e;f;g')" \
  'dg: whatif: --in-register takes 6 lines or functions at most'
is 'nothing' "$(whatif --remove=)" \
  'dg: whatif: --remove takes FILE:LINE or the name of a function'
is 'line 0' "$(whatif --remove=code.c:0)" \
  "dg: whatif: 'code.c:0' does not fit --remove: lines count from 1"
"$DG" whatif --instructions=..1000 --remove="main;$count" code.dg > part 2>&1
is 'of a part, what is not there is none' \
  "$(grep -c 'was executed in this part of the run' part)" 1

done_testing
