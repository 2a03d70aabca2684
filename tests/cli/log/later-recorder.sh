# later-recorder.sh: a log whose recorder knows more fields than we do is read
# as if these were not there, and loses none of them.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"

types='process thread_start thread_name thread_switch thread_exit heap_alloc
heap_free module module_unload map unmap stack clock kernel_access window
signal fork'

# grow: every record that may grow has five bytes more.
grow ()
{
  sed -E "s/^($(echo $types | tr ' ' '|')) /behind=5 &/"
}

small_text > text
assemble_small log
grow < text > grown.text
assemble grown < grown.text
n=$(grep -c '^behind=5' grown.text)
mkdir plain later
cp log plain/log
cp grown later/log

# same_as_log COMMAND...: what it says of both.
same_as_log ()
{
  (cd plain && dg "$@" log > ../plain.out 2> ../plain.err)
  (cd later && dg "$@" log > ../later.out 2> ../later.err)
  title="dg $*"
  diff plain.out later.out > difference
  report 'output' difference
  diff plain.err later.err > difference
  report 'messages' difference
}

same_as_log check
same_as_log dump --accesses
same_as_log counts
same_as_log allocs dump
same_as_log heap
same_as_log invariants
(cd plain && dg info --json log) | grep -v -e bytes -e file_size > plain.out
(cd later && dg info --json log) | grep -v -e bytes -e file_size > later.out
title='dg info'
diff plain.out later.out > difference
report 'the same but for sizes' difference

# The dump says that there is more.
run dg dump grown
status 0
[ "$(grep -c ' bytes_behind=5$' stdout)" = "$n" ]
report "$n records have more" stdout
sed 's/^0x[0-9a-f]* //; s/ bytes_behind=5$//; s/ back=[0-9]*//' stdout > same
run dg dump log
sed 's/^0x[0-9a-f]* //; s/ back=[0-9]*//' stdout | diff - same > difference
report 'the same fields' difference

# An archive keeps it, to the byte.
run dg pack grown -o grown.dgz
status 0
run dg check grown.dgz
status 0
run dg unpack grown.dgz -o again
status 0
cmp grown again > difference 2>&1
report 'unpacked to the byte' difference
run dg dump grown.dgz
[ "$(grep -c ' bytes_behind=5$' stdout)" = "$n" ]
report "$n records of the archive have more" stdout

# A cut keeps it in what it copies; all but what it tells again.
for from in grown grown.dgz; do
  run dg cut $from --instructions=0..100 -o part
  status 0
  run dg check part
  status 0
  run dg dump part
  [ "$(grep -c ' bytes_behind=5$' stdout)" = $((n - 1)) ]
  report "all but PROCESS have more" stdout
  sed 's/^0x[0-9a-f]* //; s/ bytes_behind=5$//; s/ back=[0-9]*//' stdout > same
  run dg cut log --instructions=0..100 -o part
  run dg dump part
  sed 's/^0x[0-9a-f]* //; s/ back=[0-9]*//' stdout | diff - same > difference
  report 'the same fields' difference
done

finish
