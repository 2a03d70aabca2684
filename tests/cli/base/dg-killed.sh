# A process that is killed while it writes a file leaves nothing of the new one,
# and what was there before: on file systems on which a file need have no name
# (O_TMPFILE), and on others, where the next to write the same removes it.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"

# Is killed as soon as it would give the new file its name, or at AT=write, the
# first time that it writes into it.  With UNNAMED=no there is no O_TMPFILE.
cat > killed.c << 'END_C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
static int
is (const char *variable, const char *value)
{
  const char *is = getenv (variable);
  return is != NULL && strcmp (is, value) == 0;
}
static void
at (const char *what)
{
  if (is ("AT", what))
    kill (getpid (), SIGKILL);
}
static void
at_write (int fd)
{
  struct stat st;
  if (fstat (fd, &st) == 0 && S_ISREG (st.st_mode))
    at ("write");
}
static int
make (const char *call, const char *name, int flags, mode_t mode)
{
  int (*real) (const char *, int, ...) = dlsym (RTLD_NEXT, call);
  if ((flags & O_TMPFILE) == O_TMPFILE && is ("UNNAMED", "no")) {
    errno = EOPNOTSUPP;
    return -1;
  }
  return real (name, flags, mode);
}
#define MODE(flags)                                     \
  mode_t mode = 0;                                      \
  va_list args;                                         \
  va_start (args, flags);                               \
  if (flags & (O_CREAT | O_TMPFILE))                    \
    mode = va_arg (args, mode_t);                       \
  va_end (args)
int
open (const char *name, int flags, ...)
{
  MODE (flags);
  return make ("open", name, flags, mode);
}
int
open64 (const char *name, int flags, ...)
{
  MODE (flags);
  return make ("open64", name, flags, mode);
}
int
linkat (int a, const char *from, int b, const char *to, int flags)
{
  int (*real) (int, const char *, int, const char *, int)
    = dlsym (RTLD_NEXT, "linkat");
  at ("end");
  return real (a, from, b, to, flags);
}
int
rename (const char *from, const char *to)
{
  int (*real) (const char *, const char *) = dlsym (RTLD_NEXT, "rename");
  at ("end");
  at ("rename");
  return real (from, to);
}
ssize_t
write (int fd, const void *bytes, size_t n)
{
  ssize_t (*real) (int, const void *, size_t) = dlsym (RTLD_NEXT, "write");
  at_write (fd);
  return real (fd, bytes, n);
}
ssize_t
writev (int fd, const struct iovec *vec, int n)
{
  ssize_t (*real) (int, const struct iovec *, int)
    = dlsym (RTLD_NEXT, "writev");
  at_write (fd);
  return real (fd, vec, n);
}
END_C
if ! ${CC:-cc} -w -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=0 -shared -fPIC \
     -o killed.so killed.c -ldl > compiler 2>&1; then
  skip "no compiler: $(head -n 1 compiler)"
  finish
  exit 0
fi

# with AT UNNAMED COMMAND...: the command, as told above.
with ()
{
  env AT="$1" UNNAMED="$2" LD_PRELOAD="$work/killed.so" \
    ASAN_OPTIONS="verify_asan_link_order=0:$ASAN_OPTIONS" "${@:3}"
}

assemble_small log
dg pack log -o packed.dgz
cat > trace << END
I  04000000,3
 L 1ffe,8
END
mkdir out
# Nothing was there, or what was there before.
while read -r command; do
  for unnamed in yes no; do
    for at in write end rename; do
      # shellcheck disable=SC2086  # words on purpose
      set -- ${command//FILE/out/file}
      rm -f out/*
      echo before > out/file
      with $at $unnamed "$DG" "$@" > stdout 2> stderr < /dev/null
      exit_status=$?
      title="$command, killed at $at, O_TMPFILE: $unnamed"
      status 137
      [ "$(head -n 1 out/file)" = before ]
      report 'what was there is there'
      left=$(find out -name '*.tmp' | paste -sd ' ')
      case $unnamed$at in
      yeswrite | yesend)
        [ -z "$left" ]
        report "nothing is left: $left"
        continue
        ;;
      esac
      [ -n "$left" ]
      report 'it was being written'
      # What another process is writing is left alone, as are other names.
      : > out/file.00000000.tmp
      : > out/file.tmp
      exec 9< out/file.00000000.tmp
      flock -n 9
      with never $unnamed "$DG" "$@" > stdout 2> stderr < /dev/null
      [ $? = 0 ] && ! grep -q "^before" out/file
      report 'the next writes it' stderr
      exec 9<&-
      ls out > listing
      printf '%s\n' file file.00000000.tmp file.tmp | cmp - listing
      report "and removes $left" listing
    done
  done
done << 'END'
pack log -o FILE
unpack packed.dgz -o FILE
cut --instructions=1.. log -o FILE
cut --instructions=1.. packed.dgz -o FILE
import --lackey=trace -o FILE
index log -o FILE
heap -o FILE log
END
finish
