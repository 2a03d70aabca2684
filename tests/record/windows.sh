#!/bin/bash
# Windows in time: requests, functions, counts of instructions, sizes, and
# commands from outside.  Counts are exact, and the moments on the axis of
# time are those of the whole run.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"

# Static, so that nothing of the loader is in the counts.
guest phases -no-pie -fno-pie -static || guest phases -no-pie -fno-pie \
  || skip_all "the compiler cannot make the programs"

# Writes to one[], two[] and three[], and the windows as "on:why".
seen ()
{
  dglog 'my @v = map { [symbol_range ("phases", $_)] } qw(one two three);
    my (@n, @w) = (0, 0, 0);
    my $t = read_log ($ARGV[0], BBRUN => sub {
      for my $a (accesses ($_[0])) {
        next unless $a->[0];
        for (0 .. 2) {
          $n[$_]++ if $a->[1] >= $v[$_][0] && $a->[1] < $v[$_][1];
        }
      }
    }, WINDOW => sub { push @w, "$_[0]{on}:$_[0]{why}" });
    print "@n", (map { " $_" } @w)' "$1" 2>&1
}
total () # LOG FIELD
{
  dglog 'my $t = read_log ($ARGV[0]); print $t->{$ARGV[1]}' "$1" "$2" 2>&1
}
window () # NAME EXPECTED OPTIONS... -- ARGS
{
  local name=$1 expected=$2 options=()
  shift 2
  while [ "$1" != -- ]; do
    options+=("$1")
    shift
  done
  shift
  record "$name.dg" "${options[@]}" ./phases "$@" > "$name.out"
  is "$name: exit status" $? 21
  check_log "$name: log" "$name.dg"
  is "$name: silent" "$(cat "$name.dg.err")" ""
  is "$name: what is recorded" "$(seen "$name.dg")" "$expected"
  # Recorded or not, time goes on alike.
  if [ -n "$all_icount" ] && [ -z "$other_icount" ]; then
    is "$name: instructions of the whole run" "$(total "$name.dg" last_icount)" \
      "$all_icount"
  fi
}

other_icount=yes
all_icount=
window all "1500 2000 251" --
# The same without an argument and with one differs by a few instructions.
all_icount=$(total all.dg last_icount)
other_icount=
is "all: everything is recorded" "$(total all.dg instructions)" "$all_icount"
note "$all_icount instructions"

other_icount=yes
window requests "0 2000 200 0:0 1:1 0:1 1:1" --datagrind-start=no -- requests
window requests-on "1000 2000 200 0:1 1:1" -- requests
window never "0 0 0 0:0" --datagrind-start=no -- x
other_icount=

window function "0 2000 100 0:0 1:2 0:2" --datagrind-toggle-fn=second --
window recursion "0 0 51 0:0 1:2 0:2" --datagrind-toggle-fn=recurse --
window two-functions "1000 2000 100 0:0 1:2 0:2 1:2 0:2" \
  --datagrind-toggle-fn=first --datagrind-toggle-fn=second --
window nested-functions "0 2000 200 0:0 1:2 0:2 1:2 0:2" \
  --datagrind-toggle-fn=inner --datagrind-toggle-fn=second --
other_icount=yes
window jump "0 2000 100 0:0 1:2 0:2" --datagrind-toggle-fn=second -- jump
other_icount=

# Counts of instructions: what is recorded is this part of the whole, and not
# one instruction more or less.  A skip ends with the block that it ends in,
# as runs are of whole beginnings of blocks; the log says where.
"$DG" dump --accesses all.dg > all.trace
part () # FIRST COUNT: these instructions of the whole, with their accesses
{
  awk -v first="$1" -v end=$(($1 + $2)) \
    '/^I/ { n++ } n > first && n <= end' all.trace
}
for spec in 0:1 0:1000 1:1 999:2 5000:12345 7777:1 20000:100000000; do
  skip=${spec%:*} count=${spec#*:} start=0
  options=("--datagrind-stop-after=$count")
  [ "$skip" = 0 ] || options+=("--datagrind-skip=$skip")
  record part.dg "${options[@]}" ./phases > part.out
  check_log "skip $skip, stop after $count: log" part.dg
  if [ "$skip" != 0 ]; then
    start=$(dglog 'my @on; read_log ($ARGV[0], WINDOW => sub {
      push @on, $_[0]{icount} if $_[0]{on} }); print "@on"' part.dg)
    note "skip $skip: begins at $start"
    check "skip $skip: begins with the next block" \
      sh -c "[ $start -ge $skip ] && [ $start -lt $((skip + 60)) ]"
  fi
  "$DG" dump --accesses part.dg > part.got
  part "$start" "$count" > part.expected
  if cmp -s part.got part.expected; then
    ok "skip $skip, stop after $count: the right part"
  else
    not_ok "skip $skip, stop after $count: the right part" \
      "$(grep -c ^I part.got) instructions instead of\
 $(grep -c ^I part.expected)" "$(diff part.expected part.got | head -n 10)"
  fi
  is "skip $skip, stop after $count: instructions of the whole run" \
    "$(total part.dg last_icount)" "$all_icount"
done
is "suffix k" "$(record k.dg --datagrind-stop-after=3k ./phases > /dev/null
  total k.dg instructions)" 3000

# The file's size.
for size in 20k 300Ki 1Mi; do
  bytes=$(echo $size | sed 's/k/*1000/; s/Ki/*1024/; s/Mi/*1048576/')
  bytes=$((bytes))
  record size.dg --datagrind-max-size=$size ./phases long > size.out
  is "max-size=$size: exit status" $? 21
  real=$(stat -c %s size.dg)
  note "max-size=$size: $real bytes"
  check "max-size=$size: the file is not longer" test "$real" -le $bytes
  check "max-size=$size: the file is not much shorter" \
    test "$real" -ge $((bytes * 3 / 4))
  check_log "max-size=$size: log" size.dg
  is "max-size=$size: the end says so" "$(total size.dg why)" 3
  is "max-size=$size: silent" "$(cat size.dg.err)" ""
done

# Commands from outside.
vgdb=$(find_vgdb)
if [ -z "$vgdb" ]; then
  skip "monitor commands" "no vgdb"
else
  prefix=$T/vgdb-pipe
  mkfifo in out
  # shellcheck disable=SC2086
  $VALGRIND_DG -q --vgdb-prefix="$prefix" --datagrind-out-file=monitor.dg \
    --datagrind-start=no ./phases wait < in > out 2> monitor.err &
  pid=$!
  exec 8> in 9< out
  read -r -t 600 _ <&9
  command ()
  {
    timeout 600 "$vgdb" --wait=300 --max-invoke-ms=200 --vgdb-prefix="$prefix" \
      --pid="$pid" "$@" 2> vgdb.err
  }
  # It waits in its read soon: a command then interrupts it there.
  command help > help.txt
  for word in start stop status snapshot detailed_snapshot flush; do
    check "monitor help: $word" grep -q "$word" help.txt
  done
  command status > status.1
  command snapshot > snapshot.txt
  command detailed_snapshot "  before the  work " >> snapshot.txt
  command detailed_snapshot "$(printf '\303\244%.0s' {1..200})" >> snapshot.txt
  command start > start.txt
  command status > status.2
  printf x >&8
  read -r -t 600 _ <&9
  command stop > stop.txt
  command status > status.3
  printf x >&8
  wait $pid
  is "monitor: exit status" $? 0
  exec 8>&- 9<&-
  note "monitor: status: $(head -n 1 status.1)" \
    "monitor: status after start: $(head -n 1 status.2)" \
    "monitor: status after stop: $(head -n 1 status.3)"
  check "monitor: status tells that nothing is recorded" \
    grep -qi 'not\|off\|stop' status.1
  check "monitor: status after start differs" \
    sh -c '! cmp -s status.1 status.2'
  check_log "monitor: log" monitor.dg
  is "monitor: what is recorded" "$(seen monitor.dg)" "0 2000 100 0:0 1:3 0:3"
  is "monitor: moments that were named" \
    "$(dglog 'read_log ($ARGV[0],
         START_EVENT => sub { print "<$_[0]{label}" },
         END_EVENT => sub { print "|$_[0]{label}>" })' monitor.dg)" \
    "<snapshot|snapshot><before the  work|before the  work>$(printf '<%s|%s>' \
       "$(printf '\303\244%.0s' {1..126})" "$(printf '\303\244%.0s' {1..126})")"
  check "monitor: says how to ask for a moment" \
    grep -q 'event:before the  work' snapshot.txt
fi

done_testing
