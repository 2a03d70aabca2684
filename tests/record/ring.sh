#!/bin/bash
# --datagrind-ring: what the tool does when there is no ring to be had.  What
# it does with one is asked by the tests of dg record.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"

# Field 22 of /proc/PID/stat: when it began.
start_of () # PID
{
  sed 's/.*) //' "/proc/$1/stat" | cut -d' ' -f20
}
owner () # DIR PID
{
  mkdir -p "$1"
  echo "$2 $(start_of "$2")" > "$1/owner"
}

# A ring: its magic, version, size in the header, and bytes of the file.
make_ring () # FILE MAGIC VERSION DATA-SIZE FILE-SIZE
{
  perl -e 'my ($file, $magic, $version, $data, $size) = @ARGV;
    open my $f, ">", $file or die;
    print $f pack ("a8 L L L", $magic . "\r\n", $version, 4096, $data);
    truncate $f, $size or die;' "$@"
}

# refused NAME PATTERN COMMAND...: the command, in a process that becomes
# Valgrind, then Valgrind: nothing is run, and one message says why.
refused ()
{
  local name=$1 pattern=$2
  shift 2
  # shellcheck disable=SC2086
  (
    "$@" "$BASHPID"
    exec $VALGRIND_DG -q --datagrind-ring=rings sh -c 'echo ran'
  ) > "$name.out" 2> "$name.err"
  is "$name: exit status" $? 1
  is "$name: nothing is run" "$(cat "$name.out")" ""
  is "$name: one message" "$(wc -l < "$name.err")" 1
  check "$name: it says what is wrong" grep -q -e "$pattern" "$name.err"
  note "$(cat "$name.err")"
  is "$name: nothing is left but the owner" "$(ls rings 2> /dev/null)" \
    "$(cd rings 2> /dev/null && ls owner)"
  rm -rf rings
}

size=$((1 << 20))
ring () # MAGIC VERSION DATA-SIZE FILE-SIZE PID
{
  owner rings $$
  make_ring "rings/$5.ring" "$1" "$2" "$3" "$4"
}
none ()
{
  owner rings $$
  printf 'it is Sunday' > "rings/$1.none"
}
dead ()
{
  sleep 100 &
  owner rings $!
  kill $!
  wait $! 2> /dev/null
}
# Another process has the number now.
reused ()
{
  mkdir rings
  echo "$$ 12345" > rings/owner
}

refused folder 'not the folder' true
refused owner 'not the folder' mkdir -p rings
rm -rf [0-9]*
refused dead 'has ended' dead
refused reused 'has ended' reused
refused none 'it is Sunday' none
refused magic 'not a ring' ring DGRINX 1 $size $((size + 4096))
refused version 'version 7.*version 1' ring DGRING 7 $size $((size + 4096))
refused odd 'size' ring DGRING 1 $((size + 8)) $((size + 4104))
refused small 'size' ring DGRING 1 4096 8192
refused short 'size' ring DGRING 1 $size $size
refused empty 'cannot be read' ring DGRING 1 $size 12

# A packer that takes a ring's first megabyte and dies: the program goes on.
guest output || skip_all "the compiler cannot make the programs"
./output plain > native.out 2> /dev/null
native=$?
sleep 600 &
packer=$!
owner rings $packer
# shellcheck disable=SC2086
(
  make_ring "rings/$BASHPID.ring" DGRING 1 $size $((size + 4096))
  # The tool removes the other name.
  ln "rings/$BASHPID.ring" kept.ring
  exec $VALGRIND_DG -q --datagrind-ring=rings ./output plain
) > died.out 2> died.err &
guest=$!
# How much has been written is at byte 64 of the header (dg_ring.h), in units of
# eight bytes.
is_full ()
{
  [ -e kept.ring ] && \
    [ "$(od -An -t u4 -j 64 -N 4 kept.ring)" -gt $((size / 8 / 4 * 3)) ]
}
check "packer: the program fills the ring" wait_until is_full
kill -STOP $guest
is_stopped ()
{
  [ "$(sed 's/.*) //' /proc/$guest/stat | cut -c1)" = T ]
}
check "packer: waited for while it lives" wait_until is_stopped
kill -CONT $guest
kill $packer
wait $packer 2> /dev/null
wait $guest
is "packer died: exit status" $? $native
is "packer died: the program prints the same" "$(cat died.out)" \
  "$(cat native.out)"
is "packer died: one message" "$(grep -c 'Datagrind: ' died.err)" 1
note "$(cat died.err)"

# A program that an exec brings is not refused with its recorder gone.
sleep 600 &
packer=$!
owner rings $packer
# shellcheck disable=SC2086
(
  make_ring "rings/$BASHPID.ring" DGRING 1 $((1 << 24)) $(((1 << 24) + 4096))
  exec $VALGRIND_DG -q --datagrind-ring=rings --trace-children=yes \
    sh -c "kill $packer; rm -r rings; exec sh -c 'echo ran; exit 9'"
) > exec.out 2> exec.err
is "exec without a recorder: exit status" $? 9
is "exec without a recorder: the program runs" "$(cat exec.out)" ran
is "exec without a recorder: one message for each process" \
  "$(grep -c 'Datagrind: ' exec.err)" 2

done_testing
