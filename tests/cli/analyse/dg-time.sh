# dg-time.sh: estimated cycles of a log by hand: what they are for, by what
# they are shown, processors and figures; logs whose code is not understood.
# How long each kind of instruction takes is tested in unit/time.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"

# runs N: a list of so many pages, each of which has the address of the next
# one; N stores to one line; a branch that goes one way or the other.
runs ()
{
  awk -v n=$1 'BEGIN {
    srand (1)
    for (i = 0; i < n; i++)
      printf "bbrun 0 3 [%#x]\n", 1048576 + 4096 * (i * 37 % n)
    print "thread_switch 2"
    for (i = 0; i < n; i++)
      printf "bbrun 1 2 [0x9000]\n"
    for (i = 0; i < 2 * n; i++)
      print rand () < 0.5 ? "bbrun 2 2 []\nbbrun 3 1 []" : "bbrun 2 2 []\nbbrun 4 1 []"
  }'
}

# program ARCH: definitions, with code of amd64.
program ()
{
  cat << END
process 42 1 7 1000000 4096 64 0 8 "1.0" "3.19.0" "$1" "/no/prog" "/" ["prog"]
thread_start 1 0 42
thread_start 2 0 43
thread_switch 1
bbdef [0x400000+3 0x400003+3 0x400006+2] [R8@0]
bbcode 0x400000 3 1 [0x48 0x8b 0x00 0x48 0xff 0xc9 0x75 0xf8]
context 0 [0x400000]
bbdef [0x400008+3 0x40000b+2] [W8@0]
bbcode 0x400008 2 1 [0x48 0x89 0x1f 0xeb 0xf9]
context 1 [0x400008]
bbdef [0x400010+3 0x400013+2] []
bbcode 0x400010 2 0 [0x48 0x85 0xc0 0x74 0x09]
context 2 [0x400010]
bbdef [0x400015+2] []
bbcode 0x400015 1 0 [0xeb 0xf9]
context 3 [0x400015]
bbdef [0x40001e+2] []
bbcode 0x40001e 1 0 [0xeb 0xf0]
context 4 [0x40001e]
END
}

{
  program amd64
  runs 200
  echo end
} > text
assemble log < text

# ---- Figures ----------------------------------------------------------------

# Where the last branch of a thread goes is not known.
run dg time --json log
status 0
no_err
holds 'r["schema"] == "datagrind/time/1" and r["machine"] == "zen5"' \
  'r["instructions"] == 200 * 3 + 200 * 2 + 400 * 3' \
  'r["l1_misses"] == r["l2_misses"] == r["l3_misses"] == 201' \
  'r["first_touches"] == 202 and r["page_walks"] == 201' \
  'r["code_misses"] == 2' \
  'r["branches"] == 200 + 400 - 1' \
  '100 < r["mispredictions"] < 300' \
  'r["page_cycles"] == 202 * 2800' \
  'r["memory_cycles"] > 200 * 430' \
  'r["branch_cycles"] > 100 * 12' \
  'r["forward_cycles"] == r["forward_fails"] == 0' \
  'r["cycles"] > sum(r[k + "_cycles"]
                     for k in "memory branch fetch forward page".split())' \
  'abs(r["estimated_ns"] - r["cycles"] / 4.2) <= 1'
cp stdout usual

# Each row is a part, the largest ones first.
for by in thread function line module instruction; do
  run dg time --json --by=$by log
  status 0
  holds 'all(sum(w[k] for w in r["rows"]) == r[k]
             for k in r["rows"][0] if k in r)' \
    'abs(sum(w["cycles_share"] for w in r["rows"]) - 1) < 1e-9' \
    '[w["cycles"] for w in r["rows"]]
     == sorted((w["cycles"] for w in r["rows"]), reverse=True)' \
    '{k: v for k, v in r.items() if k != "rows"}
     == {k: v for k, v in json.load(open("usual")).items() if k != "rows"}'
done
run dg time --json --by=thread log
holds 'len(r["rows"]) == 2' \
  'next(w for w in r["rows"] if w["thread"] == 1)["branch_cycles"]
   < r["branch_cycles"] / 10'
run dg time --json --by=instruction log
# Who waits for memory is who loads; who branches wrongly is the branch.
holds 'r["rows"][0]["instruction"] == "0x400000"' \
  'r["rows"][0]["memory_cycles"] > r["memory_cycles"] * 0.9' \
  'max(r["rows"], key=lambda w: w["mispredictions"])["instruction"]
   == "0x400013"'

run dg time --by=instruction log
status 0
no_err
out_has 'Processor          zen5'
out_has 'Branches executed'
out_has 'Where the cycles are'

# ---- The same with any number of workers, and of an archive -----------------

run dg pack -o log.dgz log
for options in '--by=function' '--by=thread' '--by=instruction'; do
  # shellcheck disable=SC2086
  dg time -j1 $options log | tail -n +2 > one
  for log in log log.dgz; do
    # shellcheck disable=SC2086
    run dg time -j4 $options $log
    tail -n +2 stdout | diff one - > difference
    report 'the same as with -j1' difference
  done
done

# ---- Processors -------------------------------------------------------------

for machine in zen5 zen4 zen3 zen2 golden-cove ice-lake skylake; do
  run dg time --json --machine=$machine log
  status 0
  holds "r['machine'] == '$machine'" 'r["l3_misses"] == 201'
done
run dg time --json --machine=zen5,memory=4300 log
holds 'r["memory_cycles"] > 8 * json.load(open("usual"))["memory_cycles"]'
run dg time --json --machine=,page=0,mispredicted=0 log
holds 'r["machine"] == "zen5" and r["page_cycles"] == 0' \
  'r["branch_cycles"] < json.load(open("usual"))["branch_cycles"]'
run dg time --json --machine=zen5,l1-lines=16,l1-ways=4,tlb-pages=4 log
status 0

while read -r machine message; do
  run dg time "--machine=$machine" log
  status 2
  err_has "$message"
done << 'END'
zen9 --machine: there is no 'zen9'; there are zen5, zen4,
zen5,colour=1 --machine: there is no figure 'colour'
zen5,memory --machine: memory must be a number from 1 to 100000
zen5,memory=x --machine: memory must be a number from 1 to 100000
neoverse-n1 --machine=neoverse-n1 executes arm64, but the program is of amd64
END
run dg time --interval=10 log
status 2
err_has 'does not support intervals'
run dg time --by=variable log
status 2

# ---- Conditions --------------------------------------------------------------

run dg time '--ranges=addr:0..0x4000' log
status 0
out_has 'Only instructions that access the memory of --ranges were executed'
run dg calls --weight=cycles '--ranges=addr:0..0x4000' log
status 0
out_has 'Only instructions that access the memory of --ranges were executed'
run dg time --events=thread:t log
status 0
out_lacks 'Only instructions that access'

# ---- Other logs -------------------------------------------------------------

# Code of another architecture: only accesses count.
{
  program s390x
  runs 200
  echo end
} > text
assemble other < text
run dg time other
status 0
no_err
out_has 'Machine code of s390x is not understood'
run dg time --json other
holds 'r["instructions"] == 2200 and r["branches"] == 0' \
  'r["memory_cycles"] > 0'
run dg time --machine=zen5 other
status 2
err_has 'executes amd64, but the program is of s390x'

# Without its code.
grep -v bbcode text | sed 's/s390x/amd64/' > plain
assemble plain.log < plain
run dg time --json plain.log
status 0
holds 'r["instructions"] == 2200 and r["branches"] == 0'

assemble empty << 'END'
END
run dg time --json empty
status 0
holds 'r["cycles"] == r["instructions"] == 0 and r["rows"] == []'
size=$(stat -c %s log)
head -c $((size * 3 / 4)) log > cut
run dg time --json cut
status 1
err_has 'offset'
holds 'r["instructions"] > 0'

finish
