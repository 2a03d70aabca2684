# dg-json.sh: all that has --json, with many options and logs, writes what its
# schema says, in the C locale whatever the user's is.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"

# Three threads that write to one line, and a line each; a type, so that there
# are patterns.
{
  cat << 'END'
process 42 1 7 8 4096 64 0 8 "1.0" "3.19.0" "amd64" "/bin/prog" "/" ["prog"]
thread_start 1 0 42
thread_start 2 1 43
thread_start 3 1 44
bbdef [0x400000+4] [R8@0]
bbdef [0x400010+4] [W8@0]
context 0 [0x400000]
context 1 [0x400010]
track_range 0x1000 8 "" "A"
track_range 0x1008 8 "" "B"
track_range 0x1100 512 "long" "table"
malloc_block 0x9000 0x400 [0x400000]
heap_alloc 1 1 1 1024 0 0
clock 1000
END
  for ((i = 0; i < 40; i++)); do
    printf 'thread_switch 1\nbbrun 1 1 [0x1000]\nbbrun 0 1 [0x1008]\n'
    printf 'thread_switch 2\nbbrun 1 1 [0x1008]\nbbrun 0 1 [0x9100]\n'
    printf 'thread_switch 3\nbbrun 0 1 [%d]\n' $((0x1100 + 8 * i))
    printf 'bbrun 0 1 [%d]\nbbrun 1 1 [0x1000]\n' $((0x20000 + 64 * i))
  done
  echo end why=0 exit_code=0
} > text
assemble threads < text
assemble_small small
# A block that was freed after its last use, and one of what it was.
assemble history << 'END'
process 42 1 7 8 4096 64 0 8 "1.0" "3.19.0" "amd64" "/bin/prog" "/" ["prog"]
thread_start 1 0 42
bbdef [0x400000+4 0x400004+4] [R8@0 W8@1]
context 0 [0x400000]
malloc_block 0x2000 0x40 [0x400100 0x400200]
heap_alloc 1 1 1 64 0 0
bbrun 0 2 [0x2000 0x2008]
bbrun 0 2 [0x3000 0x4000]
free_block 0x2000
heap_free 2 1 11 [0x400000]
bbrun 0 2 [0x3000 0x4000]
malloc_block 0x2000 0x40 [0x400100]
heap_alloc 3 1 1 64 0 0
malloc_block 0x6000 0x80 [0x400100]
heap_alloc 4 1 3 128 32 0x2000
end
END
# What does not fit together: two threads of one number, and a free of nothing.
assemble wrong << 'END'
thread_start 1 0 1
thread_start 1 0 1
free_block 0x2000
end
END
assemble empty << 'END'
END
"$DG" cut --instructions=5..30 threads -o cut
head -c $(($(wc -c < threads) - 30)) threads > short

# json NAME COMMAND...: NAME is what of it is put into the file's name.
json ()
{
  local name=$1

  shift
  for log in $logs; do
    "$DG" "$@" --json "$log" > "told/$name@$log" 2> stderr ||
      case $name in
        invariants | wrong-*) ;;
        *) grep -q -e short stderr || sed "s/^/# $name $log: /" stderr ;;
      esac
    # What is refused writes nothing.
    [ -s "told/$name@$log" ] || rm "told/$name@$log"
  done
}

# tell_all: each command that has --json, and each of its tables.
tell_all ()
{
  mkdir -p told
  json info info
  json advise advise
  for part in stats dump leaks history diff; do
    json "allocs-$part" allocs $part
  done
  json allocs-leaks-first allocs leaks --no-last
  json allocs-diff-at allocs diff --from=3
  json heap heap --sites --blocks --untouched --late
  json heap-stack heap --sites --late --by=stack
  for analysis in $("$DG" --help |
    sed -n '/^Analyses/,/^$/s/^  \([a-z][a-z0-9-]*\) .*/\1/p'); do
    json $analysis $analysis
    "$DG" $analysis --help > help
    for by in $(sed -n '/--by=/,/^ *--/p' help | tr -d '\n' |
      sed 's/.*(\([a-z, ]*\).*/\1/' | tr -d ','); do
      json "$analysis-$by" $analysis --by=$by
    done
    case $analysis in
      invariants | patterns | sharing | time) ;;
      *) json $analysis-interval $analysis --interval=20 ;;
    esac
  done
  # Beside the last log.
  for analysis in counts cache calls heap pages patterns reuse sharing time \
    tlb; do
    json "diff-$analysis" diff $analysis "${logs##* }"
  done
  json counts,reuse counts,reuse
  json reuse-more reuse --mrc --lines=1,8 --per-thread
  json reuse-approx reuse --approx=0.5 --lines=1,8
  json cache-more cache --L2=4096,2,64 --L3=8192,2,64 --cores=threads \
    --prefetch=next-line --annotate --annotate-least=0
  json cache-cores cache --cores=2
  json tlb-cores tlb --cores=threads
  json sharing-false sharing --false --by=line
  json sharing-uniform sharing --uniform --false
  json calls-edges calls --edges --outliers --callers=main --callees=main
  json calls-inlined calls --inlined
  json pages-hot pages --hot=3
}

# check: something was written; `finish` compares it with the schemas.
check ()
{
  [ -n "$(ls told)" ]
  report 'writes JSON'
}

# tell_some: the same with few runs of dg.
tell_some ()
{
  mkdir -p told
  json info info
  json allocs-stats allocs stats
  json allocs-history allocs history
  json allocs-leaks allocs leaks
  json heap heap --sites --blocks --untouched --late
  json counts,cache,calls,pages,reuse,tlb \
    counts,cache,calls,pages,reuse,tlb --interval=30
  json patterns,sharing patterns,sharing --false
  json time time
  json wrong-invariants invariants
}

# again LOG...: what is told of these is next.
again ()
{
  logs=$*
  rm -rf told
}

# Those of which threads has nothing to tell; with DG_TEST_LONG all.
title='all commands'
again threads
tell_all
check
again history
if [ -n "$DG_TEST_LONG" ]; then tell_all; else tell_some; fi
check

title='logs that lack something'
again small wrong empty cut short
tell_some
check

title='good logs'
for text in "$abs_srcdir"/logs/good/*.dgt; do
  # Each fourth of them; with DG_TEST_LONG all.
  in_turn yes no no no
  [ "${chosen[0]}" = yes ] || continue
  name=${text##*/}
  "$DGASM" -o "good-${name%.dgt}" "$text" 2> /dev/null
done
again good-*
mkdir told
json info info
json heap heap --sites --blocks
json counts,calls,pages,sharing counts,calls,pages,sharing
check

if command -v xz > /dev/null; then
  xz -dc "$abs_srcdir/logs/good/original-sorts.dg.xz" > sorts
  title='a recorded program'
  again sorts
  tell_some
  check
else
  skip 'no xz'
fi

# The user's locale has other decimal signs.
if german; then
  title='LC_ALL=de_DE.UTF-8'
  again threads
  tell_some
  mv told plain
  LC_ALL=de_DE.UTF-8 tell_some
  diff -r plain told > difference
  report 'JSON is the same' difference
else
  skip 'no locale de_DE.UTF-8'
fi

finish
