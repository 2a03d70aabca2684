# analyses.sh: all that dg does with four workers, and pictures, of a log of
# many chunks and several threads; for what looks for races, whose reports are
# on standard error and make the status 66.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"

{
  cat << 'END'
process 42 1 7 8 4096 64 4 30 "1.0" "3.19" "amd64" "/exe" "/cwd" ["exe"]
thread_start 1 0 42
stack 1 0x7000 0x8000
map 0x10000 0x40000 3 1 0x1000 "/lib/x"
bbdef [0x400000+3 0x400003+5 0x400008+2] [R4@0 W8@1 R300@2]
bbdef [0x400010+3] []
bbdef [0x400020+1 0x400021+2] [S0@0 W8@0 R8@1 S0@1]
context 0 [0x400000 0x400100]
context 1 [0x400010]
context 2 [0x400020]
context 0 [0x400000 0x400200]
track_range 0x20000 4096 "int" "array"
start_event "phase"
malloc_block 0x5000 1600 [0x400000 0x400100]
heap_alloc 1 1 1 1624 0 0
clock 1000
thread_start 2 1 43
END
  for chunk in {1..24}; do
    echo chunk
    echo "clock $((1000 + chunk * 1000))"
    echo 'thread_switch 1'
    echo "malloc_block $((0x6000 + chunk * 512)) 256 [0x400000 0x400200]"
    for run in {1..40}; do
      echo "bbrun $((3 * (run & 1))) 3 [$((0x5000 + run * 8))" \
        "0x$((5000 + chunk)) $((0x20000 + run * 64 + chunk))" \
        "$((0x20000 + run * 64 + chunk + 255))]"
    done
    echo 'bbrun 2 2 [0x77f8 0x77f8 0x77f8 0x7800]'
    echo 'thread_switch 2'
    for run in {1..40}; do
      echo "bbrun 0 3 [$((0x5004 + run * 8)) $((0x20000 + run * 8))" \
        "$((0x6000 + chunk * 512)) $((0x6000 + chunk * 512 + 255))]"
    done
    echo "free_block $((0x6000 + chunk * 512))"
    echo 'bbrun 1 1 []'
  done
  printf '%s\n' 'end_event "phase"' 'thread_exit 2' 'thread_switch 1' \
    'end exit_code=0 threads=2'
} > text
assemble log < text

run dg pack -j4 -o log.dgz log
status 0
no_err
for log in log log.dgz; do
  run dg index -j4 -o sidecar $log
  for command in 'counts --by=function' 'counts --by=line --interval=500' \
    'sharing' 'reuse' 'patterns' 'pages' 'tlb' 'cache' 'calls' 'invariants' \
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
[ -z "${DG_VIEW:-}" ] ||
  for options in '' --quick --colour=thread --x-axis=blocks 'log'; do
    # shellcheck disable=SC2086
    run "$DG_VIEW" --render=picture.png $options log.dgz
    status 0
  done
finish
