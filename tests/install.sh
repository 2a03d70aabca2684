#!/bin/bash
# What `./bootstrap` installed works as users type it, in any directory.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

if [ -z "$DATAGRIND_INSTALLED" ]; then
  echo "1..0 # SKIP only ./bootstrap check installs before it tests"
  exit 0
fi
unset VALGRIND_LIB
prefix=$DATAGRIND_INSTALLED
PATH=$prefix/bin:$PATH
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 99
n=0

# check NAME COMMAND...
check ()
{
  local name=$1
  shift
  n=$((n + 1))
  if "$@" >out 2>&1 </dev/null; then
    echo "ok $n - $name"
  else
    echo "not ok $n - $name"
    sed 's/^/# /' out | tail -n 20
  fi
}

record () { valgrind -q --tool=exp-datagrind "$@" && ls datagrind.out.*; }
check "valgrind --tool=exp-datagrind true" record true
log=$(echo datagrind.out.*)
check "dg info" dg info "$log"
check "dg check" dg check "$log"
if command -v dg_view >/dev/null; then
  check "dg_view --render" dg_view --render=out.png "$log"
fi

cat >client.c <<'CODE'
#include <valgrind/datagrind.h>
int main (void)
{
  int a[4] = { 0 };
  DATAGRIND_TRACK_RANGE (a, sizeof a, "int", "a");
  DATAGRIND_START_EVENT ("e");
  a[1]++;
  DATAGRIND_END_EVENT ("e");
  DATAGRIND_UNTRACK_RANGE (a, sizeof a);
  return a[0];
}
CODE
check "a C program with <valgrind/datagrind.h>" \
  ${CC:-cc} -Wall -Wextra -Werror -I"$prefix/include" -o client client.c
check "runs without Valgrind" ./client
cp client.c client.cc
check "a C++ program with <valgrind/datagrind.h>" \
  ${CXX:-c++} -Wall -Wextra -Werror -I"$prefix/include" -o clientxx client.cc
check "no code under NVALGRIND" sh -c "
  ${CC:-cc} -DNVALGRIND -I'$prefix/include' -O1 -S -o nv.s client.c &&
  ! grep -q rol nv.s"

cat >lib.c <<'CODE'
#include <libdatagrind.h>
int main (int argc, char **argv)
{
  struct dg_log *log;
  struct dg_error err;
  if (argc < 2 || dg_log_open (argv[1], &log, &err))
    return 1;
  dg_log_close (log);
  return 0;
}
CODE
PKG_CONFIG_PATH=$prefix/lib/pkgconfig
export PKG_CONFIG_PATH
build_lib ()
{
  # shellcheck disable=SC2046  # words on purpose
  ${CC:-cc} -Wall -Wextra -Werror -o lib lib.c \
    $(pkg-config --cflags --libs datagrind)
}
check "a program of the library, by pkg-config" build_lib
check "opens the log" env LD_LIBRARY_PATH="$prefix/lib" ./lib "$log"
for page in dg dg_view exp-datagrind; do
  check "man page $page(1)" test -s "$prefix/share/man/man1/$page.1"
done
echo "1..$n"
