# dg-allocs.sh: dg allocs stats and dump: what they show, every sort key, filter
# and conversion, and moments.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"
. "$abs_srcdir/cli/allocs/allocs_log.sh"

assemble_heap log

# ---- stats ------------------------------------------------------------------

run dg allocs stats log
status 0
out << 'END'
log: statistics
Heap      : 0x00010010 to 0x0004001f, size 136K (139264 bytes)
History   : 8 memory allocations, 3 frees
Current   : 1K (1576 bytes) used in 5 allocations
Actual    : approximately 1K (1624 bytes)
Overhead  : approximately 48 bytes, 2%
Debugdata : 2K (2275 bytes) of log, none in the program's memory
Allocators:
            MALLOCLIKE 1
            malloc() 1
            memalign() 1
            new[] 1
            realloc() 1
Threads   :
        1 : handle 4242, main
        2 : handle 4243, worker
Options   : actual_size enabled, time stamps enabled, thread info enabled
          : backtrace enabled, 3 levels
          : history enabled, 11 records
END
no_err
run dg allocs stats --at=event:load:end --heap-admin=16 log
status 0
out << 'END'
log: statistics at event:load:end
Heap      : 0x00010010 to 0x0004000f, size 136K (139264 bytes)
History   : 4 memory allocations, 1 free
Current   : 1K (1293 bytes) used in 3 allocations
Actual    : approximately 1K (1360 bytes)
Overhead  : approximately 67 bytes, 4%
Debugdata : 2K (2275 bytes) of log, none in the program's memory
Allocators:
            malloc() 1
            new 1
            new[] 1
Threads   :
        1 : handle 4242, main
        2 : handle 4243, worker
Options   : actual_size enabled, time stamps enabled, thread info enabled
          : backtrace enabled, 3 levels
          : history enabled, 5 records
END
no_err
run dg allocs stats --at=0 --json log
status 0
out << 'END'
{"schema": "datagrind/allocs-stats/1", "log": "log", "partial": [], "at": "0", "icount": 0, "heap_start": "0x10010", "heap_end": "0x1010f", "heap_bytes": 4096, "heap_allocs": 1, "heap_frees": 0, "blocks": 1, "bytes": 256, "actual_bytes": 272, "allocators": [{"allocator": "malloc()", "blocks": 1}], "thread_list": [{"thread": 1, "tid": 4242, "thread_name": "main"}], "stack_levels": 3, "has_whole_history": true}
END
no_err
run dg allocs stats --at=25 log
out_has 'History   : 4 memory allocations, 1 free'
out_has 'Current   : 1K (1293 bytes) used in 3 allocations'

# At every moment (with DG_TEST_LONG; else at each at which something happens,
# and beside it): allocations - frees = blocks = sum of the allocators, and the
# bytes are those of dump; the figures of all moments add up.
python3 - "$DG" > invariants 2>&1 << 'END'
import json, os, subprocess, sys
dg = sys.argv[1]
def tell (*args):
    return json.loads (subprocess.run ([dg, "allocs", *args, "--json", "log"],
                                       capture_output=True, check=True).stdout)
events = tell ("history")["event_list"]
assert [e["seqno"] for e in events] == list (range (1, 12)), "one counter"
for at in [str (i) for i in range (52) if os.environ.get ("DG_TEST_LONG")
           or i in (0, 1, 9, 11, 51) or i % 10 == 0] + ["end"]:
    stats, dump = tell ("stats", "--at=" + at), tell ("dump", "--at=" + at)
    blocks = dump["block_list"]
    past = [e for e in events if at == "end" or e["time"] <= int (at)]
    assert stats["heap_allocs"] - stats["heap_frees"] == stats["blocks"], at
    assert stats["blocks"] == len (blocks), at
    assert stats["blocks"] == sum (a["blocks"] for a in stats["allocators"])
    assert stats["bytes"] == sum (b["size"] for b in blocks), at
    assert stats["actual_bytes"] == sum (b["actual_size"] for b in blocks), at
    assert stats["heap_allocs"] == sum (e["event"] == "alloc" for e in past)
    assert stats["heap_frees"] == sum (e["event"] == "free" for e in past), at
    diff = tell ("diff", "--from=" + at)
    assert diff["from"]["blocks"] + diff["n_new"] - diff["n_freed"] \
           == diff["to"]["blocks"], at
print ("good")
END
[ "$(cat invariants)" = good ]
report 'the figures add up' invariants

# ---- dump -------------------------------------------------------------------

run dg allocs dump log
status 0
out << 'END'
0x00010010 : malloc() 256 bytes, actual size 272 (+16), seqno 1, time 0
  By thread 1, 4242 main
  1) backtrace return address 0x00400104
0x00010300 : new[] 1024 bytes, actual size 1032 (+8), seqno 4, time 20
  By thread 2, 4243 worker
  1) backtrace return address 0x00400134
0x00031000 : memalign() 64 bytes, actual size 72 (+8), seqno 7, time 30
  By thread 1, 4242 main
  1) backtrace return address 0x00400164
0x00032000 : realloc() 200 bytes, actual size 208 (+8), seqno 9, time 30
  By thread 1, 4242 main
  1) backtrace return address 0x00400174
0x00040000 : MALLOCLIKE 32 bytes, actual size 40 (+8), seqno 10, time 40
  By thread 1, 4242 main
  1) backtrace return address 0x00400183
END
no_err
run dg allocs dump --levels=2 --at=20 log
status 0
out << 'END'
0x00010010 : malloc() 256 bytes, actual size 272 (+16), seqno 1, time 0
  By thread 1, 4242 main
  1) backtrace return address 0x00400104
  2) backtrace return address 0x00400204
0x00010200 : new 13 bytes, actual size 32 (+19), seqno 3, time 20
  By thread 2, 4243 worker
  1) backtrace return address 0x00400124
0x00010300 : new[] 1024 bytes, actual size 1032 (+8), seqno 4, time 20
  By thread 2, 4243 worker
  1) backtrace return address 0x00400134
  2) backtrace return address 0x00400204
END
no_err
run dg allocs dump --levels=all --at=event:load#2 -SP log
status 0
out << 'END'
0x00032000 : realloc() 200 bytes, actual size 208 (+8), seqno 9, time 30
  By thread 1, 4242 main
  1) backtrace return address 0x00400174
0x00031000 : memalign() 64 bytes, actual size 72 (+8), seqno 7, time 30
  By thread 1, 4242 main
  1) backtrace return address 0x00400164
0x00010300 : new[] 1024 bytes, actual size 1032 (+8), seqno 4, time 20
  By thread 2, 4243 worker
  1) backtrace return address 0x00400134
  2) backtrace return address 0x00400204
0x00010200 : new 13 bytes, actual size 32 (+19), seqno 3, time 20
  By thread 2, 4243 worker
  1) backtrace return address 0x00400124
0x00010010 : malloc() 256 bytes, actual size 272 (+16), seqno 1, time 0
  By thread 1, 4242 main
  1) backtrace return address 0x00400104
  2) backtrace return address 0x00400204
  3) backtrace return address 0x00400304
END
no_err
run dg allocs dump --json -Fsize_max=64 log
status 0
out << 'END'
{"schema": "datagrind/allocs-dump/1", "log": "log", "partial": [], "at": "end", "icount": null, "time_unit": "i", "block_list": [
  {"address": "0x31000", "size": 64, "seqno": 7, "time": 30, "allocator": "memalign()", "actual_size": 72, "overhead": 8, "alignment": 64, "old_address": null, "thread": 1, "tid": 4242, "thread_name": "main", "backtrace": [{"address": "0x400164", "function": null, "file": null, "line": null, "column": null, "source": null, "module": null}]},
  {"address": "0x40000", "size": 32, "seqno": 10, "time": 40, "allocator": "MALLOCLIKE", "actual_size": 40, "overhead": 8, "alignment": 0, "old_address": null, "thread": 1, "tid": 4242, "thread_name": "main", "backtrace": [{"address": "0x400183", "function": null, "file": null, "line": null, "column": null, "source": null, "module": null}]}]}
END
no_err

# ---- Moments ----------------------------------------------------------------

# at MOMENT SEQNOS
at ()
{
  run dg allocs dump --at="$1" -Ss -f %s log
  [ "$exit_status" = 0 ] && [ "$(paste -sd' ' stdout)" = "$2" ]
  report "the blocks $2" stdout stderr
}
at 0 1
at 9 1
at 10 '1 2'
at event:load 1
at event:load:start 1
at event:load#1 1
at event:load#1:start 1
at 19 '1 2'
at 20 '1 3 4'
at event:load:end '1 3 4'
at 30 '1 3 4 7 9'
at event:load#2 '1 3 4 7 9'
at event:load#2:end '1 4 7 9 10'
at 1k '1 4 7 9 10'
at end '1 4 7 9 10'
run dg allocs dump --at=event:load#3 log
status 2
no_out
err << 'END'
dg: allocs dump: log: there are fewer events 'load' than that
Try 'dg allocs dump --help'.
END
run dg allocs dump --at=event:none log
status 2
no_out
err << 'END'
dg: allocs dump: log: the log has no event 'none'
Try 'dg allocs dump --help'.
END
run dg allocs dump --at=event:load#0 log
status 2
no_out
err << 'END'
dg: allocs dump: log: the log has no event 'load'
Try 'dg allocs dump --help'.
END
run dg allocs dump --at=start log
status 2
no_out
err << 'END'
dg: allocs dump: log: 'start' is not a moment: must be an instruction count, event:LABEL or end
Try 'dg allocs dump --help'.
END
run dg allocs dump --at= log
status 2
no_out
err << 'END'
dg: allocs dump: log: '' is not a moment: must be an instruction count, event:LABEL or end
Try 'dg allocs dump --help'.
END
run dg allocs dump --at=-1 log
status 2
no_out
err << 'END'
dg: allocs dump: log: '-1' is not a moment: must be an instruction count, event:LABEL or end
Try 'dg allocs dump --help'.
END

# Labels that look like more than a label; events without an end.
assemble labels << 'END'
header
start_event "a#2"
malloc_block 0x1000 1 [0x400000]
start_event "a:end"
malloc_block 0x2000 1 [0x400000]
start_event "a"
malloc_block 0x3000 1 [0x400000]
end_event "a"
start_event "a"
malloc_block 0x4000 1 [0x400000]
start_event ""
malloc_block 0x5000 1 [0x400000]
END
for at in 'a#2=' 'a:end=1' 'a=1 2' 'a#2:start=' 'a#1:end=1 2 3' '=1 2 3 4' \
  'a:end:start=1'; do
  run dg allocs dump --at="event:${at%%=*}" -f %p labels
  [ "$(cut -c 7 stdout | paste -sd' ')" = "${at#*=}" ]
  report "blocks ${at#*=}" stdout stderr
done
run dg allocs dump --at='event:a#2:end' labels
status 2
err_has "labels: the event 'a#2' has no end in the log"

# ---- Order ------------------------------------------------------------------

# sorted KEYS SEQNOS, at a moment with two threads and blocks of both
sorted ()
{
  run dg allocs dump -S$1 --at=event:load#2 -f %s log
  [ "$exit_status" = 0 ] && [ "$(paste -sd' ' stdout)" = "$2" ]
  report "the order $2" stdout stderr
}
sorted p '1 3 4 7 9'
sorted P '9 7 4 3 1'
sorted n '3 7 9 1 4'
sorted N '4 1 9 7 3'
sorted s '1 3 4 7 9'
sorted S '9 7 4 3 1'
sorted a '1 7 3 4 9'
sorted t '1 7 9 3 4'
sorted T '3 4 1 7 9'
sorted tN '1 9 7 4 3'
sorted TnP '3 4 7 9 1'
sorted aS '1 7 3 4 9'
run dg allocs dump --sort=N -f %n log
[ "$(paste -sd' ' stdout)" = '1024 256 200 64 32' ]
report 'the long name' stdout
run dg allocs dump -SNx log
status 2
no_out
err << 'END'
dg: allocs dump: 'x' is not a sort key; valid are: p P n N s S a t T
Try 'dg allocs dump --help'.
END
run dg allocs dump -S '' log
status 2
no_out
err << 'END'
dg: allocs dump: the sort key is empty
Try 'dg allocs dump --help'.
END

# ---- Filters ----------------------------------------------------------------

# filtered FILTER... -- SEQNOS
filtered ()
{
  local options=()
  while [ "$1" != -- ]; do options+=("-F$1"); shift; done
  run dg allocs history "${options[@]}" -f %s log
  [ "$exit_status" = 0 ] && [ "$(paste -sd' ' stdout)" = "$2" ]
  report "the events $2" stdout stderr
}
filtered thread=2 -- '3 4 5'
filtered size_min=200 -- '1 2 4 5 9'
filtered size_max=64 -- '3 7 10 11'
filtered seqno_min=9 -- '9 10 11'
filtered seqno_max=2 -- '1 2'
filtered time_min=40 -- '10 11'
filtered time_max=10 -- '1 2'
filtered ptr_min=0x32000 -- '9 10'
filtered ptr_max=0x10200 -- '1 3 11'
filtered ptr_min=66048 ptr_max=66048 -- '3 11'
filtered size_min=64 size_max=256 thread=1 -- '1 6 7 8 9'
filtered size_min=100 size_min=200 size_max=0x100 -- '1 9'
filtered thread=1 thread=2 -- ''
filtered thread=7 -- ''
run dg allocs dump -Fsize_min=1ki --filter=size_max=1M -f %n log
[ "$(cat stdout)" = 1024 ]
report 'units' stdout
run dg allocs dump -Fsize=3 log
status 2
no_out
err << 'END'
dg: allocs dump: the filter 'size=3' has an unknown key; valid are: thread, size_min, size_max, seqno_min, seqno_max, time_min, time_max, ptr_min, ptr_max
Try 'dg allocs dump --help'.
END
run dg allocs dump -Fsize_min log
status 2
no_out
err << 'END'
dg: allocs dump: the filter 'size_min' is not KEY=VALUE
Try 'dg allocs dump --help'.
END
run dg allocs dump -Fsize_min=many log
status 2
no_out
err << 'END'
dg: allocs dump: the filter 'size_min=many' has no number after the '='
Try 'dg allocs dump --help'.
END
run dg allocs dump -Fptr_min=0x log
status 2
no_out
err << 'END'
dg: allocs dump: the filter 'ptr_min=0x' has no number after the '='
Try 'dg allocs dump --help'.
END
run dg allocs dump -Fptr_min=0x10000000000000000 log
status 2
no_out
err << 'END'
dg: allocs dump: the filter 'ptr_min=0x10000000000000000' has no number after the '='
Try 'dg allocs dump --help'.
END

# ---- Formats ----------------------------------------------------------------

run dg allocs dump -f '%% %p %n %m %o %s %a %T %t %h %N' log
status 0
out << 'END'
% 0x00010010 256 272 16 1 malloc() 0 1 4242 main
% 0x00010300 1024 1032 8 4 new[] 20 2 4243 worker
% 0x00031000 64 72 8 7 memalign() 30 1 4242 main
% 0x00032000 200 208 8 9 realloc() 30 1 4242 main
% 0x00040000 32 40 8 10 MALLOCLIKE 40 1 4242 main
END
no_err
run dg allocs dump -f '%b1 %b2 %b3 %f1 %w2 %l3.' log
status 0
out << 'END'
0x00400104 0x00400204 0x00400304   .
0x00400134 0x00400204 0x00000000   .
0x00400164 0x00000000 0x00000000   .
0x00400174 0x00000000 0x00000000   .
0x00400183 0x00400204 0x00000000   .
END
no_err
run dg allocs dump -Fseqno_max=1 -f 'a\tb\n\"%n\"\\' log
status 0
out << 'END'
a	b
"256"\
END
no_err
run dg allocs dump -Fseqno_max=1 -f '' log
status 0
out << 'END'

END
no_err
run dg allocs dump --time-unit=ms -f '%s %T' log
status 0
out << 'END'
1 0
4 4
7 6
9 6
10 8
END
no_err
run dg allocs dump -f '%p : %a %n bytes, actual size %m (+%o), seqno %s, time %T\n  By thread %t, %h %N\n  1) backtrace return address %b1' log
cp stdout as_format
run dg allocs dump log
diff as_format stdout > difference
report 'it is the format that is the default' difference
run dg allocs dump -f '%x' log
status 2
no_out
err << 'END'
dg: allocs dump: the format '%x': '%x' is not a conversion
Try 'dg allocs dump --help'.
END
run dg allocs dump -f '%n %' log
status 2
no_out
err << 'END'
dg: allocs dump: the format '%n %': it ends with a '%'; write '%%' for a percent sign
Try 'dg allocs dump --help'.
END
run dg allocs dump -f '%b %n' log
status 2
no_out
err << 'END'
dg: allocs dump: the format '%b %n': '%b' needs a level from 1 to 8, as in '%b1'
Try 'dg allocs dump --help'.
END
run dg allocs dump -f '%f0' log
status 2
no_out
err << 'END'
dg: allocs dump: the format '%f0': '%f' needs a level from 1 to 8, as in '%f1'
Try 'dg allocs dump --help'.
END
run dg allocs dump -f '%w9' log
status 2
no_out
err << 'END'
dg: allocs dump: the format '%w9': '%w' needs a level from 1 to 8, as in '%w1'
Try 'dg allocs dump --help'.
END
run dg allocs dump -f '%l10' log
status 2
no_out
err << 'END'
dg: allocs dump: the format '%l10': '%l' needs a level from 1 to 8, as in '%l1'
Try 'dg allocs dump --help'.
END
run dg allocs dump -f '%ä' log
status 2
no_out
err << 'END'
dg: allocs dump: the format '%ä': '%ä' is not a conversion
Try 'dg allocs dump --help'.
END
run dg allocs dump -f '\q' log
status 2
no_out
err << 'END'
dg: allocs dump: the format '\q': a '\' must be followed by n, t, " or \
Try 'dg allocs dump --help'.
END
run dg allocs dump -f '%b4' log
status 2
no_out
err << 'END'
dg: allocs dump: log: there is no level 4: call stacks in this log have at most 3
Try 'dg allocs dump --help'.
END
run dg allocs dump -f '%n' --json log
status 2
no_out
err << 'END'
dg: allocs dump: --json cannot be combined with --format
Try 'dg allocs dump --help'.
END

# ---- The manual -------------------------------------------------------------

# Every member of what --json tells, every sort key, filter and conversion.
page=${abs_top_srcdir:?}/docs/man/dg-allocs.1
for part in stats dump history diff leaks; do
  "$DG" allocs $part --json log
done | grep -o '"[A-Za-z_]*": ' | tr -d '": ' | sort -u > members
sed -n '/^\.SH JSON/,/^\.SH MEMORY/p' "$page" | tr -cs 'A-Za-z0-9_' '\n' |
  sort -u | comm -23 members - > difference
title='dg-allocs(1)'
[ -s members ] && [ ! -s difference ]
report 'has the members of --json' difference
for part in dump history diff; do
  "$DG" allocs $part --help
done | sed -n '/^KEYS\|^KEY=VALUE\|^FORMAT/,/^$/p' |
  grep -oE '%[a-z%A-Z]|[a-z]+(_m[a-z]+)?=[A-Z]|^  [pns] [PNS] |^  a |^  t T ' |
  sed 's/=.*/=/' | tr -s ' ' '\n' | sort -u > words
sed -n '/^\.SH OPTIONS/,/^\.SH FUNCTIONS/p' "$page" |
  sed 's/\\fR,\\ \\fP/ /; s/= [A-Z]/=/g' | tr -cs 'A-Za-z_%=' '\n' |
  sort -u | comm -23 words - > difference
[ "$(wc -l < words)" -ge 33 ] && [ ! -s difference ]
report 'has the letters and keys of --help' difference words

# ---- Command lines ----------------------------------------------------------

run dg allocs
status 2
no_out
err << 'END'
dg: allocs: expected one of stats, dump, history, diff, leaks
Try 'dg allocs --help'.
END
run dg allocs frees
status 2
no_out
err << 'END'
dg: allocs: 'frees' must be one of stats, dump, history, diff, leaks
Try 'dg allocs --help'.
END
run dg allocs --help
status 0
out_has 'Usage: dg allocs stats|dump|history|diff|leaks [OPTION]... LOG'
for part in stats dump history diff leaks; do
  run dg allocs $part --help
  status 0
  no_err
  out_has "Usage: dg allocs $part [OPTION]... LOG"
  [ "$(awk 'length > 79' stdout)" = "" ]
  report 'is not too wide' stdout
done
run dg allocs dump
status 2
no_out
err << 'END'
dg: allocs dump: no LOG is given
Try 'dg allocs dump --help'.
END
run dg allocs dump log log
status 2
no_out
err << 'END'
dg: allocs dump: unexpected argument 'log'
Try 'dg allocs dump --help'.
END
run dg allocs stats -Sp log
status 2
no_out
err << 'END'
dg: allocs stats: Unknown option -Sp
Try 'dg allocs stats --help'.
END
run dg allocs dump --levels=0 log
status 2
no_out
err << 'END'
dg: allocs dump: '0' is not a number of levels
Try 'dg allocs dump --help'.
END
run dg allocs dump --levels=256 log
status 2
no_out
err << 'END'
dg: allocs dump: '256' is not a number of levels
Try 'dg allocs dump --help'.
END
run dg allocs dump --levels=few log
status 2
no_out
err << 'END'
dg: allocs dump: 'few' is not a number of levels
Try 'dg allocs dump --help'.
END
run dg allocs dump --time-unit=B log
status 2
no_out
err << 'END'
dg: allocs dump: 'B' is not a unit of time: must be i or ms
Try 'dg allocs dump --help'.
END
run dg allocs dump --heap-admin=1025 log
status 2
no_out
err << 'END'
dg: allocs dump: '1025' is not a number of bytes up to 1024
Try 'dg allocs dump --help'.
END
run dg allocs dump --source-map=here log
status 2
no_out
err << 'END'
dg: allocs dump: 'here' is not of the form FROM=TO
Try 'dg allocs dump --help'.
END
run dg allocs dump --allocators=none log
status 1
no_out
err << 'END'
dg: none: No such file or directory
END
run dg allocs dump -j-1 log
status 2
no_out
err << 'END'
dg: allocs dump: -1 is not a valid number of threads (0 to 4096)
Try 'dg allocs dump --help'.
END
run dg allocs dump -Aarm-elf -I '*.h' -n -f %s log
status 0
no_err
finish
