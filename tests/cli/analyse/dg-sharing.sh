# dg-sharing.sh: sharing in logs of which every access is known.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"

# head: the process, three threads, and blocks that read and write 8 bytes.
head_of_log ()
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
END
}
# many N CONTEXT ADDRESS
many ()
{
  for ((i = 0; i < $1; i++)); do
    echo "bbrun $2 1 [$3]"
  done
}

# A: threads 1 and 2, 10 and 5 accesses; B: 9 and 5; C: 7, 6 and 6, no writes;
# D and E: one thread each, in one line; F: all by thread 1.
{
  head_of_log
  echo 'track_range 0x1000 8 "" "A"'
  echo 'track_range 0x1100 8 "" "B"'
  echo 'track_range 0x1200 8 "" "C"'
  echo 'track_range 0x1300 8 "" "D"'
  echo 'track_range 0x1308 8 "" "E"'
  many 10 0 0x1000; many 9 1 0x1100; many 7 0 0x1200; many 4 1 0x1300
  many 30 1 0x1400
  echo thread_switch 2
  many 5 1 0x1000; many 5 0 0x1100; many 6 0 0x1200; many 12 1 0x1308
  echo thread_switch 3
  many 6 0 0x1200
  echo thread_switch 1
  many 2 1 0x1300
  echo end why=0 exit_code=0
} > text
assemble log < text

run dg sharing log
status 0
no_err
out << 'END'
Log        log
Command    prog

Accesses                                    96
Accesses to cache lines of several threads  66
Accesses to the addresses listed            48
Cache lines of several threads               4

Shared addresses
Accesses  Writes  Threads  Busiest  Even  Address  Variable
      19       0        3   36.8 %  yes    0x1200  C
      15       5        2   66.7 %  no     0x1000  A
      14       9        2   64.3 %  yes    0x1100  B

What many threads write moves from core to core: keep one copy per thread, or
write less often.  --by=line shows the code.  --false shows variables that only
share a cache line.
END

run dg sharing --json --uniform --by=line log
status 0
no_err
python3 - << 'END' > difference 2>&1
import json
r = json.load (open ('stdout'))
def expect (what, is_so):
    if not is_so:
        print (what, json.dumps (r, indent=1))
expect ('rows', [(x['variable'], x['accesses'], x['accesses_by_thread'])
                 for x in r['rows']]
        == [('C', 19, [[1, 7], [2, 6], [3, 6]]), ('B', 14, [[1, 9], [2, 5]])])
expect ('fields', r['rows'][1]['address'] == '0x1100'
        and r['rows'][1]['writes'] == 9 and r['grain'] == 1)
# Without debug information, the code is distinguished by its address.
expect ('line', [(x['variable'], x['accesses'], x['threads'],
                  x['accesses_by_thread']) for x in r['code_lines']]
        == [('C', 19, 3, [[1, 7], [2, 6], [3, 6]]), ('B', 9, 1, [[1, 9]]),
            ('B', 5, 1, [[2, 5]])])
END
[ ! -s difference ]
report 'rows of addresses and of lines' difference

# In the line of D and E, thread 1 comes back once; 6 and 12 accesses, all
# writes: 2 * 6 * 12 / 18 transfers if they ran side by side.
run dg sharing --json --false log
status 0
python3 - << 'END' > difference 2>&1
import json
r = json.load (open ('stdout'))
x, = [x for x in r['line_list'] if x['address'] == '0x1300']
if (x['verdict'], x['transfers'], x['false_transfers'], x['estimated_false'],
    x['transfers_by_thread'], x['writes_by_thread']) != (
        'false', 1, 1, 8, [[1, 1]], [[2, 12], [1, 6]]):
    print (json.dumps (x, indent=1))
if [(c['variable'], c['offset'], c['writes'], c['accesses_by_thread'])
    for c in r['contents']] != [('D', 0, 6, [[1, 6]]),
                               ('E', 8, 12, [[2, 12]])]:
    print (json.dumps (r['contents'], indent=1))
if x['advice'] is not None:
    print (x['advice'])
END
[ ! -s difference ]
report 'the line of D and E' difference

# What was at an address at different times comes by name, not by the number
# that it has by chance.
{
  head_of_log
  for name in Z D M; do
    echo "track_range 0x1300 8 \"\" \"$name\""
    many 20 1 0x1300
    echo 'untrack_range 0x1300 8'
  done
  echo thread_switch 2
  many 60 1 0x1308
  echo end why=0 exit_code=0
} | assemble times
run dg sharing --json --false times
status 0
holds '[c["variable"] for c in r["contents"]][:3] == ["D", "M", "Z"]'

# There is advice for what is lost often.
{
  head_of_log
  echo 'track_range 0x1300 8 "" "D"'
  echo 'track_range 0x1308 8 "" "E"'
  many 100 1 0x1300
  echo thread_switch 2
  many 100 1 0x1308
  echo end why=0 exit_code=0
} > text
assemble often < text
run dg sharing --false often
status 0
out_has 'Line 0x1300: alignas (64) on D and on E.'

run dg sharing --variable=B log
status 0
out_has '0x1100  B'
[ "$(grep -c '0x1[0-9]00' stdout)" = 1 ]
report 'nothing else' stdout

# ---- Runtime libraries -------------------------------------------------------

# A of the program, and words of the C library, which are not listed, but for
# the one that threads write all the time.  The recorder's is left out as well.
{
  head_of_log
  while read -r address file; do
    echo "text_avma $address \"$file\""
    echo "module $address 0x1000 0 [] \"${file##*/}\""
  done << 'END'
0x500000 /lib/libc.so.6
0x600000 /x/vgpreload_exp-datagrind-amd64-linux.so
0x700000 /x/libown.so
END
  echo 'track_range 0x1000 8 "" "A"'
  many 400 0 0x1000; many 3 1 0x1000; many 20 0 0x500080; many 1 1 0x500100
  many 400 1 0x500200; many 7 1 0x700080; many 1 0 0x600080
  echo thread_switch 2
  many 400 0 0x1000; many 3 1 0x1000; many 20 0 0x500080; many 1 1 0x500108
  many 1 0 0x500100; many 400 1 0x500200; many 6 1 0x700080; many 1 0 0x600080
  echo end why=0 exit_code=0
} > text
assemble libraries < text

run dg sharing libraries
status 0
out_has '3 addresses with 44 accesses of the C library'
run dg sharing --false --json libraries
holds 'sorted ((x["address"], x["accesses"]) for x in r["rows"])
  == [("0x1000", 806), ("0x500200", 800), ("0x700080", 13)]'
holds '(r["library_rows"], r["library_accesses"], r["library_lines"])
  == (3, 44, 1) and r["line_list"] == []'
run dg sharing --libraries --false --json libraries
holds 'len (r["rows"]) == 6 and len (r["line_list"]) == 1
  and r["library_rows"] == r["library_lines"] == 0'

# ---- Who could run beside whom -----------------------------------------------

# Three lines that threads 2 and 3 write, 20 times each, in words of their own:
# as it comes; the second thread behind a barrier; the second one created when
# the first was joined.  And one that thread 1 looks at, before and after.
{
  echo 'process 42 1 7 8 4096 64 32 8 "1.0" "3.19.0" "amd64" "/bin/prog" "/" ["prog"]'
  cat << 'END'
thread_start 1 0 42
bbdef [0x400000+4] [R8@0]
bbdef [0x400010+4] [W8@0]
context 0 [0x400000]
context 1 [0x400010]
END
  many 1 1 0x1000; many 1 1 0x1008
  echo thread_start 2 1 0; echo thread_start 3 1 0
  echo thread_switch 2
  many 20 1 0x1000; many 20 1 0x2000
  echo meet 0 0 2 0x9000 2 1
  echo thread_switch 3
  many 20 1 0x1008
  echo meet 0 0 3 0x9000 2 1; echo meet 0 1 3 0x9000 2 1
  many 20 1 0x2008; many 20 1 0x3000
  echo thread_exit 3
  echo thread_switch 2
  echo meet 0 1 2 0x9000 2 1
  many 1 1 0x4000
  echo thread_exit 2
  echo thread_join 1 2; echo thread_join 1 3
  echo thread_switch 1
  many 1 0 0x1000; many 1 0 0x1008
  echo thread_start 4 1 0; echo thread_switch 4
  many 20 1 0x3008
  echo thread_exit 4; echo thread_join 1 4
  echo end why=0 exit_code=0
} > order
verdicts ()
{
  python3 -c "
import json
r = json.load (open ('stdout'))
print ([(x['address'], x['verdict'], round (x['false_share'], 4),
         x['estimated_false']) for x in r['line_list']])"
}
assemble order.dg < order
run dg sharing --false --json order.dg
status 0
[ "$(verdicts)" = "[('0x1000', 'false', 0.9091, 20)]" ]
report 'phases that do not overlap disturb nobody' stdout
dg pack order.dg -o order.dgz
run dg sharing --false --json order.dgz
[ "$(verdicts)" = "[('0x1000', 'false', 0.9091, 20)]" ]
report 'nor in an archive' stdout
# Without meetings, weight decides: two reads are not the rule.
grep -v '^meet\|^thread_join\|^process' order | assemble plain.dg
run dg sharing --false --json plain.dg
[ "$(verdicts | grep -c "'0x1000', 'false'")" = 1 ]
report 'two reads of 44 accesses change no verdict' stdout
run dg sharing --false plain.dg
out_has 'The log does not record when threads were created, joined'

# Never "no line" of what was not looked at.
grep -v 'many\|0x1008\]' order | assemble quiet.dg
run dg sharing --false quiet.dg
out_has 'No cache line is falsely shared.'
run dg sharing --false --variable=nosuch quiet.dg
out_has 'No cache line is falsely shared in what was examined'
grep -v '0x1008\]\|^end ' order | assemble short.dg
run dg sharing --false short.dg
out_has 'but only a part of the run'

# ---- As much as there is room for -----------------------------------------

# 3000 words, each written by two threads; room for 1000 counts.
{
  head_of_log
  for thread in 1 2; do
    echo thread_switch $thread
    for ((i = 0; i < 3000; i++)); do
      printf 'bbrun 1 1 [%#x]\n' $((0x100000 + 8 * i))
    done
  done
  echo end why=0 exit_code=0
} > text
assemble wide < text
dg pack wide -o wide.dgz
for log in wide wide.dgz; do
  in_turn 1 2 8
  for jobs in "${chosen[@]}"; do
    dg sharing --addresses=1000 --false --json -j$jobs $log |
      sed '/"log"/d' > narrow.$log.$jobs
  done
done
title='dg sharing --addresses=1000'
for file in narrow.*; do
  cmp narrow.wide.1 "$file"
done > difference
[ ! -s difference ]
report 'the same from raw log and archive, with 1, 2, 8 workers' difference
python3 - << 'END' > difference 2>&1
import json
r = json.load (open ('narrow.wide.1'))
rows = r['rows']
if (r['grain'], sum (x['accesses'] for x in rows), len (rows)) != (
        64, 6000, 375):
    print (r['grain'], len (rows))
if any (x['accesses_by_thread'] != [[1, 8], [2, 8]] for x in rows):
    print (rows[:3])
END
[ ! -s difference ]
report 'addresses are taken together, and nothing is lost' difference
run dg sharing --addresses=1000 wide
out_has 'merged by 64 bytes'
run dg sharing wide
out_has '... 2,970 more'

# ---- Little or nothing ------------------------------------------------------

echo end why=0 exit_code=0 | assemble empty
run dg sharing --by=line --false empty
status 0
no_err
out_has 'No cache line was touched by two threads.'
{ head_of_log; many 1 0 0x1000; echo end why=0 exit_code=0; } | assemble one
run dg sharing --json one
status 0
out_has '"accesses": 1'
out_has '"rows": []'
run dg sharing --json --threads=3 log
status 0
out_has '"accesses": 6'
out_has '"rows": []'
run dg sharing --events=user:never --false log
status 0
out_has 'Nothing in the selection is shared.'
head -c 2300 log > cut
run dg sharing cut
status 1
out_has '0x1000  A'
err_has 'ends'
run dg sharing --by=thread log
status 2

# ---- Memory ----------------------------------------------------------------

# 200,000 words, each written by two threads: what each of them takes, beyond
# what it takes to read the log.
awk 'BEGIN {
  print "process 42 1 7 8 4096 64 0 30 \"1\" \"3.19.0\" \"amd64\" \"prog\" \"/\"",
        "[\"p\"]"
  print "thread_start 1 0 42\nthread_start 2 1 43"
  printf "bbdef ["
  for (i = 0; i < 200; i++)
    printf "0x%x+1 ", 4194304 + i
  printf "] ["
  for (i = 0; i < 200; i++)
    printf "%sW8@%d", i ? " " : "", i
  print "]\ncontext 0 [0x400000]"
  for (thread = 1; thread <= 2; thread++) {
    print "thread_switch", thread
    for (i = 0; i < 1000; i++) {
      printf "bbrun 0 200 ["
      for (k = 0; k < 200; k++)
        printf "%s0x%x", k ? " " : "", 1048576 + 8 * (200 * i + k)
      print "]"
    }
  }
  print "end why=0 exit_code=0"
}' | assemble many
title='memory for each shared address'
base=$(peak "$DG" counts many)
for how in '100 bytes' '100 bytes --json' '160 bytes --by=line --false'; do
  # shellcheck disable=SC2086
  taken=$(peak "$DG" sharing ${how#* bytes} many)
  each=$(((${taken:-base + 1000000} - base) * 1024 / 200000))
  [ $each -lt "${how%% *}" ]
  case $CFLAGS in
  *sanitize*) skip 'the address sanitizer keeps what was freed' ;;
  *) report "$each, less than $how" ;;
  esac
done

# Numbers of threads may be anything: nothing is kept for those below them.
assemble far << 'END'
bbdef [0x400000+4] [W8@0]
context 0 [0x400000]
bbrun 0 1 [0x1000]
thread_switch 4294967046
bbrun 0 1 [0x1008]
thread_switch 7
bbrun 0 1 [0x1000]
end why=0 exit_code=0
END
run dg sharing --false --json far
status 0
out_has '[4294967046, 1]]'
run dg cache --cores=3 far
status 0
finish
