#!/bin/bash
# dg whatif: programs that are written both ways.
#
# Each program of whatif/ says which change it makes if REPAIRED is defined.
# What dg whatif says of the change, from a recording of the program as it is,
# is compared with dg time of a recording of the changed program.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"
command -v python3 > compile || skip_all 'no python3'

programs=$(dirname "$guests")/whatif

# One program for each change; all of them with DG_TEST_LONG.
left_out=
[ -n "$DG_TEST_LONG" ] || left_out='align-nodes order-tree pad-block
  pad-elements pool-list soa-global split-list split-records'

# record SOURCE VARIANT [FLAG]: a recording in NAME.VARIANT.dg.
record ()
{
  local source=$1 name compiler=$CC variant=$2
  shift 2
  name=$(basename "${source%.*}").$variant
  case $source in *.cc) compiler=$CXX ;; esac
  $compiler -g -O1 -w -pthread "$@" "$source" -o "$name" &&
    $VALGRIND_DG -q --datagrind-out-file="$name.dg" "./$name" > "$name.out"
}

cat > judge.py <<'PYTHON'
"""What is not as the recording of the changed program has it."""
import json, sys

with open (sys.argv[1]) as file:
    told = {row["figure"]: row for row in json.load (file)["figures"]}
with open (sys.argv[2]) as file:
    own = json.load (file)
# Misses by 5 % or 2,000, cycles by 10 %.
for key, share, least in (("l1_misses", .05, 2000), ("l2_misses", .05, 2000),
                          ("l3_misses", .05, 2000), ("page_walks", .05, 2000),
                          ("remote_misses", .05, 2000), ("cycles", .10, 0)):
    # Of one node, there is none.
    if key == "remote_misses" and own[key] == 0 and key not in told:
        continue
    if abs (told[key]["after"] - own[key]) > max (share * own[key], least):
        print (key, "before %(before)d after %(after)d" % told[key],
               "but recorded", own[key])
PYTHON

for source in "$programs"/*.c "$programs"/*.cc; do
  file=${source##*/}
  name=${file%.*}
  case " $(echo $left_out) " in *" $name "*) continue ;; esac
  change=$(sed -n 's,^/\* change: \(.*\) \*/$,\1,p' "$source")
  machine=$(sed -n 's,^/\* machine: \(.*\) \*/$,--machine=\1,p' "$source")
  {
    record "$source" flaw && record "$source" repaired -DREPAIRED &&
      eval "set -- $change" &&
      "$DG" whatif --json $machine "$@" "$name.flaw.dg" > whatif.json &&
      "$DG" time --json $machine "$name.repaired.dg" > time.json &&
      python3 judge.py whatif.json time.json
  } > "$name.wrong" 2>&1
  [ ! -f whatif.json ] || cp whatif.json "$name.json"
  is "$name: $change" "$(cat "$name.wrong")" ''
  [ "$name" = order-fields ] || rm -f "$name".*.dg
done

# Nodes.
is 'remote memory is where main has filled it' "$(python3 - << 'PYTHON'
import json
with open ("first-touch-halves.json") as file:
    told = {row["figure"]: row for row in json.load (file)["figures"]}
# A thread has a half of 32,768 lines, three times; the other is on main's node.
if not 95000 < told["remote_misses"]["before"] < 99000 \
   or told["remote_misses"]["after"] > 1000:
    print (told["remote_misses"])
PYTHON
)" ''
"$DG" whatif --first-touch=order-fields.c:21:by-user order-fields.flaw.dg \
  > out 2>&1
is 'one node: why not' "$? $(head -n 1 out)" \
  "2 dg: whatif: --first-touch needs a processor with several nodes, such as \
--machine=zen5,nodes=2"

# Both programs decode machine code at the same time.
"$DG" pack order-fields.flaw.dg -o packed.dgz > out
"$DG" whatif --json -j1 packed.dgz > one
for i in 1 2 3 4 5 6 7 8; do
  "$DG" whatif --json -j2 packed.dgz | diff one -
done > several
is 'the same figures with one worker' "$(head -n 4 several)" ''

# What is not there, with what is meant.
whatif ()
{
  "$DG" whatif "$@" order-fields.flaw.dg 2>&1 | head -n 1
}
is 'a type that nothing has' "$(whatif --soa=unite)" \
  "dg: whatif: no heap block or global variable of the log has the type \
'unite'; did you mean 'unit'?"
is 'a field that the type has not' "$(whatif --split=unit:state,powers)" \
  "dg: whatif: 'unit' has no field 'powers'; did you mean 'power'?"
is 'two changes that exclude each other' \
  "$(whatif --soa=unit --split=unit:state)" \
  "dg: whatif: --soa and --split cannot both change 'unit'"
is 'an alignment that is none' "$(whatif --align=unit:48)" \
  "dg: whatif: 'unit:48' does not fit --align, which takes WHAT:BYTES, \
a power of two"

# Without a change, both are what dg time says.
"$DG" whatif --json order-fields.flaw.dg > none.json
"$DG" time --json order-fields.flaw.dg > time.json
is 'no change' "$(python3 judge.py none.json time.json)" ''
is 'before and after are the same' "$(grep -c '"change": *0' none.json)" 10
is 'the same with one worker' \
  "$("$DG" whatif --json -j1 --order=unit:state,power order-fields.flaw.dg)" \
  "$("$DG" whatif --json -j2 --order=unit:state,power order-fields.flaw.dg)"

done_testing
