# Running a program under the recorder and under another tool so that it does
# the same: one launcher, one environment, its stack at one place.  To be
# sourced behind record.sh.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

# shellcheck shell=bash disable=SC2034

# find_oracle TOOL: of the same version, started by the same launcher.
find_oracle ()
{
  local dir ours theirs
  oracle=$1
  oracle_lib=
  # They count each repetition of rep movs.
  export DATAGRIND_REPETITIONS=each
  for dir in "$vg_lib" /usr/libexec/valgrind /usr/lib/valgrind \
             /usr/local/libexec/valgrind; do
    [ ! -x "$dir/$1-$guest_arch-linux" ] || { oracle_lib=$dir && break; }
  done
  [ -n "$oracle_lib" ] || skip_all "no $1"
  launcher=$vg_launcher
  case $launcher in
    */vg-in-place) launcher=${launcher%/*}/coregrind/valgrind ;;
  esac
  [ -n "$vg_lib" ] || skip_all "cannot tell where the tool's programs are"
  fixed=
  ! setarch -R true 2> /dev/null || fixed="setarch -R"
  # The programs find VALGRIND_LIB on their stack: names of one length.
  ln -sfn "$vg_lib" "$T/lib-ours"
  ln -sfn "$oracle_lib" "$T/lib-them"
  filled=LD_PRELOAD=
  ours=$(run_in ours --tool=exp-datagrind --version)
  theirs=$(run_in them --tool="$1" --version)
  [ "$ours" = "$theirs" ] || skip_all "$1 is of $theirs, the tool of $ours"
}

run_in () # ours|them OPTIONS... PROGRAM...
{
  local where=$1 preload=LD_PRELOAD=
  shift
  [ "$where" = ours ] || preload=$filled
  # shellcheck disable=SC2086
  env -i "$preload" PATH="$PATH" HOME="$T" VALGRIND_LIB="$T/lib-$where" \
    $fixed "$launcher" "$@"
}
ours ()
{
  run_in ours --tool=exp-datagrind -q "$@"
}
theirs ()
{
  # shellcheck disable=SC2086
  run_in them --tool="$oracle" --vex-guest-chase=no \
    --vex-iropt-unroll-thresh=0 $hints "$@"
}

# The recorder has it by itself.
hints=
[ "$guest_arch" != arm64 ] || hints=--sim-hints=fallback-llsc

# The environments differ by the name of the preloaded library, and so would
# the addresses of the stack: fill LD_PRELOAD, which static programs ignore.
fill () # PROGRAM that prints how large its environment is
{
  local a b
  filled=LD_PRELOAD=
  a=$(ours --datagrind-out-file=/dev/null "$1" 2> /dev/null)
  b=$(theirs "--log-file=/dev/null" "${@:2}" "$1" 2> /dev/null)
  [ -n "$a" ] && [ "${a% *}" = "${b% *}" ] || return 1
  a=$((${a#* } - ${b#* }))
  [ "$a" -ge 0 ] || return 1
  filled=LD_PRELOAD=$(head -c "$a" /dev/zero | tr '\0' x)
}

# Programs without a C library, guests/bare-NAME.c, and how they are made.
bare=(-static -nostdlib -fno-pie -no-pie -ffreestanding -fno-stack-protector
      -fno-tree-loop-distribute-patterns -Wl,-z,max-page-size=4096)
case $guest_arch in
  amd64)
    bare+=(-fcf-protection=none)
    bare_names='int float string atomic recurse flow' ;;
  *)
    [ "$guest_arch" != arm64 ] || bare+=(-mno-outline-atomics)
    [ "$guest_arch" != s390x ] || bare+=(-march=z13)
    bare_names="int recurse $guest_arch" ;;
esac

# What Massif wrote, without what it does not know.
massif_wrote () # FILE
{
  [ "$guest_arch" = amd64 ] ||
    python3 "$record_dir/massif_top.py" "$1"
}
