#!/bin/bash
# --datagrind-window: logs that are samples.  Of programs whose accesses are
# known, figures are within the error that is stated; instructions are exact,
# whatever else says what to record.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"
command -v python3 > /dev/null || skip_all "no python3"
guest periodic -g -no-pie -fno-pie -static -pthread -O1 -fomit-frame-pointer \
  || skip_all "the compiler cannot make the programs"

counts () # LOG: by function, as JSON
{
  "$DG" counts --by=function --top=0 --json "$1"
}
sampling () # LOG MEMBER
{
  "$DG" info --json "$1" | python3 -c '
import json, sys
print(json.load(sys.stdin)["sampling"][sys.argv[1]])' "$2"
}
windows_of () # LOG: each as on:why, without those of periods if they are many
{
  dglog 'my @w; read_log ($ARGV[0], WINDOW => sub {
    push @w, "$_[0]{on}:$_[0]{why}" }); print "@w"' "$1"
}

# ---- Within the error -------------------------------------------------------

# Children of one process, each with windows of its own.
# Of those that repeat themselves the one that nearly does so at the windows'
# pace is the hardest.
kinds='phases near'
[ -z "$DG_TEST_LONG" ] || kinds='steady phases near random'
for what in $kinds; do
  mkdir $what
  record $what/true.dg ./periodic $what 1
  record $what/log.dg --datagrind-window=1k/20k ./periodic $what 100
  is "$what: exit status" $? 0
  is "$what: logs of children" "$(ls $what/log.dg.[0-9]* | wc -l)" 100
  counts $what/true.dg.[0-9]* > $what/true.json
  for log in $what/log.dg.[0-9]*; do
    counts "$log" > "$log.json" 2>> $what/errors
  done
  is "$what: no messages" "$(cat $what/errors)" ""
  check_log "$what: log" "$log"
  python3 "$record_dir/periodic_compare.py" $what/true.json \
    $what/log.dg.*.json > $what/result
  status=$?
  note "$(sed "s/^/$what: /" $what/result)"
  is "$what: true figures are within the errors in 95 of 100 logs" $status 0
done
# By the source: 24 writes of 2000 calls.
[ -z "$DG_TEST_LONG" ] || is "steady: what is compared with is true" "$(python3 -c '
import json
print([row["writes"] for row in json.load(open("steady/true.json"))["rows"]
       if row["function"] == "fill"])')" '[48000]'
# shellcheck disable=SC2086
rm -r $kinds

# ---- Where the windows are --------------------------------------------------

record all.dg ./periodic phases
all=$(info all.dg icount)
record a.dg --datagrind-window=1k/20k ./periodic phases
record b.dg --datagrind-window=1k/20k ./periodic phases
record c.dg --datagrind-window=1k/20k --datagrind-window-seed=7 \
  ./periodic phases
for log in a b c; do
  check_log "$log: log" $log.dg
  is "$log: instructions of the whole run" "$(info $log.dg icount)" "$all"
  is "$log: the sample stands for all of them" \
    "$(sampling $log.dg executed_instructions)" "$all"
  "$DG" dump $log.dg | grep -o 'WINDOW.*' > $log.windows
done
check "the same windows in each recording" cmp a.windows b.windows
check "others with another seed" sh -c '! cmp -s a.windows c.windows'
# Misses of lines of code are estimates, and the text says so.  The cache is
# so small that the program's lines have misses.
for log in a all; do
  "$DG" cache --D1=128,1,64 --annotate --annotate-least=0 $log.dg > annotated
  is "$log: annotated sources that say that misses are estimates" \
    "$(grep -c 'misses are estimates (limits' annotated)" \
    "$(if [ $log = a ]; then grep -c ' Cost   Line$' annotated; else echo 0
       fi)"
  is "$log: there are annotated sources" \
    "$(grep -c '^ */.*periodic.c: .* of the cost' annotated)" 1
done
# A period begins with the first block at or behind a multiple of its length.
is "periods begin at multiples of their length" \
  "$(sed -n 's/.*why=period icount=//p' a.windows |
     awk '{ if ($1 % 20000 > 300) print; n++ }
          END { print n == int ('"$all"' / 20000) + 1 }')" 1
# All but the last one have their window.
is "each period has a window" \
  "$(($(sampling a.dg sampled_windows) >= all / 20000))" 1
is "a window has its length, but for blocks at its ends" \
  "$(dglog 'my ($on, $at, $bad, %in) = (1, 0, 0);
    my ($period, $length) = (0, 0);
    read_log ($ARGV[0], WINDOW => sub {
      $length += $_[0]{icount} - $at if $on;
      if ($_[0]{why} == 9) {
        $bad++ if $period && abs ($length - 1000) > 400;
        $period++;
        $length = 0;
      }
      ($on, $at) = ($_[0]{on}, $_[0]{icount}) });
    print $bad' a.dg)" 0

# ---- With others that say what to record ------------------------------------

record skip.dg --datagrind-skip=100k --datagrind-window=1k/20k \
  ./periodic phases
check_log "skip: log" skip.dg
is "skip: instructions of the whole run" "$(info skip.dg icount)" "$all"
start=$(dglog 'my $at; read_log ($ARGV[0], WINDOW => sub {
  $at = $_[0]{icount} if $_[0]{why} == 9 && !defined $at }); print $at' skip.dg)
is "skip: the sample stands for the rest" \
  "$(sampling skip.dg executed_instructions)" $((all - start))
check "skip: as much as was asked for" \
  sh -c "[ $start -ge 100000 ] && [ $start -lt 100300 ]"

record stop.dg --datagrind-stop-after=12345 --datagrind-window=1k/20k \
  ./periodic phases
check_log "stop-after: log" stop.dg
is "stop-after: instructions of the whole run" "$(info stop.dg icount)" "$all"
is "stop-after: recorded ones" "$(info stop.dg instructions)" 12345
is "stop-after: the last one says why" \
  "$(windows_of stop.dg | grep -o '[^ ]*$')" 0:5

record whole-fn.dg --datagrind-toggle-fn=copy ./periodic phases
record fn.dg --datagrind-toggle-fn=copy --datagrind-window=1k/20k \
  ./periodic phases
check_log "toggle-fn: log" fn.dg
is "toggle-fn: instructions of the whole run" "$(info fn.dg icount)" "$all"
is "toggle-fn: the sample stands for the function" \
  "$(sampling fn.dg executed_instructions)" \
  "$(info whole-fn.dg instructions)"
counts whole-fn.dg > true.json
counts fn.dg > fn.json
is "toggle-fn: writes are within their error" \
  "$(python3 -c '
import json
true, got = (json.load(open(name)) for name in ("true.json", "fn.json"))
print(abs(true["writes"] - got["writes"])
      <= got["writes_error"] * got["writes"])')" True

record never.dg --datagrind-start=no --datagrind-window=1k/20k \
  ./periodic phases
check_log "start=no: log" never.dg
is "start=no: windows" "$(windows_of never.dg)" 0:0
is "start=no: it is not a sample" \
  "$("$DG" info --json never.dg | grep -c '"sampling": null')" 1

record size.dg --datagrind-max-size=100k --datagrind-window=1k/20k \
  ./periodic phases
check_log "max-size: log" size.dg
check "max-size: not longer" test "$(stat -c %s size.dg)" -le 100000

# ---- Threads, time ----------------------------------------------------------

record threads.dg --datagrind-window=1k/10k ./periodic threads
check_log "threads: log" threads.dg
is "threads: the sample stands for all" \
  "$(sampling threads.dg executed_instructions)" "$(info threads.dg icount)"
"$DG" counts --by=thread --json threads.dg > threads.json
# 2 * 1500 * (24 + 8) writes, and others that are few.
is "threads: both have their part" \
  "$(python3 -c '
import json
rows = json.load(open("threads.json"))["rows"]
print(len(rows), all(abs(row["writes"] - 51000)
                     <= 2 * row["writes_error"] * row["writes"] + 3000
                     for row in rows))')" "2 True"

# How long a period is depends on the machine; what of it is recorded does
# not.
record ms.dg --datagrind-window=1ms/4ms ./periodic random
check_log "ms: log" ms.dg
is "ms: a quarter of each period, but for blocks" \
  "$(dglog 'my ($on, $at, $bad) = (1, 0, 0);
    my ($period, $length, $all) = (0, 0, 0);
    read_log ($ARGV[0], WINDOW => sub {
      my $passed = $_[0]{icount} - $at;
      $length += $passed if $on;
      $all += $passed;
      if ($_[0]{why} == 9) {
        $bad++ if $period && abs (4 * $length - $all) > 4 * 700;
        $period++;
        $length = $all = 0;
      }
      ($on, $at) = ($_[0]{on}, $_[0]{icount}) });
    print $period > 0, $bad' ms.dg)" 10

# Few windows do not tell how much chance there is in them.
record few.dg --datagrind-window=1k/1M ./periodic phases
"$DG" counts few.dg > few.out
check "few: says that the error is unknown" \
  sh -c "tr '\n' ' ' < few.out | grep -q 'error is unknown'"
is "few: no error" \
  "$("$DG" counts --json few.dg | grep -c '"reads_error": null')" 1

check_schemas
done_testing
