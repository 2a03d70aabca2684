# dg-schema.sh: dg --schema, and what schemas are: one for each command that
# has --json, which describes all that it writes, and finds what is wrong.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"
schemas=${abs_top_srcdir:?}/docs/schema
tests=$abs_top_srcdir/tests/schema

# ---- The option -------------------------------------------------------------

run dg --schema
status 0
no_err
sed 's/ .*//' stdout > listed
ls "$schemas" | sed 's/\.json$//' | diff - listed > difference
report 'lists docs/schema/' difference

for name in $(cat listed); do
  run dg --schema $name
  case $name in
    # With those that it refers to.
    analyses) head -n 20 stdout | diff - <(head -n 20 "$schemas/$name.json") ;;
    *) diff stdout "$schemas/$name.json" ;;
  esac > difference
  report 'shows the file' difference
done
run dg --schema allocs stats
status 0
cmp stdout "$schemas/allocs-stats.json" > difference
report 'is that of allocs-stats' difference
run dg --schema counts,reuse
out_has '"$id": "urn:datagrind:reuse:1"'
run dg --schema reuze
status 2
no_out
err_has "there is no schema 'reuze'; did you mean 'reuse'"
run dg --schema counts,nosuch
status 2
err_has "there is no schema 'nosuch'"

# ---- One for each command ---------------------------------------------------

# has_json COMMAND...: whether --help of it has --json.
has_json ()
{
  dg "$@" --help | grep -q -e '  *--json '
}

title='commands with --json'
{
  for command in $("$DG" --help |
    sed -n '/^Commands:/,/^Options/s/^  \([a-z]*\) .*/\1/p'); do
    parts=$(dg $command --help |
      sed -n "s/^Usage: dg $command \([a-z|]*\).*/\1/p" | tr '|' ' ')
    for part in ${parts:-''}; do
      has_json $command $part && echo $command${part:+-$part}
    done
  done
  # Its options are those of the analysis; several at once, and plug-ins.
  has_json diff counts && printf '%s\n' diff analyses plugin
} | sort > wanted
diff wanted listed > difference
report 'have a schema' difference

# ---- What is in them --------------------------------------------------------

if command -v python3 > /dev/null; then
  title='schemas'
  python3 "$tests/check_schemas.py" "$schemas" \
    "$abs_top_srcdir/docs/json.md" > wrong 2>&1
  report 'describe everything, as docs/json.md does' wrong
  mkdir other
  for change in 's/"x-unit": "bytes"/"x-unit": "lines"/' \
    's/"additionalProperties": false,//' 's/"description": "Read.*"/"x": 1/' \
    's/"read_bytes"/"readBytes"/' 's/count"/text"/' 's/counts:1/counts:2/'; do
    sed "$change" "$schemas/counts.json" > other/counts.json
    title=$change
    cp -n "$schemas"/*.json other
    ! python3 "$tests/check_schemas.py" other "$abs_top_srcdir/docs/json.md" \
      > wrong 2>&1 && grep -q '^counts' wrong
    report 'is found' wrong
  done
else
  skip 'no python3'
fi

# ---- Documents --------------------------------------------------------------

assemble_small log
assemble threads << END
process 42 1 7 8 4096 64 0 8 "1.0" "3.19.0" "amd64" "/bin/prog" "/" ["prog"]
thread_start 1 0 42
thread_start 2 1 43
bbdef [0x400000+4] [R8@0]
bbdef [0x400010+4] [W8@0]
context 0 [0x400000]
context 1 [0x400010]
track_range 0x1000 8 "" "A"
track_range 0x1008 8 "" "B"
track_range 0x1100 512 "long" "table"
malloc_block 0x9000 0x400 [0x400000]
heap_alloc 1 1 1 1024 0 0
$(for ((i = 0; i < 40; i++)); do
  printf 'thread_switch 1\nbbrun 1 1 [0x1000]\nbbrun 0 1 [0x1008]\n'
  printf 'thread_switch 2\nbbrun 1 1 [0x1008]\nbbrun 0 1 [0x9100]\n'
  printf 'bbrun 0 1 [%d]\n' $((0x1100 + 8 * i)) $((0x20000 + 64 * i))
done)
malloc_block 0xa000 64 [0x400000]
heap_alloc 2 1 1 64 0 0
free_block 0x9000
heap_free 3 1 11 [0x400000]
end why=0 exit_code=0
END
head -c 700 log > cut
rm -f "$kept_json"/*.json
title='documents'
for log in log threads; do
  for part in stats dump history leaks diff; do
    dg allocs $part --json $log
  done
  dg heap --sites --blocks --untouched --late --json $log
  dg counts --by=thread --json --interval=30 $log
  dg cache --by=variable --cores=threads --prefetch=next-line --json $log
  dg calls --edges --outliers --json $log
  dg reuse --mrc --lines=1,8 --by=variable --json $log
  for analysis in branches opcodes pages patterns schedule time tlb whatif; do
    dg $analysis --json $log
  done
  dg sharing --false --by=line --json $log
  dg advise --json $log
done > all 2> stderr
{
  dg info --json log
  dg info --json cut
  printf 'thread_start 1 0 1\nthread_start 1 0 1\nend\n' | "$DGASM" -o wrong
  dg invariants --json wrong
  dg diff counts --json log threads
  dg diff advise --json log threads
  dg counts,reuse --json log
} >> all 2>> stderr
# What a plug-in writes.
echo '{"schema": "datagrind/plugin/1", "partial": [], "mine": 1}' \
  > "$kept_json/mine.json"
echo 'dg mine' > "$kept_json/mine.command"
# Of a machine that no load makes too busy.
cp "$abs_srcdir/cli/calibrate/document.json" "$kept_json/calibrate.json"
echo 'dg calibrate' > "$kept_json/calibrate.command"
if schema_python; then
  PYTHONDONTWRITEBYTECODE=1 "$schema_python" "$tests/check_mutants.py" \
    "$schemas" "$kept_json" > wrong 2>&1
  report 'that are wrong are found' wrong
  grep '^#' wrong
  # As users have it, without other files.
  dg counts,reuse --json log > document
  dg --schema counts,reuse > schema
  "$schema_python" -c '
import json, jsonschema
jsonschema.Draft202012Validator (json.load (open ("schema"))).validate (
  json.load (open ("document")))' 2> wrong
  report 'of several analyses are as dg --schema says' wrong
  sed 's/"cold"/"cool"/' document > changed
  ! "$schema_python" -c '
import json, jsonschema
jsonschema.Draft202012Validator (json.load (open ("schema"))).validate (
  json.load (open ("changed")))' 2> wrong
  report 'but not with another key' wrong
else
  skip "$schema_why"
fi
finish
