#!/bin/bash
# --datagrind-exact=yes keeps the loads whose results nothing uses, which
# Valgrind removes before any tool sees them.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"

guest dead-loads -no-pie -fno-pie || skip_all "the compiler cannot make it"

loads () # LOG
{
  dglog 'my @v = map { [symbol_range ("dead-loads", $_)] }
                 qw(unused compared used);
    my @n = (0, 0, 0);
    read_log ($ARGV[0], BBRUN => sub {
      for my $a (accesses ($_[0])) {
        next if $a->[0];
        for (0 .. 2) {
          $n[$_]++ if $a->[1] >= $v[$_][0] && $a->[1] < $v[$_][1];
        }
      }
    });
    print "@n"' "$1"
}
count ()
{
  dglog 'my $t = read_log ($ARGV[0]); print $t->{$ARGV[1]}' "$1" "$2"
}

record exact.dg --datagrind-exact=yes ./dead-loads
is "exact: exit status" $? 0
check_log "exact: log" exact.dg
is "exact: loads unused, compared and used" "$(loads exact.dg)" "500 500 500"

record plain.dg ./dead-loads
check_log "not exact: log" plain.dg
note "not exact: loads unused, compared and used: $(loads plain.dg)"
is "not exact: the used ones are there" \
  "$(loads plain.dg | sed 's/.* //')" 500
record no.dg --datagrind-exact=no ./dead-loads
is "exact=no is the default" "$(loads no.dg)" "$(loads plain.dg)"

is "as many instructions either way" "$(count exact.dg instructions)" \
  "$(count plain.dg instructions)"
is "as many writes either way" "$(count exact.dg writes)" \
  "$(count plain.dg writes)"
note "reads of the whole program: $(count exact.dg reads) exact,\
 $(count plain.dg reads) not"
check "more reads when exact" \
  test "$(count exact.dg reads)" -gt "$(count plain.dg reads)"

done_testing
