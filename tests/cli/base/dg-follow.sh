# dg-follow.sh: --follow: running figures of a log that is being written.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"

# Some chunks of about a million accesses; blocks that come with time.
{
  cat << 'END'
process 42 1 7 8 4096 64 0 8 "1.0" "3.19.0" "amd64" "/bin/prog" "/" ["prog"]
thread_start 1 0 42
thread_start 2 1 43
bbdef [0x400000+3 0x400003+5 0x400008+2] [R4@0 W8@1 R16@1]
bbdef [0x400010+4] [W8@0]
context 0 [0x400000]
context 1 [0x400010]
END
  for ((i = 0; i < 100; i++)); do
    echo "thread_switch $((1 + i % 2))"
    printf 'malloc_block 0x%x 64 [0x400000]\n' $((0x10000 + i * 4096))
    echo 'repeat 10000'
    printf 'bbrun 0 3 [0x%x 0x%x 0x9000]\n' $((0x10000 + i * 4096)) \
      $((0x10008 + i * 4096))
    echo 'bbrun 1 1 [0x9008]'
    echo done
  done
  echo 'end why=0 exit_code=0'
} > text
assemble raw < text
"$DG" pack raw -o whole.dgz || exit 99
"$DG" info --json whole.dgz | grep -q '"chunks": [4-9]' || {
  echo 'Bail out! the log has too few chunks'
  exit 99
}

# The program itself: what $DG keeps of JSON is one document.
# shellcheck disable=SC2154
timeout 600 python3 "$abs_srcdir/cli/base/follow_log.py" "$dg_itself" \
  whole.dgz > checks 2> stderr
exit_status=$?
title=follow_log.py
status 0
no_err
while read -r result what; do
  title=${what%%:*}
  printf '%s\n' "$what" > why
  [ "$result" = good ]
  report "${what#*: }" why
done < checks

# ---- What is wrong -------------------------------------------------------------

run dg info --follow missing
status 1
err << 'END'
dg: missing: No such file or directory
END
run dg counts --follow -o out whole.dgz
status 2
err_has '--follow writes to standard output only, not to a file'
run dg heap --follow -o out whole.dgz
status 2
err_has '--follow shows the heap and its tables; it writes no files'
run dg counts --follow --by=line --sort=nothing whole.dgz
status 2
no_out
err_has 'nothing'
title='dg info --follow > /dev/full'
"$DG" info --follow whole.dgz > /dev/full 2> why
[ $? = 1 ] && [ "$(cat why)" = 'dg: standard output: No space left on device' ]
report 'says why' why
run dg diff counts --follow whole.dgz whole.dgz
status 2
err_has 'Unknown option --follow'

finish
