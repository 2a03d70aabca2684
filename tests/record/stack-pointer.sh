#!/bin/bash
# --datagrind-stacks=yes: the stack pointer at any moment is what the program
# saw, in raw logs and in archives; Massif counts the same of it; and without
# the option nothing is there.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"

guest stack-pointer -no-pie -fno-pie -pthread \
  || skip_all "the compiler cannot make the program"

# The stack pointer of the current thread at each event; or, with "all", the
# bytes that stacks have grown and shrunk by so far, and those they have, after
# each change.
replay ()
{
  dglog 'my ($log) = @ARGV;
    my (%sp, $all, $moved);
    my $to = sub {
      my ($thread, $sp, $counts) = @_;
      if ($counts && defined $sp{$thread}) {
        my $grown = $sp{$thread} - $sp;
        if (abs ($grown) <= 2000000) {
          $all += $grown;
          $moved += abs $grown;
          print "$moved $all\n" if $grown && $ARGV[1];
        }
      }
      $sp{$thread} = $sp;
    };
    my $t = read_log ($log,
      STACK_POINTER => sub { $to->(@{$_[0]}{qw(thread sp what)}) },
      START_EVENT => sub {
        printf "%d %x\n", $_[0]{thread}, $sp{$_[0]{thread}} // 0
          unless $ARGV[1] },
      BBRUN => sub {
        my ($r) = @_;
        my ($a, $x) = ($r->{addresses}, $r->{bb}{accesses});
        for my $i (0 .. $#$a) {
          $to->($r->{thread}, $a->[$i], 1) if $x->[$i][0] == 3;
        } })' "$@"
}

same () # WHAT EXPECTED GOT
{
  if [ -s "$2" ] && cmp -s "$2" "$3"; then
    ok "$1: $(wc -l < "$2") values"
  else
    not_ok "$1" "$(diff "$2" "$3" | head -n 10)"
  fi
}

record on.dg --datagrind-stacks=yes ./stack-pointer > said
is "exit status" $? 0
check_log "log" on.dg
replay on.dg > got
same "the stack pointer at events is the program's" said got
grep '^1 ' on.dg.err > child-said || true
child=$(ls on.dg.[0-9]* 2> /dev/null)
check_log "child: log" "$child"
replay "$child" > child
same "child: likewise" child-said child

recorded=live record live.dg --datagrind-stacks=yes ./stack-pointer > said
check_log "archive: log" live.dg
replay live.dg > got
same "archive: likewise" said got

# Without it the log is as it was.
record off.dg ./stack-pointer > said
check_log "off: log" off.dg
is "off: no entry, no record, no flag" \
  "$(dglog 'my ($n, $flags) = (0, 0);
     my $t = read_log ($ARGV[0], PROCESS => sub { $flags = $_[0]{flags} & 8 },
                       STACK_POINTER => sub { $n++ });
     print "$flags $n $t->{sps}"' off.dg)" "0 0 0"

# Parts of a log: what is not recorded is not known, and nothing more.
record part.dg --datagrind-stacks=yes --datagrind-skip=20k ./stack-pointer \
  > said
check_log "skip: log" part.dg
record exact.dg --datagrind-stacks=yes --datagrind-exact=yes ./stack-pointer \
  > said
replay exact.dg > got
same "exact: likewise" said got

# Massif counts the same.  It follows jumps, and then leaves out what goes up
# and down at once; and it loses some where the main stack grows beyond what
# it had at first, so the program is a small one.
massif=$(command -v valgrind.bin || command -v valgrind)
lib=/usr/libexec/valgrind
if [ -z "$massif" ] || [ ! -x $lib/massif-amd64-linux ]; then
  skip "Massif" "not installed"
elif ! as=plain guest bare-flow -static -nostdlib -no-pie -fno-pie; then
  skip "Massif" "the compiler cannot make the program"
else
  VALGRIND_LIB=$lib "$massif" -q --tool=massif --stacks=yes --heap=no \
    --time-unit=B --max-snapshots=1000 --peak-inaccuracy=0 \
    --vex-guest-chase=no --massif-out-file=massif.out ./plain > out
  record plain.dg --datagrind-stacks=yes ./plain > out
  record bare.dg ./plain > out
  is "on and off: the same accesses" \
    "$(info plain.dg reads) $(info plain.dg writes)" \
    "$(info bare.dg reads) $(info bare.dg writes)"
  replay plain.dg all > all
  awk -F= '/^time=/ { t = $2 } /^mem_stacks_B=/ && t { print t, $2 }' \
    massif.out > massif
  is "Massif: each of its $(wc -l < massif) moments is there, as large" \
    "$(sort -u massif | comm -13 <(sort -u all) - | head)" ""
  is "Massif: the most at once" "$(cut -d' ' -f2 all | sort -n | tail -n 1)" \
    "$(cut -d' ' -f2 massif | sort -n | tail -n 1)"
fi

done_testing
