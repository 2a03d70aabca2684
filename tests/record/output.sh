#!/bin/bash
# When the log cannot be written: one clear message, and the program neither
# notices nor ends otherwise; what was written is good and says that it is
# not all.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"

# shellcheck disable=SC2046
guest output $(static_flag) || skip_all "the compiler cannot make the programs"
./output plain > native.out 2> /dev/null
native_status=$?

# lines FILE: lines of Valgrind in it.
messages ()
{
  grep -c . "$1"
}

# What holds in every case.
unharmed () # NAME STATUS
{
  is "$1: exit status" "$2" $native_status
  is "$1: the program prints the same" "$(cat "$1.out")" "$(cat native.out)"
}
# What is wrong, and what became of the recording: two lines, once.
one_message () # NAME
{
  local n
  n=$(messages "$1.err")
  note "$1: $(head -n 2 "$1.err")"
  if [ "$n" -ge 1 ] && [ "$n" -le 2 ] \
     && [ "$(grep -c 'Datagrind: ' "$1.err")" = "$n" ]; then
    ok "$1: one message"
  else
    not_ok "$1: one message" "$n lines:" "$(cat "$1.err")"
  fi
}
incomplete () # NAME LOG
{
  "$DG" check "$2" > check.out 2>&1
  is "$1: dg check finds the log cut short" $? 1
  check "$1: what stands before is good" \
    dglog 'my $m;
      my $t = read_log ($ARGV[0], error => sub { $m = $_[0] });
      die "$m\n" if $m && $m !~ /cut in/;
      die "says that it is whole\n" if $t->{ended} && $t->{why} < 2;
      die "holds nothing\n" unless $t->{runs}' "$2"
}
launch () # NAME LOG PROGRAM...
{
  local name=$1 log=$2
  shift 2
  # shellcheck disable=SC2086
  $VALGRIND_DG -q --log-file="$name.err" --datagrind-out-file="$log" "$@" \
    > "$name.out"
}

launch plain plain.dg ./output
unharmed plain $?
check_log "plain: log" plain.dg
is "plain: silent" "$(cat plain.err)" ""
note "plain: $(stat -c %s plain.dg) bytes"
rm -f plain.dg

# A full disk: a small file system if we may mount one, else a limit.
mkdir disk
if mount -t tmpfs -o size=600k none disk 2> /dev/null; then
  launch full disk/log ./output
  unharmed full $?
  one_message full
  check "full: the message names the reason" grep -qi 'space' full.err
  incomplete full disk/log
  is "full: the disk is full indeed" \
    "$(($(stat -c %s disk/log) > 300000))" 1
  umount disk
else
  skip "full disk" "no right to mount a tmpfs"
fi

(
  ulimit -f 400
  launch limit limit.dg ./output file
  echo $? > limit.status
) 2> limit.words
unharmed limit "$(cat limit.status)"
one_message limit
incomplete limit limit.dg
check "limit: the file is not longer" test "$(stat -c %s limit.dg)" -le 409600
rm -f limit.dg own

launch devfull /dev/full ./output
unharmed devfull $?
one_message devfull

launch devnull /dev/null ./output
unharmed devnull $?
is "devnull: silent" "$(cat devnull.err)" ""

# A reader that goes away.
mkfifo fifo
head -c 100000 fifo > head.dg &
launch fifo fifo ./output
unharmed fifo $?
wait
one_message fifo
check "fifo: what the reader got is good" \
  dglog 'my $m;
    read_log ($ARGV[0], error => sub { $m = $_[0] });
    die "$m\n" if $m && $m !~ /cut in/' head.dg

{ launch descriptor /dev/fd/9 ./output 9>&1 >&8; echo $? > status; } 8> o \
  | head -c 50000 > head.dg
mv o descriptor.words
unharmed descriptor "$(cat status)"
one_message descriptor

# A reader that stays gets everything.
cat fifo > whole.dg &
launch pipe fifo ./output
unharmed pipe $?
wait
check_log "pipe: the reader has the whole log" whole.dg
is "pipe: silent" "$(cat pipe.err)" ""
rm -f whole.dg

# No place for the log at all.
launch nowhere /nonexistent/folder/log ./output
status=$?
note "nowhere: exit status $status: $(head -n 3 nowhere.err)"
check "nowhere: the message names the file" \
  grep -q '/nonexistent/folder/log' nowhere.err
check "nowhere: few words" test "$(messages nowhere.err)" -le 2
: > file
launch inside file/log ./output
note "inside: exit status $?: $(head -n 3 inside.err)"
check "inside a file: the message names the file" grep -q 'file/log' inside.err
if [ "$(id -u)" = 0 ] && command -v setpriv > /dev/null; then
  # A place that others can reach, which our own need not be.
  theirs=$(mktemp -d /tmp/datagrind-test.XXXXXX) || exit 99
  trap 'cd / && rm -rf "$T" "$kept" "$theirs"' EXIT
  mkdir -m 555 "$theirs/locked"
  mkdir -m 777 "$theirs/tmp"
  chmod 755 "$theirs"
  cp output "$theirs/"
  as_other ()
  {
    (
      cd "$theirs" || exit 99
      # shellcheck disable=SC2086
      HOME=$theirs TMPDIR=$theirs/tmp setpriv --reuid 65534 --regid 65534 \
        --clear-groups $VALGRIND_DG -q "$@" ./output
    )
  }
  as_other --datagrind-out-file=/dev/null > locked.out 2> locked.err
  if [ $? = $native_status ]; then
    as_other --datagrind-out-file="$theirs/locked/log" > locked.out \
      2> locked.err
    note "locked: exit status $?: $(head -n 3 locked.err)"
    check "locked folder: the message names the file" \
      grep -q 'locked/log' locked.err
    check "locked folder: the message names the reason" \
      grep -qi 'permission' locked.err
  else
    skip "locked folder" "another user cannot run that Valgrind"
  fi
elif [ "$(id -u)" != 0 ]; then
  mkdir -m 555 locked
  launch locked locked/log ./output
  check "locked folder: the message names the file" \
    grep -q 'locked/log' locked.err
else
  skip "locked folder" "root and no setpriv"
fi

# A program that is rude to its file descriptors.
for mode in close dup many pipes; do
  launch $mode $mode.dg ./output $mode
  unharmed $mode $?
  check_log "$mode: log" $mode.dg
  is "$mode: silent" "$(cat $mode.err)" ""
  rm -f $mode.dg
done
(
  ulimit -n 24
  launch few few.dg ./output many
  echo $? > few.status
) 2> few.words
unharmed few "$(cat few.status)"
check_log "few: log" few.dg
rm -f few.dg

launch closed closed.dg ./output > /dev/null
launch closed closed.dg ./output >&- 2>&-
check_log "program without stdout and stderr: log" closed.dg

done_testing
