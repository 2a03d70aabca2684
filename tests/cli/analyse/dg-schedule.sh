# dg-schedule.sh: time slices, switches and waits of threads, of logs by hand.
# Recordings are compared with a plain model in tests/record/opcodes.sh.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"

assemble log << 'END'
process 42 1 7 8 4096 64 0 8 "1.0" "3.19.0" "amd64" "/no/p" "/" ["p"]
thread_start 1 0 42
bbdef [0x400000+4 0x400004+4] [R4@0]
context 0 [0x400000]
bbdef [0x400008+4 0x40000c+4 0x400010+4] []
context 1 [0x400008]
bbrun 0 2 [0x1000]
bbrun 1 3 []
thread_start 2 1 43
thread_start 3 1 44
thread_switch 2
bbrun 0 1 [0x1000]
thread_switch 1
bbrun 1 3 []
start_event "e"
bbrun 0 2 [0x2000]
thread_switch 2
bbrun 0 2 [0x1000]
bbrun 0 2 [0x1000]
end_event "e"
thread_switch 1
bbrun 0 1 [0x1000]
end
END
run dg schedule log
status 0
no_err
out << 'END'
Log        log
Command    p

Instructions                16
Threads that ran             2
Time slices                  5
Switches between threads     4
Instructions in a slice   3.20
  in the longest one         5

By thread
                                             Mean  Longest
 Share  Instructions  Slices  Mean  Longest  wait     wait  Thread  Name
68.8 %            11       3  3.67        5  2.50        4       1
31.2 %             5       2  2.50        4  5.00        5       2

From one thread to another
            From      To
Switches  thread  thread
       2       1       2
       2       2       1
END
# Of a part: its time slices; waits are those of the whole run.
run dg schedule --threads=2 --json log
status 0
out << 'END'
{
  "schema": "datagrind/schedule/1",
  "partial": [],
  "instructions": 5,
  "threads": 1,
  "time_slices": 2,
  "switches": 0,
  "mean_time_slice": 2.5,
  "longest_time_slice": 4,
  "rows": [
    {"share": 1, "instructions": 5, "time_slices": 2, "mean_time_slice": 2.5, "longest_time_slice": 4, "mean_wait": 5, "longest_wait": 5, "thread": 2, "thread_name": null}
  ],
  "handoffs": []
}
END
run dg schedule --instructions=4..8 --json log
status 0
out_has '"time_slices": 3,'
out_has '"switches": 2,'
run dg schedule --events=user:e --json log
status 0
out_has '"time_slices": 2,'
out_has '"switches": 1,'
run dg export --csv --table=schedule/handoffs log
out << 'END'
switches,from_thread,to_thread
2,1,2
2,2,1
END
run dg schedule --interval=4 log
status 2
assemble nothing << 'END'
end
END
run dg schedule nothing
status 0
out_has 'Time slices                  0'
dg pack log -o log.dgz > /dev/null 2>&1
dg schedule --json log > plain
run dg schedule --json -j 4 log.dgz
cmp plain stdout > difference 2>&1
report 'the same of an archive' difference
finish
