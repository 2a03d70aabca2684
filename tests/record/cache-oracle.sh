#!/bin/bash
# dg cache beside cachegrind: programs that are laid out alike under both, as
# they are linked statically and allocate nothing, have the same nine figures,
# whatever the caches.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/record.sh"
. "$record_dir/cache_oracle.sh"

# cachegrind of the same version, started by the same launcher.
oracle_lib=
for dir in "$vg_lib" /usr/libexec/valgrind /usr/lib/valgrind \
           /usr/local/libexec/valgrind; do
  if [ -x "$dir/cachegrind-amd64-linux" ]; then
    oracle_lib=$dir
    break
  fi
done
[ -n "$oracle_lib" ] || skip_all "no cachegrind"
[ -n "$vg_lib" ] || skip_all "cannot tell where the tool's programs are"
launcher=$vg_launcher
case $launcher in
  */vg-in-place) launcher=${launcher%/*}/coregrind/valgrind ;;
esac

# An environment of our own, the stack where it always is, and names of one
# length, since programs find them on their stack.
fixed=
if setarch -R true 2> /dev/null; then
  fixed="setarch -R"
fi
ln -s "$vg_lib" "$T/lib-ours"
ln -s "$oracle_lib" "$T/lib-them"
run () # LIB PRELOAD TOOL-OPTIONS... PROGRAM
{
  local lib=$1 preload=$2
  shift 2
  # shellcheck disable=SC2086
  env -i LD_PRELOAD="$preload" PATH="$PATH" HOME="$T" VALGRIND_LIB="$lib" \
    $fixed "$launcher" "$@"
}
cachegrind ()
{
  run "$T/lib-them" "$filled" --tool=cachegrind --cache-sim=yes -q \
    --vex-guest-chase=no --vex-iropt-unroll-thresh=0 "$@"
}
ours=$(run "$vg_lib" "" --tool=exp-datagrind --version)
theirs=$(run "$oracle_lib" "" --tool=cachegrind --version)
[ "$ours" = "$theirs" ] || skip_all "cachegrind is of $theirs, the tool of $ours"

# The two tools' environments differ by the name of the preloaded library: fill
# LD_PRELOAD, which static programs ignore, so that both take the same room.
fill_for () # PROGRAM
{
  local a b
  filled=
  a=$(run "$T/lib-ours" "" --tool=exp-datagrind -q \
        --datagrind-out-file=/dev/null "$1" 2> /dev/null)
  b=$(cachegrind --cachegrind-out-file=/dev/null "$1" 2> /dev/null)
  [ -n "$a" ] && [ "${a% *}" = "${b% *}" ] || return 1
  a=$((${a#* } - ${b#* }))
  [ "$a" -ge 0 ] || return 1
  filled=$(head -c "$a" /dev/zero | tr '\0' x)
}

compare () # NAME
{
  local name=$1 geometry got expected i=0
  run "$T/lib-ours" "" --tool=exp-datagrind -q \
    --datagrind-out-file="$name.dg" "./$name" > "$name.out" 2> "$name.err"
  for geometry in "${geometries[@]}"; do
    i=$((i + 1))
    # shellcheck disable=SC2086
    cachegrind --cachegrind-out-file="$name.cg" $geometry "./$name" \
      > "$name.cgout" 2> /dev/null
    expected=$(cachegrind_figures "$name.cg")
    # shellcheck disable=SC2086
    got=$(dg_figures "$name.dg" $geometry)
    if [ -z "$expected" ]; then
      not_ok "$name, caches $i: cachegrind's figures"
    elif ! some_misses "$expected"; then
      not_ok "$name, caches $i: there are misses to compare" "$expected"
    else
      is "$name, caches $i: $events: $expected" "$got" "$expected"
    fi
  done
  is "$name prints the same" "$(cat "$name.out")" "$(cat "$name.cgout")"
}

bare=(-static -nostdlib -fno-pie -no-pie -ffreestanding -fno-stack-protector
      -fcf-protection=none -fno-tree-loop-distribute-patterns)
avx=
grep -qw avx2 /proc/cpuinfo && avx="-mavx2 -mfma"

as=environment guest bare-environment "${bare[@]}" \
  || skip_all "the compiler cannot make bare programs"
fill_for ./environment || skip_all "environments cannot be made alike"
for name in int float string atomic recurse flow; do
  flags=
  [ $name = float ] && flags=$avx
  # shellcheck disable=SC2086
  if as=$name guest bare-$name "${bare[@]}" $flags; then
    compare $name
  else
    not_ok "$name: compiles"
  fi
done
if as=libc guest static-libc -static; then
  compare libc
else
  skip "libc" "no static C library"
fi
# Caches that hold less than what is touched, in every way.
if as=misses guest cache-misses "${bare[@]}"; then
  compare misses
else
  not_ok "misses: compiles"
fi
done_testing
