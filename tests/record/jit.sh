#!/bin/bash
# Code that a program makes: named by requests, perf maps and jitdump files,
# also where other code was before; files that name none; Node.js and Java.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"

[ "$(uname -m)" = x86_64 ] || skip_all 'the guests are code of x86-64'
guest jit $(static_flag) || skip_all 'the guest cannot be compiled'
guest jit-bad $(static_flag) || skip_all 'the guest cannot be compiled'
trap 'cd / && rm -rf "$T" "$kept"; rm -f $maps' EXIT
maps=

# Reads and writes of functions that match.
functions () # LOG PATTERN
{
  "$DG" counts --by=function --top=0 "$1" 2> counts.err \
    | sed -n "s/,//g; s#^ *<*[0-9.]* % *\([0-9]*\) *\([0-9]*\) *\([0-9]*\) .*  \($2\)\$#\4 \2 \3#p" \
    | sort
}

# Where the program left its map goes when the test ends.
note_map () # LOG
{
  maps="$maps /tmp/perf-$(info_of "$1" process).map"
}

info_of () # LOG KEY
{
  "$DG" info --json "$1" | perl -MJSON::PP -0777 -ne '
    my $d = decode_json $_; print $d->{process}{pid}'
}

# What run ()s of the program do: 1000 loads, 500 stores, 250 loads; 125 and
# 60 calls; a return reads, a call and a push write.
made='calls_again 120 120
calls_once 250 250
reads_first 2000 0
reads_second 500 0
writes_first 500 500'
names='\(reads_first\|writes_first\|reads_second\|calls_once\|calls_again\)'

for recorded in raw live; do
  for how in request map; do
    # Of what dg record writes, one is enough: it is the same recorder.
    [ $recorded$how != livemap ] || [ -n "$DG_TEST_LONG" ] || continue
    record $how.log ./jit $how
    note_map $how.log
    check_log "$recorded, $how: the log" $how.log
    is "$recorded, $how: three functions at one place, two of the same bytes" \
      "$(functions $how.log "$names" | sed 's/\\(//')" "$made"
    is "$recorded, $how: nothing is left without a name" \
      "$("$DG" counts --by=function --top=0 $how.log 2> /dev/null \
           | grep -c 'code in')" 0
    is "$recorded, $how: stacks tell which of two functions called" \
      "$("$DG" calls --callers=callee $how.log 2> /dev/null \
           | sed -n '/^Callers of/,$s/.* \([0-9][0-9]*\) *4  \(calls_[a-z]*\) .*/\2 \1/p')" \
      "$(printf 'calls_once 125\ncalls_again 60')"
  done
done
recorded=raw

# At the end of the program, when the first functions are long gone.
for how in late dump; do
  record $how.log ./jit $how
  note_map $how.log
  check_log "$how: the log" $how.log
  is "$how: what was at one place has its name, each" \
    "$(functions $how.log '\(reads_first\|writes_first\|reads_second\)')" \
    "$(echo "$made" | grep -v calls)"
done
record written.log ./jit written
is 'written: each has its name before it runs' \
  "$(functions written.log "$names")" "$made"
for how in dump written; do
is "$how: lines of the source" \
  "$("$DG" counts --by=line --top=0 $how.log 2> /dev/null \
       | sed -n 's/.*  \(jit.src:[123][01] (.*\)/\1/p' | sort)" \
  "$(printf 'jit.src:10 (reads_first)\njit.src:11 (reads_first)\n%s\n%s\n%s\n%s' \
       'jit.src:20 (writes_first)' 'jit.src:21 (writes_first)' \
       'jit.src:30 (reads_second)' 'jit.src:31 (reads_second)')"
done

record none.log ./jit none
check_log 'none: the log' none.log
is 'none: without names, who mapped the pages' \
  "$("$DG" counts --by=function none.log 2> /dev/null \
       | grep -c 'code in pages from main')" 1

# Archives and parts keep names, wherever they stand in the log.
"$DG" pack late.log -o late.dgz 2> /dev/null
is 'an archive has the names' "$(functions late.dgz "$names")" \
  "$(functions late.log "$names")"
is 'a part that ends before the names came has them' \
  "$("$DG" cut --instructions=..100000 late.log -o cut.log 2> cut.err
     "$DG" dump cut.log | grep -c ' CODE ')" \
  "$("$DG" dump late.log | grep -c ' CODE ')"
check_log 'the part' cut.log

# A child has the names that there were, and its own from then on.
record fork.log ./jit fork
child=$(ls fork.log.* 2> /dev/null | grep -v err)
check_log 'fork: the log of the child' "$child"
is 'fork: the child knows what its parent made' \
  "$("$DG" dump "$child" | sed -n 's/.* CODE .* name="\([a-z_]*\)".*/\1/p')" \
  "$(printf 'reads_first\nwrites_first\nreads_second\ncalls_once\ncalls_again')"
is 'fork: and names what it makes' "$(functions "$child" "$names")" \
  "$(printf 'calls_again 20 20\ncalls_once 20 20\nreads_second 20 0')"

# Files that name no code do no harm, and are not read if they are not the
# program's own files.
echo '400000 1000 secret' > secret
for how in "link $T/secret" pipe; do
  # shellcheck disable=SC2086
  record bad.log ./jit-bad $how
  is "${how%% *}: the program ends as it should" $? 0
  note_map bad.log
  is "${how%% *}: nothing is read" \
    "$("$DG" dump bad.log | grep -c ' CODE ') $(cat bad.log.err)" '0 '
done
record bad.log ./jit-bad map 'no line at all
400000
zz 10 name
400000 10
400000 0 nothing
ffffffffffffffff ffffffffffffffff much
7fff00000000 10 good
7fff00000100 10 cut off'
note_map bad.log
is 'a map of odd lines: the good one counts' \
  "$("$DG" dump bad.log | sed -n 's/.* CODE .* name=\("[^"]*"\).*/\1/p')" \
  '"good"'
is 'a map of odd lines: told once, with the offset' \
  "$(sed 's/perf-[0-9]*/perf-N/' bad.log.err | grep -c \
       "Datagrind: /tmp/perf-N.map: a line that is not .* at offset 0")" 1
check_log 'a map of odd lines: the log' bad.log
record bad.log ./jit-bad map "$(printf '7fff00000000 10 %s\n' \
  "$(head -c 100000 /dev/zero | tr '\0' x)")
7fff00000200 10 good
"
note_map bad.log
is 'a name of 100,000 bytes' \
  "$("$DG" dump bad.log | grep -c ' CODE .* name="good"')" 1
record bad.log ./jit-bad map "7fff00000000 10 $(printf '\033[31mred\001')
"
note_map bad.log
is 'a name that would do something to terminals' \
  "$("$DG" dump bad.log | sed -n 's/.* CODE .* name=\("[^"]*"\).*/\1/p')" \
  '"?[31mred?"'
record bad.log ./jit-bad fuzz 400
is '400 damaged jitdump files: the program ends as it should' $? 0
check_log '400 damaged jitdump files: the log' bad.log

# ---- Compilers in use ----

# They are told apart by nothing but the files that they write.
[ -n "$DG_TEST_LONG" ] || done_testing

cat > hot.js << 'END'
function fill (a) { for (let i = 0; i < a.length; i++) a[i] = i; }
function sum (a) { let s = 0; for (let i = 0; i < a.length; i++) s += a[i]; return s; }
const array = new Float64Array (1000);
let total = 0;
for (let k = 0; k < 400; k++) { fill (array); total += sum (array); }
console.log (total);
END
if command -v node > /dev/null; then
  "$DG" record --valgrind="${VALGRIND_DG%% --tool=*}" -o node.dgz -- \
    node --perf-basic-prof --single-threaded hot.js > node.out 2> node.err
  note_map node.dgz
  is 'Node.js: the program' "$(tail -n 1 node.out)" 199800000
  writes=$(functions node.dgz 'JS:[*^~]fill .*/hot.js:1:15' \
    | awk '{ n += $NF } END { print n + 0 }')
  check "Node.js: fill () has written its elements ($writes)" \
    [ "$writes" -ge 200000 ]
  check 'Node.js: little is left without a name' \
    sh -c "! '$DG' counts --by=function --top=12 node.dgz | grep 'code in'"
else
  skip 'Node.js' 'there is no node'
fi

cat > Hot.java << 'END'
public class Hot {
  static void fill (long[] a) { for (int i = 0; i < a.length; i++) a[i] = i; }
  static long sum (long[] a) { long s = 0; for (int i = 0; i < a.length; i++) s += a[i]; return s; }
  public static void main (String[] args) {
    long[] a = new long[1000]; long t = 0;
    for (int k = 0; k < 2000; k++) { fill (a); t += sum (a); }
    System.out.println (t);
  }
}
END
if javac Hot.java > /dev/null 2>&1 \
   && java -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit Hot \
        > java.out 2> /dev/null; then
  "$DG" record --valgrind="${VALGRIND_DG%% --tool=*}" -o java.dgz -- \
    java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 \
    -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit Hot \
    > java.out 2> java.err
  note_map java.dgz
  is 'Java: the program' "$(tail -n 1 java.out)" 999000000
  writes=$(functions java.dgz 'void Hot.fill(long\[\])' | awk '{ print $NF }')
  check "Java: fill () has written its elements ($writes)" \
    [ "${writes:-0}" -ge 1500000 ]
  check 'Java: little is left without a name' \
    sh -c "! '$DG' counts --by=function --top=8 java.dgz | grep 'code in'"
else
  skip 'Java' 'there is no JDK of 17 or later'
fi

done_testing
