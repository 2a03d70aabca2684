# What starts tests and counts them: run-test, which keeps away what is the user's,
# and tap-count, whose last line says whether all is well.
# Copyright (C) 2026 the Datagrind developers.
# SPDX-License-Identifier: GPL-2.0-or-later

. "${abs_srcdir:?}/cli/lib.sh"
count=${abs_top_srcdir:?}/build-aux/tap-count

# ---- run-test ---------------------------------------------------------------

cat > look.sh << 'END'
echo "home $HOME, temporary files $TMPDIR"
env | cut -d= -f1 | sort > names
env | wc -c > size
touch "$HOME/left" && mkdir "$HOME/closed" && chmod 0 "$HOME/closed"
cat
END
# The build's variables, and what a user may have besides.
here=$(env -i PATH="$PATH" DG=x bash "$abs_srcdir/run-test" shell ./look.sh 2> took)
mv names names-none
mv size size-none
many=$(seq -f 'USER_VARIABLE_%g=value' 300)
# shellcheck disable=SC2086  # words on purpose
there=$(env -i $many DG=x PATH="$PATH:/nowhere" LANG=de_DE.UTF-8 LC_ALL=de_DE.UTF-8 \
  HOME=/nowhere/very/deep TMPDIR=/nowhere USER=somebody TERM=linux \
  GLIBC_TUNABLES=glibc.malloc.check=3 LD_PRELOAD= MALLOC_PERTURB_=3 \
  bash "$abs_srcdir/run-test" shell ./look.sh 2> /dev/null)
title='run-test'
cmp names-none names > difference && cmp size-none size >> difference
report 'the environment is the same, whatever the user has' difference names
[ "${#here}" = "${#there}" ] && [ "$here" != "$there" ]
report 'names of folders have the same length, and are new' /dev/null
folder=${here#home } folder=${folder%%,*}
[ -n "$folder" ] && [ ! -e "$folder" ]
report 'its folder is removed' /dev/null
grep -q '^# took [0-9.]* s, [0-9.]* s and [0-9.]* s of processor time$' took
report 'it says what the test took' took
bash "$abs_srcdir/run-test" shell -c 'exit 7' 2> /dev/null
[ $? = 7 ]
report 'the status is that of the test' /dev/null

# ---- tap-count --------------------------------------------------------------

mkdir -p build/tests/some build/other/tests
: > build/tests/Makefile
printf ':test-result: PASS\n:test-result: FAIL\n:test-result: SKIP\n' \
  > build/tests/some/thing.trs
{
  echo '# took 1.0 s, 2.5 s and 0.5 s of processor time'
  printf 'ok 1 - good\nPASS: some/thing.sh 1 - good\n'
  printf 'not ok 2 - bad\nFAIL: some/thing.sh 2 - bad\n'
  seq -f '#   line %g' 12
  printf 'ok 3 - # SKIP no way\nSKIP: some/thing.sh 3 # SKIP no way\n'
} > build/tests/some/thing.log
run "$count" build/tests
status 1
out << 'END'
SKIP some/thing.sh 3 # SKIP no way
FAIL: some/thing.sh 2 - bad
     #   line 1
     #   line 2
     #   line 3
     #   line 4
     #   line 5
     #   line 6
     #   line 7
     #   line 8
     #   line 9
     #   line 10
     log:   build/tests/some/thing.log
     again: make -C build/tests check TESTS=some/thing.sh
     3.0 s of processor time: build/tests/some/thing
     3.0 s of processor time: all
1 passed, 1 failed, 1 skipped
END
# A program that crashed has not said which test that was.
echo ':test-result: ERROR' > build/other/tests/crash.trs
{
  printf 'ok 1 /base/one\nPASS: unit/crash 1 /base/one\n'
  echo 'ERROR:unit/crash.c:12: assertion failed (1 == 2)'
  echo 'ERROR: unit/crash - exited with status 134 (terminated by signal 6?)'
} > build/other/tests/crash.log
run "$count" build/other
status 1
out_has 'assertion failed (1 == 2)'
out_has '0 passed, 1 failed, 0 skipped'
mkdir none
run "$count" none
status 1
out_has '0 passed, 0 failed, 0 skipped'
echo ':test-result: PASS' > none/good.trs
: > none/good.log
run "$count" none
status 0
out_has '1 passed, 0 failed, 0 skipped'
finish
