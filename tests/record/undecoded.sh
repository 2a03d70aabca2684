#!/bin/bash
# A program that ends at an instruction that Valgrind does not know: one
# sentence says which it is, and where, when it is recorded and when the log is
# read.  Others that SIGILL ends have no such instruction.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"

[ $guest_arch = amd64 ] || skip_all "its program is for amd64 and x86"

# Lines of text as one.
joined () # FILE...
{
  cat "$@" | tr -s ' \n' ' '
}

has () # WHAT TEXT PATTERN
{
  # shellcheck disable=SC2254
  case $2 in
    $3) ok "$1" ;;
    *) note "$2" && not_ok "$1" ;;
  esac
}

dg_record ()
{
  "$DG" record --valgrind="${VALGRIND_DG%% --tool=*}" "$@"
}

sentence='Valgrind does not know the AVX-512 instruction at 0x* in kernel'
sentence+=' (undecoded.c:24) (code 62 f1 7c 48 58 c1 *), so that the program'
sentence+=' got SIGILL; remedy: build the code without AVX-512, for example'
sentence+=' with -march='

test_program () # what it says, and what it does not
{
  local command members
  dg_record -o log.dgz -- ./undecoded > out 2> err
  is "dg record: exit status" $? 132
  has "dg record says it" "$(joined err)" "*dg: log.dgz: $sentence*"
  dg_record -q -o quiet.dgz -- ./undecoded > out 2> err
  has "dg record -q says it" "$(joined err)" "*dg: quiet.dgz: $sentence*"
  for command in info counts cache 'allocs stats' advise; do
    # shellcheck disable=SC2086
    "$DG" $command log.dgz > out 2> err
    has "dg $command says it" "$(joined out err)" "*$sentence*"
  done
  "$DG" info --json log.dgz > out
  has "dg info --json says it" "$(joined out)" "*\"undecoded\": {*\"text\": \"$sentence*\"*"
  members='"address": "0x*", "code_bytes": "62 f1 7c 48 58 c1*",'
  members+=' "instruction_set": "AVX-512", "function": "kernel",'
  members+=' "module": "/*undecoded", "file": "/*undecoded.c", "line": 24,'
  members+=' "remedy": "build the code without AVX-512, for example with'
  members+=" ${sentence##* }*\", \"text\": \"Valgrind"
  has "dg info --json has its members" "$(joined out)" \
    "*\"undecoded\": {*$members*"
  is "dg check: nothing is wrong with the log" "$("$DG" check log.dgz)" \
    "log.dgz: good"
  # shellcheck disable=SC2086
  $VALGRIND_DG -q --datagrind-out-file=log.raw ./undecoded > out 2> err
  has "the tool says it with -q" "$(joined err)" \
    "*Datagrind: Valgrind does not know the AVX-512 instruction at 0x*kernel*"
  "$DG" counts log.raw > out
  has "the raw log has it" "$(joined out)" "*$sentence*"
}

# The handler of a crash says its own, and raises the signal again.
test_crash ()
{
  dg_record -o crash.dgz -- ./undecoded crash > out 2> err
  has "a handler that raises the signal again" "$(joined out err)" \
    "*crashed*dg: crash.dgz: $sentence*"
}

# Nothing was missing in Valgrind.
test_others ()
{
  local what
  for what in try trap raise; do
    dg_record -o "$what.dgz" -- ./undecoded $what > out 2> err
    "$DG" info $what.dgz > info 2>&1
    "$DG" counts $what.dgz >> info 2>&1
    ! grep 'does not know' err info > found
    is "nothing is said: $what" "$(cat found)" ""
  done
  is "its handler runs" "$(dg_record -o try.dgz -- ./undecoded try)" \
    handled
  is "programs that ask are told that there is no AVX-512" \
    "$(dg_record -o ask.dgz -- ./undecoded ask 2> err)" "0 0"
}

for bits in $guest_bits; do
  mkdir "$bits" && cd "$bits" || exit 99
  # shellcheck disable=SC2046
  if ! guest undecoded $(width $bits); then
    skip "$bits bits" "the compiler makes no programs of this width"
  elif ! record log.width ./undecoded try > out; then
    skip "$bits bits" "no tool for programs of this width"
  else
    note "$bits bits"
    case $bits in
      64) sentence="${sentence%=*}=x86-64-v3" ;;
      *) sentence="${sentence%=*}=i686" ;;
    esac
    test_program
    test_crash
    test_others
  fi
  cd ..
done

done_testing
