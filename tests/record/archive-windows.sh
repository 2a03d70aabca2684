#!/bin/bash
# Windows in time when `dg record` packs: the archive holds what a raw log
# does, to the instruction, and its size is bounded as the log's is.
#
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "$(dirname "$0")/both.sh"

guest phases -no-pie -fno-pie -static || guest phases -no-pie -fno-pie \
  || skip_all "the compiler cannot make the programs"

both all ./phases
alike requests --datagrind-start=no ./phases requests
alike requests-on ./phases requests
alike never --datagrind-start=no ./phases
alike function --datagrind-toggle-fn=second ./phases
alike recursion --datagrind-toggle-fn=recurse ./phases
alike two-functions --datagrind-toggle-fn=first --datagrind-toggle-fn=second \
  ./phases
alike jump --datagrind-toggle-fn=second ./phases jump
for spec in 0:1 0:1000 1:1 999:2 5000:12345 7777:1 20000:100000000; do
  skip=${spec%:*} count=${spec#*:}
  alike "skip-$skip-$count" --datagrind-skip=$skip \
    --datagrind-stop-after=$count ./phases
done
alike window --datagrind-window=300/2k ./phases
alike window-function --datagrind-window=300/2k --datagrind-toggle-fn=second \
  ./phases
alike window-part --datagrind-window=300/2k --datagrind-skip=9000 \
  --datagrind-stop-after=1234 ./phases
alike window-requests --datagrind-window=300/2k --datagrind-start=no \
  ./phases requests
both skip-then-function --datagrind-skip=9000 --datagrind-toggle-fn=third \
  ./phases

# Several chunks, which hardly pack: indices by chance.
cat > chance.c << 'END_C'
volatile unsigned char table[1 << 24];
int
main (void)
{
  unsigned long long x = 88172645463325252u;
  for (int i = 0; i < N; i++) {
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    table[x >> 40]++;
  }
  return 0;
}
END_C
n=1500000 parts=2
[ -z "$DG_TEST_LONG" ] || n=3000000 parts='2 4'
$CC -DN=$n -O1 -no-pie -fno-pie -static chance.c -o chance \
  || $CC -DN=$n -O1 -no-pie -fno-pie chance.c -o chance
end_of ()
{
  info "$1" end
}
raw whole.dg ./chance
live whole.dgz ./chance
same "chance: accesses of raw log and archive" accesses whole.dg whole.dgz
whole=$(stat -c %s whole.dgz)
note "chance: $(info whole.dgz accesses) accesses, $whole bytes packed"
for part in $parts; do
  bytes=$((whole / part))
  live part.dgz --datagrind-max-size=$bytes ./chance
  is "max-size=$bytes: ends as without" "$(cat part.dgz.end)" "exit 0"
  is "max-size=$bytes: silent" "$(cat part.dgz.err)" ""
  real=$(stat -c %s part.dgz)
  note "max-size=$bytes: $real bytes"
  check "max-size=$bytes: the file is not longer" test "$real" -le $bytes
  check "max-size=$bytes: the file is not much shorter" \
    test "$real" -ge $((bytes / 2))
  check "max-size=$bytes: archive" "$DG" check part.dgz
  is "max-size=$bytes: the end says so" "$(end_of part.dgz)" max-size
  # What is there is the beginning of the whole.
  cmp <(accesses part.dgz) <(accesses whole.dg) > cmp.out 2>&1
  check "max-size=$bytes: the beginning, and nothing else" \
    grep -q 'EOF on /dev/fd' cmp.out
done

done_testing
