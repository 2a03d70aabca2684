#!/bin/bash
# sweep.sh [NAME...]: calls of each command fail, each once, and from there on
# always; what must hold is in tests/README.  Settings: FAULTS_STEP, every so
# many calls, 1: all; without it FAULTS_SAMPLE of each command, and those that
# had bad consequences, if FAULTS_FOUND is not "no"; FAULTS_KINDS, as in
# faults_state.c.
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

# sweep KINDS NAME GROWS PROGRAM ARGUMENT...
sweep ()
{
  LD_PRELOAD=$preload FAULTS_FOLDER=$work FAULTS_KINDS=$1 FAULTS_NAME=$2 \
    FAULTS_GROWS=${3#-} "${@:4}"
  tell "$2${1:+: $1}" $?
}

# run KINDS NAME: of those in `commands`
run ()
{
  local name grows arguments program=$DG
  read -r name grows arguments < <(grep "^$2 " "$here/commands")
  if [ "${arguments%% *}" = dg_view ]; then
    [ -n "$view" ] || return
    program=$view
    arguments=${arguments#dg_view }
  fi
  # shellcheck disable=SC2086
  sweep "$1" "$name" "$grows" "$program" ${arguments//RECORDER/$RECORDER}
}

sample=
[ -n "${FAULTS_STEP:-}" ] || sample=${FAULTS_SAMPLE:-8}
kinds=${FAULTS_KINDS:-}
before=$(cksum long)
while read -r name _; do
  case $name in '#'* | '') continue ;; esac
  wanted "$name" "$@" && FAULTS_SAMPLE=$sample run "$kinds" "$name"
done < "$here/commands"
while read -r name n found; do
  case $name in '#'* | '') continue ;; esac
  [ -z "${FAULTS_STEP:-}" ] && [ "${FAULTS_FOUND:-}" != no ] &&
    wanted "$name" "$@" || continue
  FAULTS_SAMPLE=${n#all} FAULTS_MODES=once run "$found" "$name"
done < "$here/found"
[ "$(cksum long)" = "$before" ]
tell 'the log that many read is what it was' $?
echo "1..$n_tests"
exit $status
