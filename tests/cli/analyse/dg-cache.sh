# dg-cache.sh: caches: figures against a plain model, rows, intervals, cores,
# prefetching, callgrind's format, and what is not a cache.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"

model ()
{
  python3 "$abs_srcdir/cli/analyse/cache_model.py" "$@"
}

names='Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw'

# ---- The same as a plain model ----------------------------------------------

for seed in 1 2; do
  model log $seed > text
  assemble log$seed < text
done
dg pack log1 -o log1.dgz
while read -r seed policy shapes; do
  # shellcheck disable=SC2086
  set -- $shapes
  options="--I1=$1 --D1=$2"
  last=LL
  [ $# -ge 4 ] && options="$options --L2=$3"
  [ $# -ge 5 ] && options="$options --L3=$4"
  options="$options --$last=${!#} --replacement=$policy"
  model figures "$seed" "$shapes" "$policy" > model
  in_turn 1 4 8
  for jobs in "${chosen[@]}"; do
    # shellcheck disable=SC2086
    run dg cache --json -j$jobs --by=thread $options log"$seed"
    status 0
    no_err
    holds 'all(r[n] == m[n] for m in [json.load(open("model"))["all"]]
               for n in names)' \
      'all(row[n] == m[str(row["thread"])][n]
           for m in [json.load(open("model"))]
           for row in r["rows"] for n in names)' \
      'len(r["rows"]) == 3'
  done
done << 'END'
1 lru 32768,8,64 32768,8,64 8388608,16,64
1 lru 1024,2,64 1024,2,64 8192,4,64
2 lru 512,1,32 2048,4,32 4096,2,64 65536,8,64
2 fifo 1024,4,64 1024,2,32 2048,4,64 8192,2,64 65536,4,64
1 fifo 512,4,128 256,4,64 16384,256,64
2 lru 128,4,32 128,1,64 8192,4,64
END

# Rows of all kinds add up to the whole; any number of workers says the same of
# both forms of the log.
small='--I1=1024,2,64 --D1=1024,2,64 --LL=8192,4,64'
for by in function line module instruction thread; do
  # shellcheck disable=SC2086
  run dg cache --json --by=$by $small log1
  holds 'sums(r["rows"]) == {n: r[n] for n in names}' \
    'abs(sum(row["share"] for row in r["rows"]) - 1) < 1e-9'
done
for by in variable site; do
  # shellcheck disable=SC2086
  run dg cache --json --by=$by $small log1
  holds 'all(sums(r["rows"])[n] == r[n] for n in names[3:])'
done
for options in "$small" "$small --by=instruction" "$small --by=variable" \
  "$small --by=function --interval=5ki" "$small --replacement=random" \
  "$small --cores=threads --by=line" "$small --prefetch=next-line --by=site" \
  "$small --threads=2 --instructions=5000..20000" \
  "--L2=2048,2,64 --cores=2 --annotate --by=thread"; do
  case $options in *annotate*) options=${options%--by*} ;; esac
  # Both are told of the same figures.
  in_turn '' --json
  for json in "${chosen[@]}"; do
    # shellcheck disable=SC2086
    dg cache -j1 $json $options log1 | sed '/^Log  /d' > one
    in_turn 2 8
    for jobs in "${chosen[@]}"; do
      # shellcheck disable=SC2086
      run dg cache -j$jobs $json $options log1
      sed '/^Log  /d' stdout | diff one - > difference
      report 'the same as with -j1' difference
    done
    # shellcheck disable=SC2086
    run dg cache -j4 $json $options log1.dgz
    sed '/^Log  /d' stdout | diff one - > difference
    report 'the same of the archive' difference
  done
done

# Intervals add up, too, wherever runs are cut.
# shellcheck disable=SC2086
run dg cache --json --interval=777 $small log1
holds 'sums(r["intervals"]) == {n: r[n] for n in names}' \
  'all(i["Ir"] == 777 for i in r["intervals"][:-1])' \
  'len(r["intervals"]) == (r["Ir"] + 776) // 777'
dg cache --json $small log1 > whole
holds 'all(r[n] == json.load(open("whole"))[n] for n in names)'

# ---- Modifies, what straddles, what is not made ------------------------------

assemble few << 'END'
bbdef [0x40003c+8 0x400044+2] [R8@0 W8@0 R8@1 W8@1 W4@1]
context 0 [0x40003c]
bbrun 0 2 [0x1000 0x1000 0x103c 0x2000 0]
bbrun 0 1 [0x1000 0x1008]
end
END
run dg cache --json few
status 0
holds '[r[n] for n in names] == [3, 1, 1, 3, 2, 2, 2, 1, 1]'
assemble one << 'END'
bbdef [0x400000+4] [W8@0]
context 0 [0x400000]
bbrun 0 1 [0x1000]
END
run dg cache --json one
holds '[r[n] for n in names] == [1, 1, 1, 0, 0, 0, 1, 1, 1]'
# Rather more than a line: as much as one, as in cachegrind.
assemble wide << 'END'
bbdef [0x400000+4] [R200@0]
context 0 [0x400000]
bbrun 0 1 [0x1010]
bbrun 0 1 [0x1040]
bbrun 0 1 [0x1080]
END
run dg cache --json wide
holds '[r[n] for n in names[3:6]] == [3, 2, 2]'
# The last bytes of memory.
assemble top << 'END'
bbdef [0xfffffffffffffffc+8] [R8@0]
context 0 [0xfffffffffffffffc]
bbrun 0 1 [0xfffffffffffffffc]
END
run dg cache --json top
status 0
holds '[r[n] for n in names[:6]] == [1, 1, 1, 1, 1, 0]'

# ---- Cores -------------------------------------------------------------------

# Two threads write next to each other in turn, a hundred times each; a third
# reads another line.
{
  echo 'bbdef [0x400000+4] [W8@0]'
  echo 'bbdef [0x400010+4] [R8@0]'
  echo 'context 0 [0x400000]'
  echo 'context 1 [0x400010]'
  for thread in 1 2 3; do
    echo "thread_start $thread 0 $thread"
  done
  for ((i = 0; i < 100; i++)); do
    printf 'thread_switch 1\nbbrun 0 1 [0x1000]\n'
    printf 'thread_switch 2\nbbrun 0 1 [0x1008]\n'
    printf 'thread_switch 3\nbbrun 1 1 [0x2000]\n'
  done
  echo end
} > text
assemble pingpong < text
run dg cache --json pingpong
holds '[r[n] for n in names[3:]] == [100, 1, 1, 200, 1, 1]'
run dg cache --json --cores=threads --by=thread pingpong
status 0
holds '[r[n] for n in names[3:]] == [100, 1, 1, 200, 200, 1]' \
  'r["coherence"]["coherence_misses"] == 198' \
  'r["coherence"]["invalidations"] == 199' \
  'r["coherence"]["transfers"] == 199' \
  '[(t["invalidations"], t["writer"], t["sufferer"])
    for t in r["coherence"]["taken"]]
   == [(100, 2, 1), (99, 1, 2)]' \
  '[(t["address"], t["coherence_misses"], t["invalidations"], t["writers"],
     t["sufferers"]) for t in r["coherence"]["line_list"]]
   == [("0x1000", 198, 199, [1, 2], [1, 2])]' \
  'sorted((t["thread"], t["coherence_misses"], t["invalidations"])
          for t in r["rows"]) == [(1, 99, 99), (2, 99, 100), (3, 0, 0)]'
# On two cores, threads 1 and 3 are together.
run dg cache --json --cores=2 pingpong
holds 'r["coherence"]["invalidations"] == 199' 'r["I1mr"] == 2'
# Reads are shared; the write that follows takes the line from all others, also
# if it is a modify, which counts as a read.
assemble modify << 'END'
bbdef [0x400000+4] [R8@0]
bbdef [0x400010+4] [R8@0 W8@0]
context 0 [0x400000]
context 1 [0x400010]
thread_start 1 0 1
thread_start 2 0 2
thread_start 3 0 3
bbrun 0 1 [0x1000]
thread_switch 2
bbrun 0 1 [0x1000]
thread_switch 3
bbrun 1 1 [0x1000 0x1000]
thread_switch 1
bbrun 0 1 [0x1000]
END
run dg cache --json --cores=threads modify
holds '[r[n] for n in names[3:]] == [4, 4, 1, 0, 0, 0]' \
  'r["coherence"]["invalidations"] == 2' \
  'r["coherence"]["upgrades"] == 1' \
  'r["coherence"]["coherence_misses"] == 1' \
  'r["coherence"]["transfers"] == 1'

# ---- Fetching ahead ----------------------------------------------------------

{
  echo 'bbdef [0x400000+4] [R8@0]'
  echo 'context 0 [0x400000]'
  for ((i = 0; i < 800; i++)); do
    printf 'bbrun 0 1 [%#x]\n' $((0x100000 + 8 * i))
  done
  echo end
} > text
assemble sequence < text
run dg cache --json sequence
holds 'r["D1mr"] == 100'
run dg cache --json --prefetch=next-line sequence
holds 'r["D1mr"] == 1 and r["DLmr"] == 1' \
  'r["prefetch"] == {"prefetches": 100, "useful": 99, "useless": 0, "left": 1,
                     "from_memory": 100}'
# Each other line: nothing is foreseen, and in a cache of two lines what was
# fetched goes unused.
{
  echo 'bbdef [0x400000+4] [R8@0]'
  echo 'context 0 [0x400000]'
  for ((i = 0; i < 50; i++)); do
    printf 'bbrun 0 1 [%#x]\n' $((0x100000 + 128 * i))
  done
  echo end
} > text
assemble strides < text
run dg cache --json --prefetch=next-line --D1=128,2,64 strides
holds 'r["D1mr"] == 50' 'r["prefetch"]["prefetches"] == 50' \
  'r["prefetch"]["useful"] == 0' 'r["prefetch"]["useless"] == 49'

# ---- Files -------------------------------------------------------------------

# shellcheck disable=SC2086
run dg cache --json $small --callgrind-out=cg.out log1
status 0
holds '[int(n) for n in [line.split()[1:] for line in open("cg.out")
                         if line.startswith("summary:")][0]]
       == [r[n] for n in "Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw".split()]'
if command -v callgrind_annotate > /dev/null; then
  callgrind_annotate --threshold=100 cg.out > annotated 2> annotate.err
  grep -E '^ *[0-9,]+ .*PROGRAM TOTALS' annotated |
    sed 's/([^)]*)//g; s/,//g; s/ *PROGRAM TOTALS//; s/  */ /g' > got
  python3 -c '
import json
r = json.load(open("stdout"))
print(*[r[n] for n in "Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw".split()],
      end=" \n")' > expected
  diff -b expected got > difference && [ ! -s annotate.err ]
  report 'callgrind_annotate reads it, to the same totals' difference \
    annotate.err
else
  skip 'no callgrind_annotate'
fi
# It does not matter what else is asked for.
cp cg.out cg.one
# shellcheck disable=SC2086
run dg cache $small --by=function --annotate --callgrind-out=cg.out -j8 log1
status 0
diff cg.one cg.out > difference
report 'the same file' difference
run dg cache --callgrind-out=/nowhere/at/all log1
status 1
err_has '/nowhere/at/all'
run dg cache --callgrind-out=cg.out --by=variable log1
status 2
err_has '--by=variable'

# ---- What is not a cache, or no log
# ---------------------------------------------

while read -r option message; do
  run dg cache "$option" few
  status 2
  err_has "$message"
  no_out
done << 'END'
--D1=32768,8 --D1=32768,8: must be SIZE,ASSOCIATIVITY,LINE-SIZE
--D1=99999999999999999999,8,64 --D1=99999999999999999999,8,64: too large
--D1=32768,18446744073709551616,64 --D1=32768,18446744073709551616,64: too large
--LL=32768,8,0x10000000000000000 --LL=32768,8,0x10000000000000000: too large
--D1=32768,8,8589934592 --D1=32768,8,8589934592: too large
--D1=x99999999999999999999,8,64 must be SIZE,ASSOCIATIVITY,LINE-SIZE
--I1=32768,8,48 --I1: the line size 48 is not a power of two of at least 16
--LL=30000,8,64 --LL: size / line size / associativity
--L2=64,1,64 --L2: the size 64 must be above the line size 64
--cores=0 --cores=0: must be a number from 1 to 256
--cores=257 --cores=257
--cores=some --cores=some
--replacement=best best
--by=colour colour
END
run dg cache --host --json few
status 0
holds 'r["Ir"] == 3' 'r["levels"][0]["size"] > 0'
run dg cache --host --D1=2048,2,32 --json few
holds '[(l["size"], l["associativity"], l["line_size"]) for l in r["levels"]
        if l["name"] == "D1"] == [(2048, 2, 32)]'
assemble empty << 'END'
END
for options in '' '--cores=threads' '--prefetch=next-line' '--interval=10' \
  '--by=variable' '--annotate'; do
  # shellcheck disable=SC2086
  run dg cache --json $options empty
  status 0
  holds 'all(r[n] == 0 for n in names)'
  # shellcheck disable=SC2086
  run dg cache $options --threads=77 log1
  status 0
done
run dg cache --json --threads=77 log1
holds 'all(r[n] == 0 for n in names)'
head -c 30000 log1 > cut
run dg cache --json cut
status 1
err_has 'offset'
holds '0 < r["Ir"] < 54138'

# ---- Memory ------------------------------------------------------------
# Of code for the program's own lines: the same for any number of call paths,
# as what each of them would take is 35 KB here.
awk 'BEGIN {
  print "process 42 1 7 8 4096 64 0 30 \"1\" \"3.19.0\" \"amd64\" \"prog\" \"/\"",
        "[\"p\"]"
  printf "thread_start 1 0 42\nbbdef ["
  for (i = 0; i < 200; i++)
    printf "0x%x+1 ", 4194304 + i
  print "] [R8@0 W8@199]"
  for (i = 0; i < 10000; i++)
    printf "context 0 [0x400000 0x%x]\nbbrun %d %s]\n",
           5242880 + i, i, i % 2 ? "200 [0x10000 0x20000" : "100 [0x10000"
  print "end why=0 exit_code=0"
}' | assemble paths
title='memory for each call path'
wanted=$(peak "$DG" counts --by=line --program paths)
for how in '' --replacement=fifo; do
  # shellcheck disable=SC2086
  taken=$(peak "$DG" cache --by=line --program $how paths)
  [ "${taken:-$((3 * wanted))}" -lt $((2 * wanted)) ]
  report "$taken KiB, less than twice $wanted${how:+ with $how}"
done
run dg cache --by=line --program --json paths
status 0
holds 'r["Ir"] == 1500000 and r["Dr"] == 10000 and r["Dw"] == 5000' \
  'len(r["rows"]) == 1'

# What would change nothing is refused.
assemble_small small
run dg cache --annotate-least=0.5 small
status 2
no_out
err_has '--annotate-least needs --annotate'

finish
