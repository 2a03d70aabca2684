# dg-output.sh: standard output that cannot be written.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"

assemble_small log
assemble big << 'END'
header
bbdef [0x10+1 0x11+1] [W4@0 R4@1]
context 0 [0x10]
repeat 40000
bbrun 0 2 [0x100 0x200]
done
END

for command in info 'info --json' check dump 'dump --accesses' 'info --help'; do
  title="dg $command to a full disk"
  "$DG" $command log > /dev/full 2> stderr
  exit_status=$?
  status 1
  err << 'END'
dg: standard output: No space left on device
END

  title="dg $command to nowhere"
  "$DG" $command log >&- 2> stderr
  exit_status=$?
  status 1
  err_has 'dg: standard output: '
done

for command in --help --version; do
  title="dg $command to a full disk"
  "$DG" $command > /dev/full 2> stderr
  exit_status=$?
  status 1
done

# A reader that has seen enough: no message, and no signal.
for command in dump 'dump --accesses'; do
  title="dg $command to a reader that goes away"
  { "$DG" $command big 2> stderr; echo $? > status; } | head -n 1 > stdout
  exit_status=$(cat status)
  status 1
  no_err
  [ "$(wc -l < stdout)" = 1 ]
  report 'one line' stdout
done

# All of a big one.
run dg dump --accesses big
status 0
[ "$(wc -l < stdout)" = 160000 ]
report '160000 lines'
[ "$(sort -u stdout | wc -l)" = 4 ]
report 'of four kinds'
finish
