#!/bin/bash
# Stacks of heap blocks: recursion and all, as the unwinder has them.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"
# See stacks.sh.
export LD_BIND_NOW=1

guest heap-stacks -no-pie -fno-pie -pthread \
  || skip_all "the compiler cannot make the program"

# "what depth frames-of-recurse entries outermost-is-after-main" of each block.
blocks ()
{
  dglog 'my ($log, $program) = @ARGV;
    my ($symbol) = grep { /recurse/ } map { (split)[2] // "" } `nm $program`;
    my ($lo, $hi) = symbol_range ($program, $symbol);
    my ($mlo, $mhi) = symbol_range ($program, "main");
    read_log ($log, MALLOC_BLOCK => sub {
      my ($size, $stack) = @{$_[0]}{qw(size stack)};
      return if $size < 1000 || $size >= 7000;
      my $n = grep { $_ >= $lo && $_ < $hi } @$stack;
      return unless $n;
      my $main = grep { $_ >= $mlo && $_ < $mhi } @$stack;
      print int ($size / 1000), " ", $size % 1000, " $n ",
            scalar @$stack, " $main\n" })' "$1" heap-stacks | sort -n -k1 -k2
}

# A stack of 254 entries has a gap in which frames are missing.
seen () # BLOCKS WHAT
{
  awk -v what="$2" '$1 == what {
      printf "%s%s", s, $2
      if ($2 != $3 && $4 != 254) printf "(%s)", $3
      if ($4 > 254) printf "(%s entries)", $4
      s = " " }' "$1"
}

record stacks.dg --datagrind-check-stacks=1000 ./heap-stacks
is "exit status" $? 0
check_log "log" stacks.dg
note "$(grep -h 'stacks:' stacks.dg.err)"
check "every heap event has the unwinder's stack, or more of it" \
  grep -q '^==[0-9]*== heap stacks: 100\.00%.* 0 where it leaves frames out,.* 0 where the shadow stack stops early, 0 differ' \
  stacks.dg.err
is "the log says that heap stacks are not folded" \
  "$(dglog 'read_log ($ARGV[0], PROCESS => sub {
       print $_[0]{flags} & 16 })' stacks.dg)" 16

blocks stacks.dg > got
is "recursion stands there as deep as it was" "$(seen got 1)" \
  "1 15 29 43 57 71 85 99 240 300 900"
is "recursion under a signal handler" "$(seen got 2)" 5
is "recursion under a handler on another stack" "$(seen got 3)" 7
is "recursion in a thread" "$(seen got 4)" "1 14 27"
is "after longjmp" "$(seen got 5)" 2
is "a constructor before main ()" "$(seen got 6)" 3
is "main () is in the stacks of its own, also behind a gap" \
  "$(awk '$1 != 4 && $1 != 6 && $5 != 1' got)" ""
is "main () is in no other" "$(awk '($1 == 4 || $1 == 6) && $5 != 0' got)" ""
is "a gap keeps the innermost 246 and the outermost 8" \
  "$(awk '$2 > 250 { print $4 }' got | sort -u)" 254

# Where a handler was entered: what it returns to, and what it interrupted.
is "a handler's caller is what it returns to" \
  "$(dglog 'my ($log, $program) = @ARGV;
     my ($symbol) = grep { /handler/ } map { (split)[2] // "" } `nm $program`;
     my ($lo, $hi) = symbol_range ($program, $symbol);
     my $n = 0;
     read_log ($log, MALLOC_BLOCK => sub {
       my $s = $_[0]{stack};
       for my $i (0 .. $#$s - 1) {
         $n++ if $s->[$i] >= $lo && $s->[$i] < $hi
                 && ($s->[$i + 1] < $lo - 0x10000
                     || $s->[$i + 1] > $hi + 0x10000);
       } });
     print $n' stacks.dg heap-stacks)" 1

child=$(ls stacks.dg.[0-9]* 2> /dev/null)
check_log "child: log" "$child"
blocks "$child" > child
if [ -s got ] && cmp -s got child; then
  ok "child: $(wc -l < child) blocks repeated with their stacks"
else
  not_ok "child: blocks repeated with their stacks" "$(diff got child)"
fi

# Where nothing recurses a path says it all; both ways give the same.
record whole.dg --datagrind-fold=no ./heap-stacks
blocks whole.dg > unfolded
if cmp -s got unfolded; then
  ok "--datagrind-fold=no: the same stacks"
else
  not_ok "--datagrind-fold=no: the same stacks" "$(diff got unfolded)"
fi

done_testing
