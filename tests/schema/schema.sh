# schema.sh: what dg writes with --json is compared with its schema; to be
# sourced by bash.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later
#
#   schema_keep FOLDER   from now on, $DG is dg that keeps in FOLDER what it
#                        writes with --json; $dg_itself is what it was
#   schema_any           whether it has written something
#   schema_python        sets schema_python to a Python that has jsonschema;
#                        false, and schema_why says why, if there is none
#   schema_check         prints what is not as docs/schema/ says; false if
#                        there is something
#
# build-aux/test-needs gets jsonschema.

schema_keep ()
{
  kept_json=$1 dg_itself=$DG
  {
    echo '#!/bin/sh'
    echo "itself='$DG' folder='$1'"
    echo ". '${abs_top_srcdir:?}/tests/schema/keep-json.sh'"
  } > "$1/dg"
  chmod +x "$1/dg"
  export DG=$1/dg
}

schema_any ()
{
  [ -n "$(find "$kept_json" -name '*.json' -size +0 -print -quit)" ]
}

schema_python ()
{
  local folder=${DATAGRIND_NEEDS:-/nowhere}/schema
  schema_python=$folder/bin/python
  [ ! -e "$folder/.stamp" ] || return 0
  schema_why="no jsonschema: $(cat "$folder.failed" 2> /dev/null ||
    echo './bootstrap check gets it')"
  return 1
}

schema_check ()
{
  PYTHONDONTWRITEBYTECODE=1 "$schema_python" \
    "$abs_top_srcdir/tests/schema/check_json.py" \
    "$abs_top_srcdir/docs/schema" "$kept_json"
}
