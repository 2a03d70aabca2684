# rule.sh: rules that a tree follows, as TAP; to be sourced by bash.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

# shellcheck shell=bash
export LC_ALL=C
n=0
shopt -s lastpipe

# rule NAME: passes if nothing comes in on stdin, which is what breaks it.
rule ()
{
  local bad
  bad=$(cat)
  n=$((n + 1))
  if [ -z "$bad" ]; then
    echo "ok $n - $1"
  else
    echo "not ok $n - $1"
    printf '%s\n' "$bad" | sed 's/^/#   /' | head -n 20
  fi
}
