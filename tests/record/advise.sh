#!/bin/bash
# dg advise: programs with one known flaw each, and the same repaired.
#
# A program RULE-WHAT.c of advise/ has the flaw that RULE is about in a line
# marked FLAW; with -DREPAIRED it does the same work without.  FLAW FIRST: no
# other finding about time is before it.  About healthy-WHAT.c there is nothing
# to be found.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"
command -v python3 > compile || skip_all 'no python3'

programs=$(dirname "$guests")/advise

# One program for each rule; all of them with DG_TEST_LONG.
left_out=
[ -n "$DG_TEST_LONG" ] || left_out='accumulator-pointer byte-walk-copy
  column-walk-rows column-walk-transpose conflict-arrays contention-atomic
  copying-shift false-sharing-array pointer-chasing-queue
  pointer-chasing-shuffled random-access-table small-calls-callback
  sparse-walk-column sparse-walk-global sparse-walk-vector string-scan-length
  temporary-string'

# advise PROGRAM VARIANT [FLAG]: its findings in PROGRAM.VARIANT.json.
advise ()
{
  local source=$1 name variant=$2 compiler=$CC flags
  shift 2
  name=$(basename "${source%.*}").$variant
  case $source in *.cc) compiler=$CXX ;; esac
  flags=$(sed -n 's,^/\* flags: \(.*\) \*/$,\1,p' "$source")
  # shellcheck disable=SC2086
  $compiler -g -O1 -w -pthread $flags "$@" "$source" -o "$name" 2> "$name.errors" \
    || return
  # shellcheck disable=SC2086
  $VALGRIND_DG -q --datagrind-out-file="$name.dg" "./$name" > "$name.out" \
    2>> "$name.errors" || return
  # shellcheck disable=SC2046
  "$DG" advise --json $(sed -n 's,^/\* options: \(.*\) \*/$,\1,p' "$source") \
    "$name.dg" > "$name.json" 2>> "$name.errors"
  rm -f "$name.dg"
}

# They are all in one folder, of which the judge has the names.
mkdir sources
for source in "$programs"/*.c "$programs"/*.cc; do
  name=${source##*/}
  case " $(echo $left_out) " in *" ${name%.*} "*) continue ;; esac
  ln -s "$source" sources/
  case $name in
  healthy-*) advise "$source" healthy ;;
  *)
    advise "$source" flaw
    advise "$source" repaired -DREPAIRED
    ;;
  esac
done

cat > judge.py <<'PYTHON'
"""What was found, for each program: "ok" or what is wrong."""
import json, os, sys

sources, rules = sys.argv[1], sys.argv[2].split ()
right = missed = false = 0

def findings (name):
    try:
        with open (name + ".json") as file:
            return json.load (file)["findings"]
    except (OSError, ValueError):
        with open (name + ".errors") as file:
            return file.read () or "no output"

def where (found):
    return ["%s:%s" % (f["rule"], f["line"]) for f in found]

seen = set ()
for file in sorted (os.listdir (sources)):
    name = file.rsplit (".", 1)[0]
    rule = name.rsplit ("-", 1)[0]
    seen.add (rule)
    with open (os.path.join (sources, file)) as source:
        text = source.read ()
    lines = {n for n, line in enumerate (text.split ("\n"), 1)
             if "/* FLAW" in line}
    if rule.split ("-")[0] == "healthy":
        found = findings (name + ".healthy")
        false += len (found)
        print ("not ok" if found else "ok", name,
               (found if isinstance (found, str) else where (found)) or "")
        continue
    flaw, repaired = findings (name + ".flaw"), findings (name + ".repaired")
    if isinstance (flaw, str) or isinstance (repaired, str):
        print ("not ok", name, flaw if isinstance (flaw, str) else repaired)
        continue
    if any (f["rule"] == rule and lines & {f["line"], *f["other_lines"]}
            for f in flaw[:1 if "FLAW FIRST" in text else None]):
        right += 1
        print ("ok", name)
    else:
        missed += 1
        print ("not ok", name, where (flaw), "expected at", lines)
    false += len (repaired)
    print ("not ok" if repaired else "ok", name, "repaired",
           where (repaired) or "")
for rule in rules:
    print ("ok" if rule in seen else "not ok", "a program for", rule)
print ("# %d flaws: precision %.3f, recall %.3f"
       % (right + missed, right / max (right + false, 1),
          right / max (right + missed, 1)))
PYTHON
"$DG" advise --rules | awk '{ print $1 }' > rules
python3 judge.py sources "$(tr '\n' ' ' < rules)" > judged
while read -r line; do
  case $line in
  'not ok '*) is "${line#not ok }" wrong right ;;
  'ok '*) is "${line#ok }" right right ;;
  *) echo "$line" ;;
  esac
done < judged

# From block to block, without what Valgrind leaves between them.
is 'a block has the bytes that were asked for' \
  "$(grep -c 'has 128 bytes, of which 16 are hot' \
       pointer-chasing-texts.flaw.json)" 1

# Each rule is in the manual page.
sed -n 's/^\.B \([a-z-]*\\-[a-z-]*\|contention\|conflict\|rewalk\|padding\)$/\1/p
        s/^\.B \(accumulator\|aliasing\|copying\|mispredicted\|temporary\|regrowth\|untouched\)$/\1/p' \
  "${abs_top_srcdir:?}/docs/man/dg-advise.1" | tr -d '\\' | sort > documented
is 'the manual page has all rules' "$(sort rules | comm -23 - documented)" ''

# With less of the run, there is less to be said.
"$DG" record --valgrind="${VALGRIND_DG%% --tool=*}" -q -o whole.dgz \
  ./never-freed-nodes.flaw > out 2> err
"$DG" cut --instructions=0..300000 -o part.dgz whole.dgz 2> err
is 'what is not freed in a part of a log may be later' \
  "$("$DG" advise --json part.dgz | grep -c '"never-freed"')" 0
is 'the same findings with one worker' \
  "$("$DG" advise --json -j1 whole.dgz)" "$("$DG" advise --json -j2 whole.dgz)"

done_testing
