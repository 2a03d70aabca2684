#!/bin/bash
# Who maps and unmaps memory: each MAP and UNMAP with the stack and the thread
# of its system call, and in the order in which pages came and went.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"

guest map-stacks -no-pie -fno-pie -pthread \
  || skip_all "the compiler cannot make the program"

# In the syntax of the guest: each change by its function and thread.
changes ()
{
  dglog 'my ($log, $program) = @ARGV;
    my %f = map { $_ => [symbol_range ($program, $_)] } qw(map_it cut_it move_it
      shrink_it grow_break shrink_break in_thread);
    my ($on, $line) = (0, "");
    my $tell = sub {
      my ($stack, $thread) = @_;
      my @names = grep { my $r = $f{$_};
                         grep { $_ >= $r->[0] && $_ < $r->[1] } @$stack } keys %f;
      print "$line @names $thread\n";
    };
    read_log ($log,
      any => sub {
        print "$line without\n" if $line && $on;
        $line = "" },
      START_EVENT => sub { $on = 1 }, END_EVENT => sub { $on = 0 },
      MAP => sub { $line = sprintf "map %x %x %d", @{$_[0]}{qw(address length
                                                               what)} },
      UNMAP => sub { $line = sprintf "unmap %x %x", @{$_[0]}{qw(address
                                                                length)} },
      MAP_STACK => sub {
        $tell->(@{$_[0]}{qw(stack thread)}) if $on;
        $line = "" })' "$1" map-stacks
}

for how in log archive; do
  [ $how = log ] || recorded=live
  record maps.dg ./map-stacks > said
  is "$how: exit status" $? 0
  check_log "$how" maps.dg
  changes maps.dg > got
  if [ -s said ] && cmp -s said got; then
    ok "$how: $(wc -l < got) changes, by function and thread, in order"
  else
    not_ok "$how: changes by function and thread, in order" \
      "$(diff said got)"
  fi
done

# Nobody asks for anything before the program begins.
is "every change while a thread runs has its stack, start-up has none" \
  "$(dglog 'my ($last, $threads, $bad, $early) = ("", 0, 0, 0);
     my $look = sub { $bad++ if $last && $threads; };
     read_log ($ARGV[0],
       any => sub { $look->(); $last = "" },
       THREAD_START => sub { $look->(); $last = ""; $threads++ },
       MAP => sub { $look->();
                    $last = $_[0]{what} == 4 || $_[0]{what} == 0 ? "" : "m" },
       UNMAP => sub { $look->(); $last = "u" },
       MAP_STACK => sub {
         $bad++ unless $last; $early++ unless $threads; $last = "" });
     print "$bad $early"' maps.dg)" "0 0"

done_testing
