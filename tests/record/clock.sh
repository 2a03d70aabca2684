#!/bin/bash
# Readings of the clock: where a log begins and ends, around what takes long,
# and often enough where the run buffer never fills.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"

cat > clock.c << 'END'
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Each call empties the run buffer.  */
static void
allocate (int n)
{
  while (n-- > 0) {
    char *volatile p = malloc (100);

    p[0] = 1;
    free (p);
  }
}

static void
wait_a_while (void)
{
  struct timespec time = { 0, 50 * 1000 * 1000 };

  while (nanosleep (&time, &time) < 0)
    ;
}

int
main (int argc, char **argv)
{
  if (strcmp (argv[1], "allocate") == 0)
    allocate (100000);
  if (strcmp (argv[1], "sleep") == 0)
    wait_a_while ();
  if (strcmp (argv[1], "kill") == 0)
    abort ();
  if (strcmp (argv[1], "fork") == 0 && fork () == 0)
    _exit (0);
  if (strcmp (argv[1], "exec") == 0)
    execl (argv[0], argv[0], "again", (char *) NULL);
  wait (NULL);
  return 0;
}
END
check "compiling" "$CC" -g -O1 -o clock clock.c

# Its readings, "ICOUNT NS", and where the log ends.
cat > readings.pl << 'END'
use strict;
my ($icount, @ns) = (0);
while (<>) {
  $icount += $1 if /BBRUN .*n_instrs=(\d+)/;
  $icount = $1 if /WINDOW .*icount=(\d+)/;
  push @ns, "$icount $1" if /CLOCK ns=(\d+)/;
}
print "$_\n" for @ns;
print "end $icount\n";
END
# ends_told WHAT LOG: the first and last readings are where it begins and ends.
ends_told ()
{
  "$DG" dump "$2" | perl readings.pl > readings
  is "$1: a reading where it begins" "$(head -n 1 readings | cut -d' ' -f1)" 0
  is "$1: a reading where it ends" \
    "$(tail -n 2 readings | head -n 1 | cut -d' ' -f1)" \
    "$(tail -n 1 readings | cut -d' ' -f2)"
}

for how in allocate sleep kill fork exec; do
  rm -f log.*
  ( $VALGRIND_DG -q --trace-children=yes --datagrind-out-file=log.%p \
      ./clock $how; : ) > /dev/null 2>&1
  for log in log.*; do
    ends_told "$how" "$log"
  done
  case $how in
    allocate)
      check "readings while calls empty the buffer" \
        test "$(wc -l < readings)" -gt 5
      "$DG" allocs dump --time-unit=ms -f %T log.* > times
      is "each block has its time" "$(grep -c unknown times)" 0 ;;
    sleep)
      check "both sides of a long call" awk '
        $1 == at && $2 - ns >= 50e6 { found = 1 }
        { at = $1; ns = $2 }
        END { exit !found }' readings ;;
    fork)
      is "two logs" "$(ls log.* | wc -l)" 2 ;;
    exec)
      is "two logs after an exec" "$(ls log.* | wc -l)" 2 ;;
  esac
done

$VALGRIND_DG -q --datagrind-max-size=100k --datagrind-out-file=small \
  ./clock allocate
ends_told "the largest size" small

"$DG" record --valgrind="${VALGRIND_DG%% --tool=*}" -o clock.dgz -- \
  ./clock sleep
ends_told "an archive" clock.dgz

done_testing
