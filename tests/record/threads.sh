#!/bin/bash
# Threads: every access belongs to the thread that made it; counts are exact.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"

guest counts -pthread || skip_all "the compiler cannot make the programs"

# "label thread reads writes", for every label and thread that touched it.
by_thread ()
{
  dglog 'my (@ranges, %n);
    read_log ($ARGV[0],
      TRACK_RANGE => sub { push @ranges, $_[0] },
      BBRUN => sub {
        my ($run) = @_;
        for my $a (accesses ($run)) {
          for (@ranges) {
            next if $a->[1] < $_->{address}
                    || $a->[1] >= $_->{address} + $_->{length};
            $n{"$_->{label} $run->{thread}"}[$a->[0]]++;
            die "access of $a->[2] bytes\n"
              if $a->[2] != ($_->{label} eq "shared" ? 4 : 8);
          }
        }
      });
    printf "%s %d %d\n", $_, $n{$_}[0] || 0, $n{$_}[1] || 0
      for sort keys %n' "$1"
}

# Thread k of the program is the log's thread k + 2: it has the second
# number, as the main thread has the first, and they count as they start.
for k in 0 1 2 3 4 5; do
  echo "reads$k $((k + 2)) $((1000 * (k + 1))) 0"
  echo "writes$k $((k + 2)) 0 $((500 * (k + 2)))"
  echo "shared $((k + 2)) $((700 + k)) $((700 + k))"
done | sort > expected

for fair in no yes; do
  record counts-$fair.dg --fair-sched=try --datagrind-exact=$fair \
    ./counts > counts.out
  check_log "log (exact=$fair)" counts-$fair.dg
  by_thread counts-$fair.dg > got
  if cmp -s got expected; then
    ok "counts of every thread and array are exact (exact=$fair)"
  else
    not_ok "counts of every thread and array are exact (exact=$fair)" \
      "$(diff expected got)"
  fi
done
note "expected and found:" "$(paste -sd';' expected)"
log=counts-no.dg

for k in 0 3 5; do
  is "dg finds the accesses to reads$k" \
    "$("$DG" dump --accesses --ranges=user:reads$k $log | grep -c '^ L')" \
    $((1000 * (k + 1)))
  is "dg finds the accesses to writes$k" \
    "$("$DG" dump --accesses --ranges=user:writes$k $log | grep -c '^ S')" \
    $((500 * (k + 2)))
done
is "dg finds the accesses to what is shared" \
  "$("$DG" dump --accesses --ranges=user:shared $log | grep -c '^ [LS]')" \
  $((2 * (6 * 700 + 15)))
is "dg info: threads" "$(info $log threads)" 7

is "each thread starts once and ends once" \
  "$(dglog 'my (%s, %e, %os);
     read_log ($ARGV[0],
       THREAD_START => sub { $s{$_[0]{thread}}++; $os{$_[0]{os_tid}}++ },
       THREAD_EXIT => sub { $e{$_[0]{thread}}++ });
     print join " ", (map { "$_:$s{$_}:" . ($e{$_} || 0) }
                      grep { $_ > 1 } sort keys %s)' $log)" \
  "2:1:1 3:1:1 4:1:1 5:1:1 6:1:1 7:1:1"
is "the threads' parent is the main thread" \
  "$(dglog 'my %p; read_log ($ARGV[0], THREAD_START =>
       sub { $p{$_[0]{parent}}++ if $_[0]{thread} > 1 });
     print join " ", %p' $log)" "1 6"
check "a thread's stack accesses lie in the stack that the log gives" \
  dglog 'my (%stack, %in, %out);
    my ($lo, $hi);
    read_log ($ARGV[0], STACK => sub {
        $stack{$_[0]{thread}} = [$_[0]{low}, $_[0]{high}] },
      BBRUN => sub {
        my ($r) = @_;
        for my $t (keys %stack) {
          for my $a (accesses ($r)) {
            next if $a->[1] < $stack{$t}[0] || $a->[1] >= $stack{$t}[1];
            $t == $r->{thread} ? $in{$t}++ : $out{$t}++;
          }
        }
      });
    for my $t (1 .. 7) {
      die "thread $t: no stack\n" unless $stack{$t};
      die "thread $t: no accesses to its stack\n" unless $in{$t};
      # The creator writes the control block; nobody else comes near.
      die "thread $t: $in{$t} own accesses, $out{$t} of others\n"
        if ($out{$t} || 0) > $in{$t} / 2;
    }' $log

# Numbers are never used again, though Valgrind does that with its own.
if guest manythreads -pthread; then
  record many.dg ./manythreads > many.out
  check_log "threads that come and go: log" many.dg
  is "threads that come and go: numbers are not used again" \
    "$(info many.dg threads)" 25
fi

done_testing
