# dg import beside the tool that wrote the trace: what lackey counts, and every
# line of its trace, is in the log.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"

# The one that is installed, or that the recorder is built in.
for launcher in valgrind "$VALGRIND_DG"; do
  [ "$launcher" = valgrind ] && library=
  [ "$launcher" = valgrind ] || library=$VALGRIND_LIB
  [ -n "$launcher" ] &&
    env ${library:+VALGRIND_LIB="$library"} ${library:--u VALGRIND_LIB} \
      ${launcher%% *} --tool=lackey --version > /dev/null 2>&1 && break
  launcher=
done
[ -n "$launcher" ] || {
  echo '1..0 # SKIP no Valgrind with lackey'
  exit 0
}
[ -n "$library" ] || unset VALGRIND_LIB

cat > prog.c << 'END'
#include <string.h>
static int table[512], sums[512];
static char text[3000], copy[3000];
int main (void)
{
  for (int i = 0; i < 200; i++)
    for (int j = 0; j < 512; j++)
      sums[j] += table[(i * 31 + j * 7) % 512] + i;
  memset (text, 'a', sizeof text - 1);
  for (int i = 0; i < 20; i++)
    memcpy (copy, text, sizeof text);
  return sums[17] == 0 || strlen (copy) == 1;
}
END
${CC:-cc} -O1 -static -o prog prog.c || ${CC:-cc} -O1 -o prog prog.c || {
  echo "Bail out! cannot compile"
  exit 99
}
"${launcher%% *}" --tool=lackey --trace-mem=yes --basic-counts=no \
  --log-file=trace ./prog
for log in log log.dgz; do
  run dg import --lackey trace -o $log
  status 0
  run dg check $log
  status 0
  title="$log"
  grep '^[I ]' trace |
    sed 's/^ M \(.*\)/ L \1\n S \1/; s/^\(.. *\)0*\([0-9a-f]\{8\}\)/\1\2/' > told
  dg dump --accesses $log | diff told - | head -n 10 > difference
  [ ! -s difference ]
  report "all $(wc -l < told) lines are those of the trace" difference
done

# What dg counts is what grep counts.
count ()
{
  grep -c "$1" trace
}
dg counts --json log > counts
title='dg counts'
diff - <(sed -n 's/^  "\(instructions\|reads\|writes\)": \(.*\),$/\1 \2/p' \
  counts) > difference << END
instructions $(count '^I')
reads $(count '^ [LM]')
writes $(count '^ [SM]')
END
report "counts $(count '^I') instructions" difference
dg counts --json log.dgz | cmp -s counts -
report 'counts the same in the archive'
finish
