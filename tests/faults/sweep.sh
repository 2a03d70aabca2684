#!/bin/bash
# sweep.sh [NAME...]: every call of every command fails once, and from there on
# always; what must hold is in tests/README.  Lines without "#" count what was
# tried.  Settings: STEP, every so many calls; KINDS; COMMANDS, a list as the
# file `commands`.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=world.sh
. "$here/world.sh"
: "${SHIM:?}" "${RECORDER:?}"
view=${DG_VIEW:-}
if [ -n "$view" ] && [ -x "${view%/*}/.libs/${view##*/}" ]; then
  view=${view%/*}/.libs/${view##*/}
fi
status=0

wanted () # NAME
{
  local name
  [ $# -gt 1 ] || return 0
  for name in "${@:2}"; do
    [ "$name" != "$1" ] || return 0
  done
  return 1
}

while read -r name grows arguments; do
  case $name in '#'* | '') continue ;; esac
  wanted "$name" "$@" || continue
  program=$DG
  case $arguments in
  dg_view*)
    [ -n "$view" ] || continue
    program=$view
    arguments=${arguments#dg_view } ;;
  esac
  # shellcheck disable=SC2086
  env LD_PRELOAD="$SHIM" FAULTS_FOLDER="$work" FAULTS_NAME="$name" \
    FAULTS_STEP="${STEP:-1}" FAULTS_KINDS="$KINDS" \
    FAULTS_GROWS="$grows" \
    "$program" ${arguments//RECORDER/$RECORDER} || status=1
done < "${COMMANDS:-$here/commands}"
exit $status
