#!/bin/bash
# The tool's options: all in --help, bad values refused, no word too much.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"

# shellcheck disable=SC2086
$VALGRIND_DG --help > help.txt 2>&1
is "--help: exit status" $? 0
for option in out-file ring exact stack-depth fold start toggle-fn skip stop-after \
              window max-size max-nodes; do
  check "--help: --datagrind-$option" \
    grep -q -e "--datagrind-$option=" help.txt
done
# shellcheck disable=SC2086
$VALGRIND_DG --help-debug > debug.txt 2>&1
for option in check-stacks gaps; do
  check "--help-debug: --datagrind-$option" \
    grep -q -e "--datagrind-$option=" debug.txt
done
is "--help: lines of the tool within 80 columns" \
  "$(grep -e datagrind help.txt | awk 'length > 80')" ""

# Refused: status 1, the option in the message, nothing run, no log.
for option in \
    --datagrind-stack-depth=0 --datagrind-stack-depth=255 \
    --datagrind-stack-depth=-1 --datagrind-stack-depth= \
    --datagrind-stack-depth=12x --datagrind-stack-depth=1e1 \
    --datagrind-stack-depth=99999999999999999999 \
    --datagrind-exact=maybe --datagrind-exact= --datagrind-fold=2 \
    --datagrind-start=later --datagrind-skip=-1 --datagrind-skip=abc \
    --datagrind-skip= --datagrind-stop-after=-5 --datagrind-stop-after=10x \
    --datagrind-stop-after=0x10 --datagrind-stop-after=99999999999999999999G \
    --datagrind-max-size=10X --datagrind-max-size=100K --datagrind-max-size=-1 --datagrind-max-size=M \
    --datagrind-max-size=1 --datagrind-max-nodes=0 \
    --datagrind-window= --datagrind-window=1k --datagrind-window=1k/ \
    --datagrind-window=/1k --datagrind-window=0/1k --datagrind-window=1k/1k \
    --datagrind-window=2k/1k --datagrind-window=1ms/1k \
    --datagrind-window=1/10ms --datagrind-window=1/2/3 \
    --datagrind-window=1ms/5000kms --datagrind-window-seed=x \
    --datagrind-max-nodes=x --datagrind-toggle-fn= \
    --datagrind-out-file= --datagrind-ring= --datagrind-unknown=1 --datagrind-check-stacks=x \
    --datagrind-gaps=yes
do
  rm -f datagrind.out.* refused.*
  # shellcheck disable=SC2086
  $VALGRIND_DG -q $option sh -c 'echo ran' > refused.out 2> refused.err
  status=$?
  why=
  [ $status = 1 ] || why="exit status $status"
  [ ! -s refused.out ] || why="$why; the program ran"
  grep -q -e "${option%%=*}" refused.err || why="$why; not named"
  [ -z "$(ls datagrind.out.* 2> /dev/null)" ] || why="$why; a log was made"
  if [ -z "$why" ]; then
    ok "refused: $option"
  else
    not_ok "refused: $option" "$why" "$(cat refused.err)"
  fi
done
note "like this: $(head -n 2 refused.err)"

# Accepted.
echo 'int main (void) { return 0; }' > accepted.c
# shellcheck disable=SC2046
$CC $(static_flag) accepted.c -o accepted || exit 99
for option in --datagrind-stack-depth=1 --datagrind-stack-depth=254 \
    --datagrind-exact=yes --datagrind-exact=no --datagrind-fold=no \
    --datagrind-skip=0 --datagrind-skip=5k --datagrind-stop-after=1G \
    --datagrind-stop-after=100 --datagrind-max-size=1M \
    --datagrind-max-size=100k --datagrind-max-size=100Ki --datagrind-max-nodes=100000 \
    --datagrind-window=1/2 --datagrind-window=1Ki/1M \
    --datagrind-window=1M/100M --datagrind-window=5ms/500ms \
    --datagrind-window-seed=3 --datagrind-gaps=heavy --datagrind-gaps=auto \
    --datagrind-toggle-fn=main --datagrind-start=no; do
  # shellcheck disable=SC2086
  $VALGRIND_DG -q --datagrind-out-file=accepted.dg $option ./accepted \
    > accepted.out 2>&1
  is "accepted: $option" "$? $(cat accepted.out)" "0 "
  check_log "accepted: $option: log" accepted.dg
done

# A normal run: the log's default name, and silence.
mkdir normal
cd normal || exit 99
# shellcheck disable=SC2086
$VALGRIND_DG -q sh -c 'exit 3' > ../normal.out 2>&1
is "normal run: exit status" $? 3
is "normal run, -q: nothing is printed" "$(cat ../normal.out)" ""
log=$(echo datagrind.out.*)
check "normal run: datagrind.out.PID" \
  sh -c "echo $log | grep -qx 'datagrind.out.[0-9][0-9]*'"
is "normal run: the name is the process's" \
  "${log##*.}" "$(info "$log" pid)"
is "normal run: nobody else may read the log" "$(stat -c %a "$log")" 600
rm -f "$log"
# shellcheck disable=SC2086
$VALGRIND_DG true > ../normal.out 2>&1
# Valgrind's banner, and two empty lines at most.
is "normal run: only Valgrind's own banner" \
  "$(sed 's/^==[0-9]*== \{0,1\}//' ../normal.out | grep -v \
     '^$\|^Command: \|^Copyright \|^Using Valgrind\|^NOTE: This is an\|^Datagrind, ')" \
  ""
cd ..

# Recording changes nothing that the program sees of itself.
record seen.dg sh -c 'echo "$0 $# $1"; ls -l /proc/self/fd | wc -l' a b c \
  > seen.out
sh -c 'echo "$0 $# $1"; ls -l /proc/self/fd | wc -l' a b c > native.out \
  2> /dev/null
is "the program sees the same arguments and files" "$(cat seen.out)" \
  "$(cat native.out)"

# What dg info shows.
record info.dg true one two
is "dg info: version" "$(info info.dg version)" 1
is "dg info: word_size" "$(info info.dg word_size)" 8
check "dg info: command" \
  sh -c "'$DG' info --json info.dg | grep -q 'one.*two\|\"one\"'"
for key in instructions accesses reads writes runs bbdefs contexts; do
  is "dg info: $key" "$(info info.dg $key)" \
    "$(dglog 'my $t = read_log ($ARGV[0]);
       $t->{accesses} = $t->{reads} + $t->{writes};
       print $t->{$ARGV[1]}' info.dg $key)"
done

done_testing
