# analyses.sh: all that dg does with four workers, on a log of many chunks and
# several threads; for the thread sanitizer, whose reports are on standard
# error and make the status 66.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"
. "$abs_srcdir/threads/lib.sh"

many_chunks > text
assemble log < text

run dg pack -j4 -o log.dgz log
status 0
no_err
for log in log log.dgz; do
  run dg index -j4 -o sidecar $log
  for command in 'counts --by=function' 'counts --by=line --interval=500' \
    'sharing' 'reuse' 'patterns' 'pages' 'time' 'tlb' 'cache' 'calls' 'invariants' \
    'counts --threads=1' 'heap --sites' 'heap --late' 'allocs stats' \
    'allocs leaks' 'check' 'counts,sharing,reuse,pages,cache,calls'; do
    run dg $command -j4 $log
    status 0
    no_err
  done
done
run dg unpack -j4 -o again log.dgz
status 0
run cmp again log
status 0
run dg cut -o part.dgz -j4 --instructions=100..2000 log.dgz
status 0
finish
