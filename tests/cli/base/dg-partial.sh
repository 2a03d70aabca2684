# dg-partial.sh: what a log does not tell is told wherever something is said to
# be missing: in text and, under the same key, in JSON.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"

# log NAME START END: a program with a block that is never freed; what stands
# before and behind its accesses.
log ()
{
  {
    echo 'process 42 1 0 8 4096 64 0 8 "1" "3" "amd64" "/bin/p" "/" ["p"]'
    printf '%b' "$2"
    cat << 'END'
bbdef [0x400000+4 0x400004+4] [R8@0 W8@1]
context 0 [0x400000]
malloc_block 0x2000 0x40 [0x400100 0x400200]
heap_alloc 1 1 1 64 0 0
bbrun 0 2 [0x3000 0x4000]
bbrun 0 2 [0x3000 0x4000]
END
    printf '%b' "$3"
  } > text
  assemble "$1" < text
}

log whole '' 'end\n'
log size '' 'window 0 6 4\nend why=3 icount=10\n'
log killed '' 'end why=4 exit_code=9\n'
log short '' ''
log skipped 'window 0 4 0\nwindow 1 4 100\n' 'end\n'
log stopped '' 'window 0 5 4\nend icount=20\n'
log off 'window 0 1 0\nwindow 1 1 50\n' 'end\n'
"$DG" cut --instructions=..2 whole -o cut-end
"$DG" cut --instructions=2.. whole -o cut
"$DG" cut --addresses=0x3000..0x3fff whole -o cut-addresses

commands='allocs leaks
allocs stats
heap --sites
heap --untouched
heap --late
heap --blocks
sharing
patterns
pages
reuse
cache
counts
calls
invariants'

# The gap of each of them, and what it lacks.  Each command is asked of two of
# them, another two than the next one; with DG_TEST_LONG of all.
gaps='size max-size later
killed killed later
short truncated later
skipped skip accesses
stopped stop-after accesses
off off accesses
cut-end cut-end later
cut cut accesses
cut-addresses cut accesses'
n_gaps=$(printf '%s\n' "$gaps" | wc -l)
asked=0
mkdir json
while read -r name gap lacks; do
  title="$name:"
  n=0
  while read -r command; do
    n=$((n + 1))
    [ -n "$DG_TEST_LONG" ] ||
      case $(((n - asked + 2 * n_gaps) % n_gaps)) in
      0 | 4) ;;
      *) continue ;;
      esac
    # shellcheck disable=SC2086
    "$DG" $command "$name" > told 2> stderr
    tr -s '\n ' ' ' < told |
      grep -q 'Caution: this log does not cover the whole run: ' ||
      echo "dg $command: no caution: $(head -c 300 told)"
    # shellcheck disable=SC2086
    "$DG" $command --json "$name" 2> stderr > "json/$command"
  done <<< "$commands" > difference 2>&1
  python3 -c '
import json, os, sys
assert len (os.listdir ("json")) > 1
for command in os.listdir ("json"):
  try:
    partial = json.load (open ("json/" + command))["partial"]
    assert [(x["gap"], x["lacks"]) for x in partial] == [tuple (sys.argv[1:])], \
      partial
    assert all (x["text"] for x in partial)
  except Exception as error:
    print ("dg", command + ":", repr (error))' "$gap" "$lacks" >> difference 2>&1
  rm json/*
  asked=$((asked + 1))
  [ ! -s difference ]
  report 'all commands say so, in text and in JSON' difference
done <<< "$gaps"

# Nothing is said of one that is whole.
title='a whole log:'
echo "$commands" | while read -r command; do
  # shellcheck disable=SC2086
  "$DG" $command whole 2>&1 | grep Caution
  # shellcheck disable=SC2086
  "$DG" $command --json whole 2>&1 | tr -d ' \n' | grep -q '"partial":\[\]' ||
    echo "dg $command: its JSON has no empty list"
done > difference
[ ! -s difference ]
report 'is no cause for caution' difference

run dg allocs leaks size
status 0
out_has 'Caution:  this log does not cover the whole run: --datagrind-max-size'
run dg counts off
out_has '(50 of 54 instructions)'

finish
