#!/bin/bash
# dg record whose processes are delayed again and again, at random: the packer
# that reads the ring, and the programs that fill it.  What is recorded is what
# is recorded without delays.
#
# DG_TEST_SCHEDULES=N: so many recordings, for a longer search;
# DG_TEST_SEED=N: beginning with this seed.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"
export DATAGRIND_VALGRIND=${VALGRIND_DG%% --tool=*}
mkdir rings

# Twenty times around the smallest ring, with blocks, and a child that does
# the same.
cat > work.c << 'END'
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static unsigned words[1 << 16];
static void
work (const char *who)
{
  unsigned x = 1, sum = 0;

  for (unsigned i = 0; i < 300000; i++) {
    x = x * 1664525 + 1013904223;
    sum += words[x >> 16] += i;
    if (i % 1000 == 0) {
      unsigned *block = malloc (64 + i % 128);
      block[0] = i;
      sum += block[0];
      free (block);
    }
  }
  printf ("%s %u\n", who, sum);
  fflush (stdout);
}
int
main (void)
{
  int status;
  pid_t child = fork ();

  work (child == 0 ? "child" : "parent");
  if (child == 0)
    _exit (3);
  waitpid (child, &status, 0);
  return 4 + WEXITSTATUS (status);
}
END
$CC -O1 -g -o work work.c || skip_all "the compiler cannot make the program"

# Stops one of the processes, or all but one, then lets it go on, until the
# recorder has ended.  Prints how often.
cat > stutter.pl << 'END'
use strict;
my ($recorder, $seed) = @ARGV;
srand $seed;
sub children {
  my ($pid) = @_;
  my @found = ($pid);
  for (glob "/proc/$pid/task/*/children") {
    open my $file, "<", $_ or next;
    push @found, children ($_) for split " ", <$file> // "";
  }
  return @found;
}
sub wait_ms { select undef, undef, undef, rand ($_[0]) / 1000 }
sub lives {
  open my $file, "<", "/proc/$recorder/stat" or return 0;
  return <$file> !~ /\) Z/;
}
my $n = 0;
while (lives ()) {
  my @all = children ($recorder);
  my $one = int rand @all;
  my @some = rand (4) < 3 ? ($all[$one])
                          : @all[grep { $_ != $one } 0 .. $#all];
  kill "STOP", @some;
  wait_ms (rand (8) < 1 ? 60 : 6);
  kill "CONT", @some;
  $n++;
  wait_ms (6);
}
print "$n\n";
END

figures () # NAME: what must be the same however long it took
{
  local log
  for log in "$1"*.dgz; do
    "$DG" check "$log" > /dev/null 2>&1 || echo "$log: damaged"
    for key in instructions accesses reads writes runs bbdefs contexts; do
      echo "$key $(info "$log" $key)"
    done
    "$DG" counts --by=line "$log" | grep work.c
    "$DG" heap "$log" | grep -i peak
  done
}
record () # NAME: runs nothing else, so that its one child is the recorder
{
  "$DG" record --ring-dir="$T/rings" --ring=1 -o "$1.dgz" -- ./work \
    > "$1.out" 2> "$1.err"
}

record plain
is "without delays: exit status" $? 7
figures plain > plain.figures
check "without delays: two processes" test "$(grep -c ^runs plain.figures)" = 2
first=${DG_TEST_SEED:-1} schedules=2
[ -z "$DG_TEST_LONG" ] || schedules=6
for ((seed = first; seed < first + ${DG_TEST_SCHEDULES:-$schedules}; seed++)); do
  rm -f slow*.dgz
  record slow &
  job=$!
  wait_until pgrep -P "$job" > recorder
  perl stutter.pl "$(head -n 1 recorder)" "$seed" > stops
  wait "$job"
  is "seed $seed: exit status" $? 7
  note "stopped $(cat stops) times"
  check "seed $seed: it was stopped" test "$(cat stops)" -gt 0
  is "seed $seed: the programs print the same" "$(sort slow.out)" \
    "$(sort plain.out)"
  is "seed $seed: silent" "$(cat slow.err)" ""
  figures slow | sed 's/slow/plain/g' > slow.figures
  check "seed $seed: the figures are the same" cmp slow.figures plain.figures
  is "seed $seed: no ring is left" "$(ls rings)" ""
done
done_testing
