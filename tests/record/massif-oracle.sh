#!/bin/bash
# "dg heap" beside Massif: the whole file is the same, but for the line "desc:"
# and, where libraries lie elsewhere, a constant difference of addresses.
#
# What is not compared: --time-unit=ms never is the same twice.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"
. "$record_dir/alike.sh"
command -v python3 > /dev/null || skip_all "no python3"
find_oracle massif

# Both free nothing of libc's and C++'s own at the end, as the recorder.
massif () # OPTIONS... PROGRAM...
{
  run_in them --tool=massif --run-libc-freeres=no --run-cxx-freeres=no \
    --massif-out-file="$T/theirs" "$@" > stdout.massif 2> err.massif < /dev/null
  massif_wrote theirs
}

recorded () # OPTIONS... PROGRAM...
{
  run_in ours --tool=exp-datagrind -q --datagrind-out-file="$T/log" "$@" \
    > stdout.ours 2> err.ours < /dev/null
}

# Without what may differ: arguments, and where code is.
neutral ()
{
  sed -E '/^(Massif|ms_print) arguments:/d; s/0x[0-9A-F]+: /0x: /'
}

same_print () # WHAT OPTIONS...
{
  local what=$1 threshold
  shift
  threshold=$(printf '%s\n' "$@" | grep '^--threshold=')
  # shellcheck disable=SC2086
  ms_print $threshold theirs | neutral > print.theirs
  "$DG" heap --print "$@" log 2> /dev/null | neutral > print.ours
  if cmp -s print.theirs print.ours; then
    ok "$what: --print as ms_print"
  else
    not_ok "$what: --print as ms_print" \
      "$(diff print.theirs print.ours | head -n 10)"
  fi
}

same () # WHAT OPTIONS...
{
  local what=$1 found any=
  shift
  case $what in
    *--heap=no*) any=--any ;;
  esac
  "$DG" heap "$@" -o "$T/ours" log > heap.out 2> heap.err ||
    { not_ok "$what" "$(cat heap.err)"; return; }
  if found=$(python3 "$record_dir/massif_compare.py" theirs ours $any \
    2>&1); then
    ok "$what: as massif: $found"
  else
    not_ok "$what: as massif" "$(head -n 3 heap.err)" "$found"
  fi
  [ -n "$any" ] || ! command -v ms_print > /dev/null || same_print "$what" "$@"
  "$DG" heap -j1 "$@" -o - log 2> /dev/null | cmp -s - ours ||
    not_ok "$what: the same with one worker"
}

settings=(
  "--time-unit=B"
  "--time-unit=B --threshold=0 --depth=4 --detailed-freq=1 --max-snapshots=20"
  "--time-unit=B --alloc-fn=my_alloc --alloc-fn=resize --alloc-fn=make
   --ignore-fn=left_out --ignore-fn=sqlite3_malloc
   --peak-inaccuracy=0 --heap-admin=16"
  "--time-unit=B --heap=no"
  "--time-unit=B --depth=200 --threshold=0.1 --max-snapshots=200
   --detailed-freq=3")

# Each program once with some of the settings, each of the settings with some
# of the programs; all with all with DG_TEST_LONG.
compare () # NAME PROGRAM...
{
  local name=$1 options number wanted
  shift
  case $name in
    heap-calls) wanted='0 2' ;;
    heap-grow) wanted='1 4' ;;
    heap-cpp) wanted='1 2' ;;
    heap-threads | heap-align) wanted=0 ;;
    heap-custom) wanted=3 ;;
    *) wanted='0 4' ;;
  esac
  [ -z "$DG_TEST_LONG" ] || wanted=${!settings[*]}
  recorded "$@" || note "$name: status $? of the program"
  for number in $wanted; do
    options=${settings[number]}
    # shellcheck disable=SC2086
    massif $options "$@"
    # shellcheck disable=SC2086
    same "$name $(echo $options)" $options
  done
}

# Since 3.22, Massif takes --alloc-fn and --ignore-fn as about inlined functions,
# too; dg does as before that.
inline=
# shellcheck disable=SC2086
version=$($VALGRIND_DG --version)
[ "$(printf '%s\n' valgrind-3.22 "$version" | sort -V | tail -n 1)" \
    = valgrind-3.22 ] || inline='-fno-inline -Dalways_inline=noinline'

for name in heap-calls heap-grow heap-align heap-cpp heap-threads \
            heap-custom; do
  case $name in
    heap-cpp) flags="-O2" ;;
    heap-threads) flags="-O2 -pthread" ;;
    heap-align) flags="-O0" ;;
    *) flags="-O2" ;;
  esac
  # shellcheck disable=SC2086
  if guest $name $flags $inline; then
    compare $name "$T/$name"
  else
    skip "$name" "the compiler cannot make it"
  fi
done

# Programs that nobody wrote for this.
if [ -x "$(system_program sqlite3)" ]; then
  cat > query.sql <<'EOF'
create table t (a, b);
with recursive n (i) as (select 1 union all select i + 1 from n where i < 300)
  insert into t select i, i * i from n;
create index x on t (b);
select count (*), sum (a) from t where b > 100;
EOF
  compare sqlite3 "$(system_program sqlite3)" -init /dev/null :memory: ".read query.sql"
else
  skip sqlite3 "there is no sqlite3"
fi
if [ -z "$DG_TEST_LONG" ]; then
  :
elif [ "$guest_arch" = amd64 ] && [ -x /usr/bin/python3 ]; then
  settings=("${settings[@]:0:3}")
  # Not -E, or its hashes are others each time.
  run_in () # as in alike.sh
  {
    local where=$1
    shift
    # shellcheck disable=SC2086
    env -i PATH="$PATH" HOME="$T" PYTHONHASHSEED=0 LD_PRELOAD= \
      VALGRIND_LIB="$T/lib-$where" $fixed "$launcher" "$@"
  }
  compare python3 /usr/bin/python3 -S -c 'print (sum (range (100)))'
else
  skip python3 "there is no python3"
fi
done_testing
