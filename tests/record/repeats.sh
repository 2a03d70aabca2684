#!/bin/bash
# An instruction that repeats itself is one instruction in every figure, as
# processors count: of functions in assembly whose instructions are known, with
# threads that switch and signals that are handled in its middle; and each
# repetition with --repetitions=each.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"
command -v python3 > /dev/null || skip_all "no python3"
guest repeats -no-pie -fno-pie -pthread $(static_flag -pthread) ||
  skip_all "the compiler cannot make it"

record log.dg ./repeats
is "exit status" $? 0
note "$(grep signals log.dg.err)"
check_log "log" log.dg
"$DG" pack log.dg -o log.dgz > /dev/null

# figures COMMAND KEY OPTIONS...: of each function, and whether the rows have no
# more than the total
figures ()
{
  local command=$1 key=$2
  shift 2
  "$DG" "$command" --json --top=0 "$@" | python3 -c '
import json, sys
command, key = sys.argv[1:]
report = json.load(sys.stdin)
known = ("fill", "fill_at_once", "copy", "copy_words", "differs",
         "search")
rows = {}
for row in report["rows"]:
    name = (row.get("function") or row.get("name") or "").split("(")[0]
    rows[name] = rows.get(name, 0) + row[key]
total = report.get("instructions", report.get("Ir"))
print(*("%s=%d" % (name, rows[name]) for name in known),
      "sum" if sum(rows.values()) == total else (sum(rows.values()), total))
' "$command" "$key"
}

# 20 rounds, of which each calls "differs" twice.
expected="fill=80 fill_at_once=80 copy=80 copy_words=60 differs=200\
 search=100 sum"
for log in log.dg log.dgz; do
  for jobs in 1 3; do
    is "$log, -j$jobs: dg counts" \
      "$(figures counts instructions --by=function -j$jobs $log)" "$expected"
    is "$log, -j$jobs: dg calls" \
      "$(figures calls self_instructions -j$jobs $log)" "$expected"
    is "$log, -j$jobs: dg cache" \
      "$(figures cache Ir --by=function -j$jobs $log)" "$expected"
  done
done

# 16 rounds of 40000, and two of one byte, in which the instruction was executed
# once more when it ended.
figures counts instructions --by=function --repetitions=each log.dgz \
  > each.txt
is "--repetitions=each: as Valgrind's tools count" "$(tr ' ' '\n' < each.txt |
  grep -E '^(fill|copy)=')" \
  "fill=$((20 * 4 + 16 * 40000 + 2))
copy=$((20 * 4 + 16 * 40000 + 2))"
is "DATAGRIND_REPETITIONS=each" \
  "$(DATAGRIND_REPETITIONS=each figures counts instructions --by=function \
     log.dgz)" "$(cat each.txt)"
is "accesses and bytes are the same" \
  "$("$DG" counts --json log.dgz | sed '/"instructions"\|per_/d')" \
  "$("$DG" counts --json --repetitions=each log.dgz |
     sed '/"instructions"\|per_/d')"
is "each is what dg info has" \
  "$("$DG" counts --json --repetitions=each log.dgz |
     sed -n 's/.*"instructions": \([0-9]*\).*/\1/p')" \
  "$(info log.dgz instructions)"
"$DG" counts --repetitions=some log.dgz > /dev/null 2> some.err
is "--repetitions=some" "$? $(head -n 1 some.err)" \
  "2 dg: counts: --repetitions: 'some' is not once or each"

done_testing
