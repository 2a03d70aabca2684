# recordings.sh: recordings for tests of the Python module; to be sourced.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later
#
#   record_programs NAME...   compiles tests/record/guests/NAME.c and records
#                             it as NAME.dgz, by dg record
# Datagrind's recorder is that of the build; without it the test is skipped.

. "$(dirname "${BASH_SOURCE[0]}")/run.sh"
[ -n "$VALGRIND_DG" ] || skip_all "no Valgrind with exp-datagrind (VALGRIND_DG)"
export DATAGRIND_VALGRIND=${VALGRIND_DG%% --tool=*}
client_flags=-I${abs_top_srcdir:?}/include
for dir in "${DATAGRIND_VALGRIND%/*/*}/include" "$VALGRIND_TREE/include" \
           /usr/include/valgrind; do
  [ ! -e "$dir/valgrind.h" ] || client_flags="$client_flags -I$dir"
done

record_programs ()
{
  local name
  for name; do
    # shellcheck disable=SC2086
    ${CC:-cc} -std=gnu11 -g -O1 -w $client_flags \
      "$abs_top_srcdir/tests/record/guests/$name.c" -o "$name" -lpthread -lm ||
      skip_all "the compiler cannot make $name"
    "$DATAGRIND_DG" record -q -o "$name.dgz" -- "./$name" > "$name.out" 2>&1
    [ -s "$name.dgz" ] || {
      sed 's/^/# /' "$name.out"
      echo "Bail out! $name cannot be recorded"
      exit 99
    }
  done
}
