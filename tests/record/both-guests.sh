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

for name in int float string atomic recurse flow; do
  more=
  [ $name$bits = float32 ] && more=-msse2
  [ $name$bits = float64 ] && grep -qw avx2 /proc/cpuinfo \
    && more="-mavx2 -mfma"
  # shellcheck disable=SC2086
  as=$name made bare-$name "${bare[@]}" $more && both $name ./$name
done
made static-libc -static && both static-libc ./static-libc
for name in allocators blocks callbacks coroutines dead-loads exceptions \
            longjmp rewrites rettricks sigstack system-calls; do
  made $name -ldl && both $name ./$name
done
made tailcall -O2 && both tailcall ./tailcall
if made deep; then
  both deep ./deep 1000
  both unfolded --datagrind-fold=no --datagrind-max-nodes=1000 ./deep 2000
  both depth --datagrind-stack-depth=3 ./deep 100
fi
if made faults; then
  both jump ./faults jump
  both repair ./faults repair
fi
if made memory-map -ldl \
   && as=plugin.so guest plugin -m"$bits" -shared -fPIC; then
  both memory-map ./memory-map "$T/plugin.so"
fi
if made requests; then
  both requests ./requests
  both long ./requests long
  both bad ./requests bad
fi
# Of 64 bits, archive-options.sh has it.
[ "$bits" = 64 ] || { made chunks && both chunks ./chunks; }
made dead-loads && both exact --datagrind-exact=yes ./dead-loads
if as=ending made process -static -pthread; then
  for mode in return segv abort kill overflow handled execfail; do
    both $mode ./ending $mode
  done
fi

done_testing
