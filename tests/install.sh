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

# As the README has it.
check "dg record -o prog.dgz -- true" dg record -o prog.dgz -- true
check "dg info prog.dgz" dg info prog.dgz
check "dg check prog.dgz" dg check prog.dgz
dump () { dg dump --accesses "$@" >dump && grep -q '^ [LS]' dump; }
check "dg dump --accesses --events=dso:libc.so.6 prog.dgz" \
  dump --events=dso:libc.so.6 prog.dgz
record () { "$@" && ls datagrind.*; }
check "dg record true" record dg record true
archive=$(echo datagrind.*.dgz)
check "dg info $archive" dg info "$archive"
check "valgrind --tool=exp-datagrind true" \
  record valgrind -q --tool=exp-datagrind true
log=$(echo datagrind.out.*)
check "dg info" dg info "$log"
check "dg check" dg check "$log"
schemas ()
{
  dg --schema | cut -d ' ' -f 1 >names && [ -s names ] &&
    while read -r name; do
      dg --schema "$name" | grep -q '"$id"' || return
    done <names
}
check "dg --schema" schemas
check "dg pack" dg pack "$log" -o packed.dgz
check "dg heap" dg heap -o massif.out "$log"
if command -v ms_print >/dev/null; then
  check "which ms_print reads" ms_print massif.out
fi
check "dg unpack" dg unpack packed.dgz -o unpacked
check "unpacked as it was" cmp "$log" unpacked
if command -v dg_view >/dev/null; then
  check "dg_view --render" dg_view --render=out.png "$log"
  check "dg_view --render of an archive" dg_view --render=archive.png prog.dgz
fi

# Where the tool cannot go to the machine's Valgrind, a private one is put
# under the prefix, and dg, which is beside it, uses it.
private=$dir/private
install_private ()
{
  mkdir -p "$private/bin" && cp "$prefix/bin/dg" "$private/bin" &&
    env -u MAKEFLAGS -u MAKELEVEL make -C "$abs_top_builddir" install-private \
      prefix="$private" VALGRIND_TOOLS="$private/lib/datagrind/valgrind"
}
# Wherever both are moved.
private_record ()
{
  mv "$private" "$dir/moved" && private=$dir/moved &&
    LD_LIBRARY_PATH=$prefix/lib "$private/bin/dg" record -o private.dgz -- \
    true &&
    dg dump private.dgz | grep "TEXT_AVMA.*\"$private/lib/datagrind/valgrind"
}
if [ -n "$VALGRIND_TREE" ]; then
  check "a private Valgrind is installed" install_private
  check "dg record uses it" private_record
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
# The same without --libs: a plug-in finds the library in dg.
build_plugin ()
{
  # shellcheck disable=SC2046
  ${CC:-cc} -Wall -Wextra -Werror -Wno-unused-parameter -shared -fPIC \
    -o sizes.so "$abs_top_srcdir/docs/examples/sizes.c" \
    $(pkg-config --cflags datagrind)
}
check "a plug-in, by pkg-config" build_plugin
check "which runs" env DATAGRIND_PLUGIN_PATH=. dg sizes "$log"
analyses=$(dg --help |
  sed -n '/^Analyses/,/^$/s/^  \([a-z][a-z0-9-]*\) .*/\1/p')
for page in dg dg-allocs dg-heap dg_view exp-datagrind \
  ${analyses:+$(printf 'dg-%s ' $analyses)}
do
  check "man page $page(1)" test -s "$prefix/share/man/man1/$page.1"
done

# What is installed is removed again, to the last file; elsewhere, so that the
# installed one stays.
there_and_gone ()
{
  set -- env -u MAKEFLAGS -u MAKELEVEL make -C "$abs_top_builddir" \
    DESTDIR="$dir/there"
  "$@" install >made 2>&1 &&
    [ "$(find there -type f | wc -l)" -gt 100 ] &&
    [ -n "$(find there -name 'exp-datagrind-*-linux')" ] &&
    "$@" uninstall >>made 2>&1 || {
      tail -n 20 made
      return 1
    }
  find there ! -type d >left
  cat left
  [ ! -s left ]
}
check "make uninstall leaves nothing" there_and_gone
echo "1..$n"
