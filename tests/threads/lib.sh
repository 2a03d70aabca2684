# lib.sh: what the tests of what looks for races share; to be sourced after
# cli/lib.sh.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

# shellcheck shell=bash

# What race.c does wrong, and what it does right.
races='variable table unlocked early'
ordered='mutex rwlock cond once private atomic queue pool join'

# planted MESSAGE COMMAND...: by COMMAND, which runs race.c, each of $races is
# found, with that message, and nothing is said of $ordered.
planted ()
{
  local message=$1 what
  shift
  for what in $races; do
    run "$@" "$what"
    status 66
    err_has "$message"
  done
  for what in $ordered; do
    run "$@" "$what"
    status 0
    no_err
  done
}

# A log of many chunks and several threads.
many_chunks () # to standard output, for dgasm
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
}
