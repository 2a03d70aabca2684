#!/bin/bash
# tool.sh: calls of the recorder fail, in the program's own process: the program
# does not notice, and the log has what was written, or says why there is none.
# With FAULTS_STEP=1 each write fails once, otherwise some.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

# shellcheck source=../record/record.sh
. "$(dirname "$0")/../record/record.sh"
launcher=${VALGRIND_DG%% --tool=*}

# Only calls that name the log's file are counted, and fail.
strace -qq -o trace -P "$T/probe" -e inject=openat:error=EMFILE:when=1 \
  cat "$T/probe" > probed 2>&1
grep -q INJECTED trace 2> /dev/null ||
  skip_all 'strace is missing, or cannot make calls fail here'

cat > work.c << 'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
int
main (void)
{
  unsigned long sum = 0;
  int status;
  for (int i = 0; i < 60; i++) {
    unsigned char *p = malloc (1000 + i);
    memset (p, i, 1000);
    for (int k = 0; k < 1000; k++)
      sum += p[k];
    if (i & 1)
      free (p);
  }
  if (write (1, "before\n", 7) < 0)
    return 1;
  if (fork () == 0)
    _exit (write (1, "child\n", 6) < 0);
  if (wait (&status) < 0 || status != 0)
    return 2;
  printf ("sum %lu\n", sum);
  return 9;
}
END
# shellcheck disable=SC2046
$CC -O1 $(static_flag) -o work work.c || skip_all 'the compiler cannot make the program'
./work > expected

# unharmed WHAT STATUS: it ran to its end, or was not begun.
unharmed ()
{
  if [ ! -s out ] && [ "$2" != 0 ] && [ "$2" -lt 126 ]; then
    check "$1: the program was not begun, and why" \
      grep -Eq 'Datagrind: cannot|dg: record: ' err
  else
    is "$1: the program is unharmed" "$2 $(cat out)" "9 $(cat expected)"
  fi
}

injected ()
{
  grep -q INJECTED trace
}

# The bytes that the calls before the one that failed have written.
written_before ()
{
  awk '/INJECTED/ { exit } /^write\(/ { n += $NF } END { print n + 0 }' trace
}

# One recording to a file; the trace has what was injected.
raw () # [INJECTION...]
{
  local options=()
  for injection in "$@"; do
    options+=(-e "inject=$injection")
  done
  rm -f trace
  strace -qq -o trace -P "$T/log" -e trace=all "${options[@]}" \
    "$launcher" --tool=exp-datagrind -q --datagrind-out-file="$T/log" \
    ./work > out 2> err
}

is_whole () # LOG
{
  [ "$(info "$1" instructions)" = "$all" ] && "$DG" check "$1" > checked 2>&1
}

# Either all is there, or it is told, and all of the whole writes is read.
judge_raw () # WHAT STATUS
{
  local n
  injected || { not_ok "$1: was tried"; return; }
  unharmed "$1" "$2"
  if is_whole log; then
    ok "$1: the log is whole"
    return
  fi
  check "$1: it is told" grep -q 'Datagrind: ' err
  [ -s log ] || return
  n=$(written_before)
  head -c "$n" log > part
  is "$1: what was written is read" "$(info log instructions)" \
    "$(info part instructions)"
}

over=
try_raw () # WHAT INJECTION...
{
  rm -f log
  [ -z "$over" ] || cp whole log
  raw "${@:2}"
  judge_raw "$1" $?
}

raw
unharmed 'nothing fails' $?
all=$(info log instructions)
check 'nothing fails: the log is whole' "$DG" check log
cp log whole
writes=$(grep -c '^write(' trace)
check 'there are writes' [ "$writes" -gt 4 ]
some="1 2 $((writes / 2)) $writes"
[ "${FAULTS_STEP:-}" != 1 ] || some=$(seq "$writes")

try_raw 'opening the log' open:error=EMFILE:when=1
try_raw 'moving its descriptor' fcntl:error=EMFILE:when=1
for n in $some; do
  try_raw "write $n" "write:error=ENOSPC:when=$n"
done
try_raw 'all writes' write:error=ENOSPC:when=1+
try_raw 'all writes but two' write:error=EIO:when=3+
try_raw 'a write, and cutting it off' write:error=EIO:when=3 \
  ftruncate:error=EIO:when=1+
for error in EINTR EAGAIN; do
  try_raw "a write that is interrupted, $error" "write:error=$error:when=2"
  check "$error: the log is whole" "$DG" check log
done
try_raw 'the size of the log' statx:error=EIO:when=3
over=1
try_raw 'opening a log that is there' open:error=EACCES:when=3
try_raw 'emptying a log that is there' ftruncate:error=EIO:when=1

# The ring of dg record: the launcher becomes the program, under strace as its
# grandchild, so that the process is the one that the packer knows.
cat > launcher << 'END'
#!/bin/bash
for argument in "$@"; do
  case $argument in --datagrind-ring=*) rings=${argument#*=} ;; esac
done
read -r file injection < "$WANTED"
[ "$file" = owner ] || file=$$.$file
# It is named in its folder, which is open.
exec strace -D -o "$TRACE" -P "$rings/$file" -P "$file" -e trace=all \
  -e inject="$injection" "$LAUNCHER" "$@"
END
chmod +x launcher
# The program's environment is the same each time, and so what it does.
export LAUNCHER=$launcher TRACE=$T/trace WANTED=$T/wanted

ring () # FILE INJECTION
{
  echo "$*" > wanted
  rm -f trace ring*.dgz
  "$DG" record -q --valgrind="$T/launcher" -o ring.dgz -- ./work > out 2> err
  set -- $?
  wait_until grep -q '^+++ ' trace
  return "$1"
}

try_ring () # FILE INJECTION
{
  local status what="the ring, $1, $2"
  # Now and then the packer is there before the call is made.
  for _ in 1 2 3 4 5 6 7 8; do
    ring "$@"
    status=$?
    ! injected || break
    case $1 in want | none) ;; *) break ;; esac
  done
  if ! injected; then
    case $1 in
    want | none) skip "$what" 'the packer was faster' ;;
    *) not_ok "$what: was tried" ;;
    esac
    return
  fi
  unharmed "$what" $status
  if is_whole ring.dgz; then
    ok "$what: the log is whole"
  else
    check "$what: it is told" grep -q 'recorded' err
  fi
}

ring ring write:error=EIO:when=1
unharmed 'the ring, nothing fails' $?
all=$(info ring.dgz instructions)
for what in openat read statx close; do
  try_ring owner "$what:error=EIO:when=1"
done
for what in openat read fcntl mmap close unlinkat statx; do
  try_ring ring "$what:error=ENOMEM:when=1"
done
# The first one asks whether the ring is there.
try_ring ring openat:error=ENOMEM:when=2
try_ring ring statx:error=EIO:when=2+
try_ring ring fcntl:error=EMFILE:when=2
for what in openat close; do
  try_ring want "$what:error=ENOSPC:when=1"
done
try_ring none openat:error=EMFILE:when=1
done_testing
