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

# Much of it, numbers and long texts by turns: wherever they meet the buffer's
# end, all arrives.
many ()
{
  python3 - "$1" << 'END'
import sys
print('text_avma 0x400000 "/%s"' % ('l' * (100 + int(sys.argv[1]))))
print('module 0x400000 0x100000 0 [] "prog"')
for i in range(3000):
    print('bbdef [%#x+4] [R60000@0 W60000@0 W60000@0]' % (0x400000 + 4 * i))
    print('context %d [%#x]' % (i, 0x400000 + 4 * i))
    print('bbrun %d 1 [%#x 0x1000 0x2000]' % (i, 0x1000 + 8 * i))
END
}
for length in $(seq 16); do
  many "$length" > text
  assemble log < text
  run dg counts --by=instruction --json log
  status 0
  [ "$(python3 -c 'import json, sys
print (len (json.load (sys.stdin)["rows"]))' < stdout)" = 3000 ]
  report 'every row is there'
done

# Standard output by its name: what it has stays, and more comes behind it.
"$DG" heap -o expected log 2> stderr
echo before | cat - expected > both
for name in /dev/stdout "$work/appended"; do
  title="heap -o $(basename "$name") >> appended"
  echo before > appended
  "$DG" heap -o "$name" log >> appended 2> stderr
  exit_status=$?
  status 0
  cmp both appended > difference
  report 'it is appended' difference stderr
done
# A log, too, but no archive: its parts know where they are in the file.
"$DG" pack -o packed.dgz big 2> stderr
"$DG" cut -o expected --instructions=10..50 big 2> stderr
cat > trace << 'END'
I  00400000,4
 L 00001000,8
END
"$DG" import -o imported --lackey=trace 2> stderr
while read -r expected command; do
  echo before | cat - "$expected" > both
  for name in - /dev/stdout /dev/fd/1 /proc/self/fd/1 "$work/appended"; do
    title="dg $command -o $(basename "$name") >> appended"
    echo before > appended
    "$DG" $command -o "$name" >> appended 2> stderr
    exit_status=$?
    status 0
    cmp both appended > difference
    report 'it is appended' difference stderr
  done
  title="dg $command -o /dev/stdout |"
  { "$DG" $command -o /dev/stdout 2> stderr; echo $? > status; } | cat > piped
  exit_status=$(cat status)
  status 0
  cmp "$expected" piped > difference
  report 'it goes through a pipe' difference stderr
  title="dg $command -o /dev/stdout > /dev/full"
  "$DG" $command -o /dev/stdout > /dev/full 2> stderr
  exit_status=$?
  status 1
  err_has 'No space left on device'
done << 'END'
big unpack packed.dgz
expected cut --instructions=10..50 big
imported import --lackey=trace
END
# What is appended to nothing can be read.
title='an appended log'
: > appended
"$DG" unpack -o - packed.dgz >> appended
run dg info appended
has '80,000'
ln -s appended to.dgz
while read -r output command; do
  title="dg $command -o $output >> appended"
  echo before > appended
  "$DG" $command -o "$output" >> appended 2> stderr
  exit_status=$?
  status 1
  err_has 'an archive cannot be written to standard output'
  [ "$(cat appended)" = before ]
  report 'is left alone' appended stderr
done << 'END'
- pack big
/dev/stdout pack big
/proc/self/fd/1 pack packed.dgz
to.dgz pack big
to.dgz cut --instructions=10..50 big
to.dgz import --lackey=trace
END
title='dg calls --chrome=/dev/stdout >> appended'
echo before > appended
"$DG" calls --chrome=/dev/stdout log >> appended 2> stderr
exit_status=$?
status 0
[ "$(head -n 1 appended)" = before ] && grep -q traceEvents appended
report 'it is appended' appended stderr

title='the log as standard output'
cp log kept
"$DG" heap -o /dev/stdout log >> log 2> stderr
exit_status=$?
status 1
cmp log kept
report 'is left alone' stderr
cp big kept
"$DG" cut -o - --instructions=1..5 big >> big 2> stderr
exit_status=$?
status 1
err_has 'the same file'
cmp big kept
report 'is left alone' stderr

finish
