#!/bin/bash
# What the kernel does to a program: memory that system calls read and write,
# faults and signals in the middle of blocks, code that changes, memory that
# comes and goes.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"

flags=(-no-pie -fno-pie)
# shellcheck disable=SC2206,SC2207
static=("${flags[@]}" $(static_flag))

if guest system-calls "${static[@]}"; then
  record calls.dg ./system-calls
  is "system calls: exit status" $? 0
  check_log "system calls: log" calls.dg
  dglog 'my %v = map { $_ => [symbol_range ("system-calls", $_)] }
      qw(fds input output part_a part_b vector status now);
    read_log ($ARGV[0], KERNEL_ACCESS => sub {
      my ($r) = @_;
      for (sort keys %v) {
        next if $r->{address} < $v{$_}[0] || $r->{address} >= $v{$_}[1];
        printf "%s %s+%d %d\n", $r->{kind} ? "writes" : "reads", $_,
               $r->{address} - $v{$_}[0], $r->{length};
      }
    })' calls.dg > got
  # readv gets 8 bytes and 4: how they are distinguished is the wrapper's.
  stat=144          # bytes of struct stat
  [ "$guest_arch" != arm64 ] || stat=128
  while read -r what; do
    check "the kernel $what" grep -qx "$what" got
  done << END
writes fds+0 8
reads output+0 10
writes input+0 10
reads output+10 12
reads vector+0 32
writes part_a+0 8
writes part_b+0 4
writes status+0 $stat
writes now+0 16
END
  is "the kernel writes nothing in a call that fails" \
    "$(grep -c 'writes input' got)" 1
  check "dg dump shows them" \
    sh -c "'$DG' dump calls.dg | grep -q KERNEL_ACCESS"
  check "they stand behind the block that makes the call" \
    dglog 'my ($lo, $hi) = symbol_range ("system-calls", "input");
      my ($mlo, $mhi) = symbol_range ("system-calls", "main");
      my ($stack, $n) = (undef, 0);
      read_log ($ARGV[0], BBRUN => sub { $stack = $_[0]{stack} },
        KERNEL_ACCESS => sub {
          return if $_[0]{address} < $lo || $_[0]{address} >= $hi;
          $n++;
          die "not under main\n"
            unless grep { $_ >= $mlo && $_ < $mhi } @$stack;
        });
      die "none\n" unless $n' calls.dg
fi

if guest faults "${static[@]}"; then
  # Runs of the block, "instructions:loads of before:stores to after" each.
  blocks ()
  {
    dglog 'my ($lo, $hi) = symbol_range ("faults", "block");
      my @b = symbol_range ("faults", "before");
      my @a = symbol_range ("faults", "after");
      my %n;
      read_log ($ARGV[0], BBRUN => sub {
        my ($r) = @_;
        return if $r->{stack}[0] < $lo || $r->{stack}[0] >= $hi;
        my ($x, $y) = (0, 0);
        for (accesses ($r)) {
          $x++ if $_->[1] >= $b[0] && $_->[1] < $b[1];
          $y++ if $_->[1] >= $a[0] && $_->[1] < $a[1];
        }
        my $where = $r->{stack}[0] == $lo ? "" : "rest ";
        $n{"$where$r->{n}:$x:$y"}++;
      });
      print join ", ", map { "$n{$_} times $_" } sort keys %n' "$1"
  }
  record jump.dg ./faults jump
  is "fault: exit status" $? 0
  check_log "fault: log" jump.dg
  got=$(blocks jump.dg)
  # Whether the instruction that faults counts is a matter of taste.
  case $got in
    "20 times 3:3:0" | "20 times 4:3:0")
      ok "fault: runs end where the fault is: $got" ;;
    *) not_ok "fault: runs end where the fault is" "$got" ;;
  esac
  is "fault: the log tells of the signals" \
    "$(dglog 'my $n = 0; read_log ($ARGV[0], SIGNAL => sub {
         $n++ if $_[0]{signal} == 11 && $_[0]{what} == 0 }); print $n' \
       jump.dg)" 20
  record repair.dg ./faults repair
  is "repaired fault: exit status" $? 0
  check_log "repaired fault: log" repair.dg
  got=$(blocks repair.dg)
  case $got in
    "20 times "[34]":3:0, 20 times rest 5:0:2")
      ok "repaired fault: the rest is done once: $got" ;;
    *) not_ok "repaired fault: the rest is done once" "$got" ;;
  esac

  record ticks.dg ./faults ticks > ticks.out
  is "signals at any time: exit status" $? 0
  check "signals at any time: log" "$DG" check ticks.dg
  note "signals at any time: $(cat ticks.out) came"
  check "signals at any time: some came" test "$(cat ticks.out)" -gt 0
  is "signals at any time: no access is lost or made twice" \
    "$(dglog 'my @v = map { [symbol_range ("faults", $_)] }
                      qw(counted handled);
       my @n = (0, 0);
       my $t = read_log ($ARGV[0], BBRUN => sub {
         for my $a (accesses ($_[0])) {
           next unless $a->[0];
           for (0, 1) {
             $n[$_]++ if $a->[1] >= $v[$_][0] && $a->[1] < $v[$_][1];
           }
         }
       });
       print $t->{ended} ? "@n" : "no end record"' ticks.dg)" "100000 $(cat ticks.out)"
  rm -f ticks.dg
else
  skip "faults" "not for this processor"
fi

if [ "$guest_arch" != amd64 ] && guest rewrites "${static[@]}" \
   && ! $DATAGRIND_CROSS/valgrind -q --tool=none ./rewrites 2> rewrites.err; then
  skip "code that changes" "Valgrind itself fails: $(grep -m 1 Assert \
    rewrites.err)"
elif guest rewrites "${static[@]}"; then
  record rewrites.dg ./rewrites
  is "code that changes: exit status" $? 0
  check_log "code that changes: log" rewrites.dg
  is "code that changes: its stores" \
    "$(dglog 'my ($lo, $hi) = symbol_range ("rewrites", "target");
       my $n = 0;
       read_log ($ARGV[0], BBRUN => sub {
         $n += grep { $_->[0] && $_->[1] >= $lo && $_->[1] < $hi }
               accesses ($_[0]) });
       print $n' rewrites.dg)" 165
  instructions=195
  [ "$guest_arch" = amd64 ] || instructions=360
  is "code that changes: its instructions" \
    "$(dglog 'my ($lo, $hi) = symbol_range ("rewrites", "target");
       my ($n, $code, @map) = (0);
       read_log ($ARGV[0], MAP => sub {
           push @map, $_[0] if $_[0]{prot} == 7 && $_[0]{length} == 4096 },
         BBRUN => sub {
           # Without its generation.
           my $s = $_[0]{stack}[0] & 0xffffffffffff;
           $n += $_[0]{n}
             if grep { $s >= $_->{address} && $s < $_->{address} + 4096 } @map
         });
       print $n' rewrites.dg)" $instructions
fi

if guest memory-map "${flags[@]}" -ldl \
   && as=plugin.so guest plugin -shared -fPIC; then
  record maps.dg ./memory-map "$T/plugin.so" > said
  is "maps: exit status" $? 0
  check_log "maps: log" maps.dg
  dglog 'my ($on, $brk) = (0, 0);
    my $path = $ARGV[1];
    read_log ($ARGV[0],
      START_EVENT => sub { $on = 1 }, END_EVENT => sub { $on = 0 },
      MAP => sub {
        my ($r) = @_;
        return unless $on;
        my $file = $r->{file} eq $path ? "file" : $r->{file};
        print "brk\n" if $r->{what} == 2;
        printf "map %x %x %d %d %x %s\n", @$r{qw(address length prot what
               offset)}, $file;
      },
      UNMAP => sub {
        printf "unmap %x %x\n", @{$_[0]}{qw(address length)} if $on })' \
    maps.dg "$T/memory-map" > got
  while IFS= read -r line; do
    check "maps: $line" grep -qxF -- "$line" got
  done < <(grep -v moved said)
  is "library: loaded twice" \
    "$(dglog 'my $n = 0; read_log ($ARGV[0], TEXT_AVMA => sub {
         $n++ if $_[0]{file} =~ m,/plugin.so$, }); print $n' maps.dg)" 2
  is "library: unloaded twice, after its last run" \
    "$(dglog 'my ($lo, $hi, $m, $n) = (0, 0, undef, 0);
       my $last;
       read_log ($ARGV[0],
         TEXT_AVMA => sub { $last = $_[0] },
         MODULE => sub { ($lo, $hi) = ($_[0]{text}, $_[0]{text} + $_[0]{size})
                           if $last->{file} =~ m,/plugin.so$, },
         MODULE_UNLOAD => sub {
           if ($_[0]{text} == $lo) { $n++; $lo = $hi = 0 } },
         BBRUN => sub { });
       print $n' maps.dg)" 2
  for filter in fn:plugin_work file:plugin.c; do
    is "library: dg finds its writes by $filter" \
      "$("$DG" dump --accesses --events=$filter maps.dg | grep -c '^ S')" 600
  done
  # With what the compiler adds for beginning and end.
  n=$("$DG" dump --accesses --events=dso:plugin.so maps.dg | grep -c '^ S')
  check "library: dg finds its writes by dso:plugin.so: $n" \
    sh -c "[ $n -gt 600 ] && [ $n -lt 700 ]"
fi

done_testing
