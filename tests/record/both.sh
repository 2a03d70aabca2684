# What the tests of archives share: one program recorded twice, once to a raw
# log and once by `dg record`, in environments so equal that all addresses
# are, and the two compared.  To be sourced by bash, in place of record.sh.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

# shellcheck shell=bash
. "$(dirname "${BASH_SOURCE[0]}")/record.sh"
set -o pipefail

vg_command=${VALGRIND_DG%% --tool=*}

# Nothing in the environment but this, the stack where it always is.  The
# loader reads LD_PRELOAD, to which Valgrind adds, four bytes at a time; were
# it the last, it would look at the random bytes that follow on the stack.
alone=(env -i LD_PRELOAD= "${dg_environment[@]}" PATH="$PATH" HOME="$T" LC_ALL=C
       VALGRIND_LIB="$VALGRIND_LIB")
if setarch -R true 2> /dev/null; then
  alone+=(setarch -R)
fi

# Both leave how the program ended in LOG.end and what it, and Valgrind, said
# on standard error in LOG.err.  live_options are for `dg record` alone.
live_options=()
raw () # LOG [OPTIONS... --] PROGRAM [ARGS...]
{
  local log=$1
  shift
  split_options "$@"
  # shellcheck disable=SC2086  # words on purpose
  ENDING=$log.end ending "${alone[@]}" $vg_command --tool=exp-datagrind -q \
    --datagrind-out-file="$log" "${options[@]}" "${program[@]}" 2> "$log.err"
  sed -i 's/==[0-9]*==/==N==/' "$log.err"
}
live () # ARCHIVE [OPTIONS... --] PROGRAM [ARGS...]
{
  local archive=$1
  shift
  split_options "$@"
  ENDING=$archive.end ending "${alone[@]}" "$dg_program" record \
    --valgrind="$vg_command" -o "$archive" "${live_options[@]}" \
    "${options[@]}" -- "${program[@]}" 2> "$archive.err"
  sed -i 's/==[0-9]*==/==N==/' "$archive.err"
}
split_options ()
{
  options=()
  while [ "${1#-}" != "$1" ]; do
    if [ "$1" = -- ]; then shift; break; fi
    options+=("$1")
    shift
  done
  program=("$@")
}

# What dg dump says of a log or an archive is asked for once, by all that is
# read of it, where it is little.
keep_text=
dumped () # LOG
{
  if [ -e "$1.text" ]; then
    cat "$1.text"
  elif [ -z "$keep_text" ]; then
    "$DG" dump "$1"
  else
    "$DG" dump "$1" > "$1.text" || { rm -f "$1.text"; return 1; }
    cat "$1.text"
  fi
}
# The records as text, without what differs between any two runs: offsets,
# numbers of processes, times; without the markers of chunks, which say where
# things lie in one file; and without BBFLOWs and BBCODEs, which may stand
# anywhere: in an archive where a block is made, also of blocks that are never
# run.
records () # LOG
{
  dumped "$1" | sed -E -e 's/^0x[0-9a-f]+ //' -e '/^BBRUN /b' \
    -e '/^(CHUNK|CLOCK|BBFLOW|BBCODE) /d' \
    -e '/^PROCESS /s/ (pid|ppid|start_ticks|wall_ns)=[0-9]+/ \1=N/g' \
    -e '/^THREAD_START /s/ os_tid=[0-9]+/ os_tid=N/' \
    -e '/^FORK /s/ pid=[0-9]+/ pid=N/' -e '/^END /s/ back=[0-9]+/ back=N/'
}
notes () # LOG
{
  dumped "$1" | sed -E -n 's/^0x[0-9a-f]* (BBFLOW|BBCODE) /\1 /p' \
    | sort -u
}
accesses () # LOG
{
  "$DG" dump --accesses "$1"
}
# What dg info counts.
figures () # LOG
{
  "$dg_itself" info --json "$1" \
    | grep -vE '"(form|version|recording|pid|chunks|file_size|good_bytes)" *:'
}

nothing=$(md5sum < /dev/null)

# The sum of what a function prints of a log, kept for the next time.
sum () # FUNCTION LOG
{
  [ -e "$2.$1" ] || "$1" "$2" 2>&1 | md5sum > "$2.$1" || return 1
  cat "$2.$1"
}
# The same text?  Shows where not.
same () # WHAT FUNCTION LOG OTHER
{
  local a b
  a=$(sum "$2" "$3") || { not_ok "$1" "cannot read $3"; return; }
  b=$(sum "$2" "$4") || { not_ok "$1" "cannot read $4" \
                                 "$("$2" "$4" 2>&1 > /dev/null)"; return; }
  if [ "$a" = "$nothing" ] && [ "$(info "$3" accesses)" != 0 ]; then
    not_ok "$1" "both are empty"
  elif [ "$a" = "$b" ]; then
    ok "$1"
  else
    not_ok "$1" "$(diff <("$2" "$3" 2>&1) <("$2" "$4" 2>&1) \
      | cut -c 1-300 | head -n 12)"
  fi
}

# Records a program both ways; the archive holds what the raw log does.
alike () # NAME [OPTIONS... --] PROGRAM [ARGS...]
{
  local name=$1
  shift
  raw "$name.dg" "$@" > "$name.out" < /dev/null
  live "$name.dgz" "$@" > "$name.live" < /dev/null
  is "$name: ends alike" "$(cat "$name.dgz.end")" "$(cat "$name.dg.end")"
  is "$name: prints the same" "$(cat "$name.live")" "$(cat "$name.out")"
  is "$name: standard error" "$(cat "$name.dgz.err")" "$(cat "$name.dg.err")"
  if [ ! -s "$name.dgz" ]; then
    not_ok "$name: an archive"
    return 1
  fi
  note "$name: $(info "$name.dgz" accesses) accesses,\
 $(stat -c %s "$name.dg") bytes raw, $(stat -c %s "$name.dgz") packed"
  check "$name: archive" "$DG" check "$name.dgz"
  [ "$(stat -c %s "$name.dg")" -gt 4000000 ] || keep_text=yes
  same "$name: records of raw log and archive" records "$name.dg" "$name.dgz"
  is "$name: the archive has the BBFLOWs and BBCODEs of the raw log" \
    "$(comm -23 <(notes "$name.dg") <(notes "$name.dgz") | head -n 5)" ""
  same "$name: accesses of raw log and archive" accesses "$name.dg" "$name.dgz"
  same "$name: figures of raw log and archive" figures "$name.dg" "$name.dgz"
  rm -f "$name".dg*.text
  keep_text=
}

# A raw log when packed and unpacked.  What is the same byte for byte has been
# read well.
packs () # NAME RAW [FUNCTION: what is read of the archive, too]
{
  check "$1: packs" "$DG" pack "$2" -o "$2.packed"
  [ $# = 2 ] || check "$1: packed" "$DG" check "$2.packed"
  [ $# = 2 ] || same "$1: $3 when packed" "$3" "$2" "$2.packed"
  check "$1: unpacks again" "$DG" unpack "$2.packed" -o "$2.back"
  check "$1: byte for byte as before" cmp "$2" "$2.back"
  rm -f "$2".packed* "$2.back"
}

# That, and both when packed and unpacked; with DG_TEST_LONG what is unpacked
# is packed again.
both () # NAME [OPTIONS... --] PROGRAM [ARGS...]
{
  alike "$@" || return
  check "$1: unpacks" "$DG" unpack "$1.dgz" -o "$1.raw"
  same "$1: records when unpacked" records "$1.dg" "$1.raw"
  if [ -n "$DG_TEST_LONG" ]; then
    check "$1: unpacked" "$DG" check "$1.raw"
    packs "$1, unpacked" "$1.raw"
    packs "$1" "$1.dg" accesses
  else
    packs "$1" "$1.dg"
  fi
  rm -f "$1".*
}
