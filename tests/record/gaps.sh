#!/bin/bash
# Light code in long gaps, where nothing is recorded: the log is that of heavy
# code, to the instruction, with all stacks, wherever recording begins.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/both.sh"

ulimit -c 0
flags=(-no-pie -fno-pie)
guest gaps "${flags[@]}" -pthread -ldl \
  || skip_all "the compiler cannot make the programs"
as=gaps-library.so guest gaps-library -shared -fPIC

# How many light gaps there were, of all processes.
light_gaps ()
{
  sed -n 's/.*light gaps: \([0-9]*\),.*/\1/p' "$1.err" | paste -s -d ' '
}

records_of ()
{
  records "$1" | sed -E '/^THREAD_RUNS /s/ os_tid=[0-9]+/ os_tid=N/'
}
# How far another thread has come before it waits is decided again each time.
records_of_threads ()
{
  records_of "$1" | sed -E 's/ icount=[0-9]+/ icount=N/'
}
# A child's log tells first what it has from its parent: modules in the order
# in which the core has them, which puts to the front what was looked up.
sorted_records ()
{
  records_of "$1" | sort
}

# Records a program with heavy code in its gaps, and with light code; the logs
# of its children, too.
compared=records_of least=1
gaps () # NAME [OPTIONS... --] PROGRAM [ARGS...]
{
  local name=$1 log
  shift
  raw "$name-heavy.dg" --stats=yes --datagrind-gaps=heavy "$@" \
    > "$name.heavy" < /dev/null
  raw "$name-light.dg" --stats=yes --datagrind-gaps=light "$@" \
    > "$name.light" < /dev/null
  is "$name: ends alike" "$(cat "$name-light.dg.end")" \
    "$(cat "$name-heavy.dg.end")"
  is "$name: prints the same" "$(cat "$name.light")" "$(cat "$name.heavy")"
  note "$name: light gaps: $(light_gaps "$name-light.dg")"
  check "$name: heavy is heavy" test "$(light_gaps "$name-heavy.dg" |
    tr -d '0 ')" = ""
  check "$name: light is light" test "$(light_gaps "$name-light.dg" |
    cut -d ' ' -f 1)" -ge $least
  check_log "$name: log" "$name-light.dg"
  rm -f "$name"-*.dg.end "$name"-*.dg.err
  # A child's has its number behind.
  local heavy=("$name"-heavy.dg*) light=("$name"-light.dg*)
  is "$name: logs" "${#light[@]}" "${#heavy[@]}"
  for i in "${!heavy[@]}"; do
    log=$name${i/#0/}
    same "$log: records" "$compared" "${heavy[i]}" "${light[i]}"
    same "$log: accesses" accesses "${heavy[i]}" "${light[i]}"
  done
  rm -f "$name"-* "$name".*
}

toggle=--datagrind-toggle-fn=measured
gaps function $toggle ./gaps
gaps never --datagrind-start=no ./gaps
gaps request --datagrind-start=no ./gaps request
gaps handler $toggle ./gaps handler
gaps begins-in-handler --datagrind-toggle-fn=handler ./gaps handler
gaps handler-alone --datagrind-start=no ./gaps handler-on-its-stack
gaps handler-stack $toggle ./gaps handler-on-its-stack
gaps faults $toggle ./gaps faults
gaps jump $toggle ./gaps jump
gaps recursion --datagrind-toggle-fn=down ./gaps jump
fair=--fair-sched=try
compared=records_of_threads
gaps threads $fair $toggle ./gaps threads
gaps load --datagrind-toggle-fn=in_library ./gaps load
compared=sorted_records
gaps fork $toggle ./gaps fork
compared=records_of
gaps exec --trace-children=yes $toggle ./gaps exec
gaps stop $toggle --datagrind-stop-after=5k ./gaps jump
gaps stack-pointers $toggle --datagrind-stacks=yes ./gaps handler

# Where the length of a gap is known.
long=4000000
gaps skip --datagrind-skip=50M --datagrind-stop-after=20k ./gaps jump $long
gaps skip-function --datagrind-skip=50M $toggle ./gaps jump $long
gaps windows --datagrind-window=20k/15M ./gaps jump $long
gaps windows-functions --datagrind-window=20k/10M --datagrind-toggle-fn=work \
  ./gaps jump $long
least=0
gaps short --datagrind-window=20k/5M ./gaps jump
least=1

# Programs that do odd things to their stacks, and to their code.
for name in longjmp coroutines sigstack rettricks tailcall callbacks rewrites \
            exceptions deep; do
  if ! guest $name "${flags[@]}"; then
    skip "$name" "the compiler cannot make it"
    continue
  fi
  gaps $name --datagrind-start=no "./$name"
done
gaps rewrites-calls --datagrind-toggle-fn=compile ./rewrites
gaps coroutines-turns --datagrind-toggle-fn=yield ./coroutines
gaps sigstack-down --datagrind-toggle-fn=touch ./sigstack
gaps deep-repeat --datagrind-toggle-fn=work ./deep

if guest phases "${flags[@]}"; then
  gaps phases --datagrind-start=no ./phases requests
  gaps phases-functions --datagrind-toggle-fn=inner \
    --datagrind-toggle-fn=second ./phases jump
fi

# Where a function of the program is wrapped, recording begins behind its first
# block.
gaps_of_wrapped ()
{
  raw wrapped.dg --stats=yes --datagrind-gaps=light \
    --datagrind-toggle-fn=pthread_create* ./gaps threads > wrapped.out
  check "wrapped: log" "$DG" check wrapped.dg
  check "wrapped: light" test "$(light_gaps wrapped.dg)" -ge 1
  is "wrapped: windows" "$(records wrapped.dg | grep -c '^WINDOW on=1')" 1
}
gaps_of_wrapped

# What `dg record` packs, with one worker and two.
raw packed.dg $fair --datagrind-gaps=heavy $toggle ./gaps threads > packed.out
for jobs in 1 2; do
  live_options=(-j $jobs)
  live packed.dgz $fair $toggle ./gaps threads > packed.out
  check "packed by $jobs: archive" "$DG" check packed.dgz
  same "packed by $jobs: records" records_of_threads packed.dg packed.dgz
  same "packed by $jobs: accesses" accesses packed.dg packed.dgz
  rm -f packed.dgz*
done

# What is decided by itself: a long gap is light, a short one is not.
raw auto.dg --stats=yes $toggle ./gaps jump > auto.out
is "by itself: the first gap is light, short ones are not" \
  "$(light_gaps auto.dg)" 1
raw auto.dg --stats=yes --datagrind-window=20k/15M ./gaps jump $long > auto.out
is "by itself: short periods" "$(light_gaps auto.dg)" 0
raw auto.dg --stats=yes --datagrind-start=no --datagrind-scripts=yes \
  ./gaps > auto.out
is "by itself: not with scripts" "$(light_gaps auto.dg)" 0
raw auto.dg --stats=yes ./gaps > auto.out
is "by itself: nothing where all is recorded" "$(light_gaps auto.dg)" 0

if [ -z "${DATAGRIND_CROSS:-}" ] && [ -x "$vg_lib/exp-datagrind-x86-linux" ] \
   && as=gaps-32 guest gaps -m32 "${flags[@]}" -pthread -ldl; then
  for mode in request handler-on-its-stack jump; do
    gaps 32-$mode $toggle ./gaps-32 $mode
  done
  compared=records_of_threads
  gaps 32-threads $fair $toggle ./gaps-32 threads
  compared=records_of
  gaps 32-never --datagrind-start=no ./gaps-32 faults
  gaps 32-windows --datagrind-window=20k/15M ./gaps-32 jump $long
else
  skip "programs of 32 bits" "neither made nor recorded here"
fi

done_testing
