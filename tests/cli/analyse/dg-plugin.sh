# dg-plugin.sh: analyses in shared objects: the template of
# docs/adding-an-analysis.md and the example as they stand there, and what is
# refused.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"

unset DATAGRIND_PLUGIN_PATH
docs=${abs_top_srcdir:?}/docs

# build FILE.c [OPTION...]: FILE.so, as a user would, from what is installed.
build ()
{
  local file=$1

  shift
  # shellcheck disable=SC2086
  ${CC:-cc} ${CFLAGS-} -Wall -Werror -shared -fPIC \
    -I"$abs_top_srcdir/include" "$@" -o "${file%.c}.so" "$file"
}

# A second chunk, so that there is something to share out.
{
  echo 'bbdef [0x400000+4 0x400004+4 0x400008+4] [R4@0 W8@1 R64@2]'
  echo 'context 0 [0x400000]'
  echo 'clock 0'
  for i in $(seq 1 300); do
    echo "bbrun 0 3 [0x1000 0x$((i % 2))3c 0x2000]"
    [ $((i % 100)) = 0 ] && echo chunk
  done
  echo 'bbrun 0 2 [0 0x1000]'
  echo 'clock 900'
  echo 'end why=0 exit_code=0'
} > text
assemble log < text

# ---- The template ----

sed -n '/^```c$/,/^```$/{/^```/d;p}' "$docs/adding-an-analysis.md" > mine.c
run build mine.c
status 0
no_err

run dg mine --plugin=./mine.so --json log
status 0
no_err
out << 'END'
{
  "schema": "datagrind/plugin/1",
  "partial": [],
  "instructions": 902,
  "accesses": 901
}
END

run dg mine --plugin=mine.so --scale=2 log
status 2
no_out
err << 'END'
dg: mine: --scale: must be 1
Try 'dg mine --help'.
END

# ---- The example ----

cp "$docs/examples/sizes.c" .
run build sizes.c
status 0
no_err

export DATAGRIND_PLUGIN_PATH=/nonexistent::$PWD
for j in 1 2 8; do
  run dg sizes -j $j --json log
  status 0
  no_err
  python3 - << 'END' > difference
import json
report = json.load(open('stdout'))
rows = [(r['size'], r['reads'], r['writes']) for r in report['sizes']]
if rows != [(4, 300, 0), (8, 0, 301), (64, 300, 0)]:
    print(rows)
if report['accesses'] != 901 or report['split'] != 300:
    print(report['accesses'], report['split'])
END
  test ! -s difference
  report "the sizes that there are" difference stdout
done

run dg sizes --interval=500 --json log
status 0
python3 - << 'END' > difference
import json
report = json.load(open('stdout'))
rows = [(r['interval'], r['end_icount'], r['accesses'])
        for r in report['intervals']]
if rows != [(1, 500, 500), (2, 902, 401)] or report['accesses'] != 901:
    print(rows, report['accesses'])
END
test ! -s difference
report "two intervals, and their sum" difference stdout

run dg sizes --line=16 log
status 0
out_has "in two lines"
run dg sizes --line=12 log
status 2
err << 'END'
dg: sizes: --line: not a power of two
Try 'dg sizes --help'.
END
run dg sizes --help
status 0
out_has "--line=BYTES"

run dg mine,sizes log
status 0
no_err

# ---- What is refused ----

# refused FILE.so TEXT: dg says why.
refused ()
{
  run dg mine --plugin="$1" log
  test "$exit_status" != 0
  report "fails" stderr
  no_out
  err_has "$2"
}

refused ./none.so "./none.so: No such file or directory"
echo nothing > text.so
refused ./text.so "./text.so: cannot be loaded: "
echo 'int dg_other;' > other.c
build other.c
refused ./other.so "./other.so: not a Datagrind plug-in: it has no DG_PLUGIN"
sed 's/= DG_ANALYSIS_VERSION,/= DG_ANALYSIS_VERSION + 1,/' mine.c > later.c
build later.c
refused ./later.so "./later.so: compiled for version 2 of dg_analysis.h, but this is version 1: recompile it"
sed 's/sizeof (struct dg_analysis)/8/' mine.c > small.c
build small.c
refused ./small.so "recompile it"
sed 's/"mine", .summary/"My Own", .summary/' mine.c > named.c
build named.c
refused ./named.so "its analysis needs a name"
sed 's/\.plan = plan,//; s/^plan (/__attribute__ ((unused)) plan (/' mine.c \
  > lacking.c
build lacking.c
refused ./lacking.so "mine lacks create, plan"
sed 's/dg_report_total (report, "acc/dg_no_such_thing (report, "acc/
     1a void dg_no_such_thing ();' mine.c > unknown.c
build unknown.c
refused ./unknown.so "undefined symbol: dg_no_such_thing"

# Files that are not plug-ins do no harm.
run dg sizes log
status 0
no_err

# ---- Where the library is ----

# As a package of pip is, the library is unpacked anywhere, and finds what belongs
# to it.
mkdir -p moved/datagrind/analyses
cp "${abs_top_builddir:?}/lib/.libs/libdatagrind.so.1" moved
unset DATAGRIND_PLUGIN_PATH
run dg sizes log
status 2
cp sizes.so moved/datagrind/analyses
LD_LIBRARY_PATH=$PWD/moved run dg sizes log
status 0
no_err

finish
