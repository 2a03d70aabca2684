#!/bin/bash
# Several processes under `dg record`: each has an archive of its own that
# holds what a raw log of it does, with a name that tells it from the others.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/both.sh"

guest process -no-pie -fno-pie -pthread -static \
  || guest process -no-pie -fno-pie -pthread \
  || skip_all "the compiler cannot make the programs"
ulimit -c 0
program=$T/process

files () # FOLDER
{
  find "$1" -name 'datagrind.*' | sort
}
pid_in ()
{
  "$DG" dump "$1" 2> /dev/null \
    | sed -n 's/^0x[0-9a-f]* PROCESS pid=\([0-9]*\) .*/\1/p' | head -n 1
}
# One line for each process image: what tells it, and what it did.
fork_lines () # FOLDER
{
  local log
  for log in $(files "$1"); do
    echo "$(info "$log" end) $(info "$log" exit_status) $(info "$log" signal) $(records "$log" | md5sum)"
  done | sort
}
count_lines () # FOLDER
{
  local log
  for log in $(files "$1"); do
    echo "$(info "$log" end) $(info "$log" exit_status) $(info "$log" signal)" \
      "$(info "$log" instructions) $(info "$log" accesses)" \
      "$(info "$log" contexts)"
  done | sort
}

# How long the numbers of its processes are, in files' names.
digits () # FOLDER
{
  files "$1" | sed 's/.*datagrind\.\(out\.\)\?\([0-9]*\).*/\2/; s/[0-9]/9/g' \
    | sort
}

# images MODE NUMBER LINES [OPTIONS...]: as many archives as raw logs, alike.
images ()
{
  local mode=$1 number=$2 lines=$3 log
  shift 3
  # In a folder of the same name, which stands in the log.
  mkdir here
  cd here || exit 99
  # shellcheck disable=SC2086
  ENDING=../$mode.raw.end ending "${alone[@]}" $vg_command \
    --tool=exp-datagrind -q "$@" "$program" "$mode" > ../$mode.raw.out \
    2> ../$mode.raw.err
  cd ..
  mv here "$mode.raw"
  mkdir here
  cd here || exit 99
  ENDING=../$mode.live.end ending "${alone[@]}" "$dg_program" record \
    --valgrind="$vg_command" "$@" -- "$program" "$mode" > ../$mode.live.out \
    2> ../$mode.live.err
  cd ..
  mv here "$mode.live"
  is "$mode: ends alike" "$(cat "$mode.live.end")" "$(cat "$mode.raw.end")"
  is "$mode: prints the same" "$(sort "$mode.live.out")" \
    "$(sort "$mode.raw.out")"
  is "$mode: silent" "$(cat "$mode.live.err")" ""
  note "$mode: $(files "$mode.live" | tr '\n' ' ')"
  is "$mode: archives" "$(files "$mode.live" | wc -l)" "$number"
  if [[ $lines = count_lines && $(digits "$mode.live") \
        != "$(digits "$mode.raw")" ]]; then
    skip "$mode: archives and raw logs are alike" \
      "numbers of processes were not as long in both"
  else
    is "$mode: archives and raw logs are alike" "$($lines "$mode.live")" \
      "$($lines "$mode.raw")"
  fi
  for log in $(files "$mode.live"); do
    check "$mode: ${log##*/}" "$DG" check "$log"
    case ${log##*/} in
      datagrind."$(pid_in "$log")".*dgz)
        ok "$mode: ${log##*/}: named after its process" ;;
      *)
        not_ok "$mode: ${log##*/}: named after its process" \
          "which is $(pid_in "$log")" ;;
    esac
  done
}

images return 1 fork_lines
images fork 2 fork_lines
images forkkilled 2 fork_lines
# Threads, and processes at the same time: not the same in any two runs.
images forkbusy 3 true
images exec 1 fork_lines
images execself 2 fork_lines --trace-children=yes
images forkexec 3 fork_lines --trace-children=yes
# The shell writes numbers of processes, digit by digit.
images system 3 count_lines --trace-children=yes

# Children that become programs which nobody records.
for mode in vfork spawn; do
  live $mode.dgz "$program" $mode > $mode.out
  raw $mode.dg "$program" $mode > $mode.out
  is "$mode: ends alike" "$(cat $mode.dgz.end)" "$(cat $mode.dg.end)"
  check "$mode: archive" "$DG" check $mode.dgz
  same "$mode: accesses" accesses $mode.dg $mode.dgz
done

# A fixed name: nothing of one process gets into another's archive.
mkdir here
cd here || exit 99
live one.dgz "$program" fork > ../fixed.out
cd ..
mv here fixed
note "fixed name: $(find fixed -type f | sort | tr '\n' ' ')"
n=0
for log in fixed/*.dgz; do
  check "fixed name: ${log#fixed/}" "$DG" check "$log"
  n=$((n + 1))
done
is "fixed name: archives" $n 2
is "fixed name: the parent has it" "$(records fixed/one.dgz | md5sum)" \
  "$(for log in $(files fork.raw); do
       [ -z "$(records "$log" | grep '^FORK ')" ] || records "$log" | md5sum
     done)"

# Names: %p, %q, %%.
mkdir names
alone=("${alone[@]:0:2}" DG_TEST_WORD=word "${alone[@]:2}")
live 'names/%q{DG_TEST_WORD}.%p.%%.dgz' "$program" return > names.out
is "%p, %q{} and %% in names" \
  "$(find names -type f -name '*.dgz' | sed 's/[0-9][0-9]*/N/')" \
  names/word.N.%.dgz

done_testing
