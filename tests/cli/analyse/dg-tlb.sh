# dg-tlb.sh: translation buffers: figures against a plain model, page sizes,
# cores, and what is not a buffer.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"

names='fetches fetch_misses fetch_walks reads read_misses read_walks writes
       write_misses write_walks'

python3 "$abs_srcdir/cli/analyse/cache_model.py" log 3 > text
assemble log < text
while read -r policy itlb dtlb stlb page; do
  # As caches whose lines are pages.
  shapes=
  for tlb in $itlb $dtlb $stlb; do
    shapes="$shapes $((${tlb%,*} * page)),${tlb#*,},$page"
  done
  python3 "$abs_srcdir/cli/analyse/cache_model.py" figures 3 "$shapes" $policy > model
  in_turn 1 8
  for jobs in "${chosen[@]}"; do
    run dg tlb --json -j$jobs --itlb=$itlb --dtlb=$dtlb --stlb=$stlb \
      --page=$page --replacement=$policy --by=thread log
    status 0
    holds '[r[n] for n in names]
           == [json.load(open("model"))["all"][n]
               for n in "Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw".split()]'
  done
done << 'END'
lru 4,4 4,2 16,4 4096
lru 2,1 16,4 24,3 4096
fifo 2,2 2,2 4,4 65536
END

# The usual ones hold all of a program that touches few pages.
run dg tlb --json log
holds 'r["fetch_misses"] == r["fetch_walks"] < 20' \
  'r["levels"][1]["entries"] == 64 and r["levels"][1]["line_size"] == 4096'
# Of 2 MiB there are fewer, of 1 GiB hardly any.
run dg tlb --json --page=2Mi log
holds 'r["fetch_walks"] == 1' 'r["levels"][0]["size"] == 128 << 21'
run dg tlb --json --page=1Gi log
holds 'r["read_walks"] + r["write_walks"] + r["fetch_walks"] == 2'

# 100 pages in turn, twice: more than the first level holds, fewer than the
# second.  By another core once more.
{
  echo 'bbdef [0x400000+4] [R8@0]'
  echo 'context 0 [0x400000]'
  echo 'thread_start 1 0 1'
  echo 'thread_start 2 0 2'
  for ((round = 0; round < 3; round++)); do
    [ $round = 2 ] && echo 'thread_switch 2'
    for ((i = 0; i < 100; i++)); do
      printf 'bbrun 0 1 [%#x]\n' $((0x100000 + 4096 * i))
    done
  done
  echo end
} > text
assemble pages < text
run dg tlb --json pages
holds '[r[n] for n in names[3:6]] == [300, 300, 100]'
run dg tlb --json --cores=threads pages
holds '[r[n] for n in names[:6]] == [300, 2, 2, 300, 300, 200]'
run dg tlb --json --dtlb=128,4 --by=instruction --interval=100 pages
holds '[r[n] for n in names[3:6]] == [300, 100, 100]' \
  '[i["read_misses"] for i in r["intervals"]] == [100, 0, 0]' \
  '[(w["read_misses"], w["instruction"]) for w in r["rows"]]
   == [(100, "0x400000")]'

# Any number of workers says the same.
for options in '--by=function' '--by=variable --dtlb=4,1' \
  '--replacement=random --dtlb=4,4 --interval=5ki'; do
  # shellcheck disable=SC2086
  dg tlb -j1 $options log > one
  in_turn 2 8
  for jobs in "${chosen[@]}"; do
    # shellcheck disable=SC2086
    run dg tlb -j$jobs $options log
    diff one stdout > difference
    report 'the same as with -j1' difference
  done
done

while read -r option message; do
  run dg tlb "$option" log
  status 2
  err_has "$message"
done << 'END'
--dtlb=64 --dtlb=64: must be ENTRIES,WAYS
--dtlb=99999999999999999999,4 --dtlb=99999999999999999999,4: too large
--dtlb=64,4294967296 --dtlb=64,4294967296: too large
--dtlb=64,4,4096 --dtlb=64,4,4096: must be ENTRIES,WAYS
--itlb=60,8 --itlb=60,8
--stlb=0,1 --stlb=0,1
--page=5000 --page=5000: must be a power of two
--page=16 --page=16: must be a power of two
END
assemble empty << 'END'
END
run dg tlb --json empty
status 0
holds 'all(r[n] == 0 for n in names)'
run dg tlb --by=line --threads=9 log
status 0
head -c 20000 log > cut
run dg tlb --json cut
status 1
err_has 'offset'
holds 'r["fetches"] > 0'

finish
