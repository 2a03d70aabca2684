# The programs whose two recordings are compared, of one word size; sourced
# by archive-64.sh and archive-32.sh, which set $bits.  Those with threads
# that run as they like are in archive-threads.sh.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

# shellcheck shell=bash disable=SC2154
. "$(dirname "${BASH_SOURCE[0]}")/both.sh"

ulimit -c 0
ulimit -s 1024
if [ "$bits" = 32 ] && [ ! -x "$vg_lib/exp-datagrind-x86-linux" ]; then
  skip_all "the tool is not built for x86"
fi
flags=(-m"$bits" -no-pie -fno-pie)
bare=(-static -nostdlib -ffreestanding -fno-stack-protector
      -fcf-protection=none -fno-tree-loop-distribute-patterns)

# Compiles it as NAME; says so when that is not possible here.
made () # NAME [FLAGS...]
{
  guest "$1" "${flags[@]}" "${@:2}" && return
  skip "${as:-$1}" "the compiler cannot make it for $bits bits"
  return 1
}

# Programs that need no heap and no library of their own.
static_flag=$(static_flag -m"$bits")
static () # NAME [FLAGS...]
{
  # shellcheck disable=SC2086
  made "$1" $static_flag "${@:2}"
}

# Of 32 bits, one of each kind; all of them with DG_TEST_LONG.
is_all=$DG_TEST_LONG
[ "$bits" = 32 ] || is_all=yes

names='int float string atomic recurse flow'
[ -n "$is_all" ] || names='int float atomic'
for name in $names; do
  more=
  [ $name$bits = float32 ] && more=-msse2
  [ $name$bits = float64 ] && grep -qw avx2 /proc/cpuinfo \
    && more="-mavx2 -mfma"
  # shellcheck disable=SC2086
  as=$name made bare-$name "${bare[@]}" $more && both $name ./$name
done
made static-libc -static && both static-libc ./static-libc
made blocks -ldl && both blocks ./blocks
names='callbacks coroutines dead-loads exceptions longjmp rewrites rettricks
  sigstack system-calls'
[ -n "$is_all" ] || names='rewrites sigstack system-calls'
for name in $names; do
  static $name && both $name ./$name
done
static faults && both repair ./faults repair
process=(abort)
if [ -n "$is_all" ]; then
  made allocators && both allocators ./allocators
  static tailcall -O2 && both tailcall ./tailcall
  if static deep; then
    both deep ./deep 1000
    both unfolded --datagrind-fold=no --datagrind-max-nodes=1000 ./deep 2000
    both depth --datagrind-stack-depth=3 ./deep 100
  fi
  [ ! -e faults ] || both jump ./faults jump
  if made memory-map -ldl \
     && as=plugin.so guest plugin -m"$bits" -shared -fPIC; then
    both memory-map ./memory-map "$T/plugin.so"
  fi
  if static requests; then
    both requests ./requests
    both long ./requests long
    both bad ./requests bad
  fi
  # Of 64 bits, archive-options.sh has it.
  [ "$bits" = 64 ] || { static chunks && both chunks ./chunks; }
  static dead-loads && both exact --datagrind-exact=yes ./dead-loads
  process=(return segv abort kill overflow handled execfail)
fi
if as=ending made process -static -pthread; then
  for mode in "${process[@]}"; do
    both $mode ./ending $mode
  done
fi

done_testing
