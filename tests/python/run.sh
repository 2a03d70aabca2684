# run.sh: what the tests of the Python module share; to be sourced.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later
#
#   needs NAME         $python has the libraries of that virtual environment (frames,
#                      cluster); the test is skipped without
#   run_test NAME.py ARGUMENT...   runs it with the module just built; it prints TAP
#
# build-aux/test-needs makes the virtual environments.

skip_all ()
{
  echo "1..0 # SKIP $1"
  exit 0
}

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
package=${abs_top_builddir:?}/python/package
[ -e "$package/datagrind/_native.so" ] ||
  skip_all "the Python module is not built"
python=${PYTHON:?}

work=$(mktemp -d "${TMPDIR:-/tmp}/datagrind-test.XXXXXX") || exit 99
trap 'cd / && rm -rf "$work"' EXIT
trap 'exit 99' HUP INT TERM
cd "$work" || exit 99

# Tests are not to depend on the user's settings.
export HOME=$work PYTHONNOUSERSITE=1 PYTHONDONTWRITEBYTECODE=1
unset PYTHONSTARTUP PYTHONHOME DATAGRIND_PLUGIN_PATH
export PYTHONPATH=$package:$here
export LD_LIBRARY_PATH=$abs_top_builddir/lib/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
# The programs themselves, not libtool's wrappers, which are slow to start.
for name in dg dg_view; do
  program=$abs_top_builddir/tools/dg
  [ $name = dg ] || program=${DG_VIEW:-none}
  real=${program%/*}/.libs/${program##*/}
  [ ! -x "$real" ] || program=$real
  [ ! -x "$program" ] ||
    export "DATAGRIND_$(echo $name | tr a-z A-Z)=$program"
done

needs ()
{
  local folder=${DATAGRIND_NEEDS:-/nowhere}/$1
  [ -e "$folder/.stamp" ] || skip_all "no libraries ($1): $(cat "$folder.failed" \
    2> /dev/null || echo './bootstrap check gets them')"
  python=$folder/bin/python
}

# The interpreter is not built with a sanitizer, so its library has to be the
# first; the interpreter itself leaks.
preload=
case " $CFLAGS " in
*-fsanitize=address*)
  preload=$(${CC:-cc} -print-file-name=libasan.so)
  export ASAN_OPTIONS=detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}
  ;;
esac

run_test ()
{
  local name=$1
  shift
  # A test that hangs is ended, and fails.
  LD_PRELOAD=$preload timeout -k 10 "${SECONDS_OF_TEST:-1800}" \
    "$python" -X faulthandler "$here/$name" "$@" 2>errors
  local status=$?
  cat errors >&2
  # Of one that crashes, where that was.
  [ $status -le 1 ] ||
    echo "Bail out! $name ended with status $status:" \
         "$(grep -v -e '^I0000' -e '^WARNING: All log' errors | head -n 12 |
              tr '\n' '|')"
  return $status
}
