# dg-analysis.sh: what the commands of all analyses have in common: names,
# options, plug-ins, text and JSON, files, what ends them.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"
assemble_small log

# plugin NAME [CFLAGS]: one whose report has everything, and looks at nothing.
plugin ()
{
  ${CC:-cc} -Wall -Werror -shared -fPIC -I"$abs_top_srcdir/include" \
    -DSHAPES_NAME="\"$1\"" $2 -o "$1.so" \
    "$abs_srcdir/cli/analyse/report_shapes.c" || {
    echo "Bail out! cannot compile a plug-in"
    exit 99
  }
}
mkdir plugins
plugin shapes
plugin other
mv other.so plugins
shapes='dg shapes --plugin=./shapes.so'

# ---- Text -------------------------------------------------------------------

run $shapes log
status 0
no_err
out << 'END'
Log        log
Command    prog 'two words' 'it'\''s'

count      18,446,744,073,709,551,615
few                               999
number                        1234567
bytes                         1,023 B
kib                          1.50 KiB
gib                           123 GiB
eib                          16.0 EiB
address                        0x1f40
ns                             999 ns
us                            1.50 us
ms                             999 us
s                              12.3 s
hours                    12,345,678 s
real                            -3.14
small                         0.00012
large                   12,345,678.90
nan                                 -
share                          12.3 %
little                         <0.1 %
empty                               -
text       a "b"\x0a\x1b[31m\ \xff \xc3\xa9
pairs      1: 5,000, 20: 300
text only                           2

A group
  First  1

  A group in it
    A note that is long enough to need more than a line, whatever the terminal
    is like, as it goes on and on.
    And a second paragraph.

  Source
int
	main (void)
{
}

Second  2

Nothing

Rows
        How many
Kind   there are    Share  Name
write  1,000,000  100.0 %  main
réad     500,000   50.0 %  für
write    333,333   33.3 %
END

run $shapes log --table-only --rows 5 --top=2
out << 'END'
Log        log
Command    prog 'two words' 'it'\''s'

Rows
        How many
Kind   there are    Share  Name
write  1,000,000  100.0 %  main
réad     500,000   50.0 %  für
... 3 more (--top=0 shows all)
END
run $shapes log --table-only --rows=0
out << 'END'
Log        log
Command    prog 'two words' 'it'\''s'

Rows: none
END
# What is left out is told.
run $shapes log --table-only --rows=0 --events=user:sort --ranges=malloc \
  --threads=1,3-5 --instructions=2..9
status 0
out_has \
  'Only       --events=user:sort --ranges=malloc --threads=1,3-5 --instructions=2..9'
# 30 rows, unless one asks for more.
run $shapes log --table-only --rows=100
[ "$(wc -l < stdout)" = 37 ]
report '30 rows' stdout
out_has '... 70 more (--top=0 shows all)'
run $shapes log --table-only --rows=1k --top=0
[ "$(wc -l < stdout)" = 1006 ]
report 'all rows' stdout

# A table that is not a ranking is not cut.
for top in '' --top=5; do
  run $shapes log --table-only --rows=1 --intervals $top
  [ "$(wc -l < stdout)" = 50 ]
  report 'all intervals' stdout
  run $shapes log --table-only --rows=1 --intervals --json $top
  [ "$(grep -c '"interval"' stdout)" = 40 ]
  report 'all intervals' stdout
done

# ---- JSON -------------------------------------------------------------------

run $shapes --json log
status 0
no_err
out << 'END'
{
  "schema": "datagrind/plugin/1",
  "partial": [],
  "count": 18446744073709551615,
  "few": 999,
  "number": 1234567,
  "bytes": 1023,
  "kib": 1536,
  "gib": 132070244352,
  "eib": 18446744073709551615,
  "address": "0x1f40",
  "ns": 999,
  "us": 1500,
  "ms": 999499,
  "s": 12345678900,
  "hours": 12345678000000000,
  "real": -3.14159,
  "small": 0.000123,
  "large": 12345678.9,
  "nan": null,
  "share": 0.12345,
  "little": 0.0001,
  "empty": null,
  "text": "a \"b\"\n\u001b[31m\\ � é",
  "pairs": [[1, 5000], [20, 300]],
  "json_only": 1,
  "group": {
    "first": 1,
    "inner": {},
    "source": "int\n\u0009main (void)\n{\n}"
  },
  "unseen": {
    "second": 2
  },
  "nothing": {},
  "rows": [
    {"name": "main", "kind": "write", "count": 1000000, "id": 0},
    {"name": "für", "kind": "réad", "count": 500000, "id": 1},
    {"name": null, "kind": "write", "count": 333333, "id": 2}
  ]
}
END
if perl -MJSON::PP -e 1 2> /dev/null; then
  perl -MJSON::PP -0777 -e 'decode_json (<STDIN>)' < stdout 2> wrong
  report 'is JSON' wrong
else
  skip 'no JSON::PP'
fi
run $shapes --json --table-only --rows=0 log
out << 'END'
{
  "schema": "datagrind/plugin/1",
  "partial": [],
  "rows": []
}
END
run $shapes --json --table-only --rows=100 log
[ "$(grep -c '"name"' stdout)" = 100 ]
report 'all rows' stdout
run $shapes --json --table-only --rows=100 --top=7 log
[ "$(grep -c '"name"' stdout)" = 7 ]
report 'as many rows as were asked for' stdout

# A million rows take their room in memory, but not much more.
title='a million rows'
(ulimit -v 1000000 && $shapes --json --table-only --rows=1M log) 2> stderr |
  wc -l > lines
[ "$(cat lines)" = 1000006 ]
case $CFLAGS in
*sanitize*) skip 'the address sanitizer takes all addresses' ;;
*) report 'in JSON' stderr lines ;;
esac
base=$(peak "$DG" shapes --plugin=./shapes.so --json --table-only --rows=0 log)
taken=$(peak "$DG" shapes --plugin=./shapes.so --json --table-only --rows=1M log)
each=$(((${taken:-base + 1000000} - base) * 1024 / 1000000))
[ $each -lt 30 ]
case $CFLAGS in
*sanitize*) skip 'the address sanitizer keeps what was freed' ;;
*) report "$each bytes each, less than 30" ;;
esac

# ---- Names ------------------------------------------------------------------

export DATAGRIND_PLUGIN_PATH=$work/absent:$work/plugins
run dg other --table-only --rows=0 log
status 0
out_has 'Rows: none'
run dg shapes,other --plugin ./shapes.so --table-only --rows=1 log
status 0
out << 'END'
Log        log
Command    prog 'two words' 'it'\''s'

shapes
======

Rows
        How many
Kind   there are    Share  Name
write  1,000,000  100.0 %  main

other
=====

Rows
        How many
Kind   there are    Share  Name
write  1,000,000  100.0 %  main
END
run dg other,shapes --plugin ./shapes.so --table-only --rows=1 --json log
status 0
out << 'END'
{
  "schema": "datagrind/analyses/1",
  "partial": [],
  "other": {
    "schema": "datagrind/plugin/1",
    "rows": [
      {"name": "main", "kind": "write", "count": 1000000, "id": 0}
    ]
  },
  "shapes": {
    "schema": "datagrind/plugin/1",
    "rows": [
      {"name": "main", "kind": "write", "count": 1000000, "id": 0}
    ]
  }
}
END
run dg --help
out_has '  other       Reports everything that can be reported'
echo 'no shared object' > plugins/broken.so
run dg --help
status 0
no_err
run dg broken log
status 1
err_has 'broken.so'
run dg shapes --plugin=./absent.so log
status 1
err_has 'absent.so'
for names in shapes other,absent ,other other, ''; do
  run dg "$names" log
  status 2
  err_has "there is no command '"
done
run dg other,other log
status 2
err << 'END'
dg: 'other' is given twice
Try 'dg --help'.
END
# Another table for an option of the same name.
sed 's/"rows", DG_OPTION_NUMBER/"rows", DG_OPTION_TEXT/' \
  "$abs_srcdir/cli/analyse/report_shapes.c" > text.c
${CC:-cc} -shared -fPIC -I"$abs_top_srcdir/include" -DSHAPES_NAME='"text"' \
  -o plugins/text.so text.c
run dg other,text log
status 2
err_has 'other,text: --rows differs between other and text: run them separately'
sed 's/"rows", DG_OPTION_NUMBER/"json", DG_OPTION_NUMBER/' \
  "$abs_srcdir/cli/analyse/report_shapes.c" > json.c
${CC:-cc} -shared -fPIC -I"$abs_top_srcdir/include" -DSHAPES_NAME='"json"' \
  -o plugins/json.so json.c
run dg json log
status 1
err_has "json: its option --json has the name of a common option of dg"
# Of another choice: each looks for itself.
sed 's/"b", "a,b"/"b", "b,c"/' "$abs_srcdir/cli/analyse/report_shapes.c" > choice.c
${CC:-cc} -shared -fPIC -I"$abs_top_srcdir/include" -DSHAPES_NAME='"choice"' \
  -o plugins/choice.so choice.c
run dg other,choice --kind=b log
status 0
run dg other,choice --kind=c log
status 2
err_has "other: --kind: 'c' must be one of a,b"
run dg other,choice --kind=a log
status 2
err_has "choice: --kind: 'a' must be one of b,c"

# ---- Options ----------------------------------------------------------------

run $shapes --help
status 0
no_err
sed -n '/^Options:/,/^$/p' stdout > own
title='the help of a plug-in'
diff - own > difference << 'END'
Options:
      --rows=N                how many rows (default: 3)
      --table-only            no more than the table
      --intervals             a table of all rows
      --kind=KIND             one of two (a, b; default: b)
      --rate=RATE             a real number
      --file=FILE             write the number of rows
      --wait                  until it is asked to stop
      --fail                  find something wrong
      --refuse                do nothing

END
report 'comes from its table' difference
out_has 'Usage: dg shapes [OPTION]... LOG'
out_has 'Reports everything that can be reported.'
out_has 'Common options:'
out_has '      --top=N '

# wrong TEXT OPTION...: before the log is looked at.
wrong ()
{
  local text=$1

  shift
  run $shapes "$@" absent
  status 2
  no_out
  err_has "$text"
}
wrong "shapes: --rows: 'many' is not a number" --rows=many
wrong "shapes: --rows: '-1' is not a number" --rows=-1
wrong "shapes: --rows: '3kB' is not a number" --rows=3kB
wrong "shapes: --rows: '99999999999G' is not a number" --rows=99999999999G
wrong "shapes: --kind: 'c' must be one of a,b" --kind=c
wrong "shapes: --rate: 'x' is not a number" --rate=x
wrong 'shapes: --file needs the name of a file' --file=
wrong 'Unknown option --row' --row=3
wrong "unexpected argument 'absent'" log
for list in 0x 1,,2 1- 3-1 '' 4294967296 1,a; do
  wrong "shapes: '$list' is not a list of threads" --threads="$list"
done
for range in 5 .. 5..5 6..5 a..b 1..2..3; do
  wrong "shapes: '$range' is not a range of instructions" --instructions=$range
done
for interval in 0 '' 1K 5kib -1 ms 1h 99999999999s; do
  wrong "shapes: '$interval' is not a valid interval" --interval=$interval
done
wrong 'shapes: shapes does not support intervals' --interval=5ki
wrong "shapes: 'few' is not a number of rows" --top=few
wrong "shapes: '/build' is not of the form FROM=TO" --source-map=/build
wrong 'shapes: 5000 is not a valid number of threads (0 to 4096)' -j5000
wrong 'shapes: no output is given' -o ''
run $shapes --events=nonsense log
status 2
err_has 'shapes: '
run $shapes --refuse log
status 2
err_has 'it was asked to refuse'
run $shapes
status 2
err_has 'shapes: no LOG is given'

# ---- Files ------------------------------------------------------------------

title='-o'
$shapes log > expected
echo before > file
run $shapes log -o file
status 0
no_out
no_err
cmp file expected > difference
report 'has what standard output would have' difference
run $shapes log -o log
status 1
err << 'END'
dg: log: input and output are the same file
END
run $shapes log -o absent/file
status 1
err << 'END'
dg: absent/file: No such file or directory
END
run $shapes log -o /dev/null
status 0
if [ -w /dev/full ]; then
  run $shapes log -o /dev/full
  status 1
  err << 'END'
dg: /dev/full: No space left on device
END
  title='standard output'
  $shapes log > /dev/full 2> stderr
  [ $? = 1 ] && grep -q 'standard output: No space left' stderr
  report 'that is full is noticed' stderr
else
  skip 'no /dev/full'
fi
# Nobody reads: no word of it.
title='a pipe that was closed'
{ $shapes --table-only --rows=100k --top=0 log 2> stderr
  echo $? > code
} | head -n 1 > first
[ "$(cat code)" = 1 ] && [ ! -s stderr ]
report 'ends it silently' code stderr

# Files that an analysis writes.
run $shapes log --file=number --rows=42 --table-only
status 0
out_has 'Rows'
[ "$(cat number)" = 42 ]
report 'the analysis wrote its file' number
run $shapes log --file=- --rows=43
status 0
out << 'END'
43
END
run $shapes log --file=- --rows=43 --json -o json
status 0
out << 'END'
43
END
grep -q '"rows"' json
report 'and the report has a file' json
run $shapes log --file=log
status 2
err_has 'log'
run $shapes log --file=absent/file
status 1
err_has 'absent/file: No such file or directory'
run dg shapes,other --plugin=./shapes.so log --file=both
[ "$exit_status" != 0 ] && [ ! -e both ]
report 'not two analyses into one file' stderr

# ---- Exit status ------------------------------------------------------------

run $shapes --fail --table-only --rows=1 log
status 1
no_err
out_has 'main'
head -c 300 log > cut
run $shapes --table-only --rows=1 cut
status 1
out_has 'main'
err_has 'dg: cut: '
run $shapes --json --table-only --rows=1 cut
status 1
out_has '"main"'
: > nothing
run $shapes nothing
status 1
no_out
err_has 'nothing: '

# A signal ends it, and leaves nothing behind.
title='a signal'
mkdir place
echo before > place/file
"$DG" shapes --plugin=./shapes.so --wait --file=place/number \
  -o place/file log 2> stderr &
pid=$!
while [ ! -e waiting ] && kill -0 $pid 2> /dev/null; do
  sleep 0.05
done
kill -TERM $pid
wait $pid
[ $? = 143 ] && [ ! -s stderr ] && [ "$(ls place)" = file ] &&
  [ "$(cat place/file)" = before ]
report 'ends it, and leaves nothing behind' stderr
finish
