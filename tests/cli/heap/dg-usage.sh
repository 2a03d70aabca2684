# dg-usage.sh: wrong command lines, and the help for right ones.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"

run dg
status 2
no_out
err << 'END'
dg: no command is given, and there are no logs in this folder
Try 'dg --help'.
END

run dg frobnicate log
status 2
err << 'END'
dg: there is no command 'frobnicate'
Try 'dg --help'.
END

run dg --frobnicate
status 2
err << 'END'
dg: unknown option '--frobnicate'
Try 'dg --help'.
END

for command in info check dump; do
  run dg $command
  status 2
  no_out
  err << END
dg: $command: no LOG is given
Try 'dg $command --help'.
END

  run dg $command one two
  status 2
  err << END
dg: $command: unexpected argument 'two'
Try 'dg $command --help'.
END

  run dg $command --wrong log
  status 2
  err << END
dg: $command: Unknown option --wrong
Try 'dg $command --help'.
END

  run dg $command -j -1 log
  status 2
  err << END
dg: $command: -1 is not a valid number of threads (0 to 4096)
Try 'dg $command --help'.
END

  run dg $command -j many log
  status 2

  run dg $command --help
  status 0
  no_err
  out_has "Usage: dg $command [OPTION]... LOG"
done

run dg dump --events
status 2
no_out

run dg --help
status 0
no_err
out_has 'Usage: dg COMMAND [OPTION]... LOG'

run dg --version
status 0
no_err
out_has 'dg (Datagrind) '

# Names that look like options, behind a --.
assemble_small ./-log
run dg check -- -log
status 0
out << 'END'
-log: good
END
run dg check --
status 2

# Names that are nearly right.
run dg count log
status 2
err << 'END'
dg: there is no command 'count'; did you mean 'counts'?
Try 'dg --help'.
END

run dg help
status 0
out_has 'Usage: dg COMMAND [OPTION]... LOG'
for command in cut reuse 'allocs stats'; do
  # shellcheck disable=SC2086
  dg $command --help > told
  # shellcheck disable=SC2086
  run dg help $command
  status 0
  out < told
done

assemble log << 'END'
header
bbdef [0x400000+3] [R4@0]
context 0 [0x400000]
start_event "phase"
bbrun 0 1 [0x1000]
end_event "phase"
end
END
run dg counts --events=fn:nosuch,user:phaes,user:phase --threads=1,7-9 log
status 0
err << 'END'
dg: warning: --events: fn:nosuch matches nothing
dg: warning: --events: user:phaes matches nothing; did you mean 'phase'?
dg: warning: --threads: there are no threads 7 to 9; there is only 1
END
while IFS='|' read -r condition hint; do
  run dg counts "--events=$condition" log
  status 0
  err_has "$condition matches nothing; $hint"
done << 'END'
fn:a or fn:b|a comma stands for 'or'
fn:a && fn:b|a comma separates conditions, and there is no 'and'
thread:2-3|several threads are 'thread:1,thread:2'
END
for condition in 'fn:push(int&&)' 'fn:operator||' 'user:read or write'; do
  run dg counts "--events=$condition" log
  ! grep -q comma stderr
  report 'names of C++ and labels are no grammar' stderr
done
run dg counts --threads=9 log
status 0
err << 'END'
dg: warning: --threads: there is no thread 9; there is only 1
END

# An option without an effect is refused, before anything is read.
while read -r wanted options; do
  # shellcheck disable=SC2086
  run dg $options missing
  status 2
  no_out
  err_has "${wanted//_/ }"
done << 'END'
--threshold_has_no_effect_with_--sites heap --sites --threshold=3
--x_has_no_effect_with_--sites heap --sites --x 30
--y_has_no_effect_with_--late heap --late --y=30
--at_has_no_effect_with_--blocks heap --blocks --at=end
--exact-peak_has_no_effect_with_--untouched heap --untouched --exact-peak
--ignore-fn_has_no_effect_with_--sites heap --sites --ignore-fn=f
--depth_has_no_effect_with_--sites heap --sites --depth=3
--print_has_no_effect_with_--sites heap --sites --print
--x_needs_--print heap --x=30
--y_needs_--print heap -o out --y=30
--heap-admin_has_no_effect_with_--render heap --render=out.svg --heap-admin=1
--stacks_has_no_effect_with_--render heap --render=out.svg --stacks=yes
--alloc-fn_has_no_effect_with_--dhat-out heap --dhat-out=out --alloc-fn=f
--print_has_no_effect_with_--dhat-out heap --dhat-out=out --print
--output_has_no_effect_with_--dhat-out heap --dhat-out=out -o other
--wide_has_no_effect_with_--json heap --sites --json --wide
--wide_has_no_effect_on_a_file heap --sites -o out --wide
--wide_has_no_effect_with_--json counts --json --wide
--wide_has_no_effect_on_a_file counts --wide -o out
--wide_has_no_effect_on_a_file cache,reuse --wide -o out
--wide_has_no_effect_with_--json allocs stats --json --wide
--wide_has_no_effect_with_--json allocs dump --json --wide
--wide_has_no_effect_with_--json allocs history --json --wide
--wide_has_no_effect_with_--json allocs leaks --json --wide
--wide_has_no_effect_with_--format allocs dump --format=%a --wide
--force_has_no_effect_with_-o index --force -o out
--level_has_no_effect_with_--raw record --raw --level=3
--no-index_has_no_effect_with_--raw record --raw --no-index
--ring_has_no_effect_with_--raw record --raw --ring=4
--ring-dir_has_no_effect_with_--raw record --raw --ring-dir=.
-j_has_no_effect_with_--raw record --raw -j2
--progress_has_no_effect_with_--raw record --raw --progress
--verbose_has_no_effect_with_--raw record --raw -v
--quiet_and_--verbose_exclude_each_other record -q -v
END
# With these it has one.
for options in 'heap --print --x=30' 'heap -o out --depth=3 --at=end' \
  'heap --render=out.svg --time-unit=i' 'heap --dhat-out=out --depth=3' \
  'heap --sites --sort=-blocks --json' 'counts --sort=-reads --by=thread --json' \
  'counts --wide -o -' 'counts --wide -o /dev/null'; do
  # shellcheck disable=SC2086
  run dg $options log
  status 0
done

# One grammar of numbers: lib/base/number.c has it, and test-number its cases; here
# is that all who read numbers use it.
for number in 16 0x10 0_016 1k 1Ki 1.5Ki; do
  for options in "heap --depth=16 --max-snapshots=20 --print --x=$number" \
    "cut --instructions=..$number -o out" "cut --addresses=..$number -o out" \
    "counts --interval=$number" "counts --instructions=0..$number" \
    "counts --top=$number" "counts --threads=1-$number" \
    "allocs leaks --top=$number" "allocs stats --heap-admin=0x10" \
    "heap --at=$number -o out" "check -j 0x2" "check -j0" \
    "cache --D1=1Ki,2,0x40" "tlb --dtlb=0x10,4 --page=4Ki" \
    "reuse --line-size=64B"; do
    case $options in *--x=1*k | *--x=*Ki*) continue ;; esac
    # shellcheck disable=SC2086
    dg $options log > /dev/null 2> wrong
    case $? in 0 | 1) true ;; *) false ;; esac
    title="dg $options" report 'takes the number' wrong
  done
done
for number in 1K 010k8 0x -1 1,23 16i; do
  for options in heap\ --depth= counts\ --interval= cut\ --instructions=.. \
    cut\ -o\ out\ --addresses=.. counts\ --top= counts\ --threads= \
    allocs\ leaks\ --top= allocs\ stats\ --heap-admin= check\ -j; do
    case $options$number in *--threads=1,23) continue ;; esac
    # shellcheck disable=SC2086
    run dg $options$number log
    status 2
  done
done
finish
