#!/bin/bash
# Pools that a program tells of: their pieces are heap blocks, whatever it
# does with them.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"

guest pools -no-pie -fno-pie \
  || skip_all "the compiler cannot make the program"

# What the log says, in the syntax of the guest.
pools ()
{
  dglog 'my ($log, $program) = @ARGV;
    my ($memory) = symbol_range ($program, "memory");
    use integer;
    my ($what, %r);
    my $off = sub { $_[0] - $memory };
    my $t = read_log ($log,
      any => sub { $what = "" },
      MALLOC_BLOCK => sub { %r = %{$_[0]}; $what = "" },
      FREE_BLOCK => sub { %r = %{$_[0]}; $what = "" },
      HEAP_ALLOC => sub { my ($h) = @_;
        $what = $h->{allocator} == 15 ? "add" : "";
        $r{old} = $h->{old};
        die "usable $h->{usable} of $r{size}\n"
          if $what && $h->{usable} != $r{size} },
      HEAP_FREE => sub { my ($h) = @_;
        $what = $h->{allocator} == 16 ? "free" : "";
        print "like ", $off->($r{address}), "\n"
          if $h->{allocator} == 14 },
      POOL => sub { my ($p) = @_;
        print "pool $p->{what} ", $off->($p->{pool}),
              $p->{what} == 2 ? " " . $off->($p->{other}) : "", "\n" },
      POOL_BLOCK => sub { my ($p) = @_;
        die "POOL_BLOCK where it should not stand\n" unless $what;
        if ($what eq "add") {
          print "add ", $off->($p->{pool}), " ", $off->($r{address}),
                " $r{size} ", $r{old} ? $off->($r{old}) : -1, "\n"
        } else {
          print "free ", $off->($p->{pool}), " ", $off->($r{address}), "\n"
        }
        $what = "" });
    print "no end record\n" unless $t->{ended}' "$1" pools
}

record pools.dg ./pools > said
is "exit status" $? 0
is "nothing is said" "$(cat pools.dg.err)" ""
check "log" "$DG" check pools.dg
pools pools.dg > got
head -n "$(wc -l < said)" got > begin
if [ -s said ] && cmp -s said begin; then
  ok "$(wc -l < said) requests, each as it must be"
else
  not_ok "requests, each as it must be" "$(diff said begin)"
fi
is "20,000 pools with four pieces each come and go" \
  "$(tail -n +"$(($(wc -l < said) + 1))" got | cut -d' ' -f1,2 | sort \
     | uniq -c | tr -s ' ' | tr '\n' ';')" \
  " 80000 add 64; 80000 free 64; 20000 pool 0; 20000 pool 1;"

child=$(ls pools.dg.[0-9]* 2> /dev/null)
check "child: log" "$DG" check "$child"
is "child: has the pool and its pieces" "$(pools "$child" | tr '\n' ';')" \
  "pool 0 16;add 16 20000 24 -1;add 16 20100 25 -1;free 16 20000;"

for log in pools.dg "$child"; do
  if "$DG" invariants "$log" > found 2>&1 \
     && grep -q '^Findings: none' found; then
    ok "${log%.[0-9]*}: all that it tells fits together"
  else
    not_ok "${log%.[0-9]*}: all that it tells fits together" "$(cat found)"
  fi
done

done_testing
