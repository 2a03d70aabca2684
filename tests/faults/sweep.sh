#!/bin/bash
# sweep.sh [NAME...]: calls of each command fail, each once, and from there on
# always; what must hold is in tests/README.  Settings: FAULTS_STEP, every so
# many calls, 1: all; FAULTS_KINDS, as in faults_state.c.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=world.sh
. "$here/world.sh"
view=${DG_VIEW:-}
if [ -n "$view" ] && [ -x "${view%/*}/.libs/${view##*/}" ]; then
  view=${view%/*}/.libs/${view##*/}
fi

wanted () # NAME
{
  local name
  [ $# -gt 1 ] || return 0
  for name in "${@:2}"; do
    [ "$name" != "$1" ] || return 0
  done
  return 1
}

# sweep STEP KINDS NAME GROWS PROGRAM ARGUMENT...
sweep ()
{
  LD_PRELOAD=$SHIM FAULTS_FOLDER=$work FAULTS_STEP=$1 FAULTS_KINDS=$2 \
    FAULTS_NAME=$3 FAULTS_GROWS=${4#-} "${@:5}"
  tell "$3${2:+: $2}" $?
}

# run STEP KINDS NAME: of those in `commands`
run ()
{
  local name grows arguments program=$DG
  read -r name grows arguments < <(grep "^$3 " "$here/commands")
  if [ "${arguments%% *}" = dg_view ]; then
    [ -n "$view" ] || return
    program=$view
    arguments=${arguments#dg_view }
  fi
  # shellcheck disable=SC2086
  sweep "$1" "$2" "$name" "$grows" "$program" \
    ${arguments//RECORDER/$RECORDER}
}

step=${FAULTS_STEP:-11}
kinds=${FAULTS_KINDS:-}
while read -r name _; do
  case $name in '#'* | '') continue ;; esac
  wanted "$name" "$@" && run "$step" "$kinds" "$name"
done < "$here/commands"
# Where defects were: all calls of those kinds.
while read -r name found; do
  case $name in '#'* | '') continue ;; esac
  [ "$step" = 1 ] || ! wanted "$name" "$@" || run 1 "$found" "$name"
done < "$here/found"
echo "1..$n_tests"
exit $status
