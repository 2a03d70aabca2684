#!/bin/bash
# dg sharing --false: programs of which it is known which threads disturb each
# other.  The verdict is the same whatever turns the threads took.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"

guest contention -pthread || skip_all "the compiler cannot make the programs"

# "name kind accesses share estimate", of each of the parts' lines; others,
# such as that of the mutex, depend on who had to wait.
verdicts () # LOG
{
  "$DG" sharing --false --json --top=0 "$1" > report.json &&
    python3 -c '
import json
r = json.load (open ("report.json"))
mine = ("two_words", "two_lines", "counted", "padded", "joined", "met", "given",
        "two_chars", "reader", "atomics", "partial", "phased", "regions",
        "looped", "sectioned")
for x in r["line_list"]:
    name = (x["variable"] + ".").split (".")[1]
    if name in mine:
        print (name, x["verdict"], x["accesses"],
               "%.4f" % x["false_share"], x["estimated_false"])' | sort
}

# A thread that makes A accesses, beside W writes of others, loses the line
# A W / (A + W) times; the main thread reads two words when all have ended.
cat > expected << 'END'
counted false 40002 1.0000 20000
reader false 40000 0.5000 10000
two_chars false 40000 1.0000 20000
two_lines false 80000 1.0000 60000
two_lines false 80000 1.0000 60000
two_words false 9000 1.0000 4444
END
# Nobody disturbs anybody: padded, joined, met.  Bytes that both need: given.

n=0 differing=0
turns='0 3 17 200'
[ -z "$DG_TEST_LONG" ] || turns='0 1 2 3 5 9 17 40 90 200'
for turn in $turns; do
  for fair in no yes; do
    # Each schedule once, of one kind or the other.
    [ -n "$DG_TEST_LONG" ] || case $turn-$fair in
      0-no | 3-yes | 17-no | 200-yes) ;;
      *) continue ;;
    esac
    n=$((n + 1))
    record run.dg --fair-sched=$fair ./contention $turn > run.out
    verdicts run.dg > got
    if ! cmp -s got expected; then
      differing=$((differing + 1))
      note "fair $fair, turn $turn:" "$(diff expected got)"
    fi
  done
done
is "$n recordings with $n schedules have one verdict, the right one" \
  "$n $differing" "$n 0"
check "all of them are tried" test "$n" -ge 4

check "the log is whole" "$DG" check run.dg
is "invariants" "$("$DG" invariants run.dg > inv.out 2>&1; echo $?)" 0
is "who waits for whom is in the log, which the other reader finds whole, too" \
  "$(dglog 'my (%n, %at);
     my $t = read_log ($ARGV[0],
       THREAD_START => sub { $at{$_[0]{thread}} = "start" },
       THREAD_RUNS => sub { $n{runs}++ if $at{$_[0]{thread}} eq "start" },
       THREAD_EXIT => sub { $at{$_[0]{thread}} = "exit" },
       THREAD_JOIN => sub { $n{joined}++ if $at{$_[0]{joined}} eq "exit" },
       MEET => sub { $n{"step$_[0]{step}"}++ });
     die "no end record\n" unless $t->{ended};
     print join " ", map { "$_ $n{$_}" } sort keys %n' run.dg)" \
  "joined 22 runs 22 step0 2 step1 2"

"$DG" pack run.dg -o run.dgz
verdicts run.dgz > got
check "of the archive, too" cmp got expected
recorded=live
record live.dg ./contention 3 > run.out
recorded=
verdicts live.dg > got
check "recorded by dg record, too" cmp got expected

if guest contention-cpp -pthread; then
  record cpp.dg ./contention-cpp
  is "C++: an array of atomics" "$(verdicts cpp.dg)" \
    "atomics false 12008 0.9993 9000"
fi
if guest contention-omp -fopenmp &&
    { [ "$guest_arch" = amd64 ] || readelf -d contention-omp | grep -q libgomp; }
then
  for turn in ${DG_TEST_LONG:+no} yes; do
    record omp.dg --fair-sched=$turn ./contention-omp
    is "OpenMP: an array of sums, phases and regions (fair $turn)" \
      "$(verdicts omp.dg)" "partial false 12008 0.9993 9000"
  done
else
  note "no OpenMP, or no library of it: not tried"
fi

if guest contention-locals -pthread; then
  record locals.dg ./contention-locals
  "$DG" sharing --false --json locals.dg > report.json
  is "locals: what threads disturb comes before what the stack had once" \
    "$(python3 -c '
import json
report = json.load (open ("report.json"))
line = report["line_list"][0]
print (sorted (line["variable"].split (" and ")[0].split (", ")),
       [x["variable"] for x in report["contents"][:2]])
print (line["advice"].split (":")[0])')" \
    "['main().sums.a', 'main().sums.b'] ['main().sums.a', 'main().sums.b']
put main().sums.a and main().sums.b into different lines"
fi

# Without a preload nothing tells of joins; two reads are not the rule.
if as=static guest contention -pthread -static; then
  record static.dg ./static 1 > run.out
  is "a static program: by weight" \
    "$(verdicts static.dg | grep counted)" \
    "counted false 40002 1.0000 20000"
fi
done_testing
