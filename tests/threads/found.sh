# found.sh: the thread sanitizer finds races that are there, and none that are
# not: in our code, in GLib's, and across GLib's locks.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later
#
# In the build of `make check-threads` with a GLib that the sanitizer sees into;
# elsewhere what needs no such GLib.

. "${abs_srcdir:?}/cli/lib.sh"
. "$abs_srcdir/threads/lib.sh"

cannot ()
{
  skip "$1"
  finish
  exit 0
}

race=$abs_builddir/threads/race
case $CFLAGS in
*fsanitize=thread*) ;;
*sanitize*)
  cannot 'a build with another sanitizer'
  ;;
*)
  race=./race
  # Ends by pthreads, which the sanitizer knows of itself.
  races=variable ordered=join
  # shellcheck disable=SC2046  # words on purpose
  ${CC:-cc} -g -O1 -fsanitize=thread $(pkg-config --cflags glib-2.0) \
    "$abs_srcdir/threads/race.c" -o race $(pkg-config --libs glib-2.0) \
    2> compile || cannot 'the compiler has no thread sanitizer'
  ;;
esac

# Where the kernel places things too freely for the sanitizer.
without=
$race join > /dev/null 2>&1 || without='setarch -R'
$without $race join > /dev/null 2>&1 ||
  cannot 'the thread sanitizer does not start here'

# shellcheck disable=SC2086  # may be nothing
planted 'WARNING: ThreadSanitizer: data race' $without $race
finish
