#!/bin/bash
# power-loss.sh: what a power loss leaves of archives that are being written.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=world.sh
. "$here/world.sh"

chunks_text 60000 > text
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
