#!/bin/bash
# What can go wrong while a program is recorded by dg record, really done:
# nothing hangs, the program is unharmed, and what is on disk opens and says
# that it is incomplete.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"
export DATAGRIND_VALGRIND=${VALGRIND_DG%% --tool=*}
mkdir rings

# About 20 M accesses over a megabyte, and a sum that shows that all is well.
cat > work.c << 'END'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
static unsigned words[1 << 18];
int
main (int argc, char **argv)
{
  unsigned n = argc > 1 ? atoi (argv[1]) : 3000000, x = 1, sum = 0;
  FILE *ready = fopen ("ready", "w");

  fclose (ready);
  for (unsigned i = 0; i < n; i++) {
    if (i == 1000000)
      fclose (fopen ("on", "w"));
    x = x * 1664525 + 1013904223;
    sum += words[x >> 14] += i;
  }
  printf ("%u\n", sum);
  fflush (stdout);
  if (argc > 2 && argv[2][0] == 'f')
    *(volatile int *) 8 = 1;
  return argc > 2 ? 0 : 9;
}
END
$CC -O1 -o work work.c || skip_all "the compiler cannot make the program"
expected=$(./work)
# What goes on while something is done to it.
long=10000000
segfault=$(./work 100000)

# Until the program runs.
wait_ready ()
{
  wait_until [ -e ready ]
}
# Until it has done much, so that there is something to be read.
wait_on ()
{
  wait_until [ -e on ]
}
# The process that runs the program of this dg record.
child_of () # PID
{
  wait_until pgrep -P "$1" > child
  head -n 1 child
}
incomplete () # NAME
{
  is "$1: the archive says that it is incomplete" \
    "$(info "$1.dgz" is_complete)" false
  "$DG" check "$1.dgz" > check.out 2>&1
  is "$1: dg check fails" $? 1
  check "$1: what there is opens" \
    test "$("$DG" info "$1.dgz" 2> /dev/null | grep -c '^Accesses')" = 1
}
nothing_left ()
{
  is "$1: no folder of rings is left" "$(ls rings)" ""
}
run () # NAME OPTIONS...: records ./work in the background
{
  local name=$1
  shift
  rm -f ready on
  # Its own process, so that $! is dg record's.
  exec 3> "$name.out"
  "$DG" record --ring-dir="$T/rings" -o "$name.dgz" "$@" >&3 2> "$name.err" &
  recorder=$!
  exec 3>&-
}

# ---- The packer is killed ----

run killed --ring=1 -- ./work $long
wait_on
program=$(child_of $recorder)
kill -KILL $recorder
wait $recorder 2> /dev/null
has_ended () # PID
{
  ! kill -0 "$1"
}
check "packer killed: the program ends" wait_until has_ended "$program"
is "packer killed: the program prints the same" "$(cat killed.out)" \
  "$(./work $long)"
check "packer killed: the program's recorder says so, once" \
  test "$(grep -c 'packs the log has ended' killed.err)" = 1
incomplete killed
check "packer killed: the ring's memory is given back" \
  test -z "$(find rings -name '*.ring')"
rm -rf rings
mkdir rings

# Its exit status, too.
run status --ring=1 -- sh -c './work '$long'; echo $? > status'
wait_ready
kill -KILL $recorder
wait $recorder 2> /dev/null
wait_until [ -s status ]
is "packer killed: exit status of the program" "$(cat status)" 9
rm -rf rings
mkdir rings

# ---- The packer stops for a while: the ring is full ----

# It sleeps a millisecond at a time, and now and then looks whether the packer
# lives.
sleeps_of () # PID
{
  sed -n 's/^voluntary_ctxt_switches:[^0-9]*//p' "/proc/$1/status"
}
has_slept () # PID NUMBER
{
  [ "$(sleeps_of "$1")" -ge "$2" ]
}
run whole -- ./work 3000000
wait $recorder
run stopped --ring=1 -- ./work 3000000
wait_ready
kill -STOP $recorder
program=$(child_of $recorder)
sleeps=$(sleeps_of "$program")
wait_until has_slept "$program" $((sleeps + 300))
kill -CONT $recorder
wait $recorder
is "packer stopped: exit status" $? 9
is "packer stopped: silent" "$(cat stopped.err)" ""
is "packer stopped: it goes on" "$(cat stopped.out)" "$(cat whole.out)"
check "packer stopped: good" "$DG" check stopped.dgz
for key in instructions accesses reads writes runs bbdefs contexts; do
  is "packer stopped: $key as ever" "$(info stopped.dgz $key)" \
    "$(info whole.dgz $key)"
done
nothing_left "packer stopped"

# ---- The program is killed ----

run victim -- ./work 1000000000
wait_on
kill -KILL "$(child_of $recorder)"
wait $recorder 2> /dev/null
is "program killed: dg record dies like it" $? 137
check "program killed: it says so" grep -q 'was killed' victim.err
incomplete victim
check "program killed: what it did is there" \
  test "$(info victim.dgz accesses)" -gt 100000
nothing_left "program killed"

run fault -- ./work 100000 fault
wait $recorder 2> /dev/null
is "segmentation fault: dg record dies like it" $? 139
is "segmentation fault: output" "$(cat fault.out)" "$segfault"
check "segmentation fault: the archive is whole" "$DG" check fault.dgz
is "segmentation fault: the archive knows" \
  "$(info fault.dgz end) $(info fault.dgz signal)" "signal 11"

# ---- The disk is full ----

full () # NAME
{
  is "$1: the program prints the same" "$(cat "$1.out")" "$expected"
  is "$1: one message" "$(wc -l < "$1.err")" 1
  check "$1: which says that recording has stopped" \
    grep -q 'recording has stopped; the program continues' "$1.err"
  incomplete "$1"
  nothing_left "$1"
}
mkdir disk
if mount -t tmpfs -o size=2m none disk 2> /dev/null; then
  run disk/full -- ./work
  wait $recorder
  is "full disk: the program's exit status" $? 9
  mv disk/full.* . || cp disk/full.* .
  full full
  check "full disk: it is full indeed" test "$(stat -c %s full.dgz)" -gt 500000
  rm -f ready
  timeout 600 "$DG" record -o disk/full.dgz -- ./work 3000000 good \
    > out 2> words
  is "full disk: 125 where the program has no failure of its own" $? 125
  # A raw log, which the recorder itself writes: also that of a child.
  rm -f disk/*
  timeout 600 "$DG" record --raw -o disk/raw -- ./work 3000000 good \
    > out 2> words
  is "full disk, raw: 125" $? 125
  is "full disk, raw: one message" "$(wc -l < words)" 1
  for place in child disk/raw; do
    rm -f disk/* ready
    # shellcheck disable=SC2016
    WHERE=plain PLACE=$place timeout 600 "$DG" record --raw -o '%q{WHERE}' \
      --trace-children=yes -- \
      sh -c 'WHERE=$PLACE ./work 3000000 good; exit 0' > out 2> words
    echo $?
    rm -f plain* child*
  done > statuses
  is "full disk, raw: 125 only where the log of a child fails" \
    "$(tr '\n' ' ' < statuses)" "0 125 "
  rm -f disk/* ready
  timeout 600 "$DG" record --raw -o disk/raw -- ./work > out 2> words
  is "full disk, raw: the program's exit status" $? 9
  umount disk
else
  skip "full disk" "no right to mount a tmpfs"
fi

# A limit that the ring, which is made before, is below of.
(
  ulimit -f 1500
  run limit --ring=1 -- ./work
  wait $recorder
  echo $? > limit.status
)
is "file size limit: the program's exit status" "$(cat limit.status)" 9
full limit
check "file size limit: it is kept" test "$(stat -c %s limit.dgz)" -le 1536000

# What is not a regular file: nothing is run, and nobody waited for.
mkfifo fifo
for output in /dev/full /dev/null fifo .; do
  timeout 600 "$DG" record -o $output -- ./work > irregular.out 2> irregular.err
  is "to $output: exit status" $? 125
  is "to $output: the program has not run" "$(cat irregular.out)" ""
  is "to $output: one message" "$(wc -l < irregular.err)" 1
done

# What the program itself writes to.
echo before > own.out
timeout 600 "$DG" record -o /dev/stdout -- ./work >> own.out 2> own.err
is "to its standard output: exit status" $? 125
is "to its standard output: that is left alone" "$(cat own.out)" before
check "to its standard output: the reason" grep -q "the program's" own.err
"$DG" record -q -o - -- true > own.out 2> own.err
is "to -: exit status" $? 125
check "to -: the reason" grep -q "the program's" own.err

# ---- No shared memory ----

no_memory () # NAME STATUS
{
  is "$1: exit status" "$2" 125
  is "$1: the program has not run" "$(cat "$1.out")" ""
  check "$1: the reason is told" grep -q 'not enough memory for a ring' "$1.err"
  is "$1: no archive" "$(ls "$1.dgz" 2> /dev/null)" ""
  nothing_left "$1"
}
(
  ulimit -f 600
  run nomemory -- ./work
  wait $recorder
  echo $? > nomemory.status
)
no_memory nomemory "$(cat nomemory.status)"
if mount -t tmpfs -o size=2m none rings 2> /dev/null; then
  run toolarge --ring=4 -- ./work
  wait $recorder
  no_memory toolarge $?
  run smaller -- ./work 100000
  wait $recorder
  is "little memory: a smaller ring will do" $? 9
  check "little memory: good" "$DG" check smaller.dgz
  umount rings
else
  skip "little memory" "no right to mount a tmpfs"
fi

# ---- A ring of another version ----

# A packer that answers with a ring of this version, and says who it is.
cat > packer.pl << 'END'
my ($dir, $version, $want) = @ARGV;
my @stat = split / /, (do { local (@ARGV, $/) = "/proc/$$/stat"; <> })
  =~ s/^.*\) //sr;
open my $o, ">", "$dir/owner" or die;
print $o "$$ $stat[19]\n";
close $o;
for (1 .. 12000) {
  if (my ($want) = glob "$dir/*.want") {
    (my $ring = $want) =~ s/want$/ring/;
    open my $r, ">", "$ring.new" or die;
    print $r pack ("a8 V V V", "DGRING\r\n", $version, 4096, 1 << 20),
      "\0" x (4096 + (1 << 20) - 20);
    close $r;
    rename "$ring.new", $ring;
    sleep 600;
  }
  select undef, undef, undef, 0.05;
}
END
for version in 0 2 999; do
  mkdir other
  perl packer.pl "$T/other" $version & packer=$!
  wait_until [ -s other/owner ]
  # shellcheck disable=SC2086
  timeout 600 $DATAGRIND_VALGRIND --tool=exp-datagrind -q \
    --datagrind-ring="$T/other" ./work 1000 > other.out 2> other.err
  status=$?
  check "ring of version $version: it does not hang" test $status != 124
  check "ring of version $version: the message names it" \
    grep -q "version $version" other.err
  kill $packer
  wait $packer 2> /dev/null
  rm -rf other
done
# The other way: a recorder that does not take our ring.
cat > refusing << 'END'
#!/bin/sh
echo "recorder: the ring is of version 1, I speak 999" >&2
exit 1
END
chmod +x refusing
timeout 600 "$DG" record --valgrind=./refusing --ring-dir="$T/rings" \
  -o refused.dgz -- ./work > refused.out 2> refused.err
is "a recorder that takes no ring: exit status" $? 125
check "a recorder that takes no ring: the message" \
  grep -q 'nothing was recorded' refused.err
is "a recorder that takes no ring: no archive" \
  "$(ls refused.dgz 2> /dev/null)" ""
nothing_left "a recorder that takes no ring"

done_testing
