#!/bin/bash
# power-loss.sh: what a power loss leaves of archives that are being written.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=world.sh
. "$here/world.sh"

# Some chunks, whose runs are so alike that they are small.
{
  log_text 3 | sed '/^untrack_range/,$d'
  echo 'chunk'
  for n in 1 2 3 4; do
    echo "repeat 60000"
    echo "bbrun 0 3 [0x2000 $((0x3000 + n * 72)) 0x2030]"
    echo "bbrun 0 3 [0x1000 $((0x5000 + n * 72)) 0x2030]"
    echo "done"
    echo "chunk"
  done
  echo 'end why=0 exit_code=0'
} > text
"$DGASM" -o long text || exit 99

# traced NAME HOW LOG COMMAND...: what the command writes, and what of it may
# be left.
traced ()
{
  local name=$1 how=$2
  rm -rf before
  mkdir before
  cp "$3" before/log
  [ "$name" != old.dgz ] || cp log.dgz before/old.dgz
  rm -f trace
  env LD_PRELOAD="$SHIM" FAULTS_FOLDER="$work" FAULTS_GROWS=$name \
    FAULTS_NAME="$name" FAULTS_TRACE="$work/trace" "$DG" "${@:4}" &&
    python3 "$here/power_states.py" "$DG" trace "$name" "$how"
  tell "dg ${*:4:1} of $3: $name, $how" $?
}

cp before/log.dgz before/log .
traced out.dgz named log pack -j1 -o out.dgz log
traced old.dgz named log pack -j1 -o old.dgz log
traced out named log.dgz unpack -j1 -o out log
traced out.dgz growing log record -q -j1 --valgrind="$RECORDER" \
  --ring-dir=. -o out.dgz -- log
traced old.dgz growing log record -q -j1 --valgrind="$RECORDER" \
  --ring-dir=. -o old.dgz -- log
traced out.dgz growing long record -q -j1 --valgrind="$RECORDER" \
  --ring-dir=. -o out.dgz -- log
echo "1..$n_tests"
exit $status
