#!/bin/bash
# Debug information of the compilers of this machine, in all forms: what
# docs/languages.md says of each is shown.  LANGUAGES_UPDATE=1 writes the table
# there.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"

command -v python3 > /dev/null || skip_all 'no python3'
# Each form of debug information once; all compilers with each of them with
# DG_TEST_LONG.
quick=--quick
[ -z "$DG_TEST_LONG$LANGUAGES_UPDATE$LANGUAGES_ROWS" ] || quick=
# What is compared are names; check_json.py sees these documents elsewhere.
DG=$dg_itself VALGRIND_DG=$VALGRIND_DG \
  HOME=$(getent passwd "$(id -u)" | cut -d: -f6) \
  python3 -B "$record_dir/languages.py" "$record_dir/languages" \
  "$abs_top_srcdir/docs/languages.md" ${LANGUAGES_UPDATE:+--update} \
  ${LANGUAGES_ROWS:+--rows="$LANGUAGES_ROWS"} $quick
