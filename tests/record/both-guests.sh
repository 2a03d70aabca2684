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

# A log and an archive differ by the way that records take, so that each kind of
# record is needed once, and some of them in 32 bits; all programs with
# DG_TEST_LONG.
if [ -n "$DG_TEST_LONG" ]; then
  wanted='int float string atomic recurse flow blocks allocators callbacks
    coroutines dead-loads exceptions longjmp rewrites rettricks sigstack
    system-calls jump repair tailcall deep unfolded depth memory-map requests
    long bad chunks exact return segv abort kill overflow handled execfail'
elif [ "$bits" = 32 ]; then
  wanted='int float atomic blocks rewrites sigstack system-calls repair abort'
else
  wanted='int float string atomic blocks allocators exceptions rewrites sigstack
    system-calls repair unfolded memory-map requests abort kill execfail'
fi
is_wanted () # NAME
{
  [[ " ${wanted//$'\n'/ } " == *" $1 "* ]]
}
both_wanted () # NAME [OPTIONS... --] PROGRAM [ARGS...]
{
  ! is_wanted "$1" || both "$@"
}

for name in int float string atomic recurse flow; do
  is_wanted $name || continue
  more=
  [ $name$bits = float32 ] && more=-msse2
  [ $name$bits = float64 ] && grep -qw avx2 /proc/cpuinfo \
    && more="-mavx2 -mfma"
  # shellcheck disable=SC2086
  as=$name made bare-$name "${bare[@]}" $more && both $name ./$name
done
made static-libc -static && both static-libc ./static-libc
for name in blocks allocators; do
  is_wanted $name && made $name -ldl && both $name ./$name
done
for name in callbacks coroutines dead-loads exceptions longjmp rewrites \
            rettricks sigstack system-calls; do
  is_wanted $name && static $name && both $name ./$name
done
is_wanted tailcall && static tailcall -O2 && both tailcall ./tailcall
if is_wanted unfolded && static deep; then
  both_wanted deep ./deep 1000
  both_wanted unfolded --datagrind-fold=no --datagrind-max-nodes=1000 \
    ./deep 2000
  both_wanted depth --datagrind-stack-depth=3 ./deep 100
fi
if static faults; then
  both_wanted jump ./faults jump
  both_wanted repair ./faults repair
fi
if is_wanted memory-map && made memory-map -ldl \
   && as=plugin.so guest plugin -m"$bits" -shared -fPIC; then
  both memory-map ./memory-map "$T/plugin.so"
fi
if is_wanted requests && static requests; then
  both requests ./requests
  both_wanted long ./requests long
  both_wanted bad ./requests bad
fi
# Of 64 bits, archive-options.sh has it.
if [ "$bits" = 32 ] && is_wanted chunks; then
  made chunks && both chunks ./chunks
fi
is_wanted exact && static dead-loads \
  && both exact --datagrind-exact=yes ./dead-loads
if as=ending made process -static -pthread; then
  for mode in return segv abort kill overflow handled execfail; do
    both_wanted $mode ./ending $mode
  done
fi

done_testing
