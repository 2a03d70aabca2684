#!/bin/bash
# dg invariants has nothing to say of what the recorder records: calls and
# returns of all kinds, signals, coroutines, exceptions, threads, windows,
# heaps, faults.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"
ulimit -c 0

clean () # NAME [OPTIONS... --] PROGRAM [ARGS...]
{
  local name=$1
  shift
  # How it ended is no matter; the shell would tell of it.
  ( "$DG" record --valgrind="${VALGRIND_DG%% --tool=*}" -o "$name.dgz" "$@" \
    > "$name.out" 2> "$name.err"; true ) 2> /dev/null
  if [ ! -s "$name.dgz" ]; then
    not_ok "$name: recorded" "$(cat "$name.err")"
    return
  fi
  "$DG" invariants --top=8 "$name.dgz" > "$name.found" 2>&1
  if [ $? = 0 ] && grep -q '^Findings: none' "$name.found"; then
    ok "$name: nothing is found"
  else
    not_ok "$name: nothing is found" "$(cat "$name.found")"
  fi
}

# Loading of libraries is in the first two, and in those at the end.
static=$(static_flag)
for name in allocators blocks callbacks coroutines dead-loads exceptions \
            longjmp rewrites rettricks sigstack sleeps system-calls \
            tailcall; do
  case $name in
    allocators | blocks) link= ;;
    *) link=$static ;;
  esac
  guest $name $link -ldl -pthread || { skip $name "it cannot be compiled"; continue; }
  if [ -n "${DATAGRIND_CROSS:-}" ] &&
     ! "$DATAGRIND_CROSS/valgrind" -q --tool=none ./$name > alone 2>&1 &&
     grep -q Assert alone; then
    skip $name "Valgrind itself fails: $(grep -m 1 Assert alone)"
    continue
  fi
  clean $name -- ./$name
done
if guest deep $static; then
  clean folded -- ./deep 1000
  clean unfolded --datagrind-fold=no -- ./deep 2000
  clean depth --datagrind-stack-depth=3 -- ./deep 100
fi
if guest faults $static; then
  clean jump -- ./faults jump
  clean repair -- ./faults repair
fi
guest plugin -shared -fPIC && mv plugin plugin.so
if guest memory-map -ldl; then
  clean memory-map -- ./memory-map "$T/plugin.so"
fi
# One that makes a mistake.
if guest requests $static; then
  "$DG" record --valgrind="${VALGRIND_DG%% --tool=*}" -o requests.dgz \
    -- ./requests > /dev/null 2>&1
  "$DG" invariants requests.dgz > requests.found
  check "requests: an event that never began" \
    grep -q "the event 'never started' ends without" requests.found
  check "requests: nothing else" grep -q '^Findings *1$' requests.found
fi
guest manythreads $static -pthread && clean threads -- ./manythreads
guest phases $static && clean window --datagrind-skip=10000 -- ./phases
if guest process $static -pthread; then
  for mode in return segv abort kill overflow handled execfail; do
    clean $mode -- ./process $mode
  done
fi
for program in "sqlite3 :memory: 'create table t(x);insert into t values(1)'" \
               "python3 -S -E -c 'print(sum(range(9)))'"; do
  [ "${program%% *}" != python3 ] || [ -n "$DG_TEST_LONG" ] || continue
  name=${program%% *}
  system_program "$name" > /dev/null \
    && clean "$name" -- sh -c "exec $program"
done

done_testing
